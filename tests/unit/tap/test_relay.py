"""The relay with its recorder, as a process: to both sides it is as if it were not there."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from hive_gate.tap import relay
from hive_gate.tap.relay import LAST_WORDS, _Pump, _tied_to_this_process
from hive_gate.tap.signals import Signals
from tests.support.stubs import ends

# As `hive-gate tap` does it, but without a judgment in the end, which takes a hundred times as long as the rest.
RUN = """\
import sys
from pathlib import Path
from hive_gate.tap.record_file import open_record
from hive_gate.tap.recorder import Recorder
from hive_gate.tap.relay import Relay
from hive_gate.tap.signals import Signals, die_of

record, *argv = sys.argv[1:]
with Signals() as signals:
    recorder = Recorder(open_record(Path(record)), argv)
    code = Relay(argv, recorder.take, signals).run()
    recorder.close(code)
if code < 0:
    die_of(-code)
sys.exit(code)
"""
ECHO = "import os\nwhile chunk := os.read(0, 65536):\n    os.write(1, chunk)"
READY = "import os, signal, sys, time\nprint(os.getpid(), flush=True)\n"

Started = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "record.jsonl"


@pytest.fixture
def started(record: Path) -> Iterator[Started]:
    """Start Python code behind a tap."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(code: str, **streams: Any) -> subprocess.Popen[bytes]:
        pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        argv = [sys.executable, "-P", "-c", RUN, str(record), sys.executable, "-I", "-S", "-c", code]
        processes.append(subprocess.Popen(argv, **{**pipe, **streams}))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def footer_of(record: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(record.read_bytes().splitlines()[-1])
    return found


@pytest.mark.parametrize(
    "data",
    [
        b'{"id":1,"method":"x"}\n',
        "no JSON, a \u2028 inside, an end without newline".encode(),
        b"\xff\xfe not UTF-8\r\n\n\n",
        b'{"method":"' + b"x" * 3_000_000 + b'"}\n',
        b"",
    ],
    ids=["request", "text", "bytes", "three megabytes", "nothing"],
)
def test_bytes_come_out_as_they_went_in(data: bytes, started: Started, record: Path) -> None:
    out, _ = started(ECHO).communicate(data, timeout=60)
    assert out == data
    footer = footer_of(record)
    assert (footer["sent"]["bytes"], footer["received"]["bytes"]) == (len(data), len(data))


def test_each_byte_passes_at_once_without_waiting_for_the_end_of_a_line(started: Started) -> None:
    process = started(ECHO)
    assert process.stdin is not None
    assert process.stdout is not None
    for byte in (b"{", b'"', b"a"):
        process.stdin.write(byte)
        process.stdin.flush()
        assert os.read(process.stdout.fileno(), 10) == byte


def test_the_end_of_the_input_and_the_exit_code_are_passed_on(started: Started, record: Path) -> None:
    process = started("import sys; sys.stdin.read(); sys.exit(7)")
    process.communicate(b"", timeout=60)
    assert process.returncode == 7
    assert footer_of(record)["exit_code"] == 7


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_signal_that_ended_the_server_ends_the_tap(number: int, started: Started, record: Path) -> None:
    process = started(f"import os; os.kill(os.getpid(), {int(number)})")
    process.communicate(b"", timeout=60)
    assert process.returncode == -number
    assert footer_of(record)["exit_code"] == -number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_is_passed_on_once_and_the_server_decides(number: int, started: Started) -> None:
    code = READY + (
        f"seen = []\nsignal.signal({int(number)}, lambda *_: seen.append(1))\nprint('set', flush=True)\n"
        "while not seen: signal.pause()\nprint('got it', flush=True)\nsys.stdin.read()\nsys.exit(40 + len(seen))"
    )
    process = started(code)
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)][1] == b"set\n"
    process.send_signal(number)
    assert process.stdout.readline() == b"got it\n"
    process.communicate(timeout=60)
    assert process.returncode == 41


def test_the_server_has_a_process_group_of_its_own_so_that_ctrl_c_reaches_it_once(started: Started) -> None:
    process = started("import os; print(os.getpgrp(), flush=True); os.read(0, 1)")
    assert process.stdout is not None
    assert int(process.stdout.readline()) != os.getpgid(process.pid)


