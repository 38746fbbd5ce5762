"""Everything that crossed the wire in a run, in order."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hive_gate.wire.elide import elide
from hive_gate.wire.message import Anomaly, parse

Json: TypeAlias = Any
"""A parsed JSON value: None, bool, int, float, str, list of Json, dict of str to Json."""

Direction = Literal["sent", "received"]


@dataclass(frozen=True, slots=True)
class Message:
    """One line on a server's stdin or stdout."""

    n: int
    """Number in the whole run, from 0."""
    server: int
    """Index of the server in the run."""
    ms: float
    """Milliseconds since the run began."""
    direction: Direction
    bytes: int
    """Length of the line on the wire, without its newline."""
    body: Json = None
    """The JSON object; long strings are elided (see `hive_gate.wire.elide`)."""
    text: str | None = None
    """The line itself, shortened, where it was not a JSON object."""
    clause: str | None = None
    """Id of the clause on whose behalf it was sent or received."""
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request with its reply and the notifications between, as numbers of transcript messages."""

    method: str
    request: int
    reply: int | None
    """None if no reply came; `failure` says why."""
    took_ms: float | None
    bytes_out: int
    bytes_in: int
    step: int | None = None
    notifications: tuple[int, ...] = ()
    failure: str | None = None
    """Why there is no reply: the deadline passed or the server ended."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """An anomaly with the message that shows it."""

    kind: str
    text: str
    message: int


@dataclass(slots=True)
class Transcript:
    """The run's messages; one object for all its servers, so that message numbers are unique in a run."""

    messages: list[Message] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def elapsed_ms(self) -> float:
        """Return milliseconds since the run began."""
        return round((time.monotonic() - self.began) * 1000, 3)

    def add(
        self,
        server: int,
        direction: Direction,
        line: bytes,
        clause: str | None,
        step: int | None,
        *,
        banner: bool = False,
    ) -> Message:
        """Record a line (without its newline) and return its message; what is odd about it is kept beside it.

        With `banner`, a line that is not a message is taken for a wrapper's greeting rather than a broken message.
        """
        parsed = parse(line)
        message = Message(
            n=len(self.messages),
            server=server,
            ms=self.elapsed_ms(),
            direction=direction,
            bytes=len(line),
            body=None if parsed.body is None else elide(parsed.body),
            text=parsed.text,
            clause=clause,
            step=step,
        )
        self.messages.append(message)
        if banner and message.body is None:
            self.note(Anomaly("banner", f"before the first message: {parsed.text}"), message)
        elif direction == "received":
            for anomaly in parsed.anomalies:
                self.note(anomaly, message)
        return message

    def note(self, anomaly: Anomaly, message: Message) -> None:
        """Keep an anomaly that was noticed in `message`."""
        self.oddities.append(Oddity(anomaly.kind, anomaly.text, message.n))
