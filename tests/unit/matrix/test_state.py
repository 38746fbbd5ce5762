"""How far a run came, from its report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hive_gate.errors import TargetError
from hive_gate.matrix.state import sentence, state_of
from hive_gate.report.model import Finding, Report, Server
from tests.unit.matrix.faked import report, result

GREETED = Server(0, "preflight", "hive", "preflight", 40.0, 0, "", "eof")
SILENT = replace(GREETED, start_ms=0.0, stop="kill")


def ran(*verdicts: str, servers: tuple[Server, ...] = (GREETED,), **run: Any) -> Report:
    """A run; `silent` is a fail by the lack of an answer, and an advisory clause is told by a question mark."""
    clauses = []
    for number, told in enumerate(verdicts):
        verdict = "fail" if told == "silent" else told.removesuffix("?")
        level = "advisory" if told.endswith("?") else "required"
        clause = result(f"read.{number}", verdict, level=level, actual=f"what came of {number}")
        if told == "silent":
            clause = replace(clause, findings=(Finding("answer", "an answer", "none in 10 s"),))
        clauses.append(clause)
    made = report("0.142.5", clauses, servers=servers)
    return replace(made, run=replace(made.run, **run))


@pytest.mark.parametrize(
    ("made", "state", "problem"),
    [
        (ran("pass", "fail", "warn?"), "judged", None),
        (ran("pass", "silent"), "judged", None),
        (ran("pass", "blocked?"), "judged", None),
        # What the server said counts, whatever else went wrong.
        (ran("fail", "blocked", problem="two servers in a row failed"), "judged", None),
        (ran("blocked", servers=(SILENT,), problem="no greeting in 30 s"), "not-started", "no greeting in 30 s"),
        (ran("blocked", servers=(), problem="it cannot be started"), "not-started", "it cannot be started"),
        (ran("pass", "blocked", problem="the run's time was up"), "not-judged", "the run's time was up"),
        (ran("pass", "blocked", "blocked"), "not-judged", "2 clauses blocked; read.1: what came of 1"),
        (ran("silent", "blocked"), "not-judged", "1 clause blocked; read.1: what came of 1"),
        (ran("error", "fail"), "not-judged", "hive-gate itself failed on 1 clause; read.0: what came of 0"),
        (ran("fail", interrupted=True, problem="interrupted by SIGINT"), "interrupted", "interrupted by SIGINT"),
    ],
)
def test_the_state_follows_from_the_report(made: Report, state: str, problem: str | None) -> None:
    assert state_of(made) == (state, problem)


def test_an_error_is_one_sentence_with_what_to_do() -> None:
    assert sentence(TargetError("There is no npm.", hint="install it")) == "There is no npm (install it)"
    assert sentence(TargetError("There is no npm.")) == "There is no npm"
