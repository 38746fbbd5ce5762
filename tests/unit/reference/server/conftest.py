"""A server in memory: the test sends requests and reads what came out."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hive_gate.reference.model import Call, Event, ModelFailed, Said, Used
from hive_gate.reference.server import rollback
from hive_gate.reference.server.core import Core
from hive_gate.reference.server.dispatch import handle
from hive_gate.reference.server.home import load
from hive_gate.reference.server.lines import Outgoing, Request
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.memory import MemoryThreadStore

Json = Any


@dataclass
class Wire:
    """The end of the server's output; a message at a time."""

    messages: queue.Queue[Json] = field(default_factory=queue.Queue)

    def write(self, line: bytes) -> int:
        self.messages.put(json.loads(line))
        return len(line)

    def flush(self) -> None:
        pass


@dataclass
class Script:
    """A model that answers, fails or waits as told, and keeps what it was asked."""

    failure: ModelFailed | None = None
    gate: threading.Event | None = None
    asked: list[Sequence[Json]] = field(default_factory=list)

    def stream(self, conversation: Sequence[Json], call: Call) -> Iterator[Event]:
        self.asked.append(conversation)
        if self.gate is not None:
            self.gate.wait(10)
        if self.failure is not None:
            raise self.failure
        yield Said("said", f"answer {len(self.asked)}")
        yield Used(1, 0, 1, 0, 2)


@dataclass
class Server:
    """A core and the two ends of its wire."""

    core: Core
    wire: Wire
    model: Script
    sent: int = 0

    def send(self, method: str, params: Json = None) -> int:
        self.sent += 1
        handle(self.core, Request(self.sent, method, {} if params is None else params))
        return self.sent

    def ask(self, method: str, params: Json = None) -> Json:
        """Return the result or the error, and forget what came before it."""
        ident = self.send(method, params)
        return self.until(lambda message: message.get("id") == ident)[-1]

    def result(self, method: str, params: Json = None) -> Json:
        reply = self.ask(method, params)
        assert "result" in reply, reply
        return reply["result"]

    def refusal(self, method: str, params: Json = None) -> tuple[int, str]:
        reply = self.ask(method, params)
        assert "error" in reply, reply
        return reply["error"]["code"], reply["error"]["message"]

    def until(self, wanted: Any) -> list[Json]:
        """Return the messages up to the one that is wanted: a notification's method, or a test of a message."""
        rollback.finish_soon(self.core)
        seen: list[Json] = []
        while True:
            seen.append(self.wire.messages.get(timeout=10))
            if seen[-1].get("method") == wanted or (callable(wanted) and wanted(seen[-1])):
                return seen

    def rest(self) -> list[Json]:
        """Return what is there and not read."""
        return [self.wire.messages.get_nowait() for _ in range(self.wire.messages.qsize())]

    def start(self, **params: Json) -> str:
        thread: str = self.result("thread/start", params)["thread"]["id"]
        self.until("thread/started")
        return thread

    def turn(self, thread: str, text: str) -> list[Json]:
        """Run a turn and return what was heard of it, the reply first."""
        self.send("turn/start", {"threadId": thread, "input": [{"type": "text", "text": text}]})
        return self.until("turn/completed")

    def texts(self, thread: str) -> list[list[str]]:
        """Return the texts of each stored turn."""
        turns = self.result("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"]
        return [[item.get("text") or item["content"][0]["text"] for item in turn["items"]] for turn in turns]


def serve(home: Path, store: ThreadStore, *, experimental: bool = True) -> Server:
    """Return an initialized server."""
    wire, model = Wire(), Script()
    core = Core(load(home), store, Outgoing(wire), 1800.0, cwd=home, echo=model)  # type: ignore[arg-type]
    server = Server(core, wire, model)
    info = {"clientInfo": {"name": "test", "version": "1"}, "capabilities": {"experimentalApi": experimental}}
    server.result("initialize", info)
    return server


@pytest.fixture(params=["local", "memory"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    store = LocalThreadStore(tmp_path) if request.param == "local" else MemoryThreadStore()
    yield serve(tmp_path, store)
    store.close()
