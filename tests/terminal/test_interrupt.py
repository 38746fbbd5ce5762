"""Ctrl-C and SIGTERM in the middle: it ends soon, says so, and leaves nothing behind."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.exits import Exit

pytestmark = pytest.mark.terminal

Start = Callable[..., Any]


def check_the_end(terminal: Any, place: Any, name: str) -> None:
    assert terminal.end() == Exit.INTERRUPTED
    told = [line for line in terminal.lines if line.startswith("hive-gate: Gate CLOSED, not judged: ")]
    assert len(told) == 1
    assert f"interrupted by {name}" in told[0]
    assert told[0].endswith("#944 must wait.")
    assert [line for line in terminal.lines if line][-1] == told[0]
    assert "Traceback" not in terminal.raw
    assert terminal.is_sane
    assert place.left() == []


@pytest.mark.parametrize("mode", ["hangs", "mute"])
def test_ctrl_c_ends_a_run_that_waits_for_its_server(mode: str, terminal: Start, stub: Any, place: Any) -> None:
    server = stub(mode)
    seen = terminal("probe", "--server-command", server.command)
    server.wait_until_asked()
    seen.press_ctrl_c()
    check_the_end(seen, place, "SIGINT")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_run_in_the_same_way(name: str, terminal: Start, stub: Any, place: Any) -> None:
    server = stub("hangs")
    seen = terminal("probe", "--server-command", server.command)
    server.wait_until_asked()
    seen.kill(signal.Signals[name])
    check_the_end(seen, place, name)


def test_a_server_that_will_not_go_is_killed(terminal: Start, stub: Any, place: Any) -> None:
    server = stub("stubborn")
    seen = terminal("probe", "--server-command", server.command)
    server.wait_until_asked()
    seen.press_ctrl_c()
    check_the_end(seen, place, "SIGINT")


def test_impatience_leaves_nothing_behind_either(terminal: Start, stub: Any, place: Any) -> None:
    server = stub("stubborn")
    seen = terminal("probe", "--server-command", server.command)
    server.wait_until_asked()
    for _ in range(3):
        seen.press_ctrl_c()
        seen.wait_for(r"\^C")  # the terminal has passed it on
    assert seen.end() == Exit.INTERRUPTED
    assert "interrupted" in seen.lines[-2]
    assert "Traceback" not in seen.raw
    assert seen.is_sane
    assert place.left() == []


def test_what_was_judged_until_then_is_in_the_report(terminal: Start, stub: Any, place: Any) -> None:
    import json

    server = stub("hangs")
    seen = terminal("probe", "--server-command", server.command, "--out", "here")
    server.wait_until_asked()
    seen.press_ctrl_c()
    assert seen.end() == Exit.INTERRUPTED
    report = json.loads((place.folder / "here" / "report.json").read_bytes())
    assert (report["gate"], report["run"]["interrupted"], report["run"]["partial"]) == ("closed", True, True)
    assert report["run"]["problem"] == "interrupted by SIGINT"
    assert report["servers"]
    assert report["counts"]["pass"] == 0


def test_ctrl_c_in_the_middle_of_a_run_on_the_real_server(terminal: Start, codex: str, place: Any) -> None:
    seen = terminal("probe", "--codex", codex)
    seen.wait_for(r"[1-9]\d*/\d+")
    seen.press_ctrl_c()
    check_the_end(seen, place, "SIGINT")
