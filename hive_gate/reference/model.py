"""The model behind a turn: what it yields, how it fails, and the built-in one that needs no other program."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Began:
    """An answer begins."""

    item: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer that began."""

    item: str
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """An answer is whole; one that never began came in one piece."""

    item: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Used:
    """The answer has ended; how many tokens it took."""

    input: int = 0
    cached: int = 0
    output: int = 0
    reasoning: int = 0
    total: int = 0


Event = Began | Delta | Said | Used


class ModelFailed(Exception):
    """The model did not answer.

    Args:
        message: the text of the turn's error.
        code: its `codexErrorInfo`.
        cut: it began to answer and did not come to an end.
    """

    def __init__(self, message: str, code: Any = "other", *, cut: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.cut = cut


@dataclass(slots=True)
class Call:
    """One call of a model, which another thread may cancel."""

    _connection: http.client.HTTPConnection | None = None

    def uses(self, connection: http.client.HTTPConnection) -> None:
        """Say over what the call goes."""
        self._connection = connection

    def cancel(self) -> None:
        """Make the call end; its events no longer matter."""
        sock = self._connection.sock if self._connection else None
        if sock is not None:
            with contextlib.suppress(OSError):  # it may have ended by itself
                sock.shutdown(socket.SHUT_RDWR)


class Model(Protocol):
    """Answers the conversation so far."""

    def stream(self, conversation: Sequence[dict[str, Any]], call: Call) -> Iterator[Event]:
        """Yield the answer's events as they come.

        Args:
            conversation: input items of the Responses API, oldest first; the last is what the user says now.
            call: where to register what can be cancelled.

        Raises:
            ModelFailed: there is no (whole) answer.
        """


@dataclass(slots=True)
class Echo:
    """The built-in script: every answer repeats what the user said last, word by word."""

    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def stream(self, conversation: Sequence[dict[str, Any]], call: Call) -> Iterator[Event]:  # noqa: ARG002
        """Yield one answer; it cannot fail and needs no cancelling."""
        said = [part.get("text", "") for part in conversation[-1]["content"]] if conversation else []
        text = "You said: " + " ".join(said)
        item = f"msg-{next(self._numbers)}"
        yield Began(item)
        for word in text.splitlines(keepends=True):
            yield Delta(item, word)
        yield Said(item, text)
        words = len(text.split())
        yield Used(input=words, output=words, total=2 * words)
