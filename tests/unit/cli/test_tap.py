"""`hive-gate tap` as an app starts it, and what it leaves behind. What passes through it: tests/unit/tap."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.tap.form import BEGINNING
from hive_gate.tap.places import KEPT
from tests.support.stubs import ends

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


@pytest.mark.parametrize(("named", "left"), [(False, KEPT), (True, KEPT + 4)])
def test_of_records_that_nobody_has_named_the_newest_stay(named: bool, left: int, tmp_path: Path) -> None:
    for number in range(KEPT + 3):
        (tmp_path / f"20260101T000000-{number}.jsonl").write_bytes(BEGINNING)
    name = ("--record", str(tmp_path / "mine.jsonl")) if named else ()
    done = tap(*name, *python("print('hello')"), HIVE_GATE_TAP_DIR=str(tmp_path))
    assert done.returncode == 0
    assert len(list(tmp_path.glob("*.jsonl"))) == left


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "no server to start"),
        (("--record", "/dev/null/x", "--", "true"), 2, "The record cannot be written"),
        (("--contract", "/nowhere.json", "--", "true"), 2, "the contract cannot be read"),
        (("--follow", "x", "--", "true"), 2, "--follow starts nothing"),
        (("--", "/nowhere/codex", "app-server"), 3, "The server could not be started: No such file"),
    ],
)
def test_a_slip_is_told_in_a_sentence(arguments: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    done = tap(*arguments, HIVE_GATE_TAP_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (code, b"")
    assert said in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(BEGINNING), "The file is compressed, by gzip."),
        (b"\0" * 100 + b'{"type":"message"}\n', "null bytes are in it, so it was cut while it was written or read"),
        (None, "has to be a regular file"),
    ],
    ids=["compressed", "cut", "named pipe"],
)
def test_what_cannot_be_followed_is_told_at_once(data: bytes | None, said: str, record: Path) -> None:
    if data is None:
        os.mkfifo(record)
    else:
        record.write_bytes(data)
    done = tap("--follow", str(record))
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()
    assert str(record) in done.stderr.decode()


@pytest.mark.parametrize("there", [True, False], ids=["empty", "not there"])
def test_what_is_waited_for_is_said_on_stderr(there: bool, record: Path) -> None:
    if there:
        record.touch()
    argv = [sys.executable, "-P", "-m", "hive_gate", "tap", "--follow", str(record)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        guard.cancel()
    assert said == f"waiting for a tap that records into {record}; Ctrl-C ends it\n"


def test_a_server_that_could_not_be_started_leaves_a_record_that_has_ended(record: Path) -> None:
    tap("--record", str(record), "--", "/nowhere/codex")
    assert [line["type"] for line in lines(record)] == ["header", "footer"]
    assert lines(record)[-1]["exit_code"] is None


@pytest.mark.parametrize("fault", ["no contract", "no rules"])
def test_a_contract_that_cannot_judge_is_refused_before_anything_is_started(
    fault: str, record: Path, tmp_path: Path
) -> None:
    bad, started = tmp_path / "contract.json", tmp_path / "started"
    shipped = json.loads(DEFAULT_CONTRACT.read_bytes())
    scenes = {name: str(DEFAULT_CONTRACT.parent / file) for name, file in shipped["scenes"].items()}
    content = {} if fault == "no contract" else {**shipped, "scenes": scenes, "adapter": []}
    bad.write_text(json.dumps(content), encoding="utf-8")
    record.write_bytes(BEGINNING)
    done = tap("--contract", str(bad), "--record", str(record), *python(f"open({str(started)!r}, 'w')"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert str(bad) in done.stderr.decode()
    assert not started.exists()
    assert record.read_bytes() == BEGINNING  # nor is the former record lost


def test_another_contract_judges_in_the_place_of_the_one_that_is_shipped(record: Path) -> None:
    done = tap("--contract", str(NEXT_CONTRACT), "--record", str(record), *python(ECHO), data=ITEMS)
    assert done.returncode == 0
    judged = json.loads(record.with_name("record.jsonl.judged.json").read_bytes())
    assert judged["contract"]["sha256"] == load_contract(NEXT_CONTRACT).sha256


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "through a link"])
def test_a_record_that_could_not_be_read_again_is_refused_before_anything_is_started(
    linked: bool, tmp_path: Path
) -> None:
    pipe = path = tmp_path / "pipe"
    os.mkfifo(pipe)
    if linked:
        path = tmp_path / "link"
        path.symlink_to(pipe)
    started = tmp_path / "started"
    done = tap("--record", str(path), *python(f"open({str(started)!r}, 'w')"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert "has to be a regular file" in done.stderr.decode()
    assert pipe.is_fifo()
    assert not started.exists()


def test_a_record_that_another_tap_is_writing_is_refused_with_its_process(record: Path) -> None:
    argv = [sys.executable, "-P", "-m", "hive_gate", "tap", "--record", str(record), *python(ECHO)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write(ITEMS)
        first.stdin.flush()
        assert first.stdout.readline() == ITEMS
        second = tap("--record", str(record), *python("print('started')"))
        assert (second.returncode, second.stdout) == (2, b"")
        assert f"Another tap, process {first.pid}, is recording into this file." in second.stderr.decode()
        first.communicate(timeout=60)
    assert [line["type"] for line in lines(record)] == ["header", "message", "message", "footer"]
    assert json.loads(record.with_name("record.jsonl.judged.json").read_bytes())["outcome"] == "broken"


def test_a_record_that_is_moved_away_meanwhile_is_judged_all_the_same(record: Path) -> None:
    code = f"import os; os.rename({str(record)!r}, {str(record)!r} + '.1')\n{ECHO}"
    done = tap("--record", str(record), *python(code), data=ITEMS)
    assert done.returncode == 0
    assert "Client BREAKS the adapter contract" in done.stderr.decode()


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_descriptor_that_was_closed_is_not_taken_for_the_record(closed: int, record: Path) -> None:
    code = "import os\nfor d in (1, 2):\n    os.write(d, b'stray output\\n')"
    argv = [sys.executable, "-P", "-m", "hive_gate", "tap", "--record", str(record), *python(code)]
    shell = f"exec {closed}{'<' if closed == 0 else '>'}&-; exec " + '"$@"'
    done = subprocess.run(["sh", "-c", shell, "sh", *argv], input=b"", capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stdout == (b"" if closed == 1 else b"stray output\n")
    assert (b"stray output\n" in done.stderr) is (closed != 2)
    assert [line["type"] for line in lines(record)] == ["header", "message", "footer"]
    assert record.with_name("record.jsonl.judged.json").exists()


def test_a_signal_that_ended_the_server_ends_the_tap_after_the_judgment(record: Path) -> None:
    done = tap("--record", str(record), *python("import os; os.kill(os.getpid(), 15)"))
    assert done.returncode == -15
    assert record.with_name("record.jsonl.judged.json").exists()


PATCHED = """\
import atexit, signal, sys, time
number = int(sys.argv.pop(1))

