"""The first version in which clauses have another verdict than before, found by halving.

Nothing is assumed of the versions between: what was seen is kept, and a sequence that one boundary cannot explain is
told. A version that cannot be judged is passed over for a neighbor, as `git bisect skip` does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hive_gate.matrix.runs import Outcome
from hive_gate.report.model import ClauseResult, Verdict

SKIPS = 10
"""Versions that cannot be judged before a search gives up: with the network down, every one cannot."""

_UNJUDGED: tuple[Verdict, ...] = ("blocked", "error")

Judge = Callable[[Sequence[str]], Iterable[Outcome]]
"""Judges versions, an outcome for each, in any order."""


@dataclass(slots=True)
class Search:
    """What is known of the versions as a search goes on.

    Args:
        versions: all that the answer may be, oldest first: the good one at the start, the bad one at the end.
        clauses: ids of the clauses that are looked at.
        outcomes: what is known of versions; those that are there already cost nothing.
    """

    versions: tuple[str, ...]
    clauses: tuple[str, ...]
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Versions that the search asked for, in its order."""

    @property
    def limit(self) -> int:
        """Most probes for one boundary where every version can be judged: both ends, then halving."""
        return 2 + math.ceil(math.log2(max(1, len(self.versions) - 1)))

    def result(self, clause: str, version: str) -> ClauseResult | None:
        """Return what came of a clause in a version; None if it is not known or could not be judged."""
        outcome = self.outcomes.get(version)
        if outcome is None or outcome.report is None:
            return None
        found = next((c for c in outcome.report.clauses if c.id == clause), None)
        return None if found is None or found.verdict in _UNJUDGED else found

    def verdict(self, clause: str, version: str) -> Verdict | None:
        """Return the verdict of a clause in a version; None if it is not known or could not be judged."""
        found = self.result(clause, version)
        return None if found is None else found.verdict

    def seen(self, clause: str) -> list[tuple[str, Verdict]]:
        """Return the versions in which the clause's verdict is known, oldest first."""
        verdicts = ((version, self.verdict(clause, version)) for version in self.versions)
        return [(version, verdict) for version, verdict in verdicts if verdict is not None]

    def ends(self, clause: str) -> tuple[Verdict, Verdict] | None:
        """Return the verdicts at both ends; None if one of them is not known."""
        first, last = self.verdict(clause, self.versions[0]), self.verdict(clause, self.versions[-1])
        return None if first is None or last is None else (first, last)

    @property
    def changed(self) -> tuple[str, ...]:
        """Clauses whose verdict is not the same at both ends."""
        return tuple(c for c in self.clauses if (ends := self.ends(c)) is not None and ends[0] != ends[1])

    def bracket(self, clause: str) -> tuple[int, int]:
        """Return the indices of the first version known to differ from the good one, and of the one known before it.

        So the earliest change is found of those that were seen, whatever comes after it. The clause has changed.
        """
        seen = self.seen(clause)
        good = seen[0][1]
        at = next(index for index, (_, verdict) in enumerate(seen) if verdict != good)
        return self.versions.index(seen[at - 1][0]), self.versions.index(seen[at][0])

    def untried(self, low: int, high: int) -> list[str]:
        """Return the versions between two indices of which nothing is known."""
        return [version for version in self.versions[low + 1 : high] if version not in self.outcomes]

    @property
    def skipped(self) -> int:
        """Number of versions that were asked for and told nothing of any clause that changed."""
        changed = self.changed
        return sum(all(self.verdict(c, v) is None for c in changed) for v in self.asked)


def search(
    versions: Sequence[str], clauses: Sequence[str], judge: Judge, known: Mapping[str, Outcome] | None = None
) -> Search:
    """Find for each clause that differs between the first and the last version where it changed.

    Args:
        versions: what the answer may be, oldest first, at least two: the good version first, the bad one last.
        clauses: ids of the clauses.
        judge: judges versions.
        known: outcomes that are there already and cost nothing.

    Raises:
        KeyboardInterrupt: if the user ended a run.
    """
    state = Search(tuple(versions), tuple(clauses), {v: o for v, o in (known or {}).items() if v in versions})
    _ask(state, judge, (state.versions[0], state.versions[-1]))
    while state.skipped < SKIPS:
        # One that was narrowed down may be open again: a run for another clause can show that it changed earlier.
        brackets = (state.bracket(clause) for clause in state.changed)
        low, high = next((bracket for bracket in brackets if state.untried(*bracket)), (0, 0))
        if low == high:
            break
        middle = (low + high) // 2
        untried = state.untried(low, high)
        _ask(state, judge, (min(untried, key=lambda v: abs(state.versions.index(v) - middle)),))
    return state


def _ask(state: Search, judge: Judge, versions: Sequence[str]) -> None:
    state.asked += versions
    wanted = [version for version in versions if version not in state.outcomes]
    for outcome in judge(wanted) if wanted else ():
        if outcome.state == "interrupted":
            raise KeyboardInterrupt
        state.outcomes[outcome.task.version] = outcome
