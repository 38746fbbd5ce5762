"""The words that commands have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from hive_gate.cli.app import app
from hive_gate.cli.choosing import format_of, named_contract
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import ContractError, UsageError


def with_contract() -> list[str]:
    """Every command that takes a contract, as an option or as its argument."""
    root: Any = typer.main.get_command(app)
    groups = {name: command.commands for name, command in root.commands.items() if hasattr(command, "commands")}
    leaves = {name: command for name, command in root.commands.items() if name not in groups}
    for group, commands in groups.items():
        leaves |= {f"{group} {name}": command for name, command in commands.items()}
    names = {"--contract", "path"}
    return [
        name
        for name, command in leaves.items()
        if name != "codex path" and any(names & set(param.opts) for param in command.params)
    ]


WORDY = {
    "baseline add": "--clause x --reason x --owner x --expires 2999-01-01 none.json",
    "baseline prune": "none.json",
    "bisect": "--clause * --bad 0.143.0",
    "can-i-bump": "0.143.0",
    "drift": "--to 0.143.0",
    "judge": "none.jsonl",
    "matrix": "0.143.0",
    "tap": "-- true",
}
"""What a command needs beside its contract."""


def test_every_command_with_a_contract_is_known() -> None:
    assert sorted(with_contract()) == [
        "baseline add", "baseline check", "baseline prune", "bisect", "can-i-bump", "contract lint", "contract show",
        "cost", "drift", "features", "judge", "matrix", "probe", "selftest", "tap",
    ]  # fmt: skip


@pytest.mark.parametrize("command", with_contract())
def test_every_contract_is_named_in_the_same_words(command: str, tmp_path: Path) -> None:
    option = [] if command.startswith("contract") else ["--contract"]
    words = [*command.split(), *option, f"{tmp_path}/none.json", *WORDY.get(command, "").split()]
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, ContractError)
    assert error.diagnostics() == (
        "the contract cannot be read: No such file or directory\n"
        f"  at: {tmp_path}/none.json\n"
        "  do: name a file, or `current` or `next`, which ship with hive-gate"
    )
    shown = " ".join(CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "80"}).stdout.split())
    assert "a file, or `current` or `next`, which ship with hive- gate" in shown.replace("hive-gate", "hive- gate")


@pytest.mark.parametrize(("word", "path"), [("current", DEFAULT_CONTRACT), ("next", NEXT_CONTRACT)])
def test_a_word_wins_over_a_file_which_can_still_be_named(
    word: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / word).touch()
    monkeypatch.chdir(tmp_path)
    assert named_contract(word) == path
    assert named_contract(f"./{word}") == Path(word)
    assert named_contract(str(tmp_path / word)) == tmp_path / word


def test_the_next_contract_is_checked_and_listed_by_its_word() -> None:
    linted = CliRunner().invoke(app, ["contract", "lint", "next"])
    assert "next" in linted.stdout.partition(" is valid")[0]
    assert CliRunner().invoke(app, ["selftest", "--contract", "next", "--list"]).exit_code == 0


def test_json_is_a_format_and_no_second_one() -> None:
    assert format_of("text", as_json=False) == "text"
    assert format_of("html", as_json=False) == "html"
    assert format_of("text", as_json=True) == format_of("json", as_json=True) == "json"
    with pytest.raises(UsageError, match="--json and --format html exclude each other"):
        format_of("html", as_json=True)
