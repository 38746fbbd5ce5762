"""`hive-gate bisect` around the search: which versions it looks at, what it prints, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import semver
import typer
from typer.testing import CliRunner, Result

import hive_gate.matrix.runs
import hive_gate.target.published
from hive_gate.cli.bisect import bisect
from hive_gate.errors import UsageError
from hive_gate.exits import Exit
from hive_gate.matrix.runs import Outcome, Task
from hive_gate.target.published import Published
from tests.unit.matrix.faked import outcome, with_messages

CLAUSE = "items-list.known"
PUBLISHED = ("0.142.2", "0.142.5", "0.143.0-alpha.1", "0.143.0", "0.144.6", "0.146.1", "0.153.4", "0.171.0")
Call = Callable[..., Result]


class Runs:
    """Runs that are made up, and what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fresh: list[bool] = []
        self.rule: Callable[[str], Mapping[str, str] | None] = lambda version: {
            CLAUSE: "pass" if semver.Version.parse(version) < "0.146.0" else "fail"
        }

    def __call__(self, tasks: Sequence[Task], settings: Any, observer: Any) -> Iterator[Outcome]:
        for task in tasks:
            self.asked.append(task.version)
            self.fresh.append(settings.fresh)
            yield outcome(task.version, self.rule(task.version))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    found = Runs()
    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", found)
    return found


