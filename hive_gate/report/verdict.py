"""The verdict in one line, and the order and summaries that every format shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hive_gate.report.model import OPENING, VERDICTS, ClauseResult, Report, Verdict
from hive_gate.report.plain import cut

Outcome = Literal["open", "closed", "partial", "not-judged"]

Piece: TypeAlias = "str | Reference"

NAMED = 3
"""Broken clauses that the one line names; the rest are counted."""

# In the order in which a reader wants them: what closes the gate first.
_URGENCY: tuple[Verdict, ...] = ("fail", "stale", "error", "blocked", "warn", "waived", "not-offered")

_ISSUE = re.compile(r"#\d{1,9}")


@dataclass(frozen=True, slots=True)
class Reference:
    """An issue that the contract gates, such as `#944`: the one thing in a note that is meant to be a live link."""

    issue: str

    def __str__(self) -> str:
        return self.issue


BRIEF: tuple[Verdict, ...] = ("blocked", "not-offered")
"""Verdicts of which there may be a hundred for one reason: they are counted where others are named."""


@dataclass(frozen=True, slots=True)
class SuiteSummary:
    """One suite's row."""

    id: str
    title: str
    passed: int
    total: int
    not_passed: tuple[ClauseResult, ...]
    """Clauses with any other verdict than `pass`, the most urgent first."""

    @property
    def named(self) -> tuple[ClauseResult, ...]:
        """Those that are named one by one."""
        return tuple(c for c in self.not_passed if c.verdict not in BRIEF)

    @property
    def counted(self) -> tuple[str, ...]:
        """Those that are only counted, as phrases: `7 not-offered`."""
        counts = {verdict: sum(c.verdict == verdict for c in self.not_passed) for verdict in BRIEF}
        return tuple(f"{count} {verdict}" for verdict, count in counts.items() if count)


def outcome(report: Report) -> Outcome:
    """Return what a run amounts to; a partial or unfinished run never counts as open."""
    if report.run.problem is not None or report.run.interrupted or not report.clauses:
        return "not-judged"
    if report.run.partial:
        return "partial"
    return report.gate


def is_broken_by_what_was_said(report: Report) -> bool:
    """Tell whether a required clause failed by what the server said, and not only because nothing came."""
    required = (c for c in report.clauses if c.level == "required")
    return any(c.verdict == "fail" and any(f.check != "answer" for f in c.findings) for c in required)


def program(report: Report) -> str:
    """Return what to call the target in a sentence: `codex-cli 0.142.5`, or its command."""
    target = report.target
    version = target.version or target.handshake_version
    if target.kind == "command":
        return cut(f"{target.spec} ({version})" if version else target.spec, 60)
    said = target.handshake_version
    differs = f" (its handshake says {said})" if said and target.version and said != target.version else ""
    name = version if version and version.startswith("codex") else f"codex-cli {version or target.spec}"
    return cut(name + differs, 80)


def headline(report: Report) -> tuple[Piece, ...]:
    """Return the verdict in one line, including what it holds up or lets go."""
    against = f"{cut(report.contract.name, 60)} {cut(report.contract.version, 30)}"
    who, what = program(report), outcome(report)
    if what == "not-judged":
        why = "the run was interrupted" if report.run.interrupted else "no clause was run"
        reason = cut(report.run.problem or why, 160).rstrip(".")
        return (f"Gate CLOSED, not judged: {who} against {against}: {reason}", *_gates(report, "must wait", "; "), ".")
    judged = _judged(report)
    if what == "partial":
        return (
            f"PARTIAL run, which releases nothing: {who} {judged} of {against}{_ran(report)}{_untrue(report)}",
            *_undecided(report),
            ".",
        )
    if what == "open" and report.target.kind == "command":
        # Hive ships a codex program; what keeps the contract beside it says nothing about that program.
        return (f"Gate OPEN: {who} {judged} of {against}; it is no codex program, so it releases nothing.",)
    if what == "open":
        return (f"Gate OPEN: {who} {judged} of {against}", *_gates(report, "may start"), ".")
    broken = f"{judged} of {against}{_named(report)}{_untrue(report)}"
    return (f"Gate CLOSED: {who} {broken}", *_gates(report, "must wait"), ".")


def headline_text(report: Report) -> str:
    """Return `headline` as plain text."""
    return "".join(str(piece) for piece in headline(report))


def by_urgency(clauses: tuple[ClauseResult, ...]) -> tuple[ClauseResult, ...]:
    """Return the clauses that are not a pass: what closes the gate first, required before advisory, else in order."""
    left = [c for c in clauses if c.verdict != "pass"]
    return tuple(sorted(left, key=lambda c: (c.verdict in OPENING, c.level != "required", _URGENCY.index(c.verdict))))


