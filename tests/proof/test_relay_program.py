"""The relay as a program: it passes on lines, ends and signals as they are, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from hive_gate.faults.passing import Lane
from hive_gate.faults.themes import FAULTS
from hive_gate.faults.wire import Wire

pytestmark = pytest.mark.proof

RELAY = (sys.executable, "-P", "-m", "hive_gate.faults")
ECHO = "import os\nwhile chunk := os.read(0, 65536):\n    os.write(1, chunk)"
READY = "import os, signal, time\nprint(os.getpid(), flush=True)\n"


def started(code: str, *options: str) -> subprocess.Popen[bytes]:
    argv = (*RELAY, *options, "--", sys.executable, "-c", code)
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize(
    "lines",
    [
        b'{"id":1,"method":"x"}\n',
        "no JSON, a \u2028 inside, an end without newline".encode(),
        b"\xff\xfe not UTF-8\n\n\n",
        b'{"method":"' + b"x" * 3_000_000 + b'"}\n',
    ],
    ids=["request", "text", "bytes", "three megabytes"],
)
def test_lines_come_out_as_they_went_in(lines: bytes) -> None:
    with started(ECHO) as process:
        out, _ = process.communicate(lines, timeout=30)
    assert out == lines


def test_lines_that_came_in_one_write_go_on_in_one_write(tmp_path: Path) -> None:
    """A packet socket keeps writes apart, where a pipe joins what is read late."""
    ours, servers = socket.socketpair(type=socket.SOCK_SEQPACKET)
    requests = b'{"id":1,"method":"x"}\n{"id":2,"method":"x"}\n'
    source, client = os.pipe()
    os.write(client, requests)
    os.close(client)
    ours.settimeout(10)
    with ours, servers, subprocess.Popen(["true"]) as server:
        wire = Wire(None, tmp_path)
        Lane(server, wire, servers.fileno()).pass_on(source, wire.from_client)
        assert ours.recv(1024) == requests
    os.close(source)


def test_the_end_of_its_input_and_the_exit_code_are_passed_on() -> None:
    with started("import sys; sys.stdin.read(); sys.exit(7)") as process:
        process.communicate(b"", timeout=30)
    assert process.returncode == 7


def test_a_signal_that_ended_the_server_ends_the_relay() -> None:
    with started("import os, signal; os.kill(os.getpid(), signal.SIGKILL)") as process:
        process.communicate(b"", timeout=30)
    assert process.returncode == -signal.SIGKILL


def test_term_is_passed_on_to_the_server() -> None:
    code = READY + "signal.signal(signal.SIGTERM, lambda *_: os._exit(5))\nprint('set', flush=True)\ntime.sleep(60)"
    with started(code) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode == 5


def test_a_relay_that_is_killed_takes_its_server_along() -> None:
    with started(READY + "os.read(0, 1)") as process:
        assert process.stdout is not None
        server = psutil.Process(int(process.stdout.readline()))
        process.kill()
        process.communicate(timeout=30)
    psutil.wait_procs([server], timeout=30)
    assert not server.is_running()


def test_a_fault_that_crashes_ends_the_server_and_is_told_apart() -> None:
    reply = 'import sys\nsys.stdin.readline()\nprint(\'{"id":1,"result":5}\', flush=True)\nsys.stdin.read()'
    with started(reply, "--fault", "false-empty-page") as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b'{"id":1,"method":"thread/turns/list","params":{}}\n')
        process.stdin.flush()
        traceback = process.stderr.read()
    assert process.returncode == 70
    assert b"AttributeError" in traceback


def test_a_name_that_is_no_fault_is_refused() -> None:
    with started(ECHO, "--fault", "no-such-fault") as process:
        _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert b"no-such-fault" in told


def test_the_faults_are_listed_with_what_they_break() -> None:
    listed = subprocess.run([*RELAY, "--list"], capture_output=True, text=True, check=True).stdout
    assert "name-cut: Of a name 255 characters are kept.\n" in listed
    assert len(listed.splitlines()) == len(FAULTS)
