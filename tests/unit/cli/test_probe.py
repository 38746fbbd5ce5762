"""`hive-gate probe` around the run: what it asks for, what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import hive_gate.probe.run
import hive_gate.probe.subject
from hive_gate.cli.probe import probe
from hive_gate.cost.decisions import measurement_of
from hive_gate.cost.jsonfile import read_cost, write_cost
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import ContractError, UsageError
from hive_gate.exits import Exit
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings
from hive_gate.probe.subject import Subject
from hive_gate.report import model
from hive_gate.report.model import Report
from tests.unit.cost.conftest import build, target

Made = Callable[..., Report]
Probe = Callable[..., Result]


class Asked:
    """What the command asked of the parts below it."""

    codex: tuple[Any, ...] = ()
    command: tuple[Any, ...] = ()
    run: tuple[Any, ...] = ()


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def probed(asked: Asked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: Made) -> Probe:
    """Run the command in an empty folder; the run itself is made up."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    app = typer.Typer()
    app.command()(probe)

    def call(*arguments: str, report: Report | None = None) -> Result:
        found = report or made("pass")

        def codex(*args: Any) -> Subject:
            asked.codex = args
            return Subject(("codex",), found.target, None)

        def command(*args: Any) -> Subject:
            asked.command = args
            return Subject(("command",), found.target, None)

        def run(*args: Any) -> Report:
            asked.run = args
            return found

        monkeypatch.setattr(hive_gate.probe.subject, "codex", codex)
        monkeypatch.setattr(hive_gate.probe.subject, "command", command)
        monkeypatch.setattr(hive_gate.probe.run, "run", run)
        result = CliRunner().invoke(app, list(arguments))
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def test_the_pinned_codex_is_probed_when_none_is_named(probed: Probe, asked: Asked) -> None:
    probed()
    assert asked.codex[0] == "0.142.5"
    contract, subject, selection, settings, _, measurement = asked.run
    assert (contract.name, subject.argv) == ("hive-app-server", ("codex",))
    assert (selection, settings, measurement) == (Selection(), Settings(10.0, 30.0, 120.0), None)


def test_options_reach_the_run(probed: Probe, asked: Asked) -> None:
    probed(
        "--codex", "path", "--suite", "read", "--suite", "re*", "--clause", "read.*", "--level", "required",
        "--timeout", "1.5", "--start-timeout", "2", "--run-timeout", "3", "--keep-home",
    )  # fmt: skip
    assert asked.codex[0] == "path"
    _, _, selection, settings, *_ = asked.run
    assert selection == Selection(("read", "re*"), ("read.*",), "required")
    assert settings == Settings(1.5, 2.0, 3.0, keep_home=True)


def test_a_command_is_probed_with_the_schemas_of_another(probed: Probe, asked: Asked) -> None:
    probed("--server-command", "node server.js", "--schema-from", "0.142.5")
    assert asked.command[:2] == ("node server.js", "0.142.5")
    assert (asked.codex, asked.run[1].argv) == ((), ("command",))


WAIVER = """[[waiver]]
clause = "read.with-turns"
versions = "0.142.5"
fingerprint = "aaaaaaaaaaaa"
reason = "Hive does without."
owner = "kim"
expires = 2099-03-31
"""


@pytest.fixture
def failed(made: Made) -> Report:
    """A run in which one clause of the shipped contract failed, and another passed."""
    report = made("fail", "pass")
    broken, *others = report.clauses
    broken = replace(broken, id="read.with-turns", fingerprint="a" * 12)
    return replace(report, clauses=(broken, *others))


def test_failures_that_the_named_baseline_accepts_leave_the_gate_open(
    probed: Probe, failed: Report, tmp_path: Path
) -> None:
    (tmp_path / "b.toml").write_text(WAIVER, encoding="utf-8")
    result = probed("--baseline", "b.toml", "--json", report=failed)
    assert result.exit_code == Exit.OPEN
    told = json.loads(result.stdout)
    assert (told["gate"], told["counts"]["waived"], told["baseline"]["path"]) == ("open", 1, "b.toml")
    assert told["clauses"][0]["waiver"]["reason"] == "Hive does without."
    assert probed("--no-baseline", report=failed).exit_code == Exit.CLOSED


