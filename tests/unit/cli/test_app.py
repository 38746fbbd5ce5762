"""What the shell sees: exit codes, sentences on stderr, and streams whose reader has left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

import hive_gate.contract.load
from hive_gate import __version__
from hive_gate.cli.app import main
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import GateFault, TargetError
from hive_gate.exits import Exit

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run the command line in this process; returns exit code, stdout and stderr."""
    handler = signal.getsignal(signal.SIGTERM)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["hive-gate", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        return int(caught.value.code or 0), out, err

    yield call
    signal.signal(signal.SIGTERM, handler)


def raising(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object) -> NoReturn:
        raise error

    return fail


def test_the_version_is_printed_alone(run: Run) -> None:
    assert run("--version") == (0, f"hive-gate {__version__}\n", "")


def test_the_module_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "hive_gate", "--version"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"hive-gate {__version__}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["probe", "-h"], ["contract", "lint", "--help"]])
def test_help_is_asked_for_in_two_ways(arguments: list[str], run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["prob"], "No such command 'prob'"),
        (["probe", "--nope"], "No such option: --nope"),
        (["probe", "--level", "some"], "Invalid value for '--level'"),
        (["probe", "--timeout", "0"], "Invalid value for '--timeout'"),
        (["probe", "--codex"], "Option '--codex' requires an argument"),
        (["probe", "more"], "Got unexpected extra argument"),
        (["render"], "Missing argument 'REPORT.json'"),
    ],
)
def test_a_slip_on_the_command_line_is_a_usage_error(arguments: list[str], sentence: str, run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (Exit.USAGE, "")
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["probe", "--codex", "0.142.5", "--server-command", "x"],
            "hive-gate: --codex and --server-command exclude each other\n  do: leave one of them out\n",
        ),
        (
            ["probe", "--schema-from", "0.142.5"],
            "hive-gate: --schema-from goes with --server-command\n  do: a codex generates its own schemas\n",
        ),
        (
            ["probe", "--suite", "reed"],
            "hive-gate: the contract has no suite 'reed'\n  do: choose from: handshake, turns-list, resume, read, ",
        ),
        (
            ["probe", "--clause", "read.with-turn"],
            "hive-gate: the contract has no clause 'read.with-turn'\n  do: did you mean read.with-turns, ",
        ),
        (
            ["probe", "--suite", "read", "--level", "advisory"],
            "hive-gate: the selection leaves no clause to judge\n  do: --suite, --clause and --level all have to hold",
        ),
        (["probe", "--server-command", "'"], "hive-gate: --server-command cannot be split: No closing quotation\n"),
        (["probe", "--server-command", ""], "hive-gate: --server-command is empty\n"),
        (["probe", "--codex", ""], "hive-gate: --codex is empty\n"),
        (["probe", "--out", ""], "hive-gate: --out is empty\n"),
        (["contract", "lint", "nowhere.json"], "hive-gate: the contract cannot be read: No such file or directory\n"),
    ],
)
def test_a_usage_error_is_a_sentence_and_what_to_do(arguments: list[str], told: str, run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith(told)


def test_an_invalid_contract_is_exit_2_before_anything_is_started(run: Run, tmp_path: Path) -> None:
    raw = json.loads(DEFAULT_CONTRACT.read_bytes())
    del raw["pinned"]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    code, out, err = run("probe", "--contract", str(path))
    assert (code, out) == (Exit.USAGE, "")
    assert err == (
        "hive-gate: the contract is not valid: 'pinned' is a required property\n"
        f"  at: {path}#\n"
        f"  do: correct it, then check it with: hive-gate contract lint {path}\n"
    )


def test_a_server_that_does_not_exist_is_exit_3(run: Run) -> None:
    code, out, err = run("probe", "--server-command", "no-such-server --stdio")
    assert (code, out) == (Exit.TARGET, "")
    assert err.startswith(
        "hive-gate: the server's program 'no-such-server' was not found\n  at: no-such-server --stdio\n"
    )


@pytest.mark.parametrize(
    ("error", "code"), [(TargetError("it is gone"), Exit.TARGET), (GateFault("it is wrong"), Exit.FAULT)]
)
def test_an_error_for_people_has_its_own_exit_code(
    error: Exception, code: Exit, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hive_gate.contract.load, "load_contract", raising(error))
    assert run("contract", "lint") == (code, "", f"hive-gate: {error}\n")


def test_a_fault_of_our_own_is_one_sentence_and_a_place_without_a_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HIVE_GATE_DEBUG", raising=False)
    monkeypatch.setattr(hive_gate.contract.load, "load_contract", raising(RuntimeError("the roof leaks")))
    code, out, err = run("contract", "lint")
    assert (code, out) == (Exit.FAULT, "")
    first, at, hint = err.splitlines()
    assert first == "hive-gate: hive-gate itself failed: RuntimeError: the roof leaks"
    assert at.startswith("  at: test_app.py:")
    assert "report this line" in hint
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("inner", "code", "told"),
    [
        (TargetError("it is gone"), Exit.TARGET, "hive-gate: it is gone\n"),
        (KeyboardInterrupt(), Exit.INTERRUPTED, "hive-gate: interrupted before it was done; start it again\n"),
        (
            RuntimeError("the roof leaks"),
            Exit.FAULT,
            "hive-gate: hive-gate itself failed: RuntimeError: the roof leaks\n",
        ),
    ],
)
def test_what_a_task_group_wraps_is_told_as_if_it_came_alone(
    inner: BaseException, code: Exit, told: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        try:
            raising(inner)()
        except BaseException as error:
            raise BaseExceptionGroup("a", [BaseExceptionGroup("b", [error])]) from None

    monkeypatch.setattr(hive_gate.contract.load, "load_contract", fail)
    found, _, err = run("contract", "lint")
    assert found == code
    assert err.startswith(told)


def test_the_whole_traceback_is_there_for_who_asks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIVE_GATE_DEBUG", "1")
    monkeypatch.setattr(hive_gate.contract.load, "load_contract", raising(RuntimeError("the roof leaks")))
    assert "Traceback" in run("contract", "lint")[2]


def test_ctrl_c_outside_of_a_run_is_a_sentence_and_exit_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hive_gate.contract.load, "load_contract", raising(KeyboardInterrupt()))
    assert run("contract", "lint") == (
        Exit.INTERRUPTED, "", "hive-gate: interrupted before it was done; start it again\n",
    )  # fmt: skip


