"""`hive-gate tap` as an app starts it, and what it leaves behind. What passes through it: tests/unit/tap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ECHO = "import os\nwhile chunk := os.read(0, 65536):\n    os.write(1, chunk)"
ITEMS = b'{"id":1,"method":"thread/turns/items/list"}\n'


def tap(*arguments: str, data: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-P", "-m", "hive_gate", "tap", *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(argv, input=data, capture_output=True, timeout=60, check=False, env=env)


def python(code: str) -> tuple[str, ...]:
    return "--", sys.executable, "-I", "-S", "-c", code


def lines(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_bytes().splitlines()]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "record.jsonl"


def test_a_client_is_judged_in_the_end_on_stderr_and_beside_the_record(record: Path) -> None:
    done = tap("--record", str(record), *python(ECHO), data=ITEMS)
    assert (done.returncode, done.stdout) == (0, ITEMS)
    first, second, *others = done.stderr.decode().splitlines()
    assert first == f"hive-gate: recording into {record}"
    assert second.startswith("hive-gate: Client BREAKS the adapter contract of hive-app-server")
    assert "  adapter.no-items-list: message 0: `thread/turns/items/list` is sent" in others
    beside = record.with_name("record.jsonl.judged.json")
    assert json.loads(beside.read_bytes())["outcome"] == "broken"
    assert beside.stat().st_mode & 0o777 == 0o600


def test_quiet_leaves_stderr_to_the_server_and_judges_all_the_same(record: Path) -> None:
    code = "import sys; sys.stdin.read(); sys.stderr.write('the server speaks'); sys.exit(6)"
    done = tap("--quiet", "--record", str(record), *python(code), data=ITEMS)
    assert (done.returncode, done.stdout, done.stderr) == (6, b"", b"the server speaks")
    assert record.with_name("record.jsonl.judged.json").exists()


def test_words_after_the_program_are_its_own_with_or_without_dashes(record: Path) -> None:
    program = (sys.executable, "-c", "import sys; print(sys.argv)", "--help", "--quiet")
    for dashes in ((), ("--",)):
        done = tap("--record", str(record), *dashes, *program)
        assert done.stdout == b"['-c', '--help', '--quiet']\n"
        assert lines(record)[0]["command"] == list(program)


def test_without_a_name_the_record_is_a_new_file_in_the_folder_for_records(tmp_path: Path) -> None:
    done = tap(*python("print('hello')"), HIVE_GATE_TAP_DIR=str(tmp_path / "taps"))
    record, beside = sorted((tmp_path / "taps").iterdir())
    assert f"recording into {record}\n" in done.stderr.decode()
    assert beside.name == record.name + ".judged.json"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "no server to start"),
        (("--record", "/dev/null/x", "--", "true"), 2, "The record cannot be written"),
        (("--contract", "/nowhere.json", "--", "true"), 2, "The contract cannot be read"),
        (("--follow", "x", "--", "true"), 2, "--follow starts nothing"),
        (("--", "/nowhere/codex", "app-server"), 3, "The server could not be started: No such file"),
    ],
)
def test_a_slip_is_told_in_a_sentence(arguments: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    done = tap(*arguments, HIVE_GATE_TAP_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (code, b"")
    assert said in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_a_server_that_could_not_be_started_leaves_a_record_that_has_ended(record: Path) -> None:
    tap("--record", str(record), "--", "/nowhere/codex")
    assert [line["type"] for line in lines(record)] == ["header", "footer"]
    assert lines(record)[-1]["exit_code"] is None


def test_a_contract_that_cannot_judge_does_not_change_how_the_server_ended(record: Path, tmp_path: Path) -> None:
    bad = tmp_path / "contract.json"
    bad.write_text("{}", encoding="utf-8")
    done = tap("--contract", str(bad), "--record", str(record), *python("import sys; sys.exit(6)"))
    assert done.returncode == 6
    assert b"the contract is not valid" in done.stderr
    assert lines(record)[-1]["complete"] is True


def test_a_signal_that_ended_the_server_ends_the_tap_after_the_judgment(record: Path) -> None:
    done = tap("--record", str(record), *python("import os; os.kill(os.getpid(), 15)"))
    assert done.returncode == -15
    assert record.with_name("record.jsonl.judged.json").exists()
