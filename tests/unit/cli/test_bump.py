"""`hive-gate can-i-bump` around the answer: what it judges, what it prints, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import hive_gate.cli.bump
import hive_gate.matrix.runs
import hive_gate.target.published
from hive_gate.cli.bump import can_i_bump
from hive_gate.errors import ContractError, TargetError, UsageError
from hive_gate.exits import Exit
from hive_gate.matrix.runs import Outcome, Task
from hive_gate.target.platforms import this_platform
from tests.unit.matrix.faked import outcome

COMPARED = hive_gate.cli.bump._drift
A, B = "read.with-turns", "read.real-turns"
Call = Callable[..., Result]

BASELINE = """
accepted = "0.142.5"

[[waiver]]
clause = "read.with-turns"
versions = "0.171.0"
fingerprint = "{}"
reason = "Hive does not use it yet."
owner = "release team"
expires = {}
"""


class Runs:
    """Runs that are made up, and what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.verdicts: dict[str, Mapping[str, str] | None] = {
            "0.142.5": {A: "pass", B: "pass"},
            "0.142.2": {A: "pass", B: "pass"},
            "0.171.0": {A: "fail", B: "pass"},
        }

    def __call__(self, tasks: Sequence[Task], settings: Any, observer: Any) -> Iterator[Outcome]:
        for task in tasks:
            self.asked.append(task.version)
            yield outcome(task.version, self.verdicts.get(task.version))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    found = Runs()
    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", found)
    return found


