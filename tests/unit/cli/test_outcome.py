"""The gate and the exit code that follow from a run's verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hive_gate.cli.outcome import exit_code
from hive_gate.exits import Exit
from hive_gate.report.model import Baseline, Report, gate_of

Made = Callable[..., Report]


@pytest.mark.parametrize(
    ("verdicts", "advisory", "gate"),
    [
        (["pass"], [], "open"),
        (["pass", "waived", "not-offered"], [], "open"),
        (["pass"], ["warn", "blocked", "error", "waived"], "open"),
        ([], [], "closed"),
        ([], ["pass", "warn"], "closed"),
        (["not-offered"], ["pass"], "closed"),
        (["pass", "fail"], [], "closed"),
        (["pass", "blocked"], [], "closed"),
        (["pass", "error"], [], "closed"),
        (["pass", "warn"], [], "closed"),
        (["pass", "stale"], [], "closed"),
        (["pass"], ["stale"], "closed"),
    ],
)
def test_the_gate_is_open_only_if_every_required_clause_says_so(
    verdicts: list[str], advisory: list[str], gate: str, made: Made
) -> None:
    assert made(*verdicts, advisory=advisory).gate == gate


def told(*verdicts: str, **more: Any) -> dict[str, Any]:
    return {"verdicts": verdicts, **more}


CODES: list[tuple[dict[str, Any], Exit]] = [
    (told("pass"), Exit.OPEN),
    (told("pass", "waived", "not-offered", advisory=["warn"]), Exit.OPEN),
    (told("pass", advisory=["error", "blocked"]), Exit.OPEN),
    (told("pass", "fail"), Exit.CLOSED),
    (told("pass", "stale"), Exit.CLOSED),
    (told("pass", advisory=["stale"]), Exit.CLOSED),
    (told(advisory=["pass", "warn"]), Exit.CLOSED),
    (told("not-offered"), Exit.CLOSED),
    (told("pass", "blocked"), Exit.TARGET),
    (told("blocked", "blocked"), Exit.TARGET),
    (told("pass", "blocked", "fail"), Exit.CLOSED),
    (told("pass", "blocked", advisory=["fail"]), Exit.TARGET),
    (told("pass", "error"), Exit.FAULT),
    (told("fail", "error", "blocked"), Exit.FAULT),
    (told("blocked", problem="the server failed 2 times in a row"), Exit.TARGET),
    (told("fail", "blocked", problem="the server failed 2 times in a row"), Exit.CLOSED),
    (told("stale", problem="the server failed 2 times in a row"), Exit.CLOSED),
    (told("pass", "silent"), Exit.CLOSED),
    (told("silent", "blocked", problem="the server failed 2 times in a row"), Exit.TARGET),
    (told("fail", "silent", "blocked", problem="the server failed 2 times in a row"), Exit.CLOSED),
    (told("pass", "blocked", advisory=["stale"]), Exit.CLOSED),
    (told("pass", problem="the run's time of 120 s was up"), Exit.TARGET),
    (told("error", problem="it did not start"), Exit.FAULT),
    (told("pass", interrupted=True), Exit.INTERRUPTED),
    (told("fail", "error", "blocked", interrupted=True, problem="interrupted by SIGINT"), Exit.INTERRUPTED),
]


@pytest.mark.parametrize(("case", "code"), CODES)
def test_the_exit_code_follows_from_the_report(case: dict[str, Any], code: Exit, made: Made) -> None:
    more = {name: value for name, value in case.items() if name != "verdicts"}
    assert exit_code(made(*case["verdicts"], **more)) is code


def test_an_entry_of_the_baseline_that_is_wrong_closes_the_gate_by_the_contract(made: Made) -> None:
    baseline = Baseline("b.toml", "ab" * 32, 1, 1, ("It names nothing.",))
    for verdicts in (("pass",), ("pass", "waived"), ("pass", "blocked")):
        report = replace(made(*verdicts), baseline=baseline)
        assert gate_of(report.clauses, baseline) == "closed"
        assert exit_code(replace(report, gate="closed")) is Exit.CLOSED
    assert exit_code(replace(made("error"), baseline=baseline)) is Exit.FAULT
    assert exit_code(replace(made("pass"), baseline=replace(baseline, problems=()))) is Exit.OPEN


def test_a_partial_run_has_the_exit_code_of_what_it_ran(made: Made) -> None:
    for verdict, code in (("pass", Exit.OPEN), ("fail", Exit.CLOSED), ("blocked", Exit.TARGET)):
        report = made(verdict)
        assert exit_code(replace(report, run=replace(report.run, partial=True))) is code
