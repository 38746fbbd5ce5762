"""A tap before the real codex 0.142.5: nothing is changed, nothing is left out, and nothing stays behind."""

from __future__ import annotations

import hashlib
import itertools
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest

from hive_gate.pager import History, Refused, Settings
from hive_gate.scene.home import Home
from hive_gate.scene.scratch import scratch_folder
from hive_gate.target.environment import scratch_environment
from hive_gate.target.identify import resolve
from tests.support.stubs import ends

pytestmark = pytest.mark.live

REPO = Path(__file__).parents[2]
SHIM = REPO / "tests" / "support" / "shim.py"

MESSAGES = 10_000
"""Requests; with their replies twice as many messages."""

AT_ONCE = 40
"""Requests in flight; the server refuses more than 128."""

PEAK = 200_000_000
"""Bytes of memory that the tap may take at its most."""


@dataclass
class Client:
    """A client that counts and hashes every byte that it sends and gets."""

    process: subprocess.Popen[bytes]
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    sent: Any = field(default_factory=hashlib.sha256)
    got: Any = field(default_factory=hashlib.sha256)
    sizes: dict[str, int] = field(default_factory=lambda: {"sent": 0, "received": 0})
    lines: dict[str, int] = field(default_factory=lambda: {"sent": 0, "received": 0})

    def send(self, **body: Any) -> None:
        line = json.dumps(body).encode() + b"\n"
        self.sent.update(line)
        self.sizes["sent"] += len(line)
        self.lines["sent"] += 1
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def line(self) -> bytes:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line
        self.got.update(line)
        self.sizes["received"] += len(line)
        self.lines["received"] += 1
        return line

    def reply(self, ident: int) -> Any:
        while True:
            message = json.loads(self.line())
            if message.get("id") == ident and "method" not in message:
                return message

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        ident = next(self.ids)
        self.send(id=ident, method=method, params=params)
        return self.reply(ident)

    def greet(self) -> None:
        info = {"clientInfo": {"name": "hive", "version": "1"}, "capabilities": {"experimentalApi": True}}
        assert "result" in self.ask("initialize", info)
        self.send(method="initialized")

    def end(self) -> int:
        """End the input, read what is left, and return the exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.got.update(rest)
        self.sizes["received"] += len(rest)
        self.lines["received"] += rest.count(b"\n")
        return self.process.wait(60)


@pytest.fixture
def home() -> Iterator[Home]:
    with scratch_folder(keep=False) as folder:
        made = Home(folder)
        made.prepare("http://127.0.0.1:9")
        yield made


@pytest.fixture(scope="module")
def codex() -> str:
    return str(resolve("0.142.5").path)


Start = Callable[..., Client]


@pytest.fixture
def started(home: Home) -> Iterator[Start]:
    """Start a server with a scratch home, through a tap where a record is named."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(*argv: str, record: Path | None = None) -> Client:
        tap = [sys.executable, "-m", "hive_gate", "tap", "--record", str(record), "--"] if record else []
        env = {**scratch_environment(home.home, home.codex), "PYTHONPATH": str(REPO)}
        pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        processes.append(subprocess.Popen([*tap, *argv], **pipe, env=env, cwd=home.work))  # type: ignore[call-overload]
        return Client(processes[-1])

    yield start
    for process in processes:
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait(60)


