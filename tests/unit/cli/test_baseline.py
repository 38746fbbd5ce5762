"""`hive-gate baseline` as its user meets it; the reports are made up, of the shipped contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from hive_gate.cli.baseline import baseline_app
from hive_gate.contract.load import load_contract
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT
from hive_gate.errors import ContractError, UsageError
from hive_gate.exits import Exit
from hive_gate.report.jsonfile import write_report
from hive_gate.report.model import Report

CONTRACT = load_contract(DEFAULT_CONTRACT)
A, B = "a" * 12, "b" * 12
ITEMS = ("items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread", "items-list.known")
HEAD = '# Ours.\naccepted = "0.142.5"\n'

ENTRY = f"""[[waiver]]
clause = "items-list.known"
versions = "0.143.0"
fingerprint = "{B}"
reason = "Hive does without."
owner = "kim"
expires = 2099-03-31
"""


def run(*arguments: str) -> Result:
    """Run the command; errors for people come through, as the app's main wants them."""
    result = CliRunner().invoke(baseline_app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def written(tmp_path: Path, made: Callable[..., Report], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a report of the shipped contract in which these clauses failed, and return its name; it lies beside
    `b.toml`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.toml").write_text(HEAD, encoding="utf-8")

    def write(name: str = "r.json", failed: dict[str, str] | None = None, **more: Any) -> str:
        base = made("pass", version=more.pop("version", "0.143.0"))
        failed = dict(zip(ITEMS, (A, A, B), strict=True)) if failed is None else failed
        clauses = tuple(
            replace(
                base.clauses[0], id=one.id, level=one.level,
                verdict="fail" if one.id in failed else "pass", fingerprint=failed.get(one.id),
            )
            for one in CONTRACT.clauses
        )  # fmt: skip
        contract = replace(base.contract, name=CONTRACT.name, sha256=CONTRACT.sha256)
        report = replace(base, clauses=clauses, contract=contract, gate="closed", run=replace(base.run, **more))
        write_report(report, tmp_path / name)
        return name

    return write


def add(report: str, clause: str = "items-list.*", *more: str) -> Result:
    return run(
        "add", report, "--clause", clause, "--reason", "Hive does without.", "--owner", "kim", "--expires",
        "2099-03-31", "--baseline", "b.toml", *more,
    )  # fmt: skip


def test_failures_are_added_as_entries_and_told(written: Callable[..., str], tmp_path: Path) -> None:
    result = add(written())
    assert result.stdout == (
        "b.toml: 2 entries added\n"
        f"  /waiver/0 items-list.unsupported/* (0.143.0): 2 clauses, fingerprint {A}\n"
        f"  /waiver/1 items-list.known (0.143.0): 1 clause, fingerprint {B}\n"
    )
    text = (tmp_path / "b.toml").read_text(encoding="utf-8")
    assert text.startswith(HEAD + "\n[[waiver]]\n")
    assert text.endswith("\n" + ENTRY)


def test_a_baseline_that_is_not_there_is_made(written: Callable[..., str], tmp_path: Path) -> None:
    report = written()
    (tmp_path / "b.toml").unlink()
    add(report, "items-list.known")
    assert (tmp_path / "b.toml").read_text(encoding="utf-8") == ENTRY


def test_what_was_added_is_pruned_once_it_passes_and_the_file_is_as_before(
    written: Callable[..., str], tmp_path: Path
) -> None:
    add(written())
    before = (tmp_path / "b.toml").read_bytes()
    fixed = written("fixed.json", {})
    dry = run("prune", fixed, "--dry-run", "--baseline", "b.toml")
    assert dry.stdout.startswith(
        "b.toml: 2 entries would be taken out of 2\n  /waiver/0 items-list.unsupported/* (0.143.0): "
    )
    assert (tmp_path / "b.toml").read_bytes() == before
    done = run("prune", fixed, "--baseline", "b.toml")
    assert done.exit_code == Exit.OPEN
    assert done.stdout.startswith("b.toml: 2 entries taken out of 2\n")
    assert "and the clause passes: take it out" in done.stdout
    assert (tmp_path / "b.toml").read_text(encoding="utf-8") == HEAD
    assert run("prune", fixed, "--baseline", "b.toml").stdout == "b.toml: no entries taken out of 0\n"


def test_an_entry_stays_while_one_report_still_shows_the_failure(written: Callable[..., str], tmp_path: Path) -> None:
    failing = written()
    add(failing)
    before = (tmp_path / "b.toml").read_bytes()
    result = run("prune", failing, written("fixed.json", {}), "--baseline", "b.toml")
    assert result.stdout == "b.toml: no entries taken out of 2\n"
    assert (tmp_path / "b.toml").read_bytes() == before


def test_a_valid_baseline_is_told_entry_by_entry(written: Callable[..., str]) -> None:
    report = written()
    add(report)
    result = run("check", "--baseline", "b.toml")
    assert (result.exit_code, result.stderr) == (Exit.OPEN, "")
    assert result.stdout == (
        "b.toml: 2 entries; codex 0.142.5 is the newest accepted\n"
        "  /waiver/0 items-list.unsupported/* (0.143.0): 2 clauses, until 2099-03-31\n"
        "  /waiver/1 items-list.known (0.143.0): 1 clause, until 2099-03-31\n"
    )
    held = run("check", report, "--baseline", "b.toml")
    assert held.exit_code == Exit.OPEN
    assert held.stdout == result.stdout + (
        "r.json: codex 0.143.0\n"
        "  /waiver/0 items-list.unsupported/* (0.143.0): waives 2 clauses\n"
        "  /waiver/1 items-list.known (0.143.0): waives 1 clause\n"
    )


def test_a_baseline_that_is_not_true_of_a_report_is_told_and_exits_1(written: Callable[..., str]) -> None:
    add(written())
    fixed, other = written("fixed.json", dict.fromkeys(ITEMS[:2], A)), written("other.json", version="0.144.0")
    result = run("check", fixed, other, "--baseline", "b.toml")
    assert result.exit_code == Exit.CLOSED
    lines = result.stdout.splitlines()[3:]
    assert lines[:2] == [
        "fixed.json: codex 0.143.0",
        "  /waiver/0 items-list.unsupported/* (0.143.0): waives 2 clauses",
    ]
    assert lines[2].startswith(
        "  /waiver/1 items-list.known (0.143.0): stale for items-list.known. The baseline's entry"
    )
    assert lines[3:] == [
        "other.json: codex 0.144.0",
        "  /waiver/0 items-list.unsupported/* (0.143.0): does not apply to this version",
        "  /waiver/1 items-list.known (0.143.0): does not apply to this version",
    ]
    assert result.stderr == (
        "hive-gate: the baseline is not true: correct the entries above, or take them out (baseline prune)\n"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("2099-03-31", "2026-01-31"), "expired on 2026-01-31: get it mended, or agree on a later date with kim."),
        (("items-list.known", "items-list.gone"), "names no clause of the contract: take it out, or correct the id"),
        (('"items-list.known"', '"items-list.*"\nat-most = 2'), "names 3 clauses and may name 2: narrow the glob"),
    ],
)
def test_a_baseline_that_can_be_true_of_no_report_is_told_and_exits_1(
    change: tuple[str, str], said: str, written: Callable[..., str], tmp_path: Path
) -> None:
    report = written()
    (tmp_path / "b.toml").write_text(ENTRY.replace(*change), encoding="utf-8")
    for arguments in ((), (report,)):
        result = run("check", *arguments, "--baseline", "b.toml")
        assert result.exit_code == Exit.CLOSED
        assert said in result.stdout