def test_a_signal_to_the_whole_process_group_is_passed_on(started: Started) -> None:
    code = READY + ("signal.signal(signal.SIGTERM, lambda *_: os._exit(41))\nprint('set', flush=True)\ntime.sleep(600)")
    process = started(code, start_new_session=True)
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)][1] == b"set\n"
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(60) == 41


def test_a_tap_that_is_killed_takes_its_server_along_and_leaves_a_record(started: Started, record: Path) -> None:
    process = started(READY + "sys.stdin.read()")
    assert process.stdout is not None
    server = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=60)
    assert ends(server, within=30)
    assert record.read_bytes().startswith(b'{"type":"header"')


def test_a_tap_that_is_killed_ends_a_server_that_does_not_mind_the_end_of_its_input(started: Started) -> None:
    process = started(READY + "time.sleep(600)")
    assert process.stdout is not None
    server = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=60)
    assert ends(server, within=30)


def test_a_server_of_a_killed_tap_decides_itself_what_the_signal_means(started: Started, tmp_path: Path) -> None:
    told = tmp_path / "told"
    code = READY.replace(
        "\n", f"\nsignal.signal(signal.SIGTERM, lambda *_: (open({str(told)!r}, 'w'), os._exit(0)))\n", 1
    )
    process = started(code + "time.sleep(600)")
    assert process.stdout is not None
    server = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=60)
    assert ends(server, within=30)
    assert told.exists()


@pytest.mark.parametrize(("name", "value"), [("active_count", 2), ("current_thread", None)])
def test_a_server_is_tied_to_its_tap_only_by_a_main_thread_that_is_alone(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert _tied_to_this_process() is not None
    monkeypatch.setattr(threading, name, lambda: value)
    assert _tied_to_this_process() is None


def test_a_client_that_stops_reading_is_seen_by_the_server(started: Started) -> None:
    code = READY + (
        "signal.signal(signal.SIGPIPE, signal.SIG_IGN)\nsys.stdin.readline()\n"
        "try:\n    while True: os.write(1, b'x' * 65536)\n"
        "except BrokenPipeError: os._exit(9)"
    )
    process = started(code)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b"go\n")
    process.stdin.flush()
    assert process.wait(60) == 9


def test_a_server_that_stops_reading_is_seen_by_the_client(started: Started) -> None:
    orphaned = "while os.getppid() == parent: time.sleep(0.01)"
    process = started(READY + f"parent = os.getppid()\nos.close(0)\nprint('closed', flush=True)\n{orphaned}")
    assert process.stdin is not None
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)][1] == b"closed\n"

    def write_on() -> None:
        while True:  # as many bytes as are under way before the tap can notice
            os.write(descriptor, b"x" * 65_536)

    descriptor = process.stdin.fileno()
    with pytest.raises(BrokenPipeError):
        write_on()


def test_a_server_that_stops_writing_is_seen_by_the_client(started: Started) -> None:
    process = started(READY + "os.close(1)\nsys.stdin.read()\nos._exit(3)")
    assert process.stdout is not None
    process.stdout.readline()
    assert process.stdout.read() == b""  # the end, while the server lives
    process.communicate(timeout=60)
    assert process.returncode == 3


def test_a_client_that_does_not_read_stops_the_server_and_loses_nothing(started: Started) -> None:
    code = (
        "import fcntl, os, select, sys\nos.set_blocking(1, False)\ntotal = 0\n"
        "while total < 50_000_000:\n    try:\n        total += os.write(1, b'x' * 65536)\n"
        "    except BlockingIOError:\n"
        "        if not select.select([], [1], [], 1.0)[1]: break\n"
        "sys.stderr.write(f'{total}\\n')\nsys.stderr.flush()\nos.set_blocking(1, True)\nos.write(1, b'end')"
    )
    process = started(code)
    assert process.stdout is not None
    assert process.stderr is not None
    total = int(process.stderr.readline())  # nobody has read a byte, and the server cannot write any more
    assert total < 2_000_000
    assert process.stdout.read() == b"x" * total + b"end"
    assert process.wait(60) == 0


