"""Which clauses are asked, and which of them share a server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from hive_gate.contract.globs import named
from hive_gate.contract.model import Clause, Contract
from hive_gate.contract.names import names_in
from hive_gate.drift.bundle import Bundle
from hive_gate.errors import UsageError


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user asked for; empty means everything."""

    suites: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    """Clause ids or globs."""
    level: str | None = None

    @property
    def is_all(self) -> bool:
        """True if nothing was left out by choice."""
        return not (self.suites or self.clauses or self.level)


@dataclass(frozen=True, slots=True)
class Lane:
    """Clauses that are asked one after the other of one server in one scratch home."""

    scene: str
    connection: str
    clauses: tuple[Clause, ...]

    @property
    def purpose(self) -> str:
        """What its server is started for, as the report names it."""
        return "clauses" if len(self.clauses) > 1 else self.clauses[0].id


def needs_server(clause: Clause) -> bool:
    """Tell whether a clause asks anything: the others look at the schema or at the whole run's traffic."""
    return any(step.kind not in ("schema", "traffic") for step in clause.steps)


def speaks_of(clause: Clause, thread: str) -> bool:
    """Tell whether a clause's steps name a thread of its scene, by `${name}` or as what an expectation is `of`."""
    said = [[step.value, step.params, dict(step.expect), dict(step.options)] for step in clause.steps]
    return any(name.partition(".")[0] == thread for name, _ in names_in(said)) or thread in _strings(said)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(part)


def missing_need(clause: Clause, bundle: Bundle | None, lacking: Mapping[str, str] | None = None) -> str | None:
    """Return what a clause needs and the target does not have, as a phrase; None if it has all.

    Args:
        clause: the clause.
        bundle: the target's own schemas; None if it has none here.
        lacking: by capability that it was asked for and does not have, what came instead.
    """
    for need in clause.needs:
        kind, _, name = need.partition(":")
        if kind == "capability" and name in (lacking or {}):
            return f"it lacks the capability {name}. {(lacking or {})[name]}"
        if kind == "schema" and bundle is None:
            return "the target has no schemas of its own here"
        if kind == "method" and bundle is not None and name not in bundle.methods:
            return f"the target's schema has no {name}"
    return None


def looks_at_traffic(clause: Clause) -> bool:
    """Tell whether a clause judges what all the others saw."""
    return any(step.kind == "traffic" for step in clause.steps)


def select(contract: Contract, selection: Selection) -> tuple[Clause, ...]:
    """Return the clauses that a selection names, in the contract's order.

    Raises:
        UsageError: if a suite or glob names nothing, or nothing is left.
    """
    for suite in selection.suites:
        if not any(fnmatchcase(known, suite) for known in contract.suites):
            raise UsageError(f"the contract has no suite {suite!r}", hint=f"choose from: {', '.join(contract.suites)}")
    for glob in selection.clauses:
        if not any(named(clause.id, (glob,)) for clause in contract.clauses):
            raise UsageError(
                f"the contract has no clause {glob!r}",
                hint=_nearest(glob, [clause.id for clause in contract.clauses]),
            )
    chosen = tuple(
        clause
        for clause in contract.clauses
        if (not selection.suites or any(fnmatchcase(clause.suite, suite) for suite in selection.suites))
        and (not selection.clauses or named(clause.id, selection.clauses))
        and (selection.level is None or clause.level == selection.level)
    )
    if not chosen:
        raise UsageError(
            "the selection leaves no clause to judge",
            hint="--suite, --clause and --level all have to hold; leave one out",
        )
    return chosen


def _nearest(glob: str, ids: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(glob, ids, n=3, cutoff=0.5)
    known = f"did you mean {', '.join(close)}? " if close else ""
    return f"{known}list them with: hive-gate contract show"


def lanes(clauses: Iterable[Clause]) -> list[Lane]:
    """Group the clauses that ask something into lanes, those with the most clauses first.

    Clauses share a server where scene and connection are the same; one with a home of its own is a lane of its own.
    """
    shared: dict[tuple[str, str], list[Clause]] = {}
    alone: list[Lane] = []
    for clause in clauses:
        if not needs_server(clause):
            continue
        if clause.own == "home":
            alone.append(Lane(clause.scene, clause.connection, (clause,)))
        else:
            shared.setdefault((clause.scene, clause.connection), []).append(clause)
    grouped = [Lane(scene, connection, tuple(group)) for (scene, connection), group in shared.items()]
    return sorted(grouped, key=lambda lane: -len(lane.clauses)) + alone
