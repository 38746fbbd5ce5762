"""A contract file into a :class:`Contract`, or every fault in it by file and JSON pointer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hive_gate.contract.check import invalid
from hive_gate.contract.expand import expand, step
from hive_gate.contract.extend import Text, read_text
from hive_gate.contract.lint import lint
from hive_gate.contract.lint_statement import Measures
from hive_gate.contract.model import (
    Bound,
    Capability,
    Clause,
    Connection,
    Contract,
    Feature,
    Measured,
    Method,
    Rule,
    Statement,
)
from hive_gate.contract.names import escape
from hive_gate.contract.recipes import read_recipe
from hive_gate.contract.texts import repeated


def load_contract(path: Path, measures: Measures | None = None) -> Contract:
    """Read, check and model a contract and the scene recipes it names.

    Args:
        path: the contract's file.
        measures: what can be measured, by which `measured` is checked; None: its names are taken as they are.

    Raises:
        ContractError: with each fault, where it is and what was expected there.
    """
    text = read_text(path)
    raw = text.raw
    digest = hashlib.sha256(b"".join(data for _, data in text.files))
    scenes: dict[str, Mapping[str, Any]] = {}
    for name, relative in raw["scenes"].items():
        # A recipe lies where the file says that names it.
        scenes[name], recipe_data = read_recipe(text.place(f"/scenes/{escape(name)}").file, name, relative)
        digest.update(recipe_data)
    entries = [(index, list(expand(entry, raw.get("if-broken")))) for index, entry in enumerate(raw["clauses"])]
    contract = _model(text, path, digest.hexdigest(), scenes, [c for _, clauses in entries for c in clauses])
    faults = lint(contract, entries, measures)
    if faults:
        raise invalid(path, "contract", [text.placed(fault) for fault in faults])
    return contract


def _model(
    text: Text, path: Path, sha256: str, scenes: Mapping[str, Mapping[str, Any]], clauses: list[Clause]
) -> Contract:
    raw = text.raw
    known = raw.get("known", {})
    return Contract(
        name=raw["name"],
        version=raw["version"],
        title=raw["title"],
        source=raw["source"],
        gates=tuple(raw["gates"]),
        pinned=raw["pinned"],
        path=path,
        sha256=sha256,
        values={name: _value(value) for name, value in raw.get("values", {}).items()},
        connections={name: Connection(name, entry["initialize"]) for name, entry in raw["connections"].items()},
        capabilities={
            name: Capability(name, entry["why"], step(entry)) for name, entry in raw.get("capabilities", {}).items()
        },
        suites=raw["suites"],
        scenes=scenes,
        methods={
            name: Method(name, _as_object(entry["params"]), _as_object(entry["result"]), entry["effect"])
            for name, entry in raw["methods"].items()
        },
        known_notifications=frozenset(known.get("notifications", ())),
        known_fields={method: frozenset(fields) for method, fields in known.get("fields", {}).items()},
        avoided=raw.get("avoided", {}),
        defs=raw.get("$defs", {}),
        clauses=tuple(clauses),
        constraints=tuple(_statement(entry) for entry in raw.get("constraints", ())),
        decisions=tuple(_statement(entry) for entry in raw.get("decisions", ())),
        remedies=raw.get("if-broken", {}),
        adapter=tuple(_rule(entry) for entry in raw.get("adapter", ())),
        features=tuple(_feature(name, entry) for name, entry in raw.get("features", {}).items()),
        lineage=text.lineage,
    )


def _as_object(schema: Any) -> Mapping[str, Any]:
    """Return a schema as an object, for `true` and `false` are schemas, too."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return dict(schema)


def _statement(entry: Mapping[str, Any]) -> Statement:
    return Statement(
        entry["id"],
        entry["text"],
        entry["source"],
        entry.get("status"),
        tuple(entry.get("evidence", ())),
        entry.get("record"),
        tuple(_measured(each) for each in entry.get("measured", ())),
    )


def _measured(entry: Mapping[str, Any]) -> Measured:
    bound: Bound = "at-most" if "at-most" in entry else "at-least"
    return Measured(entry["measurement"], entry["value"], bound, float(entry[bound]), entry["means"])


def _feature(name: str, entry: Mapping[str, Any]) -> Feature:
    return Feature(name, entry["text"], entry["method"], entry.get("param"), tuple(entry["evidence"]))


def _rule(entry: Mapping[str, Any]) -> Rule:
    level = entry.get("level", "required")
    return Rule(entry["id"], level, entry["must"], entry["why"], entry["source"], entry["check"], entry["params"])


def _value(value: Any) -> Any:
    """Return a value, or the long text that it describes as a scene recipe does."""
    is_recipe = isinstance(value, Mapping) and set(value) == {"repeat", "characters"}
    return repeated(value) if is_recipe else value
