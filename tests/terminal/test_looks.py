"""What a run looks like on a terminal and without one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT

pytestmark = pytest.mark.terminal

Start = Callable[..., Any]

OPEN = "Gate OPEN: codex-cli 0.142.5 keeps "

CLAUSES = load_contract(DEFAULT_CONTRACT).clauses
READ = sum(clause.suite == "read" for clause in CLAUSES)


@pytest.mark.parametrize("columns", [80, 120])
def test_a_bar_moves_and_then_the_table_is_there(columns: int, terminal: Start, codex: str, place: Any) -> None:
    seen = terminal("probe", "--codex", codex, columns=columns)
    assert seen.end() == 0
    steps = [int(done) for done in re.findall(rf"(\d+)/{len(CLAUSES)}", seen.raw)]
    assert "━" in seen.raw
    assert len(set(steps)) > 3
    assert steps == sorted(steps)
    text = "\n".join(seen.lines)
    table = text[text.index(OPEN) :]
    assert "━" not in table
    assert [line for line in seen.lines if line.split()[:1] == ["Suite"]]
    assert re.search(r"^ thread/turns/list +(\d+)/\1", table, re.MULTILINE)
    assert max(len(line) for line in table[: table.index("Note for Redmine:")].splitlines()) <= columns
    assert seen.colors
    assert seen.is_sane
    assert place.left() == []


def test_no_color_is_honored_on_a_terminal(terminal: Start, codex: str) -> None:
    seen = terminal("probe", "--codex", codex, "--suite", "read", NO_COLOR="1")
    assert seen.end() == 0
    assert "━" in seen.raw
    assert seen.colors == []


def test_a_dumb_terminal_gets_no_escape_codes(terminal: Start, codex: str) -> None:
    seen = terminal("probe", "--codex", codex, "--suite", "read", TERM="dumb")
    assert seen.end() == 0
    assert "\x1b" not in seen.raw


def test_without_a_terminal_there_are_plain_lines(codex: str, place: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hive_gate", "probe", "--codex", codex, "--suite", "read"],
        env=place.environment(), cwd=place.folder, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stdout + done.stderr
    folder = "reports/0.142.5-partial"
    *lines, last = done.stderr.splitlines()
    assert last.startswith("hive-gate: PARTIAL run, which releases nothing: codex-cli 0.142.5 keeps all")
    assert lines == [
        "hive-gate: looking for codex 0.142.5",
        "hive-gate: reading its own schemas",
        "hive-gate: starting the server",
        f"hive-gate: {READ} clauses to judge",
        f"hive-gate: {READ} clauses judged",
        f"Note for Redmine: {folder}/note.textile (Textile), {folder}/note.md (CommonMark)",
        f"In a browser:     {folder}/report.html",
        f"Everything else:  {folder}/report.json and beside it",
    ]
    assert f"keeps all {READ} required clauses" in " ".join(done.stdout.split())


def test_json_on_a_terminal_is_json_alone_beside_the_progress(terminal: Start, codex: str, place: Any) -> None:
    seen = terminal("probe", "--codex", codex, "--suite", "read", "--json", "--out", "here")
    assert seen.end() == 0
    text = seen.raw[seen.raw.index("{\r\n") :].replace("\r\n", "\n")
    document, _ = json.JSONDecoder().raw_decode(text)  # the verdict follows on stderr, which is the same terminal
    assert document == json.loads((place.folder / "here" / "report.json").read_bytes())


def test_a_usage_error_on_a_terminal_is_plain(terminal: Start) -> None:
    seen = terminal("probe", "--suite", "reed")
    assert seen.end() == 2
    assert seen.lines[0] == "hive-gate: the contract has no suite 'reed'"
    assert "\x1b" not in seen.raw