def waived(report: Report) -> tuple[tuple[ClauseResult, ...], ...]:
    """Return the waived clauses in groups of which the same is to be said: one entry, one way to fail."""
    groups: dict[tuple[object, ...], list[ClauseResult]] = {}
    for clause in report.clauses:
        if clause.verdict == "waived":
            entry = clause.waiver.entry if clause.waiver else None
            groups.setdefault((entry, clause.fingerprint, clause.actual), []).append(clause)
    return tuple(tuple(group) for group in groups.values())


def suites(report: Report) -> tuple[SuiteSummary, ...]:
    """Return a row for each suite that has clauses, in the contract's order, then any that it does not name."""
    names = dict.fromkeys([*report.suites, *(c.suite for c in report.clauses)])
    rows = []
    for name in names:
        clauses = tuple(c for c in report.clauses if c.suite == name)
        if clauses:
            passed = sum(c.verdict == "pass" for c in clauses)
            title = report.suites.get(name, name)
            rows.append(SuiteSummary(name, title, passed, len(clauses), by_urgency(clauses)))
    return tuple(rows)


def counted(report: Report) -> str:
    """Return the counts of all verdicts that occur, as a phrase: `85 pass, 2 fail`."""
    counts = report.counts
    return ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v]) or "no clause was run"


def _closing(report: Report) -> tuple[ClauseResult, ...]:
    """The clauses that close the gate; see `hive_gate.report.model.gate_of`."""
    left = by_urgency(report.clauses)
    return tuple(c for c in left if c.verdict == "stale" or (c.level == "required" and c.verdict not in OPENING))


def _judged(report: Report) -> str:
    """Say how many required clauses hold; exceptions that leave the gate open are told apart from a pass."""
    required = [c for c in report.clauses if c.level == "required"]
    counts = {v: sum(c.verdict == v for c in required) for v in VERDICTS}
    total = f"{len(required)} required clause{'' if len(required) == 1 else 's'}"
    broken, unjudged = counts["fail"], counts["blocked"] + counts["error"]
    if broken or unjudged:
        parts = [f"breaks {broken}" if broken else "", f"could not be judged on {unjudged}" if unjudged else ""]
        also = f" ({counts['waived']} waived)" if counts["waived"] else ""
        return f"{' and '.join(part for part in parts if part)} of {total}{also}"
    if not required:
        return "was not asked about any required clause"
    passed = counts["pass"]
    if passed == len(required):
        return f"keeps all {total}" if passed > 1 else "keeps the one required clause"
    told: dict[Verdict, str] = {"waived": "waived", "stale": "stale", "not-offered": "not offered"}
    exceptions = [f"{counts[v]} {words}" for v, words in told.items() if counts[v]]
    return f"keeps {passed} of {total} ({', '.join(exceptions)})"


def _ran(report: Report) -> str:
    """Say of the required clauses of a partial run that they were run; of none there is nothing to say."""
    required = sum(c.level == "required" for c in report.clauses)
    return "" if not required else " that was run" if required == 1 else " that were run"


def _named(report: Report) -> str:
    names = [cut(c.id, 60) for c in _closing(report) if c.verdict != "stale"]
    return f" ({_few(names)})" if names else ""


def _untrue(report: Report) -> str:
    """Name what the baseline says and is not so, as it closes the gate whatever the clauses do."""
    stale = [c for c in report.clauses if c.verdict == "stale"]
    if _named(report):  # which takes the room for names of clauses
        names = list(dict.fromkeys(cut(c.waiver.entry, 20) for c in stale if c.waiver))
    else:
        names = [cut(c.id, 60) + (f" ({cut(c.waiver.entry, 20)})" if c.waiver else "") for c in stale]
    problems = report.baseline.problems if report.baseline else ()
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return "".join((
        f"; stale in the baseline: {_few(names)}" if names else "",
        f"; {cut(problems[0], 200).rstrip('.')}{more}" if problems else "",
    ))  # fmt: skip


def _few(names: list[str]) -> str:
    return ", ".join([*names[:NAMED], "…"] if len(names) > NAMED else names)


def _gates(report: Report, fate: str, joint: str = " - ") -> tuple[Piece, ...]:
    listed = _listed(report)
    return (joint, *listed, f" {fate}") if listed else ()


def _undecided(report: Report) -> tuple[Piece, ...]:
    listed = _listed(report)
    return ("; nothing is decided on ", *listed) if listed else ()


def _listed(report: Report) -> tuple[Piece, ...]:
    """The gated work, comma separated; only what really is an issue number may become a link."""
    pieces: list[Piece] = []
    for gate in report.contract.gates[:4]:
        pieces += [", "] if pieces else []
        pieces.append(Reference(gate) if _ISSUE.fullmatch(gate) else cut(gate, 40))
    return tuple(pieces)
