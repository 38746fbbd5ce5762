"""A matrix on a terminal: a live line for each version, and an end that leaves nothing behind."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.exits import Exit
from hive_gate.target.cache import Cache
from tests.support.programs import REFERENCE, SILENT, put, small_contract, with_fault

pytestmark = pytest.mark.terminal

Start = Callable[..., Any]


@pytest.fixture
def cache(place: Any) -> Cache:
    made = Cache(place.folder / "cache")
    put(made, "0.1.0")
    put(made, "0.2.0", with_fault("page-oldest-first"))
    put(made, "0.3.0", SILENT)
    put(made, "0.4.0", REFERENCE + "\n# another")
    small_contract(place.folder, "turns-list.unknown-thread", "turns-list.page", "items-list.known")
    return made


def matrix(terminal: Start, cache: Cache, *words: str, columns: int = 80) -> Any:
    told = ("matrix", *words, "--contract", str(Path("contracts") / "small.json"))
    return terminal(*told, columns=columns, HIVE_GATE_CACHE=str(cache.root))


@pytest.mark.parametrize("columns", [80, 120])
def test_each_version_has_a_line_that_becomes_its_result(
    columns: int, terminal: Start, cache: Cache, place: Any
) -> None:
    seen = matrix(terminal, cache, "0.1.0", "0.2.0", columns=columns)
    assert seen.end() == Exit.CLOSED
    assert "━" in seen.raw
    text = "\n".join(seen.lines)
    assert re.search(r"0\.2\.0 +asking.*\d/6", text)
    assert re.search(r"all .*[01]/2", text)
    assert re.search(r"0\.1\.0  open \(\d+\.\d s\)", text)
    assert re.search(r"0\.2\.0  closed: 4 fail \(\d+\.\d s\)", text)
    table = text[text.index("hive-app-server 1.0.0 holds on") :]
    assert "━" not in table
    assert max(len(line) for line in table[: table.index("Written:")].splitlines()) <= columns
    assert seen.colors
    assert seen.is_sane
    assert place.left() == []


def press_ctrl_c_three_times(seen: Any) -> None:
    for _ in range(3):
        seen.press_ctrl_c()
        seen.wait_for(r"\^C")  # the terminal has passed it on


@pytest.mark.parametrize(
    ("interrupt", "option", "again"),
    [
        (press_ctrl_c_three_times, (), "the same command"),
        (lambda seen: seen.kill(signal.SIGTERM), (), "the same command"),
        (lambda seen: seen.kill(signal.SIGHUP), ("--fresh",), "the same command without --fresh"),
    ],
    ids=["ctrl-c", "SIGTERM", "SIGHUP with --fresh"],
)
def test_an_interruption_leaves_nothing_behind_and_the_next_start_goes_on(
    interrupt: Callable[[Any], None], option: tuple[str, ...], again: str, terminal: Start, cache: Cache, place: Any
) -> None:
    words = ("0.1.0", "0.3.0", "0.4.0", "--jobs", "1")
    seen = matrix(terminal, cache, *words, *option, columns=100)
    seen.wait_for(r"0\.4\.0  \S*open")
    seen.wait_for(r"0\.3\.0[^\r\n]*asking")
    interrupt(seen)
    assert seen.end() == Exit.INTERRUPTED
    assert [line.strip() for line in seen.lines if line][-2:] == [
        f"hive-gate: 1 of 3 runs are done; {again} goes on from there",
        "hive-gate: interrupted before it was done; start it again",
    ]
    assert "Traceback" not in seen.raw
    assert seen.is_sane
    assert place.left() == []
    assert not (place.folder / "reports" / "matrix" / "matrix.json").exists()

    second = matrix(terminal, cache, "0.1.0", "0.4.0")
    assert second.end() == Exit.OPEN
    assert "0.4.0  open (from an earlier run)" in "\n".join(second.lines)
    assert place.left() == []
