"""Whether what constraints and decisions rest on is there: clauses of the contract, and numbers that are measured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from hive_gate.contract.fault import Fault
from hive_gate.contract.globs import named
from hive_gate.contract.model import Contract, Measured, Statement

Measures = Callable[[str], Collection[str] | None]
"""From the id of a measurement to the names of its numbers; None: nothing has that id."""


def statement_faults(contract: Contract, measures: Measures | None) -> Iterator[Fault]:
    """Yield what is wrong with the evidence of constraints and decisions.

    Args:
        contract: the contract with its clauses.
        measures: what can be measured; None: the names of measurements are taken as they are.
    """
    for kind, statements in (("constraints", contract.constraints), ("decisions", contract.decisions)):
        for index, statement in enumerate(statements):
            at = f"/{kind}/{index}"
            for place, glob in enumerate(statement.evidence):
                if not any(named(clause.id, (glob,)) for clause in contract.clauses):
                    yield Fault(f"{at}/evidence/{place}", f"{glob!r} names no clause")
            yield from _measured(statement, measures, f"{at}/measured")


def _measured(statement: Statement, measures: Measures | None, at: str) -> Iterator[Fault]:
    seen: dict[tuple[str, str, str], int] = {}
    for place, each in enumerate(statement.measured):
        key = (each.measurement, each.value, each.bound)
        if key in seen:
            yield Fault(f"{at}/{place}", f"{each.value} of {each.measurement} has its {each.bound} in {at}/{seen[key]}")
        seen.setdefault(key, place)
        if measures is not None:
            yield from _unknown(each, measures(each.measurement), f"{at}/{place}")


def _unknown(each: Measured, values: Collection[str] | None, at: str) -> Iterator[Fault]:
    if values is None:
        yield Fault(f"{at}/measurement", f"hive-gate cost measures no {each.measurement!r}; docs/cost.md has the names")
    elif each.value not in values:
        yield Fault(f"{at}/value", f"{each.measurement} has no {each.value!r}, but {', '.join(values)}")