def peak_of(pid: int) -> Callable[[], int]:
    """Watch a process until it ends; return what tells the most memory that it had, in bytes."""
    peak = 0

    def watch() -> None:
        nonlocal peak
        status = Path(f"/proc/{pid}/status")
        while psutil.pid_exists(pid):
            try:
                found = [line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM")]
            except OSError:
                return
            peak = max([peak, *(int(line.split()[1]) * 1024 for line in found)])
            done.wait(0.01)

    done = threading.Event()
    watching = threading.Thread(target=watch, daemon=True)
    watching.start()

    def tell() -> int:
        watching.join(10)
        return peak

    return tell


def test_twenty_thousand_messages_and_a_reply_of_a_hundred_megabytes(
    started: Start, home: Home, codex: str, tmp_path: Path
) -> None:
    answer = {"agent": {"repeat": '0123456789 한국어 "quoted" \\ back. ', "characters": 1_000_000}}
    truth = home.write({"threads": {"large": {"turns": [{"times": 85, "user": "Say much, {n}.", "then": [answer]}]}}})
    record, notes = tmp_path / "record.jsonl", tmp_path / "notes.json"
    client = started(sys.executable, str(SHIM), str(notes), codex, "app-server", record=record)
    peak = peak_of(client.process.pid)
    client.greet()

    room = threading.Semaphore(AT_ONCE)

    def read() -> None:
        left = MESSAGES
        while left:
            message = json.loads(client.line())
            if "id" in message and "method" not in message:
                left -= 1
                room.release()

    reading = threading.Thread(target=read)
    reading.start()
    for _ in range(MESSAGES):
        room.acquire()
        client.send(id=next(client.ids), method="thread/loaded/list", params={})
    reading.join(60)
    assert not reading.is_alive()

    large = client.ask("thread/read", {"threadId": truth["large"].id, "includeTurns": True})
    assert len(large["result"]["thread"]["turns"]) == 85
    del large
    assert client.end() == 0

    assert client.sizes["received"] > 100_000_000
    seen = json.loads(notes.read_bytes())
    assert seen["sent"] == [client.sizes["sent"], client.sent.hexdigest()]
    assert seen["received"] == [client.sizes["received"], client.got.hexdigest()]

    lines = [json.loads(line) for line in record.read_bytes().split(b"\n")[:-1]]
    footer = lines[-1]
    assert (footer["complete"], footer["exit_code"]) == (True, 0)
    for direction in ("sent", "received"):
        of = [line for line in lines[1:-1] if line["direction"] == direction]
        assert len(of) == client.lines[direction] == footer[direction]["messages"]
        assert sum(line["bytes"] + 1 for line in of) == client.sizes[direction] == footer[direction]["bytes"]
    assert [line["n"] for line in lines[1:-1]] == list(range(len(lines) - 2))
    assert len(lines) - 2 >= 20_000
    (largest,) = [line for line in lines[1:-1] if "outline" in line]
    assert largest["bytes"] > 100_000_000
    assert largest["body"]["result"]["thread"]["id"] == truth["large"].id
    assert peak() < PEAK


def test_the_reference_pager_keeps_every_rule_before_the_real_server(
    started: Start, home: Home, codex: str, tmp_path: Path
) -> None:
    recipe = {"turns": [{"times": 43, "user": "Question {n}.", "then": [{"agent": "Answer {n}."}]}]}
    truth = home.write({"threads": {"main": recipe}})["main"]
    record = tmp_path / "record.jsonl"
    client = started(codex, "app-server", record=record)
    client.greet()

    async def call(method: str, params: dict[str, Any], /) -> Any:
        reply = client.ask(method, params)
        if "error" in reply:
            raise Refused(reply["error"]["code"], reply["error"]["message"])
        return reply["result"]

    async def scroll() -> None:
        thread = History(call, Settings()).thread(truth.id)
        await thread.restore()
        while await thread.older():
            pass
        assert [turn["id"] for turn in thread.turns] == [turn.id for turn in reversed(truth.turns)]
        assert thread.doubts == ()
        await thread.verify()

    anyio.run(scroll)
    assert client.end() == 0
    judged = json.loads(record.with_name("record.jsonl.judged.json").read_bytes())
    assert judged["outcome"] == "kept"
    verdicts = {rule["id"].removeprefix("adapter."): rule["verdict"] for rule in judged["rules"]}
    assert verdicts.pop("whole-read-once") == "warn"  # `verify` reads the whole thread, for tests such as this one
    assert set(verdicts.values()) == {"pass", "not-exercised"}
    paging = ("first-restore", "older-pages", "page-bounds", "next-cursor", "stop-at-null", "one-page-in-flight")
    assert {verdicts[rule] for rule in (*paging, "cursor-once", "experimental-api")} == {"pass"}


def test_a_tap_that_is_killed_leaves_no_server_behind(started: Start, codex: str, tmp_path: Path) -> None:
    client = started(codex, "app-server", record=tmp_path / "record.jsonl")
    client.greet()
    (server,) = psutil.Process(client.process.pid).children()
    client.process.kill()
    client.process.wait(30)
    assert ends(server.pid, within=30)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_as_it_ends_the_server(number: int, started: Start, codex: str, tmp_path: Path) -> None:
    codes = []
    for record in (None, tmp_path / "record.jsonl"):
        client = started(codex, "app-server", record=record)
        client.greet()
        client.process.send_signal(number)
        codes.append(client.process.wait(60))
    assert codes[0] == codes[1]
