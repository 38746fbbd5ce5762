"""`hive-gate tap --follow` in a second terminal, while an app talks to its server through a tap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.talk import good
from tests.terminal.conftest import Terminal

pytestmark = pytest.mark.terminal

_SERVER = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"id": message["id"], "result": {}}), flush=True)
"""


class App:
    """An app that talks to a server through a tap."""

    def __init__(self, record: Path) -> None:
        command = [sys.executable, "-S", "-c", _SERVER]
        argv = [sys.executable, "-m", "hive_gate", "tap", "--quiet", "--record", str(record), "--", *command]
        self._tap = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._sent = 0

    def asks(self, method: str, **params: object) -> None:
        """Send a request and wait for the reply."""
        self._sent += 1
        assert self._tap.stdin is not None
        assert self._tap.stdout is not None
        self._tap.stdin.write(json.dumps({"id": self._sent, "method": method, "params": params}).encode() + b"\n")
        self._tap.stdin.flush()
        self._tap.stdout.readline()

    def ends(self) -> None:
        self._tap.communicate(timeout=60)

    def kills_it(self) -> int:
        """Kill the tap, and return which process it was."""
        self._tap.kill()
        self._tap.wait(60)
        return self._tap.pid


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "record.jsonl"


@pytest.fixture
def app(record: Path) -> Iterator[Callable[[], App]]:
    made: list[App] = []

    def start() -> App:
        made.append(App(record))
        return made[-1]

    yield start
    for one in made:
        one.ends()


def test_messages_and_verdicts_are_shown_as_they_come_until_the_server_ends(
    terminal: Callable[..., Terminal], app: Callable[[], App], record: Path
) -> None:
    screen = terminal("tap", "--follow", str(record))
    screen.wait_for("Ctrl-C ends it")
    assert any(line.startswith("waiting for ") for line in screen.lines)
    client = app()
    client.asks("initialize", capabilities={"experimentalApi": True})
    screen.wait_for("initialize  id 1")
    screen.wait_for("✓ adapter.experimental-api")
    client.asks("thread/turns/items/list", threadId="T")
    screen.wait_for("✗ adapter.no-items-list: `thread/turns/items/list` is sent")
    client.ends()
    screen.wait_for("Client BREAKS the adapter contract")
    assert screen.end() == 1
    assert screen.is_sane
    assert screen.colors
    shown = "\n".join(screen.lines)
    assert shown.index("→") < shown.index("initialize  id 1") < shown.index("←")
    assert "adapter.no-items-list: message 2: `thread/turns/items/list` is sent" in shown


def test_a_tap_that_is_killed_ends_it_and_it_says_that_the_record_was_cut_off(
    terminal: Callable[..., Terminal], app: Callable[[], App], record: Path
) -> None:
    client = app()
    client.asks("thread/turns/items/list", threadId="T")
    screen = terminal("tap", "--follow", str(record))
    screen.wait_for("✗ adapter.no-items-list")
    killed = client.kills_it()
    assert screen.end() == 1
    shown = "\n".join(screen.lines)
    assert f"the record was cut off: its tap, process {killed}, is gone" in shown
    assert "Client BREAKS the adapter contract" in shown


def test_a_client_that_keeps_every_rule_ends_it_with_success(terminal: Callable[..., Terminal], record: Path) -> None:
    good().write(record)
    screen = terminal("tap", "--follow", str(record))
    assert screen.end() == 0
    assert "Client KEEPS the adapter contract" in "\n".join(screen.lines)
    assert "✗" not in screen.raw


def test_ctrl_c_ends_it_and_says_how_things_stand(terminal: Callable[..., Terminal], record: Path) -> None:
    good().write(record, footer=False)
    screen = terminal("tap", "--follow", str(record))
    screen.wait_for("✓ adapter.after-refusal")
    screen.press_ctrl_c()
    screen.wait_for("Client KEEPS the adapter contract")
    assert screen.end() == 130
    assert screen.is_sane


def test_a_record_that_begins_anew_is_shown_from_its_beginning(
    terminal: Callable[..., Terminal], app: Callable[[], App], record: Path
) -> None:
    good().write(record, footer=False)
    screen = terminal("tap", "--follow", str(record))
    screen.wait_for("✓ adapter.after-refusal")
    client = app()
    screen.wait_for("another record has taken its place")
    client.asks("thread/list")
    screen.wait_for("✗ adapter.initialize-first")
    client.ends()
    assert screen.end() == 1


def test_a_record_that_is_emptied_while_it_is_followed_was_cut(
    terminal: Callable[..., Terminal], app: Callable[[], App], record: Path
) -> None:
    client = app()
    client.asks("thread/turns/items/list", threadId="T")
    screen = terminal("tap", "--follow", str(record))
    screen.wait_for("✗ adapter.no-items-list")
    os.truncate(record, 0)
    screen.wait_for("the record was cut while it was read")
    screen.wait_for("waiting for a tap that records into")
    client.asks("thread/list")
    assert screen.end() == 2
    assert "null bytes are in it, so it was cut while it was written or read" in "".join(screen.lines)


def test_what_is_no_record_is_told(terminal: Callable[..., Terminal], record: Path) -> None:
    record.write_text("Dear Kim,\n", encoding="utf-8")
    screen = terminal("tap", "--follow", str(record))
    assert screen.end() == 2
    assert f"{record.name}, line 1" in "".join(screen.lines)