FULL = (
    "import os, select, signal, time\n{before}\nos.set_blocking(1, False)\n"
    "while True:\n    try: os.write(1, b'x' * 65536)\n"
    "    except BlockingIOError:\n        if not select.select([], [1], [], 0.5)[1]: break\n"
)
"""It writes until nobody takes any more."""


@pytest.mark.parametrize(("before", "code"), [("", -15), ("signal.signal(15, lambda *_: os._exit(0))", 0)])
def test_a_server_that_a_signal_ends_is_not_outlived_by_a_tap_whose_client_reads_nothing(
    before: str, code: int, started: Started, record: Path
) -> None:
    process = started(FULL.format(before=before) + "os.write(2, b'full\\n')\ntime.sleep(600)")
    assert process.stderr is not None
    process.stderr.readline()
    process.terminate()
    assert process.wait(60) == code
    assert footer_of(record)["exit_code"] == code


ENDED = "import os, time\nos.write(1, b'x' * 150_000)\nos.write(2, f'{os.getpid()}\\n'.encode())\nos._exit(7)"
"""It leaves more than a client's pipe holds, and its tap has the rest."""


def test_a_signal_after_the_servers_end_ends_a_tap_whose_client_reads_nothing(started: Started, record: Path) -> None:
    process = started(ENDED)
    assert process.stderr is not None
    assert ends(int(process.stderr.readline()), within=30)
    process.terminate()
    assert process.wait(60) == 7
    assert footer_of(record)["exit_code"] == 7


def insist(process: subprocess.Popen[bytes]) -> int:
    """Send SIGTERM again and again until the process has ended."""
    for _ in range(300):
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            return process.wait(0.2)
    pytest.fail("no signal ends it")


def test_whoever_insists_ends_a_tap_that_something_the_server_left_behind_talks_to(
    started: Started, record: Path
) -> None:
    chatter = "import os, time\nwhile True:\n    os.write(1, b'x')\n    time.sleep(0.05)"
    code = f"import subprocess, sys, os\nsubprocess.Popen([sys.executable, '-c', {chatter!r}])\nos._exit(5)"
    process = started(code)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"x"
    reading = threading.Thread(target=process.stdout.read)
    reading.start()
    assert insist(process) == 5
    reading.join(60)
    assert footer_of(record)["exit_code"] == 5


@pytest.mark.parametrize("code", [7, -9])
def test_whoever_insists_ends_a_tap_that_is_stuck_wherever_it_is(code: int, record: Path) -> None:
    stuck = "import time; print('stuck', file=sys.stderr, flush=True)\n    while True: time.sleep(1)"
    run = RUN.replace("recorder.close(code)", stuck)
    server = f"import os; os._exit({code})" if code > 0 else f"import os; os.kill(os.getpid(), {-code})"
    argv = [sys.executable, "-P", "-c", run, str(record), sys.executable, "-I", "-S", "-c", server]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"stuck\n"
        assert insist(process) == code


