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
            f"PARTIAL run, which releases nothing: {who} {judged} of {against} that were run",
            *_undecided(report),
            ".",
        )
    if what == "open" and report.target.kind == "command":
        # Hive ships a codex program; what keeps the contract beside it says nothing about that program.
        return (f"Gate OPEN: {who} {judged} of {against}; it is no codex program, so it releases nothing.",)
    if what == "open":
        return (f"Gate OPEN: {who} {judged} of {against}", *_gates(report, "may start"), ".")
    return (f"Gate CLOSED: {who} {judged} of {against}{_named(report)}", *_gates(report, "must wait"), ".")


def headline_text(report: Report) -> str:
    """Return `headline` as plain text."""
    return "".join(str(piece) for piece in headline(report))


def by_urgency(clauses: tuple[ClauseResult, ...]) -> tuple[ClauseResult, ...]:
    """Return the clauses that are not a pass: what closes the gate first, required before advisory, else in order."""
    left = [c for c in clauses if c.verdict != "pass"]
    return tuple(sorted(left, key=lambda c: (c.verdict in OPENING, c.level != "required", _URGENCY.index(c.verdict))))


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
    closing = _closing(report)
    total = f"{len(required)} required clause{'' if len(required) == 1 else 's'}"
    if closing:
        broken = sum(c.verdict == "fail" for c in closing)
        unjudged = sum(c.verdict in ("blocked", "error") for c in closing)
        stale = sum(c.verdict == "stale" for c in closing)
        parts = [
            f"breaks {broken}" if broken else "",
            f"could not be judged on {unjudged}" if unjudged else "",
            f"no longer fails {stale} that the baseline accepts" if stale else "",
        ]
        return f"{' and '.join(part for part in parts if part)} of {total}"
    if not required:
        return "was not asked about any required clause"
    passed = sum(c.verdict == "pass" for c in required)
    if passed == len(required):
        return f"keeps all {total}" if passed > 1 else "keeps the one required clause"
    waived = sum(c.verdict == "waived" for c in required)
    absent = sum(c.verdict == "not-offered" for c in required)
    exceptions = [f"{waived} waived" if waived else "", f"{absent} not offered" if absent else ""]
    return f"keeps {passed} of {total} ({', '.join(e for e in exceptions if e)})"


def _named(report: Report) -> str:
    closing = _closing(report)
    names = [cut(c.id, 60) for c in closing[:NAMED]]
    if len(closing) > NAMED:
        names.append("…")
    return f" ({', '.join(names)})" if names else ""


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
