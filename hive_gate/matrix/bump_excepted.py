"""What the baseline says of a version's clauses: failures that it accepts, and entries that do not hold, by why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from hive_gate.baseline.model import BaselineFile
from hive_gate.report.model import ClauseResult, Waiver

Cause = Literal["passes", "not-offered", "differs", "expired"]
"""Why an entry does not hold: the clause passes, does not apply, fails otherwise than accepted, or fails as accepted
after the last day."""


@dataclass(frozen=True, slots=True)
class Excepted:
    """A clause that the baseline names."""

    clause: str
    entry: str
    reason: str
    owner: str
    expires: str
    problem: str | None
    """For one that is stale: why the entry does not hold, and what to do."""
    cause: Cause | None
    """For one that is stale: why, in a word."""


def excepted(
    clauses: Iterable[ClauseResult], verdict: Literal["stale", "waived"], baseline: BaselineFile | None
) -> tuple[Excepted, ...]:
    """Return what the entries say of the clauses that have a verdict.

    Args:
        clauses: with the baseline applied.
        verdict: of which clauses.
        baseline: what was applied.
    """
    listed = {entry.pointer: entry.fingerprints for entry in baseline.entries} if baseline is not None else {}
    return tuple(
        Excepted(c.id, w.entry, w.reason, w.owner, w.expires, w.problem, _cause(c, w, listed))
        for c in clauses
        if c.verdict == verdict and (w := c.waiver) is not None
    )


def as_it_came(clause: ClauseResult) -> ClauseResult:
    """Return a clause with the verdict that it has without the baseline, unless its failure is accepted."""
    if clause.verdict != "stale" or clause.waiver is None or clause.waiver.was is None:
        return clause
    return replace(clause, verdict=clause.waiver.was)


def _cause(clause: ClauseResult, waiver: Waiver, listed: Mapping[str, tuple[str, ...]]) -> Cause | None:
    if waiver.problem is None:
        return None
    if waiver.was == "pass":
        return "passes"
    if waiver.was == "not-offered":
        return "not-offered"
    # With the fingerprint that is listed it is what was accepted, so that the day alone can be wrong.
    return "expired" if clause.fingerprint in listed.get(waiver.entry, ()) else "differs"
