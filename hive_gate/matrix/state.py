"""How far a run came, from its report."""

from __future__ import annotations

from collections.abc import Sequence

from hive_gate.errors import HiveGateError
from hive_gate.matrix.runs import State
from hive_gate.report.model import ClauseResult, Report
from hive_gate.report.plain import cut
from hive_gate.report.verdict import is_broken_by_what_was_said

_REASON = 300
"""Characters of what a clause says."""


def state_of(report: Report) -> tuple[State, str | None]:
    """Return the state of a run and, unless it is judged, why in one sentence.

    As with the exit code of `hive-gate probe`, a required clause that is broken by what the server said is a judgment,
    whatever else went wrong.
    """
    required = [c for c in report.clauses if c.level == "required"]
    lost = [c for c in required if c.verdict == "error"]
    unseen = [c for c in required if c.verdict == "blocked"]
    if report.run.interrupted:
        return "interrupted", report.run.problem or "the run was interrupted"
    if lost:
        return (
            "not-judged",
            f"hive-gate itself failed on {_clauses(lost)}; {lost[0].id}: {cut(lost[0].actual, _REASON)}",
        )
    if is_broken_by_what_was_said(report):
        return "judged", None
    if report.run.problem is not None:
        # The start of a server is timed once it has answered.
        started = any(server.start_ms > 0 for server in report.servers)
        return "not-judged" if started else "not-started", report.run.problem
    if unseen:
        return "not-judged", f"{_clauses(unseen)} blocked; {unseen[0].id}: {cut(unseen[0].actual, _REASON)}"
    return "judged", None


def _clauses(clauses: Sequence[ClauseResult]) -> str:
    return f"{len(clauses)} clause{'' if len(clauses) == 1 else 's'}"


def sentence(error: HiveGateError) -> str:
    """Return an error in one sentence, with what to do."""
    return f"{error.message.rstrip('.')} ({error.hint})" if error.hint else error.message.rstrip(".")
