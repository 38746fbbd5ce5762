"""What a search found, as plain data: the JSON of `hive-gate bisect` is exactly this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from hive_gate.matrix.aligned import Pair, pairs
from hive_gate.matrix.bisect import Search
from hive_gate.matrix.bisect_sentence import answer
from hive_gate.matrix.runs import State
from hive_gate.report.model import ClauseResult, Contract, Level, Report, Verdict

SCHEMA_ID = "hive-gate/bisect/1"
"""The value of the result's `schema` member; it changes when a reader would have to."""

Found = Literal["found", "between", "same", "not-judged"]
"""`found` the first version; `between` two versions with only unjudged ones among them; `same` verdicts at both ends;
`not-judged` one of the ends."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A version of which something is known."""

    version: str
    state: State
    problem: str | None
    """Why it was not judged, in one sentence."""
    asked: bool
    """False: its run was in the cache, and the search did not ask for it."""
    from_cache: bool
    seconds: float
    sha256: str | None
    """Of the program."""
    verdicts: dict[str, Verdict]
    """Clause to its verdict here, of those that changed; empty where nothing was judged."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Versions seen one after the other with the same verdict."""

    verdict: Verdict
    first: str
    last: str
    versions: int
    """How many were seen."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a clause in a version."""

    verdict: Verdict
    actual: str
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """A clause, and how it was before and after its boundary."""

    id: str
    level: Level
    expected: str
    why: str
    before: Came
    after: Came
    at_bad: Verdict
    sequence: tuple[Stretch, ...]
    """All that was seen of it; more than two stretches are more than one boundary."""
    exchanges: tuple[Pair, ...]
    """What was asked and answered, before and after."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """Two versions between which clauses changed."""

    before: str
    first: str
    """The first version with another verdict; of those that were judged, if some were skipped."""
    skipped: tuple[str, ...]
    """Versions between the two that could not be judged; empty: `first` is the answer."""
    untried: tuple[str, ...]
    """Versions between the two that were not asked any more, since too many could not be judged."""
    clauses: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Wavering:
    """A clause with the same verdict at both ends that was seen with another one between."""

    id: str
    sequence: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Bisection:
    """The result of a search."""

    schema: str
    found: Found
    answer: str
    """In one sentence."""
    clause: tuple[str, ...]
    """The globs that were asked for."""
    good: str
    bad: str
    among: tuple[str, ...] | None
    """The versions that the search was restricted to; None: all that are published."""
    candidates: int
    """How many versions the answer could be: all after the good one, the bad one included."""
    limit: int
    """Most probes for one boundary if all can be judged: log2 of the candidates, rounded up, and the two ends."""
    probes: int
    """Versions that the search asked for, from the cache or not."""
    from_cache: int
    """Those among them whose run was in the cache."""
    contract: Contract | None
    """None if nothing was judged."""
    boundaries: tuple[Boundary, ...]
    same: tuple[str, ...]
    """Clauses with the same verdict at both ends."""
    wavering: tuple[Wavering, ...]
    unjudged: tuple[str, ...]
    """Clauses that could not be judged at one of the ends."""
    seen: tuple[Seen, ...]


def bisection(
    search: Search,
    clause: Sequence[str],
    among: Sequence[str] | None = None,
    shown: Callable[[Report], Report] = lambda report: report,
) -> Bisection:
    """Return what a search found.

    Args:
        search: the search, at its end.
        clause: the globs that were asked for.
        among: the versions that it was restricted to.
        shown: makes of a report what may be shown of it, such as `hive_gate.report.redact.redact`.
    """
    boundaries = _boundaries(search, shown)
    same = tuple(c for c in search.clauses if (ends := search.ends(c)) is not None and ends[0] == ends[1])
    sequences = {c: stretches(search.seen(c)) for c in same}
    wavering = tuple(Wavering(c, sequence) for c, sequence in sequences.items() if len(sequence) > 1)
    seen = tuple(_seen(search, version) for version in search.versions if version in search.outcomes)
    reports = [o.report for o in search.outcomes.values() if o.report is not None]
    found = _found(search, boundaries)
    return Bisection(
        schema=SCHEMA_ID,
        found=found,
        answer=answer(search, clause, found, boundaries, wavering, seen, among=among is not None),
        clause=tuple(clause),
        good=search.versions[0],
        bad=search.versions[-1],
        among=None if among is None else tuple(among),
        candidates=len(search.versions) - 1,
        limit=search.limit,
        probes=len(search.asked),
        from_cache=sum(one.asked and one.from_cache for one in seen),
        contract=shown(reports[0]).contract if reports else None,
        boundaries=boundaries,
        same=same,
        wavering=wavering,
        unjudged=tuple(c for c in search.clauses if search.ends(c) is None),
        seen=seen,
    )


def stretches(seen: Sequence[tuple[str, Verdict]]) -> tuple[Stretch, ...]:
    """Fold (version, verdict) pairs, oldest first, into stretches of one verdict."""
    groups = ((verdict, [version for version, _ in group]) for verdict, group in groupby(seen, key=lambda one: one[1]))
    return tuple(Stretch(verdict, versions[0], versions[-1], len(versions)) for verdict, versions in groups)


def _boundaries(search: Search, shown: Callable[[Report], Report]) -> tuple[Boundary, ...]:
    groups: dict[tuple[int, int], list[str]] = {}
    for clause in search.changed:
        groups.setdefault(search.bracket(clause), []).append(clause)
    made: dict[str, Report] = {}

    def report(version: str) -> Report:
        if version not in made:
            raw = search.outcomes[version].report
            assert raw is not None  # noqa: S101 - a version without a report has no verdicts, so it is no end
            made[version] = shown(raw)
        return made[version]

    boundaries = []
    for (low, high), clauses in sorted(groups.items()):
        before, first = search.versions[low], search.versions[high]
        untried = search.untried(low, high)
        boundaries.append(
            Boundary(
                before,
                first,
                tuple(v for v in search.versions[low + 1 : high] if v not in untried),
                tuple(untried),
                tuple(_change(search, clause, report(before), report(first)) for clause in clauses),
            )
        )
    return tuple(boundaries)


def _change(search: Search, clause: str, before: Report, after: Report) -> Change:
    old, new = _named(before, clause), _named(after, clause)
    ends = search.ends(clause)
    assert ends is not None  # noqa: S101 - it has changed
    return Change(
        id=clause,
        level=new.level,
        expected=new.expected,
        why=new.why,
        before=_came(old),
        after=_came(new),
        at_bad=ends[1],
        sequence=stretches(search.seen(clause)),
        exchanges=pairs(before, old, after, new),
    )


def _named(report: Report, clause: str) -> ClauseResult:
    return next(c for c in report.clauses if c.id == clause)


def _came(result: ClauseResult) -> Came:
    return Came(result.verdict, result.actual, result.fingerprint)


def _seen(search: Search, version: str) -> Seen:
    outcome = search.outcomes[version]
    verdicts = {c: found for c in search.changed or search.clauses if (found := search.verdict(c, version)) is not None}
    return Seen(
        version,
        outcome.state,
        outcome.problem,
        version in search.asked,
        outcome.from_cache,
        outcome.seconds,
        outcome.report.target.sha256 if outcome.report is not None else None,
        verdicts,
    )


def _found(search: Search, boundaries: tuple[Boundary, ...]) -> Found:
    if boundaries:
        return "between" if any(b.skipped or b.untried for b in boundaries) else "found"
    return "not-judged" if any(search.ends(clause) is None for clause in search.clauses) else "same"
