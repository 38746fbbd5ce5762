"""A matrix over the real programs: the boundaries that are known come out by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import NEXT_CONTRACT
from hive_gate.matrix.fold import boundaries, ranges, spans
from hive_gate.matrix.formats import render
from hive_gate.matrix.jsonfile import read_matrix
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import codex
from hive_gate.report.model import Verdict

from .conftest import PATIENCE, VERSIONS, Probed, matrix

pytestmark = [pytest.mark.live, pytest.mark.timeout(PATIENCE)]

# Each was found by hand first; 0.150 is not among the versions, so what holds up to it ends here with 0.146.1.
KNOWN: tuple[tuple[str, Verdict, str], ...] = (
    ("turns-list.unknown-thread", "pass", "0.125.0 - 0.171.0"),
    # itemsView, and its default.
    ("turns-list.view/summary", "pass", "0.130.0 - 0.171.0"),
    ("turns-list.default-view", "pass", "0.130.0 - 0.171.0"),
    # thread/turns/items/list as a stub.
    ("items-list.unsupported/real-thread", "pass", "0.130.0 - 0.142.5"),
    # resume.initialTurnsPage.
    ("resume.initial-page/summary/desc", "pass", "0.136.0 - 0.171.0"),
    # turns/list and excludeTurns need the capability.
    ("handshake.without-capability/turns-list", "pass", "0.130.0 - 0.146.1"),
    ("handshake.without-capability/exclude-turns", "pass", "0.130.0 - 0.146.1"),
    # thread/rollback: whether it works on a legacy thread, and whether it is there.
    ("rollback.last/1", "pass", "0.125.0 - 0.155.1"),
    ("rollback.offered", "fail", "0.125.0, 0.156.0 - 0.171.0"),
    # Two at once: 0.155.1, the last that has it, carries out both.
    ("rollback.in-flight", "fail", "0.155.1"),
    # History modes: an unknown or paginated one read as legacy, refused, worked on; the default.
    ("history-mode.fails-open/unknown", "warn", "0.125.0 - 0.142.5"),
    ("history-mode.fails-open/paginated", "warn", "0.125.0 - 0.142.5"),
    ("history-mode.refused/turns-list", "pass", "0.143.0 - 0.144.6"),
    ("history-mode.refused/start", "pass", "0.143.0 - 0.144.6"),
    ("history-mode.false-empty/turns-list", "pass", "0.146.1 - 0.171.0"),
    ("history-mode.default-legacy", "pass", "0.143.0 - 0.146.1"),
    ("history-mode.default-legacy", "warn", "0.153.4 - 0.171.0"),
)


@pytest.mark.parametrize(("clause", "verdict", "where"), KNOWN)
def test_the_known_boundaries_come_out_by_themselves(clause: str, verdict: Verdict, where: str, probed: Probed) -> None:
    sheet = probed.sheet
    (row,) = (row for row in sheet.rows if row.clause == clause)
    shown = {index for index, cell in enumerate(row.cells) if cell is not None and cell.verdict == verdict}
    assert ranges(sheet.columns, shown) == where


def test_all_versions_were_judged_and_the_contract_holds_where_it_should(probed: Probed) -> None:
    sheet = probed.sheet
    assert tuple(column.version for column in sheet.columns) == VERSIONS
    assert {column.state for column in sheet.columns} == {"judged"}
    assert probed.code == 1
    assert probed.stdout.splitlines()[0] == f"{sheet.name} holds on 3 of 14 versions: 0.136.0 - 0.142.5."
    last = probed.stderr.splitlines()[-1]
    assert last == "hive-gate: the gate is closed on 11 of 14 versions (0.125.0 - 0.130.0, 0.143.0 - 0.171.0)."
    assert len({column.program for column in sheet.columns}) == len(VERSIONS)
    assert not any(column.from_cache for column in sheet.columns)


def test_versions_in_which_nothing_moved_are_one_column(probed: Probed) -> None:
    assert [span.name for span in spans(probed.sheet)] == [
        "0.125.0",
        "0.130.0",
        "0.136.0 - 0.142.5 (3)",
        "0.143.0 - 0.144.6 (2)",
        "0.146.1",
        "0.153.4",
        "0.155.1",
        "0.156.0 - 0.171.0 (4)",
    ]


def test_between_0_142_5_and_0_143_0_the_rename_and_the_history_mode_are_all_that_moved(probed: Probed) -> None:
    (boundary,) = (b for b in boundaries(probed.sheet) if b.after == "0.143.0")
    moved = [(c.group.name, c.before.verdict, c.after.verdict) for c in boundary.changes]
    assert [(name.partition(":")[0].partition(".")[0], *verdicts) for name, *verdicts in moved] == [
        ("items-list", "pass", "fail"),
        ("history-mode", "not-offered", "pass"),
        ("history-mode", "warn", "not-offered"),
        ("schema", "pass", "warn"),
    ]
    assert moved[0][0] == "items-list.* (3)"
    assert "unknown variant `thread/turns/items/list`" in str(boundary.changes[0].after.actual)


def test_the_second_time_nothing_is_run_and_it_says_the_same(probed: Probed, tmp_path: Path) -> None:
    again = matrix(tmp_path / "again", *VERSIONS, "--no-baseline", "--json")
    assert sum("(from an earlier run)" in line for line in again.stderr.splitlines()) == len(VERSIONS)
    assert again.code == probed.code
    assert (
        json.loads(again.stdout)["sheets"][0]["rows"]
        == json.loads((probed.folder / "matrix.json").read_bytes())["sheets"][0]["rows"]
    )
    before, after = read_matrix(probed.folder / "matrix.json"), read_matrix(again.folder / "matrix.json")
    body = [render(each, "markdown").rpartition("hive-gate matrix")[0] for each in (before, after)]
    assert body[0] == body[1]


@pytest.mark.parametrize(("version", "verdict"), [("0.146.1", "fail"), ("0.153.4", "pass")])
def test_the_next_contract_tells_when_a_new_thread_cannot_be_read_in_another_way(version: str, verdict: str) -> None:
    # Without the matrix: two whole runs of that contract would tell no more, and take ten times as long.
    chosen = Selection(clauses=("read.before-first-message",))
    report = run(load_contract(NEXT_CONTRACT), codex(version, Silent()), chosen, Settings(), Silent())
    (clause,) = report.clauses
    assert clause.verdict == verdict
    assert ("is not materialized yet" in clause.actual) == (verdict == "fail")
