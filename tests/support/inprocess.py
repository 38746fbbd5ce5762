"""A server of our own in this process, any fault before it or in it, and a client's connection to it that is judged.

No process, no pipe and no clock: a wait moves a clock of its own, so that thousands of exchanges take a moment.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hive_gate.adapter.judge import Judge, Judgment
from hive_gate.contract.model import Contract
from hive_gate.faults.fault import Fault
from hive_gate.faults.wire import Wire
from hive_gate.pager import Refused
from hive_gate.reference.faults import switch_on
from hive_gate.reference.server.core import Core
from hive_gate.reference.server.dispatch import handle
from hive_gate.reference.server.home import load
from hive_gate.reference.server.lines import Outgoing, parse
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.scene.home import Home
from hive_gate.wire.message import parse as parse_line
from hive_gate.wire.transcript import Direction, Message


class NoReply(Exception):
    """The server has nothing more to say, and the request was not answered."""


class _Output:
    """Where the server writes."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def write(self, line: bytes) -> int:
        self.lines.append(line)
        return len(line)

    def flush(self) -> None:
        pass


@dataclass
class Connection:
    """A client's connection, as it is judged by the contract's adapter rules."""

    core: Core
    output: _Output
    wire: Wire
    judge: Judge
    busy: dict[str, int] = field(default_factory=dict)
    """By method, how many requests are still answered with -32001."""
    sent: int = 0
    messages: list[Message] = field(default_factory=list)
    now: float = 0.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def clock(self) -> float:
        return self.now

    async def call(self, method: str, params: dict[str, Any], /) -> Any:
        """Send a request and return its result, as `hive_gate.pager` wants it."""
        self.sent += 1
        replies = self.send({"id": self.sent, "method": method, "params": params})
        reply = next((reply for reply in replies if reply.get("id") == self.sent and "method" not in reply), None)
        if reply is None:
            raise NoReply
        if "error" in reply:
            raise Refused(reply["error"]["code"], reply["error"]["message"])
        return reply["result"]

    def send(self, body: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Send a message and return what the client then gets; what is no JSON object it passes over."""
        line = json.dumps(body, ensure_ascii=False).encode() + b"\n"
        self._note("sent", line)
        got: list[dict[str, Any]] = []
        if self.busy.get(body["method"], 0) > 0:
            self.busy[body["method"]] -= 1
            self.now += 0.001
            refusal = {"id": body["id"], "error": {"code": -32001, "message": "Server overloaded; retry later."}}
            waiting = deque([("client", json.dumps(refusal).encode() + b"\n")])
        else:
            waiting = deque(self.wire.from_client(line))
        while waiting:
            side, raw = waiting.popleft()
            if side == "server":
                request = parse(raw)
                if request is not None:
                    handle(self.core, request)
                said, self.output.lines = self.output.lines, []
                waiting.extend(out for answer in said for out in self.wire.from_server(answer))
                continue
            for part in raw.splitlines():
                self._note("received", part)
                parsed = parse_line(part)
                got += [parsed.body] if parsed.body is not None else []
        return got

    def _note(self, direction: Direction, line: bytes) -> None:
        parsed = parse_line(line.rstrip(b"\n"))
        self.now += 0.001
        message = Message(len(self.messages), 0, self.now * 1000, direction, len(line), parsed.body, parsed.text)
        self.messages.append(message)
        self.judge.feed(message, [anomaly.kind for anomaly in parsed.anomalies])

    def judgment(self) -> Judgment:
        self.judge.end()
        return self.judge.judgment()


@contextmanager
def connected(
    home: Home, contract: Contract, *, before: Fault | None = None, inside: str | None = None
) -> Iterator[Connection]:
    """Yield a connection that has been greeted.

    Args:
        home: with its stored threads.
        contract: whose adapter rules apply to the client.
        before: a fault on the wire.
        inside: a fault in the server.

    Raises:
        Refused: the greeting was refused.
        NoReply: it was not answered.
    """
    mend = switch_on(inside) if inside else lambda: None
    try:
        if before is not None and before.home is not None:
            before.home(home.codex)
        output = _Output()
        store = LocalThreadStore(home.codex)
        core = Core(load(home.codex), store, Outgoing(output), 1800.0, cwd=home.work)  # type: ignore[arg-type]
        connection = Connection(core, output, Wire(before, home.codex), Judge(contract))
        try:
            yield connection
        finally:
            store.close()
    finally:
        mend()


async def greet(connection: Connection) -> None:
    """Do the handshake as Hive does."""
    info = {"clientInfo": {"name": "hive", "version": "1"}, "capabilities": {"experimentalApi": True}}
    await connection.call("initialize", info)
    connection.send({"method": "initialized"})