class Clock:
    """Stands in for the module `time`, and goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize("hurried", [True, False], ids=["after a signal", "after an ordinary end"])
def test_a_client_that_goes_on_reading_gets_everything(hurried: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, signals = Clock(), Signals()
    signals.passed_on = hurried
    monkeypatch.setattr(relay, "time", clock)
    (source, server), (client, target) = os.pipe(), os.pipe()
    got = bytearray()

    def read_slowly() -> None:
        while chunk := os.read(client, 4096):  # a page: as little as makes room for more
            got.extend(chunk)
            clock.now += LAST_WORDS * (0.6 if hurried else 60)
            patience = 30 / 0.005
            while hurried and (pump._writing_since or clock.now) < clock.now and patience:
                nap.wait(0.005)  # until the pump has seen that there is room
                patience -= 1

    nap = threading.Event()
    os.write(server, b"x" * 60_000)
    pump = _Pump("received", source, target, lambda *_: None)
    os.write(server, b"y" * 60_000)
    os.close(server)
    reading = threading.Thread(target=read_slowly)
    reading.start()
    pump.drain(signals)
    os.close(target)
    reading.join(60)
    assert bytes(got) == b"x" * 60_000 + b"y" * 60_000
    for descriptor in (source, client):
        os.close(descriptor)


def test_what_a_server_leaves_behind_does_not_hold_up_the_end(started: Started) -> None:
    code = READY + (
        "import subprocess\nchild = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\nos._exit(5)"
    )
    process = started(code)
    assert process.stdout is not None
    child = [int(process.stdout.readline()) for _ in range(2)][1]
    try:
        assert process.wait(60) == 5
    finally:
        psutil.Process(child).kill()


def test_stderr_is_the_servers_own(started: Started) -> None:
    process = started("import os; os.write(2, b'\\xff no line end')")
    assert process.communicate(b"", timeout=60) == (b"", b"\xff no line end")


def test_sockets_serve_as_well_as_pipes(started: Started) -> None:
    mine, theirs = socket.socketpair()
    with mine, theirs:
        process = started(ECHO, stdin=theirs.fileno(), stdout=theirs.fileno())
        theirs.close()
        mine.sendall(b'{"id":1}\n')
        assert mine.recv(100) == b'{"id":1}\n'
        mine.shutdown(socket.SHUT_WR)
        assert mine.recv(100) == b""
        assert process.wait(60) == 0


def test_an_input_that_does_not_block_is_waited_for(started: Started) -> None:
    get, give = os.pipe()
    os.set_blocking(get, False)
    process = started("print('ready', flush=True)\n" + ECHO, stdin=get)
    os.close(get)
    with os.fdopen(give, "wb", buffering=0) as file:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"  # by now the tap has found nothing to read
        file.write(b"hello\n")
        assert process.stdout.readline() == b"hello\n"
    assert process.wait(60) == 0


def test_an_output_that_does_not_block_is_waited_for(started: Started) -> None:
    read, write = os.pipe()
    os.set_blocking(write, False)
    process = started("import os\nfor _ in range(50): os.write(1, b'x' * 10_000)\nos.write(2, b'done')", stdout=write)
    os.close(write)
    with os.fdopen(read, "rb") as back:
        assert select.select([back], [], [], 60)[0]
        first = back.read1(1 << 20)
        while len(first) < 65_536:  # full: more than this nobody can have written
            first += back.read1(1 << 20)
        assert len(first + back.read()) == 500_000
    assert process.wait(60) == 0


def test_what_is_still_under_way_when_the_server_ends_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    (source, server), (client, target) = os.pipe(), os.pipe()
    reading, go = threading.Event(), threading.Event()
    read = os.read

    def slow(descriptor: int, size: int) -> bytes:
        if descriptor == source:
            reading.set()
            go.wait(30)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", slow)
    pump = _Pump("received", source, target, lambda *_: None)
    assert reading.wait(30)
    os.write(server, b"last words")
    os.close(server)
    ending = threading.Thread(target=pump.drain, args=(Signals(),))
    ending.start()
    ending.join(0.1)  # it waits for those words as long as they may be on their way
    go.set()
    ending.join(30)
    monkeypatch.undo()
    assert os.read(client, 100) == b"last words"
    for descriptor in (source, client, target):
        os.close(descriptor)


def test_what_passes_is_recorded_before_it_can_have_any_effect(tmp_path: Path) -> None:
    told = tmp_path / "told"
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom hive_gate.tap.relay import Relay\n"
        "from hive_gate.tap.signals import Signals\n"
        "def take(direction, at, chunk):\n"
        "    time.sleep(0.05)  # so that whoever does not wait for it is ahead\n"
        "    with Path(sys.argv[1]).open('a') as file: file.write(direction + ' ')\n"
        "with Signals() as signals: Relay(sys.argv[2:], take, signals).run()"
    )
    argv = [sys.executable, "-P", "-c", code, str(told), sys.executable, "-I", "-S", "-c", ECHO]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for count in (1, 2):
            process.stdin.write(b"x")
            process.stdin.flush()
            assert os.read(process.stdout.fileno(), 10) == b"x"
            assert told.read_text(encoding="ascii") == "sent received " * count
        process.stdin.close()