def test_the_baseline_beside_the_contract_is_taken_when_none_is_named(
    probed: Probe, failed: Report, tmp_path: Path
) -> None:
    shipped = DEFAULT_CONTRACT.parent.parent
    for folder in ("contracts", "fixtures"):
        shutil.copytree(shipped / folder, tmp_path / folder)
    contract = tmp_path / "contracts" / DEFAULT_CONTRACT.name
    (contract.parent / "baseline.toml").write_text(WAIVER, encoding="utf-8")
    assert probed("--contract", str(contract), report=failed).exit_code == Exit.OPEN
    (contract.parent / "baseline.toml").unlink()
    result = probed("--contract", str(contract), "--json", report=failed)
    assert (result.exit_code, json.loads(result.stdout)["baseline"]) == (Exit.CLOSED, None)


def test_the_shipped_baseline_accepts_nothing(probed: Probe, failed: Report) -> None:
    result = probed("--json", report=failed)
    assert result.exit_code == Exit.CLOSED
    assert json.loads(result.stdout)["baseline"]["entries"] == 0


def test_an_entry_that_is_not_true_closes_the_gate(probed: Probe, failed: Report, tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(WAIVER.replace("with-turns", "loaded"), encoding="utf-8")
    passing = replace(failed, clauses=tuple(replace(c, id="read.loaded", verdict="pass") for c in failed.clauses[1:]))
    result = probed("--baseline", "b.toml", report=passing)
    assert result.exit_code == Exit.CLOSED
    assert result.stderr.splitlines()[-1] == (
        "hive-gate: Gate CLOSED: codex-cli 0.142.5 keeps 0 of 1 required clause (1 stale) of hive 1.0.0; stale in the "
        "baseline: read.loaded (/waiver/0) - #944 must wait."
    )


@pytest.mark.parametrize("text", ["waiver = 5\n", "a =", None])
def test_a_baseline_that_is_not_valid_costs_no_download_and_no_run(
    text: str | None, probed: Probe, asked: Asked, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ContractError, match="the baseline ") as caught:
        probed("--baseline", "b.toml")
    assert caught.value.exit_code is Exit.USAGE
    assert (asked.codex, asked.run) == ((), ())


def test_a_baseline_and_none_exclude_each_other(probed: Probe) -> None:
    with pytest.raises(UsageError, match="--baseline and --no-baseline exclude each other"):
        probed("--baseline", "b.toml", "--no-baseline")


def test_a_slip_in_a_glob_costs_nothing(probed: Probe, asked: Asked) -> None:
    with pytest.raises(UsageError):
        probed("--suite", "reed")
    assert (asked.codex, asked.run) == ((), ())


def test_a_folder_that_cannot_be_used_costs_no_download_and_no_run(probed: Probe, asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="the folder for the report cannot be used") as caught:
        probed("--out", "file/reports")
    assert (caught.value.where, caught.value.hint) == ("file/reports", "name another one with --out")
    assert (asked.codex, asked.run) == ((), ())


def test_the_usual_folder_is_tried_before_the_run(probed: Probe, asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("")
    with pytest.raises(UsageError, match="the folder for the report cannot be used"):
        probed()
    assert asked.run == ()


def test_the_report_and_the_notes_are_written(probed: Probe, tmp_path: Path) -> None:
    probed()
    assert sorted(path.name for path in (tmp_path / "reports" / "0.142.5").iterdir()) == [
        "junit.xml", "note.github.md", "note.md", "note.textile", "report.html", "report.json", "report.txt",
        "transcript.jsonl",
    ]  # fmt: skip
    written = json.loads((tmp_path / "reports" / "0.142.5" / "report.json").read_bytes())
    assert (written["gate"], written["counts"]["pass"]) == ("open", 1)


@pytest.mark.parametrize(
    ("target", "folder"),
    [
        ({"version": "0.150.0-alpha.1"}, "0.150.0-alpha.1"),
        ({"version": None, "path": "/opt/my codex"}, "my-codex"),
        ({"version": "../../etc", "path": None}, "etc"),
        ({"kind": "command", "version": "9.9", "path": "/bin/sh", "spec": "sh -c x"}, "sh"),
        ({"kind": "command", "version": None, "path": None, "spec": "."}, "target"),
        ({"version": "x" * 200}, "x" * 80),
    ],
)
def test_the_folder_is_named_after_what_ran(
    target: Any, folder: str, probed: Probe, tmp_path: Path, made: Made
) -> None:
    probed(report=made("pass", **target))
    assert [path.name for path in (tmp_path / "reports").iterdir()] == [folder]
    assert [path.name for path in tmp_path.iterdir()] == ["reports"]


def test_an_open_gate_is_told_on_stdout_and_where_the_files_are_on_stderr(probed: Probe) -> None:
    result = probed("--out", "here")
    assert result.exit_code == Exit.OPEN
    assert "Gate OPEN: codex-cli 0.142.5 keeps the one required clause of hive 1.0.0 - #944 may start." in result.stdout
    assert result.stderr.splitlines() == [
        "Note for Redmine: here/note.textile (Textile), here/note.md (CommonMark)",
        "In a browser:     here/report.html",
        "Everything else:  here/report.json and beside it",
        "hive-gate: Gate OPEN: codex-cli 0.142.5 keeps the one required clause of hive 1.0.0 - #944 may start.",
    ]


ENDS: list[tuple[list[str], dict[str, Any], int, str]] = [
    (["pass", "fail"], {}, 1, "Gate CLOSED: codex-cli 0.142.5 breaks 1 of 2 required clauses of hive 1.0.0"),
    (["blocked"], {}, 3, "Gate CLOSED: codex-cli 0.142.5 could not be judged on 1 of 1 required clause"),
    (["blocked"], {"problem": "it did not start"}, 3, "Gate CLOSED, not judged: codex-cli 0.142.5"),
    (["error"], {}, 4, "Gate CLOSED: codex-cli 0.142.5 could not be judged on 1"),
    (["blocked"], {"problem": "interrupted by SIGINT", "interrupted": True}, 130, "Gate CLOSED, not judged: codex-cli"),
]


@pytest.mark.parametrize(("verdicts", "more", "code", "sentence"), ENDS)
def test_a_gate_that_is_not_open_explains_itself_in_one_sentence(
    verdicts: list[str], more: dict[str, Any], code: int, sentence: str, probed: Probe, made: Made
) -> None:
    for arguments in ((), ("--json",)):
        result = probed(*arguments, report=made(*verdicts, **more))
        assert result.exit_code == code
        lines = result.stderr.splitlines()
        (told,) = [line for line in lines if line.startswith("hive-gate: ")]
        assert told.startswith(f"hive-gate: {sentence}")
        assert lines[-1].startswith("  do: ") if code == Exit.TARGET else lines[-1] == told


def test_a_clause_that_was_blocked_is_named_with_its_reason(probed: Probe, made: Made) -> None:
    (told,) = [line for line in probed(report=made("blocked")).stderr.splitlines() if line.startswith("hive-gate: ")]
    assert told.endswith(" read.blocked-0: it is not")


def test_json_is_the_report_and_nothing_else(probed: Probe, tmp_path: Path, made: Made) -> None:
    result = probed("--json", "--out", "here", report=made("pass", "fail"))
    assert result.stdout.encode() == (tmp_path / "here" / "report.json").read_bytes()
    assert json.loads(result.stdout)["gate"] == "closed"


def test_a_hash_is_not_folded_where_nobody_watches(probed: Probe) -> None:
    assert "ab" * 32 in probed().stdout


def servers(*ends: tuple[str, str]) -> tuple[model.Server, ...]:
    return tuple(model.Server(n, "s", "hive", "clauses", 1.0, 1, tail, stop) for n, (stop, tail) in enumerate(ends))


def test_the_end_of_the_stderr_of_the_server_that_broke_is_told(probed: Probe, made: Made) -> None:
    tail = "\n".join(f"line {n}" for n in range(20)) + "\n"
    report = made("blocked", problem="the server failed 2 times in a row")
    report = replace(report, servers=servers(("kill", "earlier"), ("died", tail), ("died", " \n"), ("eof", "fine")))
    lines = probed(report=report).stderr.splitlines()
    assert [line for line in lines if line.startswith("  | ")] == [f"  | line {n}" for n in range(8, 20)]


def test_a_broken_server_cannot_write_escape_codes_on_the_terminal(probed: Probe, made: Made) -> None:
    report = replace(made("blocked", problem="it died"), servers=servers(("died", "\x1b[31mred\x07")))
    assert not set(probed(report=report).stderr) & {"\x1b", "\x07"}


def test_the_stderr_of_servers_is_left_out_where_the_contract_closed_the_gate(probed: Probe, made: Made) -> None:
    report = replace(made("fail"), servers=servers(("kill", "noise")))
    assert "noise" not in probed(report=report).stderr


def test_scratch_homes_that_are_kept_are_named_once(probed: Probe, made: Made) -> None:
    names = [{"home": f"/tmp/hive-gate-x/{scene}/home"} for scene in ("a", "b")]
    report = replace(made("pass"), scenes={n["home"]: {"threads": {}, "names": n} for n in names})
    assert probed("--keep-home", report=report).stderr.splitlines()[-2] == "Scratch homes:    /tmp/hive-gate-x"
    assert "Scratch" not in probed(report=report).stderr


@pytest.fixture
def cost(tmp_path: Path) -> Path:
    """What was measured of 0.142.5, as a file."""
    path = tmp_path / "cost.json"
    write_cost(build(shapes=("plain",)), path)
    return path


def test_what_was_measured_of_the_same_program_reaches_the_run(probed: Probe, asked: Asked, cost: Path) -> None:
    probed("--cost", str(cost))
    measurement = asked.run[5]
    assert measurement == measurement_of(read_cost(cost), target(), cost)
    assert measurement.values["full"]["ms.ratio"] == 1.25


def test_what_was_measured_of_another_program_is_refused_before_it_is_probed(
    probed: Probe, asked: Asked, cost: Path, made: Made
) -> None:
    with pytest.raises(UsageError, match=r"of codex 0\.143\.0, and the measurement is of codex 0\.142\.5") as caught:
        probed("--cost", str(cost), "--codex", "0.143.0", report=made("pass", spec="0.143.0", version="0.143.0"))
    assert caught.value.where == f"{cost}#/targets/0/version"
    assert caught.value.hint == "measure what is probed: hive-gate cost --codex 0.143.0"
    assert asked.run == ()


@pytest.mark.parametrize(
    ("old", "new", "at"),
    [
        ('"whole": true', '"whole": false', "#/footer"),
        ("hive-gate/cost/1", "hive-gate/cost/2", "#/schema"),
        ("}", "", ""),
    ],
)
def test_a_damaged_measurement_is_refused_before_anything_is_fetched(
    old: str, new: str, at: str, probed: Probe, asked: Asked, cost: Path
) -> None:
    cost.write_text(cost.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        probed("--cost", str(cost))
    assert str(caught.value.where).startswith(f"{cost}{at}")
    assert "take the cost.json as hive-gate wrote it" in str(caught.value.hint)
    assert (asked.codex, asked.run) == ((), ())


def test_a_measurement_goes_with_a_program_and_not_with_a_command(probed: Probe, asked: Asked, cost: Path) -> None:
    with pytest.raises(UsageError, match="--cost and --server-command exclude each other"):
        probed("--cost", str(cost), "--server-command", "node server.js")
    assert asked.command == ()
