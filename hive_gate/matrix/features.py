"""What a target offers of what Hive's app asks for at run time, and whether it behaves as the contract says."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate import __version__
from hive_gate.contract.globs import named
from hive_gate.contract.model import Contract
from hive_gate.contract.model import Feature as Asked
from hive_gate.drift.digest import Digest
from hive_gate.drift.resolve import Json
from hive_gate.drift.structure import EXPERIMENTAL
from hive_gate.report.codec import encode
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import ClauseResult, Gate, Report

SCHEMA_ID = "hive-gate/features/1"
"""The value of the document's `schema` member; it changes when a reader would have to."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature of one target."""

    available: bool
    """The target's own schema has the method, and the member of its params where it is one."""
    experimental: bool
    """Only a client that asked for `experimentalApi` may use it."""
    behaves: bool | None
    """Every clause that shows it passed (True), one does not hold (False), or none was seen to pass (None)."""
    text: str
    """What Hive can do with it."""
    evidence: tuple[str, ...]
    """The clauses of the run that were seen to pass for it."""
    broken: tuple[str, ...]
    """The clauses of the run that do not hold."""


@dataclass(frozen=True, slots=True)
class Features:
    """The document that Hive's app reads at start-up."""

    target: Json
    """Spec, version and SHA-256 of the program."""
    contract: Json
    """Name, version and SHA-256."""
    run: Json
    """Id and start of the run that is the evidence, and the version of hive-gate."""
    gate: Gate
    """The run's verdict: `open` if every required clause that applies was seen to hold."""
    features: dict[str, Feature]


def features(contract: Contract, digest: Digest, report: Report) -> Features:
    """Return what a target offers.

    Args:
        contract: which features Hive asks for.
        digest: what the target says about itself.
        report: a whole run of the contract against it, without a baseline: an accepted failure does not behave.
    """
    target = {"spec": report.target.spec, "version": report.target.version, "sha256": report.target.sha256}
    judged = {"name": contract.name, "version": contract.version, "sha256": contract.sha256}
    run = {"id": report.run.id, "started": report.run.started, "hive_gate": __version__}
    found = {asked.name: _feature(asked, digest, report.clauses) for asked in contract.features}
    return Features(target, judged, run, report.gate, found)


def as_json(found: Features) -> str:
    """Return the document's text: one feature a line, with a newline at its end."""
    document = encode(found)
    lines = ",\n".join(f"    {dumps(name)}: {dumps(encode(one))}" for name, one in found.features.items())
    head = "".join(f'  "{name}": {dumps(document[name])},\n' for name in ("target", "contract", "run", "gate"))
    return f'{{\n  "schema": {dumps(SCHEMA_ID)},\n{head}  "features": {{\n{lines}\n  }}\n}}\n'


def _feature(asked: Asked, digest: Digest, clauses: tuple[ClauseResult, ...]) -> Feature:
    method = digest.messages["methods"].get(asked.method)
    member = None if method is None or asked.param is None else _member(method.params, asked.param, digest)
    available = method is not None and (asked.param is None or member is not None)
    experimental = method is not None and (method.experimental or bool(member and member.get(EXPERIMENTAL)))
    shown = [clause for clause in clauses if named(clause.id, asked.evidence)]
    passed = tuple(clause.id for clause in shown if clause.verdict == "pass")
    broken = tuple(clause.id for clause in shown if clause.verdict not in ("pass", "not-offered"))
    behaves = False if broken else True if passed else None
    # What is not there cannot behave, whatever a clause about its absence says.
    return Feature(available, available and experimental, behaves if available else None, asked.text, passed, broken)


def _member(params: Json, name: str, digest: Digest) -> dict[str, Json] | None:
    """Return the schema of a member of params; None if they have none of that name."""
    schema = digest.scope.follow(params)
    if not isinstance(schema, dict):
        return None
    found = schema.get("properties", {}).get(name)
    if isinstance(found, dict):
        return found
    branches = [branch for key in ("allOf", "anyOf", "oneOf") for branch in schema.get(key, [])]
    return next((member for branch in branches if (member := _member(branch, name, digest)) is not None), None)