def test_the_shipped_baseline_is_checked_when_none_is_named() -> None:
    result = run("check")
    assert result.exit_code == Exit.OPEN
    assert result.stdout == (
        f"{CONTRACTS / 'baseline.toml'}: no entries; codex {CONTRACT.pinned} is the newest accepted\n"
    )


def test_a_partial_run_may_be_looked_at_and_changes_nothing(written: Callable[..., str], tmp_path: Path) -> None:
    partial = written(partial=True)
    (tmp_path / "b.toml").write_text(ENTRY, encoding="utf-8")
    assert run("check", partial, "--baseline", "b.toml").exit_code == Exit.OPEN
    with pytest.raises(UsageError, match="the run is partial") as caught:
        add(partial)
    assert caught.value.where == partial
    with pytest.raises(UsageError, match="the run is partial"):
        run("prune", partial, "--baseline", "b.toml")
    assert (tmp_path / "b.toml").read_text(encoding="utf-8") == ENTRY


@pytest.mark.parametrize("command", ["add", "check", "prune"])
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"problem": "It did not start."}, "the run could not be judged: It did not start"),
        ({"problem": "interrupted by SIGINT", "interrupted": True, "partial": True}, "the run was interrupted"),
    ],
)
def test_a_run_without_a_verdict_says_nothing_of_the_baseline(
    command: str, more: dict[str, Any], said: str, written: Callable[..., str]
) -> None:
    report = written(**more)
    with pytest.raises(UsageError, match=said):
        add(report) if command == "add" else run(command, report, "--baseline", "b.toml")