def signalled(function=lambda *_, **__: None):
    def instead(*arguments, **named):
        signal.raise_signal(number)
        return function(*arguments, **named)
    return instead

{patch}
from hive_gate.cli.app import main
main()
"""

CLOSING = "from hive_gate.tap.recorder import Recorder\nRecorder.close = signalled(Recorder.close)"
JUDGING = "import hive_gate.adapter.run as run\nrun.judge_file = signalled(lambda *_: time.sleep(600))"
"""A judgment that takes long."""
LEAVING = "atexit.register(signalled())"
TELLING = """\
import typer
echo = typer.echo
typer.echo = lambda text, err: signalled(lambda: time.sleep(600))() if "Client" in text else echo(text, err=err)
"""
"""A stderr that nobody reads."""


@pytest.mark.parametrize(
    ("patch", "number", "is_judged"),
    [
        (CLOSING, signal.SIGINT, False),
        (JUDGING, signal.SIGTERM, False),
        (JUDGING, signal.SIGINT, False),
        (TELLING, signal.SIGHUP, True),
        (LEAVING, signal.SIGQUIT, True),
    ],
    ids=["closing", "judging", "judging with Ctrl-C", "telling", "leaving"],
)
@pytest.mark.parametrize(("end", "code"), [("sys.exit(6)", 6), ("os.kill(os.getpid(), 2)", -2)], ids=["6", "SIGINT"])
def test_a_signal_after_the_servers_end_leaves_out_the_judgment_and_nothing_else(
    patch: str, number: int, is_judged: bool, end: str, code: int, record: Path
) -> None:
    beside = record.with_name("record.jsonl.judged.json")
    beside.write_text("{}", encoding="utf-8")  # of a former record
    server = python(f"import os, signal, sys\nsignal.signal(2, 0)\n{ECHO}\n{end}")
    argv = [sys.executable, "-P", "-c", PATCHED.format(patch=patch), str(int(number)), "tap", "--record", str(record)]
    done = subprocess.run([*argv, *server], input=ITEMS, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (code, ITEMS)
    assert [line["type"] for line in lines(record)] == ["header", "message", "message", "footer"]
    assert lines(record)[-1]["exit_code"] == code
    said = f"hive-gate: not judged: a signal came first; run hive-gate judge {record}\n"
    assert (said in done.stderr.decode()) is not is_judged
    assert beside.exists() is is_judged


def test_a_tap_that_is_killed_takes_any_server_along(record: Path) -> None:
    code = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    argv = [sys.executable, "-P", "-m", "hive_gate", "tap", "--record", str(record), *python(code)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        server = int(process.stdout.readline())
        process.kill()
    assert ends(server, within=30)
