"""What a newer version has that the one before had not, as far as the contract's own clauses show it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from hive_gate.contract.model import Clause, Contract, Step
from hive_gate.report.model import ClauseResult, Report, Verdict

_UNSUPPORTED = -32601
"""The code by which this server says of a method that it knows it and does not support it."""

_NEAREST = re.compile(r"; nearest: (.+)\Z")


@dataclass(frozen=True, slots=True)
class Offered:
    """Clauses that did not apply before and hold now, since what they need is there."""

    needs: tuple[str, ...]
    what: str | None
    """What the contract says of the capability that they need; None where they need a method or a schema."""
    clauses: tuple[str, ...]
    needing: int
    """How many clauses need that, with those that do not hold."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A clause that did not hold before and does now."""

    clause: str
    before: Verdict
    was: str
    """What came before."""


@dataclass(frozen=True, slots=True)
class Supported:
    """Clauses that expect something to be refused as not supported, and a version that does not refuse it so."""

    clauses: tuple[str, ...]
    how: Literal["works", "renamed"]
    """`works`: there is a result where the refusal was; `renamed`: the name is gone, and one like it is there."""
    came: str
    name: str | None = None
    """For `renamed`: the name like it. Taken from the names alone; whether it does the same, no clause here asks."""


@dataclass(frozen=True, slots=True)
class Better:
    """All of it."""

    offered: tuple[Offered, ...] = ()
    mended: tuple[Mended, ...] = ()
    supported: tuple[Supported, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.offered or self.mended or self.supported)


def better(contract: Contract, before: Report | None, after: Report | None) -> Better:
    """Return what got better; nothing where one of the runs is not there to compare.

    Args:
        contract: what both were judged by.
        before: the run of the version in use, without a baseline.
        after: the run of the version that is asked about.
    """
    if before is None or after is None:
        return Better()
    was = {c.id: c for c in before.clauses}
    now = {c.id: c for c in after.clauses}
    both = [(clause, was[clause.id], now[clause.id]) for clause in contract.clauses if {clause.id} <= was.keys() & now]
    mended = (
        Mended(clause.id, old.verdict, old.actual)
        for clause, old, new in both
        if old.verdict in ("fail", "warn") and held(new)
    )
    return Better(_offered(contract, both), tuple(mended), tuple(_supported(contract, both)))


def held(result: ClauseResult) -> bool:
    """Tell whether a clause was seen to hold, whatever the baseline made of it."""
    return result.verdict == "pass" or (result.waiver is not None and result.waiver.was == "pass")


def _offered(contract: Contract, both: Iterable[tuple[Clause, ClauseResult, ClauseResult]]) -> tuple[Offered, ...]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for clause, old, new in both:
        if old.verdict == "not-offered" and held(new):
            groups.setdefault(clause.needs, []).append(clause.id)
    needing = Counter(clause.needs for clause in contract.clauses)
    return tuple(Offered(needs, _why(contract, needs), tuple(ids), needing[needs]) for needs, ids in groups.items())


def _why(contract: Contract, needs: Iterable[str]) -> str | None:
    names = [need.partition(":")[2] for need in needs if need.startswith("capability:")]
    return " ".join(contract.capabilities[name].why for name in names) or None


def _supported(contract: Contract, both: Iterable[tuple[Clause, ClauseResult, ClauseResult]]) -> Iterable[Supported]:
    groups: dict[Supported, list[str]] = {}
    for clause, old, new in both:
        if held(old) and (found := _no_refusal(contract, clause, new)) is not None:
            groups.setdefault(found, []).append(clause.id)
    for found, ids in groups.items():
        yield Supported(tuple(ids), found.how, found.came, found.name)


def _no_refusal(contract: Contract, clause: Clause, new: ClauseResult) -> Supported | None:
    """Return how a clause that expects a refusal as not supported is no longer refused so; None if it is."""
    if new.verdict == "not-offered":
        # The refusal was what the clause needs, and the server was asked for it once.
        refusals = [name for name in _capabilities(clause) if _refused(contract.capabilities[name].step)]
        here = new.actual.partition("; here: ")[2]
        return Supported((), "works", here) if refusals and here.startswith("no error") else None
    asked = [method for step in clause.steps for method in _refused(step)]
    if not asked or held(new):
        return None
    if any(f.check == "error" and f.actual.startswith("no error") for f in new.findings):
        return Supported((), "works", new.actual)
    near = _NEAREST.search(new.actual)
    names = re.findall(r"[\w/-]+", near[1]) if near else []
    alike = next((name for name in names if any(_ends_alike(name, method) for method in asked)), None)
    return Supported((), "renamed", new.actual, alike) if alike else None


def _capabilities(clause: Clause) -> list[str]:
    return [need.partition(":")[2] for need in clause.needs if need.startswith("capability:")]


def _refused(step: Step) -> list[str]:
    """Return the methods that a step expects to be refused as not supported."""
    calls = step.value if step.kind == "together" else [{"call": step.value, "expect": step.expect}]
    return [str(call["call"]) for call in calls if _is_refusal(call.get("expect", {}))] if step.kind in (
        "call", "walk", "together"
    ) else []  # fmt: skip


def _is_refusal(expect: Mapping[str, object]) -> bool:
    error = expect.get("error")
    return isinstance(error, Mapping) and error.get("code") == _UNSUPPORTED


def _ends_alike(name: str, other: str) -> bool:
    """Tell whether two method names of one family end alike: `thread/items/list` and `thread/turns/items/list`."""
    one, two = name.split("/"), other.split("/")
    return one != two and min(len(one), len(two)) > 2 and (one[0], one[-2:]) == (two[0], two[-2:])