def test_sigterm_outside_of_a_run_is_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned: list[str] = []

    def terminated(*_: object) -> object:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            cleaned.append("up")
        return None

    monkeypatch.setattr(hive_gate.contract.load, "load_contract", terminated)
    code, _, err = run("contract", "lint")
    assert (code, cleaned) == (Exit.INTERRUPTED, ["up"])
    assert err == "hive-gate: interrupted before it was done; start it again\n"


LOUD = [
    ["--version"],
    ["contract", "show", "-v"],
    ["contract", "lint"],
    ["codex", "list", "--json"],
    ["probe", "--help"],
]


@pytest.mark.parametrize("arguments", LOUD)
def test_a_reader_that_leaves_early_changes_nothing_and_makes_no_noise(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "hive_gate", *arguments], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_error_keeps_its_exit_code_where_nobody_reads_what_it_says() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "hive_gate", "contract", "lint", "nowhere.json"]
        done = subprocess.run(command, stdout=writing, stderr=writing, check=False)
    finally:
        os.close(writing)
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize("arguments", LOUD[:3])
def test_output_that_cannot_be_written_is_told(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "hive_gate", *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == Exit.USAGE
    assert done.stderr.decode().splitlines() == [
        "hive-gate: what was to be printed cannot be written: No space left on device",
        "  do: send the output elsewhere",
    ]


def test_a_closed_stdout_is_no_fault() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m hive_gate --version >&-', sys.executable], stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
