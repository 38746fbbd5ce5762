"""What happens to each line: it passes as it is, unless the fault has something to do with it."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hive_gate.faults.fault import Fault, Message

Line = tuple[Literal["server", "client"], bytes]
"""To whom, and the line with its newline."""


@dataclass(slots=True)
class Wire:
    """One client, one server, and what the fault remembers of both. Callers take turns."""

    fault: Fault | None
    codex_home: Path
    memory: dict[Any, Any] = field(default_factory=dict)
    """The fault's own; empty at first."""
    _asked: dict[Any, Message] = field(default_factory=dict)
    _out: list[Line] = field(default_factory=list)

    def to_server(self, message: Message) -> None:
        """Send a message to the server; the reply to it will come to the fault as one to the client's request."""
        self._out.append(("server", encode(message)))

    def to_client(self, message: Message) -> None:
        """Send a message to the client."""
        self._out.append(("client", encode(message)))

    def from_client(self, line: bytes) -> list[Line]:
        """Return what a line of the client becomes."""
        message = self._message(line)
        if message is None or "method" not in message or "id" not in message:
            return [("server", line)]
        self._asked[message["id"]] = copy.deepcopy(message)
        if self.fault is None or self.fault.request is None or not self._concerns(message):
            return [("server", line)]
        passed = self.fault.request(message, self)
        return self._sent([] if passed is None else [("server", encode(passed))])

    def from_server(self, line: bytes) -> list[Line]:
        """Return what a line of the server becomes."""
        message = self._message(line)
        fault = self.fault
        if message is None or fault is None:
            return [("client", line)]
        if "method" in message:
            if "id" in message or fault.notification is None:
                return [("client", line)]
            noticed = fault.notification(message, self)
            return self._sent([] if noticed is None else [("client", encode(noticed))])
        asked = self._asked.get(message.get("id"))
        if asked is None or not self._concerns(asked):
            return [("client", line)]
        if fault.line is not None:
            return [("client", raw + b"\n") for raw in fault.line(line.rstrip(b"\n"))]
        if fault.reply is None:
            return [("client", line)]
        reply = fault.reply(message, asked, self)
        return self._sent([] if reply is None else [("client", encode(reply))])

    def _message(self, line: bytes) -> Message | None:
        if self.fault is None:
            return None
        try:
            message = json.loads(line)
        except ValueError:
            return None
        return message if isinstance(message, dict) else None

    def _concerns(self, request: Message) -> bool:
        of = () if self.fault is None else self.fault.of
        return not of or request["method"] in of

    def _sent(self, passed: list[Line]) -> list[Line]:
        """Return what the fault sent by itself and then what it passed on."""
        out, self._out = self._out + passed, []
        return out


def encode(message: Message) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
