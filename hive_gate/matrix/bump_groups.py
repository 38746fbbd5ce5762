"""Clauses that speak against a version, grouped by what has to be done about them and then by how they fail."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from hive_gate.contract.model import Clause, Contract
from hive_gate.report.model import ClauseResult, Level, Verdict

Standing = Literal["held", "not-offered", "failed", "unknown"]
"""How a clause was on the version before."""

_STANDINGS: tuple[Standing, ...] = ("held", "not-offered", "unknown", "failed")


@dataclass(frozen=True, slots=True)
class Failure:
    """Clauses that fail alike."""

    clauses: tuple[str, ...]
    promises: tuple[str, ...]
    """What each of them promises, in their order."""
    actual: str
    """What came, of the first of them."""
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses about which the same has to be done."""

    remedy: str | None
    """What Hive must do, from the contract; None: it does not say, and the group is of one failure."""
    level: Level
    verdict: Verdict
    before: Standing
    why: tuple[str, ...]
    """Why Hive cares about each of its clauses, in their order."""
    failures: tuple[Failure, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """All its clauses."""
        return tuple(clause for failure in self.failures for clause in failure.clauses)


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups results that are alike."""

    was: Mapping[str, Verdict]
    """Clause to its verdict on the version before."""
    remedies: Mapping[str, str | None]
    unused: Collection[str] = ()
    """Clauses about what Hive never calls: they break nothing that it does."""

    def of(self, results: Iterable[ClauseResult]) -> tuple[Group, ...]:
        """Return the groups, those first that are about what Hive uses, and of these those that held before.

        Else everything keeps its order.
        """
        groups: dict[tuple[object, ...], list[ClauseResult]] = {}
        for result in results:
            remedy = self.remedies.get(result.id)
            unused = result.id in self.unused
            key = (result.verdict, self.standing(result), result.level, unused, remedy or _alike(result))
            groups.setdefault(key, []).append(result)
        made = [self._group(group) for group in groups.values()]
        return tuple(sorted(made, key=lambda one: (one.clauses[0] in self.unused, _STANDINGS.index(one.before))))

    def standing(self, result: ClauseResult) -> Standing:
        """Return how a clause was before."""
        match self.was.get(result.id):
            case "pass":
                return "held"
            case "not-offered":
                return "not-offered"
            case "fail" | "warn":
                return "failed"
            case _:
                return "unknown"

    def _group(self, results: list[ClauseResult]) -> Group:
        first = results[0]
        alike: dict[str, list[ClauseResult]] = {}
        for result in results:
            alike.setdefault(_alike(result), []).append(result)
        ordered = [result for group in alike.values() for result in group]
        return Group(
            remedy=self.remedies.get(first.id),
            level=first.level,
            verdict=first.verdict,
            before=self.standing(first),
            why=tuple(result.why for result in ordered),
            failures=tuple(
                Failure(
                    clauses=tuple(result.id for result in group),
                    promises=tuple(result.expected for result in group),
                    actual=group[0].actual,
                    fingerprint=group[0].fingerprint,
                )
                for group in alike.values()
            ),
        )


def unused(contract: Contract) -> frozenset[str]:
    """Return the clauses that ask for what the contract says is avoided, and for nothing that Hive calls."""
    asked = {clause.id: set(_methods(clause)) for clause in contract.clauses}
    return frozenset(
        name
        for name, methods in asked.items()
        if methods & contract.avoided.keys() and not methods & contract.methods.keys()
    )


def _methods(clause: Clause) -> Iterator[str]:
    for step in clause.steps:
        if step.kind == "together":
            yield from (call["call"] for call in step.value)
        elif step.kind in ("call", "walk", "notify", "schema"):
            yield str(step.value)


def _alike(result: ClauseResult) -> str:
    """Return what clauses have in common that fail alike; of what did not fail, what came is all that there is."""
    return result.fingerprint or result.actual
