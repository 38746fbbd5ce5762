from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

import hive_gate.cli.drawing
from hive_gate.cli.drawing import drawing
from hive_gate.report.model import ClauseResult


def result(verdict: str, number: int = 1, actual: str = "[bold]it is not[/bold]") -> ClauseResult:
    return ClauseResult(
        id=f"read.one/{number}", suite="read", level="required", verdict=verdict,  # type: ignore[arg-type]
        why="w", source="s", expected="e", actual=actual, seconds=0.1,
    )  # fmt: skip


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Draw a run of three clauses and return what was written."""

    def draw(verbose: bool, terminal: bool) -> str:
        out = io.StringIO()

        def console(**options: Any) -> Console:
            assert options.pop("stderr") is True
            return Console(file=out, force_terminal=terminal, width=100, legacy_windows=False, **options)

        monkeypatch.setattr(hive_gate.cli.drawing, "Console", console)
        with drawing(verbose) as observer:
            observer.stage("starting the server")
            observer.plan(3)
            for number, verdict in enumerate(("pass", "not-offered", "fail"), 1):
                observer.judged(result(verdict, number))
        return out.getvalue()

    return draw


def test_without_a_terminal_there_are_plain_lines(drawn: Any) -> None:
    text = drawn(False, False)
    assert text.splitlines() == [
        "hive-gate: starting the server",
        "hive-gate: 3 clauses to judge",
        "fail        read.one/3: [bold]it is not[/bold]",
        "hive-gate: 3 clauses judged",
    ]


def test_one_reason_for_many_blocked_clauses_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    made = Console(file=out, width=100)
    monkeypatch.setattr(hive_gate.cli.drawing, "Console", lambda **_: made)
    with drawing(False) as observer:
        observer.plan(4)
        for number, verdict in enumerate(("fail", "blocked", "blocked", "fail"), 1):
            observer.judged(result(verdict, number, actual="not asked" if verdict == "blocked" else "no"))
    told = [line.split()[:2] for line in out.getvalue().splitlines()[1:-1]]
    assert told == [["fail", "read.one/1:"], ["blocked", "read.one/2:"], ["fail", "read.one/4:"]]


def test_verbose_tells_every_clause(drawn: Any) -> None:
    lines = drawn(True, False).splitlines()
    assert [line.split()[0] for line in lines[2:5]] == ["pass", "not-offered", "fail"]


def test_on_a_terminal_a_bar_moves_below_what_failed_and_is_gone_in_the_end(drawn: Any) -> None:
    text = drawn(False, True)
    assert "3/3" in text
    assert "read.one/3: [bold]it is not[/bold]" in text
    assert "read.one/1: " not in text
    assert text.rindex("\x1b[?25h") > text.index("\x1b[?25l")


def test_the_bar_is_removed_after_an_error_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    made = Console(file=out, force_terminal=True, width=100, legacy_windows=False)
    monkeypatch.setattr(hive_gate.cli.drawing, "Console", lambda **_: made)

    def broken() -> None:
        with drawing(False) as observer:
            observer.plan(3)
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        broken()
    assert out.getvalue().count("\x1b[?25h") == out.getvalue().count("\x1b[?25l") == 1
