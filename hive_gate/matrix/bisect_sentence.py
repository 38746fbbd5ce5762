"""What a search found, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hive_gate.matrix.bisect import Search
    from hive_gate.matrix.bisection import Boundary, Found, Seen, Stretch, Wavering


def answer(
    search: Search,
    globs: Sequence[str],
    found: Found,
    boundaries: tuple[Boundary, ...],
    wavering: tuple[Wavering, ...],
    seen: tuple[Seen, ...],
    *,
    among: bool,
) -> str:
    """Return the first version, or why there is none.

    Args:
        search: the search, at its end.
        globs: the clauses that were asked for.
        found: what came of it.
        boundaries: where clauses changed.
        wavering: clauses that changed between ends with the same verdict.
        seen: the versions of which something is known.
        among: whether only the versions given were looked at, so that others may have been published between them.
    """
    unasked = "; whatever was published between them was not asked" if among else ""
    match found:
        case "found" if len(boundaries) == 1:
            (one,) = boundaries
            whole = len(globs) == 1 and len(one.clauses) == len(search.clauses) > 1
            which = f"all {len(one.clauses)} clauses of {globs[0]}" if whole else None
            changed, more = _changed(one, which), _more(boundaries)
            if among:
                before = f"the one before it among them is {one.before}"
                return f"Of the versions given, {one.first} is the first in which {changed}; {before}{unasked}{more}."
            return f"{one.first} is the first version in which {changed}; {one.before} is the last before it{more}."
        case "found" | "between":
            given = "Of the versions given: " if among else ""
            return f"{given}{'; '.join(map(_between, boundaries))}{unasked}{_more(boundaries)}."
        case "same":
            verdicts = {search.verdict(clause, search.versions[0]) for clause in search.clauses}
            which = _names(search.clauses)
            what = f"the same verdict ({verdicts.pop()})" if len(verdicts) == 1 else "the same verdicts"
            has = "has" if len(search.clauses) == 1 else "have"
            between = _seen_between(wavering)
            return f"{which} {has} {what} in {search.versions[0]} and in {search.versions[-1]}{between}."
        case "not-judged":
            ends = [one for one in seen if one.version in (search.versions[0], search.versions[-1])]
            why = [f"{one.version} could not be judged: {one.problem.rstrip('.')}" for one in ends if one.problem]
            clauses = tuple(clause for clause in search.clauses if search.ends(clause) is None)
            return f"{'; '.join(why) or f'{_names(clauses)} could not be judged at one of the ends'}."


def _seen_between(wavering: Sequence[Wavering]) -> str:
    """Say what was seen between two ends with the same verdict."""
    if not wavering:
        return ": nothing changed"
    other = wavering[0].sequence[1]
    return f"; between them {wavering[0].id} was seen as {other.verdict} in {span(other)}, so take that as one end"


def _names(clauses: Sequence[str]) -> str:
    return (
        clauses[0]
        if len(clauses) == 1
        else f"{clauses[0]} and {clauses[1]}"
        if len(clauses) == 2
        else (f"{clauses[0]}, {clauses[1]} and {len(clauses) - 2} more")
    )


def _changed(boundary: Boundary, which: str | None = None) -> str:
    """Say which clauses changed, and from what to what where it is the same for all of them."""
    moves = {(change.before.verdict, change.after.verdict) for change in boundary.clauses}
    how = " from {} to {}".format(*moves.pop()) if len(moves) == 1 else ""
    verb = "changes" if len(boundary.clauses) == 1 else "change"
    return f"{which or _names([change.id for change in boundary.clauses])} {verb}{how}"


def _between(boundary: Boundary) -> str:
    if not boundary.skipped and not boundary.untried:
        return f"{_changed(boundary)} in {boundary.first} (last before it: {boundary.before})"
    what = _left(len(boundary.skipped), len(boundary.untried))
    return f"{_changed(boundary)} after {boundary.before} and no later than {boundary.first}: {what}"


def _left(skipped: int, untried: int) -> str:
    """Say why the versions of a boundary are not narrowed down any more: at least one is left."""
    if not untried:
        return f"{counted(skipped, 'version')} between them could not be judged"
    if not skipped:  # the search gave up over another boundary
        return f"{counted(untried, 'version')} between them {_were(untried)} not tried, for the search gave up before"
    others = "the other" if untried == 1 else f"the other {untried}"
    return (
        f"{skipped} of the {skipped + untried} versions between them could not be judged, and the search gave up; "
        f"{others} {_were(untried)} not tried"
    )


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 version`, `2 versions`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _more(boundaries: tuple[Boundary, ...]) -> str:
    """Say that a verdict was seen to change more than once."""
    many = [change for boundary in boundaries for change in boundary.clauses if len(change.sequence) > 2]
    if not many:
        return ""
    said = ", ".join(f"{s.verdict} {span(s)}" for s in many[0].sequence)
    others = f" (and {counted(len(many) - 1, 'more clause')})" if len(many) > 1 else ""
    return f"; not monotonic: {many[0].id} was seen as {said}{others}"


def span(stretch: Stretch) -> str:
    """Return the versions of a stretch, as `0.142.5..0.144.6`."""
    return stretch.first if stretch.first == stretch.last else f"{stretch.first}..{stretch.last}"
