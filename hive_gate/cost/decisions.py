"""What a measurement says to the decisions and constraints of a contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hive_gate.contract.model import Contract
from hive_gate.cost.compare import name_of, names_of
from hive_gate.cost.jsonfile import digest
from hive_gate.cost.model import Cost, Decision, Kind
from hive_gate.errors import UsageError
from hive_gate.report.model import Measurement, Target
from hive_gate.report.statement import by_support, judged, support_of


def decided(cost: Cost, contract: Contract) -> Cost:
    """Return the measurement with what it says to a contract's decisions and constraints, for each target."""
    return replace(cost, decisions=tuple(_decisions(cost, contract)))


def contradicted(cost: Cost) -> Iterator[str]:
    """Yield each decision or constraint that the numbers contradict, with target, number and bound, as a phrase."""
    names = names_of(cost.targets)
    for decision in cost.decisions:
        for support, told in by_support(decision.measured):
            if support == "contradicted":
                yield f"{decision.id} on {names[decision.target]}: {told}"


def measurement_of(cost: Cost, target: Target, path: Path) -> Measurement:
    """Return what a measurement found of one program.

    Args:
        cost: the measurement.
        target: the program that is asked about.
        path: where the measurement was read from, for errors.

    Raises:
        UsageError: if it is of other programs.
    """
    for index, measured in enumerate(cost.targets):
        if _same(measured, target):
            return Measurement(cost.run.id, cost.run.started, digest(cost), _values(cost, index))
    builds = [index for index, measured in enumerate(cost.targets) if _same_version(measured, target)]
    what = "another build of it" if builds else " and ".join(names_of(cost.targets))
    at = f"{builds[0]}/sha256" if builds else "0/version"
    raise UsageError(
        f"The probe is of {name_of(target)}, and the measurement is of {what}.",
        where=f"{path}#/targets/{at}",
        hint=f"measure what is probed: hive-gate cost --codex {target.spec}",
    )


def _same(measured: Target, target: Target) -> bool:
    """Tell whether two targets are one program: by hash, or by version where it is built for another platform."""
    if measured.platform == target.platform and measured.sha256 and target.sha256:
        return measured.sha256 == target.sha256
    return _same_version(measured, target)


def _same_version(measured: Target, target: Target) -> bool:
    return target.version is not None and (measured.kind, measured.version) == (target.kind, target.version)


def _decisions(cost: Cost, contract: Contract) -> Iterator[Decision]:
    for index in range(len(cost.targets)):
        values = _values(cost, index)
        for each in (*contract.decisions, *contract.constraints):
            claims = judged(each.measured, values)
            support = support_of(claims)
            if support is not None:
                kind: Kind = "decision" if each in contract.decisions else "constraint"
                yield Decision(each.id, kind, index, each.record, support, claims)


def _values(cost: Cost, target: int) -> dict[str, dict[str, float]]:
    return {sentence.id: sentence.values for sentence in cost.sentences if sentence.target == target}
