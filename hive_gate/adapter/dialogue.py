"""A connection as its client leads it: each message with what it is, and each reply with the request it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hive_gate.adapter.recent import Recent, key_of
from hive_gate.wire.message import Kind, kind_of
from hive_gate.wire.transcript import Direction, Message

_OPEN = 5_000
"""Requests without a reply that are remembered; no client has as many."""


@dataclass(frozen=True, slots=True)
class Event:
    """One message of a connection; `sent` is what the client sent."""

    n: int
    """Number of the message in its transcript."""
    ms: float
    direction: Direction
    kind: Kind | None
    """None: the line was no JSON object."""
    body: Any
    bytes: int = 0
    """Length of its line, however much of it the transcript kept."""
    odd: tuple[str, ...] = ()
    """What was odd about the line, by the names of `hive_gate.wire.message.Anomaly`."""
    asked: Event | None = None
    """Of a reply: the request that it answers; None if there is none open."""

    @property
    def method(self) -> str:
        """Method of a request or a notification; empty for anything else."""
        method = self.body.get("method") if self.kind in ("request", "notification") else ""
        return method if isinstance(method, str) else ""

    @property
    def params(self) -> Any:
        """Params of a request or a notification; None if it has none."""
        return self.body.get("params")

    @property
    def thread(self) -> str | None:
        """The `threadId` in the params of a request; None if it is empty, as where a thread is resumed by its path."""
        params = self.params
        thread = params.get("threadId") if isinstance(params, dict) else None
        return thread if isinstance(thread, str) and thread else None

    @property
    def about(self) -> str | None:
        """Of a reply: the thread that it is about, by the request's `threadId` or else by the thread in the result."""
        if self.asked is None:
            return None
        if self.asked.thread is not None:
            return self.asked.thread
        result = self.body.get("result")
        thread = result.get("thread") if isinstance(result, dict) else None
        ident = thread.get("id") if isinstance(thread, dict) else None
        return ident if isinstance(ident, str) else None

    @property
    def error(self) -> dict[str, Any] | None:
        """The error of a reply; None if it is a result."""
        error = self.body.get("error") if self.kind == "reply" else None
        return error if isinstance(error, dict) else None

    @property
    def succeeded(self) -> bool:
        """Whether this is a reply with a result."""
        return self.kind == "reply" and "result" in self.body and self.error is None

    def is_request(self, *methods: str) -> bool:
        """Whether the client asks this here, for one of these methods; without any, for whatever method."""
        return self.direction == "sent" and self.kind == "request" and (not methods or self.method in methods)

    def answers(self, *methods: str) -> Event | None:
        """Return the client's request for one of these methods that the server answers here."""
        asked = self.asked if self.direction == "received" else None
        return asked if asked is not None and (not methods or asked.method in methods) else None


class Dialogue:
    """Turns the messages of one connection into events."""

    def __init__(self) -> None:
        self._open: dict[Direction, Recent[Event]] = {"sent": Recent(_OPEN), "received": Recent(_OPEN)}

    def event(self, message: Message, odd: Sequence[str] = ()) -> Event:
        """Return the next message as an event."""
        body = message.body
        kind = kind_of(body) if isinstance(body, dict) else None
        asked: Event | None = None
        if kind == "reply":
            asked = self._open["received" if message.direction == "sent" else "sent"].pop(key_of(body["id"]))
        event = Event(message.n, message.ms, message.direction, kind, body, message.bytes, tuple(odd), asked)
        if kind == "request":
            self._open[message.direction].put(key_of(body["id"]), event)
        return event
