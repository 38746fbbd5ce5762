"""What the help says, and how a slip on the command line is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from hive_gate.cli.app import app
from hive_gate.errors import UsageError


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "80"}, prog_name="hive-gate")


def tree(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group, by the words that call it."""
    yield path, command
    for name, one in getattr(command, "commands", {}).items():
        yield from tree(one, *path, name)


COMMANDS = dict(tree(typer.main.get_command(app)))
GROUPS = [path for path, command in COMMANDS.items() if hasattr(command, "commands")]
LEAVES = [path for path in COMMANDS if path not in GROUPS]


def test_all_commands_are_looked_at() -> None:
    assert {("probe",), ("contract", "lint"), ("baseline", "prune"), ("codex", "remove")} <= set(LEAVES)
    assert GROUPS == [(), ("contract",), ("baseline",), ("codex",)]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_help_shows_types_of_python_or_braces(path: tuple[str, ...]) -> None:
    shown = call(*path, "--help").stdout
    assert shown.startswith(f"Usage: {' '.join(('hive-gate', *path))} [OPTIONS]")
    assert re.findall(r"[{}]|\[\[|<(?:list|str|path|int|float|bool)\b[^>]*>", shown, re.IGNORECASE) == []


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_each_command_is_summed_up_in_one_whole_line(path: tuple[str, ...]) -> None:
    listed = call(*path, "--help").stdout.partition("\nCommands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS[path].commands)
    assert [line for line in listed if not re.search(r"[^.…]\.$", line)] == []


@pytest.mark.parametrize(
    ("path", "usage"),
    [
        ("matrix", "VERSION..."),
        ("can-i-bump", "VERSION"),
        ("tap", "[-- COMMAND...]"),
        ("render", "REPORT.json"),
        ("contract lint", "[PATH]"),
        ("baseline check", "[REPORT.json...]"),
        ("codex remove", "[VERSION...]"),
    ],
)
def test_the_usage_line_says_what_is_needed_and_what_is_repeatable(path: str, usage: str) -> None:
    (
        first,
        *_,
    ) = call(*path.split(), "--help").stdout.splitlines()
    assert first == f"Usage: hive-gate {path} [OPTIONS] {usage}"


def test_arguments_and_options_have_sections_with_what_they_mean() -> None:
    shown = call("render", "--help").stdout
    arguments, _, options = shown.partition("\nArguments:\n")[2].partition("\n\nOptions:\n")
    assert arguments == "  REPORT.json  The report.json of a run.  [required]"
    assert "  --max-bytes N " in options
    assert "  -h, --help " in options


@pytest.mark.parametrize("path", ["render", "baseline add", "baseline check", "baseline prune", "bisect", "judge"])
def test_help_names_the_exit_codes(path: str) -> None:
    assert re.search(r"Exit codes: 0 .*\b2 ", call(*path.split(), "--help").stdout, re.DOTALL)


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("can-i-bump", "Missing argument 'VERSION'.", "see: hive-gate can-i-bump --help"),
        (
            "can-i-bump 0.143.0 --jso",
            "No such option: --jso",
            "did you mean --json or --out? See: hive-gate can-i-bump --help",
        ),
        ("--nope", "No such option: --nope", "see: hive-gate --help"),
        ("prob", "No such command 'prob'. Did you mean 'probe'?", "see: hive-gate --help"),
        ("contract lnt", "No such command 'lnt'. Did you mean 'lint'?", "see: hive-gate contract --help"),
        ("probe --codex", "Option '--codex' requires an argument.", "see: hive-gate probe --help"),
        (
            "probe --level some",
            "Invalid value for '--level': 'some' is not one of 'required', 'advisory'.",
            "see: hive-gate probe --help",
        ),
        (
            "contract lint current next",
            "Got unexpected extra argument(s) (next)",
            "see: hive-gate contract lint --help",
        ),
    ],
)
def test_a_slip_is_an_error_like_every_other(words: str, message: str, hint: str) -> None:
    error = call(*words.split()).exception
    assert isinstance(error, UsageError)
    assert error.diagnostics() == f"{message}\n  do: {hint}"


def test_a_group_without_a_command_shows_its_help_with_exit_code_2() -> None:
    done = call("contract")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: hive-gate contract ")