@pytest.fixture
def call(runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    """Run the command with an empty cache and a made-up list of versions."""
    monkeypatch.setenv("HIVE_GATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)
    listed = Published(tuple(map(semver.Version.parse, PUBLISHED)), datetime.now(UTC))
    monkeypatch.setattr(hive_gate.target.published, "published_versions", lambda *_, **__: listed)
    app = typer.Typer()
    app.command()(bisect)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--clause", CLAUSE, *arguments], catch_exceptions=True)

    return run


def test_it_finds_the_first_published_version_from_the_accepted_one_on(call: Call, runs: Runs) -> None:
    done = call("--bad", "0.171.0")

    assert done.exit_code == Exit.OPEN
    assert done.stdout.startswith(f"0.146.1 is the first version in which {CLAUSE} changes from pass to fail")
    assert runs.asked == ["0.142.5", "0.171.0", "0.144.6", "0.146.1"]
    assert "5 versions may be the first; at most 5 probes for one boundary" in done.stderr
    assert runs.fresh == [False] * 4
    assert "hive-gate: 1 version may be the first; at most 2 probes" in call("--bad", "0.143.0").stderr


def test_among_restricts_it_and_needs_no_list(call: Call, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def unasked(*_: Any, **__: Any) -> Published:
        raise AssertionError("npm is not asked")

    monkeypatch.setattr(hive_gate.target.published, "published_versions", unasked)

    done = call("--good", "0.142.5", "--bad", "0.171.0", "--among", "0.143.0,0.153.4", "--json", "--fresh")

    found = json.loads(done.stdout)
    assert (found["found"], found["boundaries"][0]["first"], found["among"]) == (
        "found",
        "0.153.4",
        ["0.143.0,0.153.4"],
    )
    assert found["candidates"] == 3
    assert found["answer"] == (
        f"Of the versions given, 0.153.4 is the first in which {CLAUSE} changes from pass to fail; "
        "the one before it among them is 0.143.0; whatever was published between them was not asked."
    )
    assert runs.fresh == [True] * len(runs.asked)


def test_progress_tells_the_verdict_of_what_is_asked_and_not_the_gate(call: Call, runs: Runs) -> None:
    def rule(version: str) -> dict[str, str] | None:
        if version == "0.144.6":
            return {CLAUSE: "blocked", "read.with-turns": "pass"}
        return None if version == "0.153.4" else {CLAUSE: "pass", "read.with-turns": "fail", "rollback.zero": "fail"}

    runs.rule = lambda version: {**rule(version), CLAUSE: "fail"} if version == "0.171.0" else rule(version)  # type: ignore[dict-item]

    lines = call("--bad", "0.171.0").stderr.splitlines()

    assert "0.142.5  pass (4.0 s)" in lines
    assert "0.171.0  fail (4.0 s)" in lines
    assert "0.153.4  not fetched: 0.153.4 is not there. (0.1 s)" in lines
    assert any(line.startswith("0.144.6  ") and "blocked" in line for line in lines)
    both = call("--bad", "0.171.0", "--clause", "rollback.zero").stderr
    assert "0.142.5  1 pass, 1 fail (4.0 s)" in both
    assert "closed" not in both.replace("0.144.6  closed", "")


def test_the_same_verdict_at_both_ends_is_exit_2_with_a_sentence(call: Call, runs: Runs) -> None:
    runs.rule = lambda version: {CLAUSE: "pass"}

    done = call("--bad", "0.171.0")

    assert done.exit_code == Exit.USAGE
    assert runs.asked == ["0.142.5", "0.171.0"]
    assert f"hive-gate: {CLAUSE} has the same verdict (pass) in 0.142.5 and in 0.171.0" in done.stderr
    assert "  do: " in done.stderr


def test_an_end_or_a_boundary_that_cannot_be_judged_is_exit_3(call: Call, runs: Runs) -> None:
    runs.rule = lambda version: None if version == "0.171.0" else {CLAUSE: "pass"}
    assert call("--bad", "0.171.0").exit_code == Exit.TARGET
    runs.rule = lambda version: None if version == "0.146.1" else {CLAUSE: "pass" if version < "0.146" else "fail"}

    done = call("--bad", "0.171.0")

    assert done.exit_code == Exit.TARGET
    assert "after 0.144.6 and no later than 0.153.4: 1 version between them could not be judged" in done.stderr
    assert "when they are gone, ask again: what was judged is in the cache" in done.stderr
    assert "when they are gone, ask again without --fresh: what" in call("--bad", "0.171.0", "--fresh").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bad", "0.142.2"), "--good 0.142.5 is later than --bad 0.142.2"),
        (("--bad", "0.171.0", "--clause", "no.such"), "no.such"),
        (("--bad", "soon"), "'soon' names no version of codex"),
    ],
)
def test_slips_are_told_before_anything_runs(call: Call, runs: Runs, arguments: tuple[str, ...], said: str) -> None:
    done = call(*arguments)

    assert isinstance(done.exception, UsageError)
    assert said in done.exception.message
    assert runs.asked == []


def test_out_writes_the_format_to_a_file(call: Call, tmp_path: Path) -> None:
    done = call("--bad", "0.171.0", "--format", "markdown", "--out", str(tmp_path / "found.md"))

    assert (done.exit_code, done.stdout) == (Exit.OPEN, "")
    assert (tmp_path / "found.md").read_text(encoding="utf-8").startswith("0.146.1 is the first version")


def test_what_is_pasted_elsewhere_has_no_folder_of_this_machine_in_it(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(tasks: Sequence[Task], *_: Any) -> Iterator[Outcome]:
        for task in tasks:
            made = outcome(task.version, {CLAUSE: "pass" if task.version == "0.142.5" else "fail"})
            assert made.report is not None
            clause = replace(made.report.clauses[0], actual="/home/kim/secret-project/a.txt is gone")
            yield replace(made, report=replace(made.report, clauses=(clause,)))

    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", run)

    assert "secret-project" in call("--bad", "0.143.0").stdout
    for name in ("markdown", "html"):
        assert "secret-project" not in call("--bad", "0.143.0", "--format", name).stdout


@pytest.mark.parametrize(("columns", "together"), [("100", True), ("99", False)])
def test_both_transcripts_stand_side_by_side_from_100_columns_on(
    call: Call, monkeypatch: pytest.MonkeyPatch, columns: str, together: bool
) -> None:
    def run(tasks: Sequence[Task], *_: Any) -> Iterator[Outcome]:
        for task in tasks:
            good = task.version == "0.142.5"
            reply = {"result": {"left": 1}} if good else {"error": {"right": 2}}
            yield with_messages(outcome(task.version, {CLAUSE: "pass" if good else "fail"}), reply)

    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", run)
    monkeypatch.setenv("COLUMNS", columns)

    lines = call("--bad", "0.143.0").stdout.splitlines()

    assert any('"left": 1' in line and '"right": 2' in line for line in lines) is together
    assert max(map(len, lines)) <= int(columns)


def test_a_run_that_the_user_ended_ends_the_command(call: Call, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(tasks: Sequence[Task], *_: Any) -> Iterator[Outcome]:
        yield outcome(tasks[0].version, {CLAUSE: "pass"}, "interrupted")

    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", interrupted)

    assert call("--bad", "0.171.0").exit_code == Exit.INTERRUPTED
