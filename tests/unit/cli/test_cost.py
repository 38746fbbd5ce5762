"""`hive-gate cost`: what is refused before anything runs, what is printed and written, and the exit code."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hive_gate.cli.app import app
from hive_gate.cli.cost_drawing import Bar, Lines, time_left
from hive_gate.cli.cost_options import Stopped, folder_of, numbers, targets
from hive_gate.cli.parsing import Interrupted
from hive_gate.contract.load import load_contract
from hive_gate.cost.decisions import decided
from hive_gate.cost.jsonfile import from_json, read_cost, to_text
from hive_gate.cost.model import Cost
from hive_gate.cost.run import Settings
from hive_gate.data import DEFAULT_CONTRACT, FIXTURES
from hive_gate.errors import ContractError, UsageError
from hive_gate.exits import Exit
from tests.unit.cost.conftest import build, linear, target


@pytest.fixture(scope="module")
def measured() -> Cost:
    return decided(build(shapes=("plain", "images")), load_contract(DEFAULT_CONTRACT))


@pytest.fixture
def asked(measured: Cost, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """What would have been measured; the result is a known one."""
    calls: list[Any] = []

    def measure(contract: Any, subjects: Any, settings: Settings, observer: Any) -> Cost:
        calls.append((list(subjects), settings))
        return measured

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("hive_gate.probe.subject.codex", lambda spec, *_: spec)
    monkeypatch.setattr("hive_gate.cost.run.measure", measure)
    return calls


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["cost", *arguments])


def test_the_answers_are_printed_and_everything_is_written(asked: list[Any], measured: Cost) -> None:
    result = invoke()
    assert result.exit_code == Exit.OPEN
    assert "One scroll step" in result.stdout
    assert "reports/cost/0.142.5/cost.html" in result.stderr
    folder = Path("reports/cost/0.142.5")
    assert read_cost(folder / "cost.json") == measured
    assert {"cost.txt", "cost.md", "cost.github.md", "cost.textile", "cost.html", "page-full-20.svg"} <= {
        path.name for path in folder.iterdir()
    }
    assert asked == [(["0.142.5"], Settings())]


def test_the_options_arrive(asked: list[Any]) -> None:
    invoke("--codex", "0.142.5", "--codex", "0.171.0", "--shape", "images", "--shape", "plain", "--sizes", "30,3,3",
           "--real-sizes", "4", "--repeats", "7", "--out", "here")  # fmt: skip
    settings = Settings(("plain", "images"), (3, 30), (4,), 7, 220.0)
    assert asked == [(["0.142.5", "0.171.0"], settings)]
    assert Path("here/cost.json").is_file()


@pytest.mark.parametrize(
    ("form", "told"), [("markdown", "| --- |"), ("textile", "|_."), ("html", "<!doctype"), ("text", "Peak memory")]
)
def test_every_form_can_be_printed(form: str, told: str, asked: list[Any]) -> None:
    result = invoke("--format", form)
    assert result.exit_code == Exit.OPEN
    assert told in result.stdout


@pytest.mark.parametrize("option", [["--json"], ["--format", "json"]])
def test_json_is_the_file_and_nothing_else(option: list[str], asked: list[Any], measured: Cost) -> None:
    assert invoke(*option).stdout == to_text(measured)


def test_a_file_is_told_again_without_measuring(asked: list[Any], measured: Cost, tmp_path: Path) -> None:
    Path("kept.json").write_text(to_text(measured))
    result = invoke("--from", "kept.json")
    assert result.exit_code == Exit.OPEN
    assert "One scroll step" in result.stdout
    assert not Path("reports").exists()
    assert invoke("--from", "kept.json", "--json").stdout == to_text(measured)
    invoke("--from", "kept.json", "--out", "there")
    assert Path("there/page-full-20.svg").is_file()
    assert asked == []


def test_redacted_the_file_names_no_folder_of_the_machine(asked: list[Any]) -> None:
    shown = json.loads(invoke("--json", "--redact").stdout)
    assert shown["targets"][0]["path"] == "…/bin/codex"


def test_an_interrupted_run_is_written_elsewhere_and_says_so(
    asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = replace(measured.run, interrupted=True, complete=False, problem="interrupted by SIGINT")
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: replace(measured, run=run))
    result = invoke()
    assert result.exit_code == Exit.INTERRUPTED
    assert Path("reports/cost/0.142.5-partial/cost.json").is_file()
    assert "PARTIAL: interrupted by SIGINT;" in " ".join(result.stdout.split())
    assert "hive-gate: interrupted by SIGINT; what was measured until then is written" in result.stderr


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (None, "hive-gate: the time was up (a longer --time-limit makes it whole); what was measured until then is wr"),
        ("3 servers in a row failed\x1b[2J", "hive-gate: 3 servers in a row failed␛[2J; what was measured until then"),
    ],
)
def test_a_run_that_is_not_whole_leaves_the_whole_one_of_before_alone(
    problem: str | None, told: str, asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke()
    before = Path("reports/cost/0.142.5/cost.json").read_bytes()
    run = replace(measured.run, complete=False, problem=problem)
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: replace(measured, run=run))
    result = invoke()
    assert result.exit_code == Exit.OPEN
    assert Path("reports/cost/0.142.5/cost.json").read_bytes() == before
    assert read_cost(Path("reports/cost/0.142.5-partial/cost.json")).run == run
    assert "reports/cost/0.142.5-partial/cost.html" in result.stderr
    assert told in result.stderr


def test_a_folder_that_is_named_is_taken_whatever_came(
    asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = replace(measured.run, complete=False)
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: replace(measured, run=run))
    invoke("--out", "here")
    assert read_cost(Path("here/cost.json")).run == run
    assert not Path("reports").exists()


def test_what_is_not_whole_takes_the_place_of_nothing_that_is(
    asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("--out", "here")
    before = Path("here/cost.json").read_bytes()
    run = replace(measured.run, interrupted=True, complete=False, problem="interrupted by SIGINT")
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: replace(measured, run=run))
    result = invoke("--out", "here")
    assert Path("here/cost.json").read_bytes() == before
    assert read_cost(Path("here-partial/cost.json")).run == run
    assert "here/cost.json stays as it is: this measurement is not whole, and is written to here-partial" in (
        result.stderr
    )
    assert "here-partial/cost.html" in result.stderr
    later = replace(run, id="20261201T000000Z-fedcba")
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: replace(measured, run=later))
    invoke("--out", "here")
    assert read_cost(Path("here-partial/cost.json")).run == later  # what is partial itself is no loss


def test_nor_of_a_file_that_cannot_be_read(
    asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Path("cost.json").write_text("{}")
    run = replace(measured.run, complete=False)
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: replace(measured, run=run))
    invoke("--out", ".")
    assert Path("cost.json").read_text() == "{}"
    assert read_cost(tmp_path.with_name(f"{tmp_path.name}-partial") / "cost.json").run == run


def test_a_whole_run_takes_the_place_of_any(asked: list[Any], measured: Cost) -> None:
    Path("here").mkdir()
    Path("here/cost.json").write_text(to_text(replace(measured, run=replace(measured.run, id="before"))))
    invoke("--out", "here")
    assert read_cost(Path("here/cost.json")) == measured


@pytest.mark.parametrize("options", [(), ("--out", "here"), ("--json",)])
def test_where_nothing_was_measured_nothing_is_written(
    options: tuple[str, ...], asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("here").mkdir()
    Path("here/cost.json").write_text(to_text(measured))
    run = replace(measured.run, interrupted=True, complete=False, problem="interrupted by SIGINT")
    empty = replace(measured, run=run, cells=tuple(replace(c, samples=(), missing="cut") for c in measured.cells))
    monkeypatch.setattr("hive_gate.cost.run.measure", lambda *_: empty)
    result = invoke(*options)
    assert isinstance(result.exception, Stopped)
    assert result.exception.exit_code == Exit.INTERRUPTED
    assert result.exception.message == "interrupted by SIGINT before anything was measured; nothing is written"
    assert result.stdout == ""
    assert [path.name for path in Path().rglob("*")] == ["here", "cost.json"]
    assert read_cost(Path("here/cost.json")) == measured


@pytest.mark.parametrize("where", ["hive_gate.cost.files.write_text", "hive_gate.cost.figures.figure"])
def test_who_stops_the_notes_is_told_how_to_come_to_them(
    where: str, asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, stop)
    error = invoke("--out", "my folder").exception
    assert isinstance(error, Stopped)
    assert error.exit_code == Exit.INTERRUPTED
    assert error.diagnostics() == (
        "interrupted after the measurement, before all notes and plots were written\n"
        "  at: my folder/cost.json has every sample\n"
        "  do: hive-gate cost --from 'my folder/cost.json' --out 'my folder' writes the rest"
    )
    assert read_cost(Path("my folder/cost.json")) == measured


def test_who_stops_a_telling_that_leaves_no_file_is_told_what_everybody_is(
    asked: list[Any], measured: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    Path("kept.json").write_text(to_text(measured))
    monkeypatch.setattr("hive_gate.cost.compose.document", stop)
    with pytest.raises(Interrupted):
        invoke("--from", "kept.json", "--format", "text")


def test_an_old_file_is_told_by_the_rules_of_today(asked: list[Any], measured: Cost) -> None:
    old = [replace(s, text="It takes 214 ms in place of 203 ms (9 % less).") for s in measured.sentences]
    kept = replace(measured, sentences=tuple(old), noise=replace(measured.noise, cpus=77))
    Path("kept.json").write_text(to_text(kept))
    shown = json.loads(invoke("--from", "kept.json", "--json").stdout)
    assert from_json(shown) == replace(measured, noise=kept.noise)  # and how the machine was stays as it was


def test_of_a_whole_run_nothing_is_said_to_be_missing(asked: list[Any]) -> None:
    result = invoke()
    assert "until then" not in result.stderr
    assert "PARTIAL" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--codex", "a", "--codex", "b", "--codex", "c"], "3 targets were given"),
        (["--codex", " "], "--codex is empty"),
        (["--out", ""], "--out is empty"),
        (["--sizes", "1,x"], "--sizes is no list of numbers"),
        (["--sizes", ""], "--sizes is no list of numbers"),
        (["--sizes", "1"], "names a thread of 1 turns"),
        (["--real-sizes", "5,40000"], "--real-sizes names a thread of 40000 turns"),
        (["--shape", "round"], "there is no shape 'round'"),
        (["--json", "--format", "text"], "exclude each other"),
        (["--contract", "none.json"], "cannot be read"),
        (["--from", "none.json"], "cannot be read"),
        (["--from", "cost.json", "--codex", "0.142.5"], "--from measures nothing"),
    ],
)
def test_a_slip_is_told_before_anything_is_fetched(arguments: list[str], told: str, asked: list[Any]) -> None:
    result = invoke(*arguments)
    assert isinstance(result.exception, UsageError)
    assert told in result.exception.message
    assert asked == []


def test_sizes_are_each_there_once_and_in_order() -> None:
    assert numbers("--sizes", "300,100,300", (1,)) == (100, 300)
    assert numbers("--sizes", None, (1, 2)) == (1, 2)


def test_without_a_target_it_is_the_pinned_one() -> None:
    assert targets(None, "0.142.5", None) == ["0.142.5"]


def test_two_targets_have_a_folder_of_their_own(measured: Cost) -> None:
    both = replace(measured, targets=(target(), target("0.171.0")))
    assert folder_of(both, Settings()) == Path("reports/cost/0.142.5-and-0.171.0")


@pytest.mark.parametrize("option", [("--sizes", "5"), ("--real-sizes", "5"), ("--shape", "plain"), ("--repeats", "2")])
def test_a_run_with_other_threads_or_too_few_repeats_leaves_a_usual_one_alone(
    option: tuple[str, str], asked: list[Any]
) -> None:
    result = invoke(*option)
    assert "reports/cost/0.142.5-chosen/cost.html" in result.stderr
    assert [path.name for path in Path("reports/cost").iterdir()] == ["0.142.5-chosen"]


def test_who_names_what_is_usual_anyway_chose_nothing(asked: list[Any]) -> None:
    invoke("--sizes", "2000,1000,500,200,100", "--repeats", "3", "--time-limit", "50")
    assert Path("reports/cost/0.142.5/cost.json").is_file()


def test_an_interrupted_run_with_other_threads_is_apart_from_both(measured: Cost) -> None:
    run = replace(measured.run, complete=False, interrupted=True, problem="interrupted by SIGINT")
    stopped = replace(measured, run=run)
    assert folder_of(stopped, Settings(sizes=(5,))) == Path("reports/cost/0.142.5-chosen-partial")


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0 s left"), (59.4, "59 s left"), (80, "1:20 min left"), (-3, "0 s left")]
)
def test_the_time_that_is_left_is_told_as_people_say_it(seconds: float, told: str) -> None:
    assert time_left(seconds) == told


def test_a_log_has_a_line_for_each_tenth() -> None:
    out = io.StringIO()
    lines = Lines(Console(file=out, width=200))
    lines.stage("round 1 of 2")
    for percent in range(1, 101):
        lines.progress(percent / 100, 100 - percent, "plain, 100 turns")
    told = out.getvalue().splitlines()
    assert told[0] == "hive-gate: round 1 of 2"
    assert len(told) == 11
    assert told[1] == "hive-gate: 10% done, about 1:30 min left (plain, 100 turns)"


def test_a_terminal_has_a_bar_with_the_time_that_is_left() -> None:
    out = io.StringIO()
    bar = Bar(Console(file=out, width=100, force_terminal=True))
    bar.stage("round 1 of 2")
    bar.progress(0.25, 75, "plain, 100 turns")
    bar._progress.refresh()
    shown = out.getvalue()
    bar.close()
    assert "plain, 100 turns" in shown
    assert "25%" in shown
    assert "1:15 min left" in shown


def test_two_formulas_make_two_targets() -> None:
    assert len(build(linear, linear, shapes=("images",)).targets) == 2


@pytest.fixture
def strict(tmp_path: Path) -> Path:
    """The shipped contract with one decision that no page keeps to, and a number that can be named."""
    raw = json.loads(DEFAULT_CONTRACT.read_bytes())
    raw["scenes"] = {name: str(FIXTURES / "scenes" / Path(path).name) for name, path in raw["scenes"].items()}
    raw["decisions"][1]["measured"][0]["at-most"] = 0.5
    path = tmp_path / "strict.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def test_decisions_are_told_after_the_answers(asked: list[Any]) -> None:
    told = " ".join(invoke().stdout.split())
    assert told.index("One scroll step") < told.index("Decisions - initial-restore")
    assert "items-view (docs/decisions/0002-items-view.md). Supported: a page in full takes hardly longer" in told
    assert "replay-cost (a constraint). Supported: " in told


def test_what_is_contradicted_is_the_last_that_is_said_and_changes_no_exit_code(asked: list[Any], strict: Path) -> None:
    assert "contradicted" not in invoke().stderr
    for form in ([], ["--json"], ["--format", "markdown"]):
        result = invoke("--contract", str(strict), *form)
        assert result.exit_code == Exit.OPEN
        assert result.stderr.splitlines()[-1] == (
            "hive-gate: contradicted: items-view on codex 0.142.5: a page in full takes hardly longer than one in "
            "summary (full, ms.ratio: 1.25, at most 0.5)"
        )


def test_a_file_is_told_again_by_another_contract(asked: list[Any], measured: Cost, strict: Path) -> None:
    Path("kept.json").write_text(to_text(measured))
    shown = json.loads(invoke("--from", "kept.json", "--contract", str(strict), "--json").stdout)
    assert {each["id"] for each in shown["decisions"] if each["support"] == "contradicted"} == {"items-view"}


def test_a_measurement_that_there_is_not_is_refused_before_anything_is_measured(asked: list[Any], strict: Path) -> None:
    strict.write_text(strict.read_text().replace('"restore.1000"', '"restore.1k"'), encoding="utf-8")
    result = invoke("--contract", str(strict))
    assert isinstance(result.exception, ContractError)
    assert result.exception.where == f"{strict}#/decisions/0/measured/0/measurement"
    assert "hive-gate cost measures no 'restore.1k'" in result.exception.message
    assert asked == []
