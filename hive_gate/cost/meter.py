"""Messages stamped as they come, and the constant computation that tells how fast the machine is."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace

from hive_gate.wire.transcript import Direction, Message, Transcript

_LARGE = 65_536
"""Bytes of a line above which only its JSON is parsed: what is odd about it is for the probe to find."""


@dataclass(slots=True)
class Meter(Transcript):
    """A transcript whose times are those of arrival, before anything is parsed, and which forgets what was asked."""

    kept: int = 0
    """Number of the first message whose body is still there."""

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
        """Record a line; see `Transcript.add`."""
        now = self.elapsed_ms()
        body = _parsed(line) if len(line) > _LARGE else None
        if body is None:
            message = replace(Transcript.add(self, server, direction, line, clause, step, banner=banner), ms=now)
            self.messages[message.n] = message
            return message
        message = Message(len(self.messages), server, now, direction, len(line), body, clause=clause, step=step)
        self.messages.append(message)
        return message

    def forget(self) -> None:
        """Let go of all bodies so far: replies of megabytes add up."""
        for number in range(self.kept, len(self.messages)):
            self.messages[number] = replace(self.messages[number], body=None)
        self.kept = len(self.messages)


def _parsed(line: bytes) -> dict[str, object] | None:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def control_ms() -> float:
    """Return the milliseconds of a constant computation, about two on a machine of today."""
    began = time.perf_counter()
    total = 0
    for number in range(60_000):
        total += number * number
    return round((time.perf_counter() - began) * 1000, 4)