def test_a_report_of_another_contract_is_refused(written: Callable[..., str], made: Any, tmp_path: Path) -> None:
    written()
    write_report(made("fail"), tmp_path / "other.json")
    with pytest.raises(UsageError, match=r"the report is of the contract hive \(sha256 abababababab, not"):
        add("other.json")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--expires", "soon"), "--expires: 'soon' is not a date"),
        (("--expires", "2026-01-01"), "--expires: 2026-01-01 is over"),
        (("--reason", " "), "--reason is empty"),
        (("--owner", ""), "--owner is empty"),
        (("--versions", "0.144.0"), "--versions 0.144.0 does not have 0.143.0 in it"),
        (("--clause", "items-lost.*"), "the contract has no clause 'items-lost.*'"),
        (("--clause", "read.*"), "no clause that 'read.*' names failed with 0.143.0"),
    ],
)
def test_what_cannot_be_added_is_refused_and_the_file_is_as_before(
    more: tuple[str, str], said: str, written: Callable[..., str], tmp_path: Path
) -> None:
    report = written()
    with pytest.raises(UsageError) as caught:
        add(report, "items-list.*", *more)
    assert caught.value.message.startswith(said)
    assert caught.value.exit_code is Exit.USAGE
    assert (tmp_path / "b.toml").read_text(encoding="utf-8") == HEAD


def test_what_is_listed_already_is_not_added_again(written: Callable[..., str], tmp_path: Path) -> None:
    report = written()
    add(report)
    before = (tmp_path / "b.toml").read_bytes()
    with pytest.raises(UsageError, match=r"is listed already, for 0\.143\.0") as caught:
        add(report)
    assert caught.value.where == "b.toml#/waiver/0"
    assert (tmp_path / "b.toml").read_bytes() == before


def test_a_file_that_is_not_valid_is_an_error_for_each_command(written: Callable[..., str], tmp_path: Path) -> None:
    report = written()
    (tmp_path / "b.toml").write_text("waiver = 5\n", encoding="utf-8")
    with pytest.raises(ContractError, match="the baseline is not valid") as caught:
        add(report)
    assert caught.value.where == "b.toml#/waiver"
    for arguments in (("check",), ("prune", report)):
        with pytest.raises(ContractError, match="the baseline is not valid"):
            run(*arguments, "--baseline", "b.toml")


def test_a_baseline_that_is_not_there_is_an_error_for_those_that_read_it(written: Callable[..., str]) -> None:
    report = written()
    for arguments in (("check",), ("prune", report)):
        with pytest.raises(ContractError, match="the baseline cannot be read: No such file"):
            run(*arguments, "--baseline", "missing.toml")


def test_a_reason_writes_no_escape_code_on_the_terminal(written: Callable[..., str], tmp_path: Path) -> None:
    written()
    text = ENTRY.replace('"kim"', '"\\u001b[31mkim"').replace("2099", "2020")
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    result = run("check", "--baseline", "b.toml")
    assert "␛[31mkim" in result.stdout
    assert "\x1b" not in result.stdout