@pytest.fixture
def call(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(hive_gate.cli.bump, "_drift", lambda *_: None)  # it takes a second, and has a test of its own
    app = typer.Typer()
    app.command()(can_i_bump)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def accepted(tmp_path: Path, runs: Runs, expires: str = "2999-01-01") -> Path:
    """A baseline that accepts the failure of 0.171.0."""
    failed = outcome("0.171.0", runs.verdicts["0.171.0"]).report
    assert failed is not None
    path = tmp_path / "baseline.toml"
    path.write_text(BASELINE.format(failed.clauses[0].fingerprint, expires), encoding="utf-8")
    return path


def test_yes_is_exit_0_and_the_first_words(call: Call, runs: Runs) -> None:
    done = call("0.142.2")

    assert (done.exit_code, runs.asked) == (Exit.OPEN, ["0.142.2", "0.142.5"])
    assert " ".join(done.stdout.split()).startswith(
        "Yes: codex 0.142.2 keeps all 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5; "
        "it is a step back from 0.142.5. Beware: This is a step back: 0.142.2 is older than 0.142.5."
    )


def test_no_is_exit_1_and_the_last_words_say_it_again(call: Call) -> None:
    done = call("0.171.0")

    sentence = "No: codex 0.171.0 breaks 1 of 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5."
    assert done.exit_code == Exit.CLOSED
    assert done.stdout.startswith(sentence)
    assert done.stderr.splitlines()[-1] == f"hive-gate: {sentence}"
    assert "Schema drift" not in done.stdout


def test_what_the_programs_say_of_themselves_is_compared(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hive_gate.cli.bump, "_drift", COMPARED)

    done = call("0.171.0")

    assert "Schema drift among what Hive uses" in done.stdout
    assert "breaking: The method thread/rollback is gone. Hive calls it." in done.stdout
    assert "hive-gate drift --from 0.142.5 --to 0.171.0" in done.stdout


def test_the_version_before_may_be_another_or_the_candidate_itself(call: Call, runs: Runs) -> None:
    assert "that hold on 0.142.2." in call("0.171.0", "--from", "0.142.2").stdout
    runs.asked.clear()

    done = call("0.142.5")

    assert done.stdout.startswith("Yes: codex 0.142.5 keeps all 2 required clauses of hive-app-server 1.0.0.\n")
    assert runs.asked == ["0.142.5"]


def test_an_accepted_failure_lets_it_through_until_its_day(call: Call, runs: Runs, tmp_path: Path) -> None:
    done = call("0.171.0", "--baseline", str(accepted(tmp_path, runs)))

    assert done.exit_code == Exit.OPEN
    assert "1 failure accepted by the baseline" in " ".join(done.stdout.split())
    assert "Hive does not use it yet." in done.stdout

    done = call("0.171.0", "--baseline", str(accepted(tmp_path, runs, expires="2020-01-01")))

    assert done.exit_code == Exit.CLOSED
    assert "Entries of the baseline that do not hold" in done.stdout
    assert call("0.171.0", "--no-baseline").exit_code == Exit.CLOSED


def test_progress_tells_a_version_as_the_baseline_lets_it_through(call: Call, runs: Runs, tmp_path: Path) -> None:
    done = call("0.171.0", "--baseline", str(accepted(tmp_path, runs)))

    assert "0.171.0  open: 1 waived (" in done.stderr
    assert "0.171.0  closed: 1 fail (" in call("0.171.0", "--no-baseline").stderr


def test_an_acceptance_that_has_run_out_is_known_by_the_entry(call: Call, runs: Runs, tmp_path: Path) -> None:
    done = call("0.171.0", "--json", "--baseline", str(accepted(tmp_path, runs, expires="2020-01-01")))

    found = json.loads(done.stdout)
    assert [one["cause"] for one in found["stale"]] == ["expired"]
    assert [failure["clauses"] for group in found["blockers"] for failure in group["failures"]] == [[A]]


def test_latest_is_told_with_the_day_of_the_list(
    call: Call, runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HIVE_GATE_CACHE", str(tmp_path))
    kept = {"asked": "2026-10-20T08:00:00+00:00", "versions": ["0.142.5", "0.171.0"]}
    (tmp_path / f"published-{this_platform()}.json").write_text(json.dumps(kept), encoding="utf-8")

    def no_npm(*_: Any) -> Any:
        raise TargetError("npm could not reach its registry.")

    monkeypatch.setattr(hive_gate.target.published, "_ask", no_npm)

    found = json.loads(call("latest", "--json").stdout)

    assert found["candidate"]["version"] == "0.171.0"
    assert found["asked"] == {
        "candidate": "latest", "before": "accepted",
        "listed": {"asked": kept["asked"], "problem": "npm could not reach its registry."},
    }  # fmt: skip
    assert json.loads(call("0.171.0", "--json").stdout)["asked"]["listed"] is None


def test_what_could_not_be_judged_is_no_with_another_exit_code(call: Call) -> None:
    done = call("0.999.0")

    assert done.exit_code == Exit.TARGET
    assert "Not known, which counts as no: codex 0.999.0 could not be judged" in done.stdout
    assert "That is no drift." in done.stderr
    assert "  do: " in done.stderr


def test_a_fault_of_the_gate_itself_is_exit_4(call: Call, runs: Runs) -> None:
    runs.verdicts["0.171.0"] = {A: "error", B: "pass"}

    assert call("0.171.0").exit_code == Exit.FAULT


def test_the_formats_for_programs(call: Call, tmp_path: Path) -> None:
    found = json.loads(call("0.171.0", "--json").stdout)
    assert (found["answer"], found["candidate"]["version"]) == ("no", "0.171.0")
    assert json.loads(call("0.171.0", "--format", "json").stdout) == found
    assert call("0.171.0", "--format", "annotations").stdout.startswith("::error title=codex 0.171.0::No: ")
    assert "<failure" in call("0.171.0", "--format", "junit").stdout
    call("0.171.0", "--format", "github", "--out", str(tmp_path / "comment.md"))
    assert (tmp_path / "comment.md").read_text(encoding="utf-8").startswith("No: codex 0.171.0 breaks 1 of 2")


def test_what_is_pasted_elsewhere_has_no_folder_of_this_machine_in_it(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(tasks: Sequence[Task], *_: Any) -> Iterator[Outcome]:
        for task in tasks:
            made = outcome(task.version, {A: "fail", B: "pass"})
            assert made.report is not None
            first = replace(made.report.clauses[0], actual="/home/kim/secret-project/a.txt is gone")
            yield replace(made, report=replace(made.report, clauses=(first, made.report.clauses[1])))

    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", run)

    assert "secret-project" in call("0.171.0", "--no-baseline").stdout
    for name in ("markdown", "html", "junit", "annotations"):
        assert "secret-project" not in call("0.171.0", "--no-baseline", "--format", name).stdout


def test_slips_are_told_before_anything_runs(call: Call, runs: Runs, tmp_path: Path) -> None:
    wrong = tmp_path / "baseline.toml"
    wrong.write_text("[[waiver]]\n", encoding="utf-8")
    for arguments, kind in (
        (("soon",), UsageError),
        (("0.171.0", "--from", "0.1.0..0.2.0"), UsageError),
        (("0.171.0", "--json", "--format", "html"), UsageError),
        (("0.171.0", "--baseline", str(wrong)), ContractError),
        (("0.171.0", "--baseline", str(wrong), "--no-baseline"), UsageError),
    ):
        assert isinstance(call(*arguments).exception, kind)
    assert runs.asked == []


def test_a_run_that_the_user_ended_ends_the_command(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(tasks: Sequence[Task], *_: Any) -> Iterator[Outcome]:
        yield outcome(tasks[0].version, {A: "pass"}, "interrupted")

    monkeypatch.setattr(hive_gate.matrix.runs, "outcomes", interrupted)

    assert call("0.171.0").exit_code == Exit.INTERRUPTED
