"""The answer to `can-i-bump` in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hive_gate.report.plain import cut

if TYPE_CHECKING:
    from hive_gate.contract.model import Contract
    from hive_gate.matrix.bump import Bump
    from hive_gate.matrix.bump_excepted import Cause
    from hive_gate.matrix.bump_groups import Group, Standing

_PROBLEM = 200

_NAME = 60


def sentence(bump: Bump, contract: Contract) -> str:
    """Return the answer and what it rests on.

    The contract is always named: of one version the answers by two contracts may be opposite. One that extends another
    is not what Hive keeps today, so the answer begins with the Hive that it holds for.
    """
    who, name = f"codex {bump.candidate.version}", f"{cut(contract.name, _NAME)} {cut(contract.version, _NAME)}"
    whose, of = (f", for a Hive that keeps {name}", "") if contract.lineage is not None else ("", f" of {name}")
    match bump.answer:
        case "yes":
            back = f"; it is a step back from {bump.before.version}" if bump.before and bump.backward else ""
            return f"Yes{whose}: {who} {_kept(bump, of)}{_alone(bump)}{back}."
        case "no":
            return f"No{whose}: {who} {_broken(bump, of)}{_alone(bump)}{_failing_still(bump)}."
        case "not-judged":
            return f"Not known, which counts as no: {_unjudged(bump, name)}. That is no drift."


def _kept(bump: Bump, of: str) -> str:
    total, those = _those(bump, of)
    whole = "keeps the one" if total == bump.kept == 1 else f"keeps all {total}"
    kept = f"{whole if bump.kept == total else f'keeps {bump.kept} of {total}'} {those}"
    gone = sum(len(group.clauses) for group in bump.gone if group.level == "required")
    reason = "applies, since what it needs" if gone == 1 else "apply, since what they need"
    more = [
        f"{gone} no longer {reason} is not offered" if gone else "",
        f"{len(bump.waived)} failure{_s(len(bump.waived))} accepted by the baseline" if bump.waived else "",
    ]
    return "; ".join([kept, *(text for text in more if text)])


def _broken(bump: Bump, of: str) -> str:
    counts: dict[Standing, int] = {"held": 0, "not-offered": 0, "failed": 0, "unknown": 0}
    for group in bump.blockers:
        counts[group.before] += len(group.clauses)
    total, those = _those(bump, of)
    if bump.held is None:  # nothing to compare with: every failure counts alike
        counts["held"], counts["unknown"] = counts["unknown"], 0
    there = bump.before.version if bump.before is not None else "the version before"
    absent, failed, unknown = counts["not-offered"], counts["failed"], counts["unknown"]
    fails = [
        f"{absent} that {'does' if absent == 1 else 'do'} not apply there" if absent else "",
        f"{failed} that fail{_s(failed, verb=True)} there as well" if failed else "",
        f"{unknown} that could not be judged there" if unknown else "",
    ]
    passing, lacking = _stale(bump, "passes"), _stale(bump, "not-offered")
    rest = [
        f"fails {_joined(fails)}" if any(fails) else "",
        f"could not be judged on {_size(bump.unjudged)}" if bump.unjudged else "",
        f"no longer fails {passing} as the baseline accepts" if passing else "",
        f"lacks what {lacking} clause{_s(lacking)} need{_s(lacking, verb=True)} whose failure the baseline accepts"
        if lacking
        else "",
        _wrong(bump),
    ]
    if counts["held"]:
        return _joined([f"breaks {counts['held']} of {total} {those}", *rest])
    if any(fails):
        return f"breaks nothing that holds on {there}, but {_joined(rest)}"
    if not any(rest) and bump.stale:  # what it still fails is advisory
        return _kept(bump, of)
    return _joined(rest) or f"was not seen to keep any required clause{of}"


def _wrong(bump: Bump) -> str:
    count = len(bump.baseline.problems) if bump.baseline is not None else 0
    if not count:
        return ""
    entries = "entry of the baseline that has" if count == 1 else "entries of the baseline that have"
    return f"meets {count} {entries} to be corrected"


def _failing_still(bump: Bump) -> str:
    """Say of the failures that are told already how many the baseline names in vain."""
    expired, differing = _stale(bump, "expired"), _stale(bump, "differs")
    notes = [
        f"the acceptance of {expired} failure{_s(expired)} has run out" if expired else "",
        f"{differing} fail{_s(differing, verb=True)} otherwise than the baseline accepts" if differing else "",
    ]
    return "".join(f"; {note}" for note in notes if note)


def _stale(bump: Bump, cause: Cause) -> int:
    return sum(one.cause == cause for one in bump.stale)


def _joined(parts: Sequence[str]) -> str:
    """Return the parts that say something, as one enumeration."""
    said = [part for part in parts if part]
    return f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else "".join(said)


def _unjudged(bump: Bump, name: str) -> str:
    who, problem = f"codex {bump.candidate.version} could not be judged", bump.candidate.problem
    if problem is not None:
        return f"{who} by {name}: {_short(problem).rstrip('.')}"
    return f"{who} on {_size(bump.unjudged)} of {bump.required} required clause{_s(bump.required)} of {name}"


def _short(text: str) -> str:
    """Return a text that is no longer than there is room for, and ends with a whole word."""
    made = cut(text, _PROBLEM)
    return made if made == cut(text, len(text)) else f"{made[:-1].rpartition(' ')[0] or made[:-1]}…"


def _alone(bump: Bump) -> str:
    """Say where the comparison is missing."""
    if bump.before is None or bump.held is not None:
        return ""
    return f" ({bump.before.version} could not be judged, so it is not known what is new)"


def _those(bump: Bump, of: str) -> tuple[int, str]:
    """Return how many clauses are spoken of, and which."""
    if bump.held is None or bump.before is None:
        # What is not offered is no part of what is kept, and would look like broken; where some is broken, that counts.
        absent = f" ({bump.absent} not offered)" if bump.absent and bump.answer == "yes" else ""
        return bump.required, f"required clause{_s(bump.required)}{absent}{of}"
    hold = f"hold{_s(bump.held, verb=True)}"
    return bump.held, f"required clause{_s(bump.held)}{of} that {hold} on {bump.before.version}"


def _size(groups: Iterable[Group]) -> int:
    return sum(len(group.clauses) for group in groups)


def _s(count: int, *, verb: bool = False) -> str:
    """Return the ending of a noun, or of its verb."""
    return "s" if (count == 1) == verb else ""
