"""Transcripts from files: what a tap recorded, what a probe wrote, and how whole they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hive_gate.errors import UsageError
from hive_gate.report.jsonfile import read_report
from hive_gate.report.model import SCHEMA_ID as REPORT
from hive_gate.report.transcript import SCHEMA_ID as PROBE
from hive_gate.tap.form import SCHEMA_ID as TAP
from hive_gate.wire.transcript import Message

Source = Literal["tap", "probe", "report"]
"""What a file is: a tap's record, a probe's transcript.jsonl, or a probe's report.json."""

_KINDS: dict[Any, Source] = {TAP: "tap", PROBE: "probe"}
"""By the `schema` member of a header."""

_AGAIN = "name a record of hive-gate tap, or a transcript.jsonl or report.json of a probe"

_NUMBERS = (("n", (int,)), ("ms", (int, float)), ("bytes", (int,)))
"""What every message has, and its types."""

_SNIFFED = 256
"""Bytes that tell what a file is."""


@dataclass(frozen=True, slots=True)
class Line:
    """A message of a transcript, and what was odd about its line."""

    message: Message
    odd: tuple[str, ...] = ()


@dataclass(slots=True)
class Whole:
    """What is known of a transcript once it was read."""

    source: Source
    messages: int = 0
    sent: int = 0
    """Messages of the client among them."""
    command: tuple[str, ...] = ()
    """The server's command line, where the transcript says it."""
    problem: str | None = "it ends without a footer: it was cut off, or is still being written"
    """Why it is not complete, as a phrase; None once its footer has said that it is."""


class Reader:
    """Reads a transcript line by line; `whole` fills as it goes.

    Args:
        where: what to call it in errors, such as its path.
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._number = 0
        self.ended = False
        """Whether its footer has come."""
        self._whole: Whole | None = None

    @property
    def whole(self) -> Whole:
        """What is known of the transcript so far.

        Raises:
            ValueError: if not even its header was read.
        """
        if self._whole is None:
            raise ValueError("nothing was read")
        return self._whole

    def lines(self, path: Path) -> Iterator[Line]:
        """Yield the messages of a file in order. A last line that was cut off ends it; `whole.problem` tells.

        Raises:
            UsageError: if the file cannot be read or is no transcript.
        """
        try:
            with path.open("rb") as file:
                for raw in file:
                    if not raw.endswith(b"\n") and self._whole is not None:
                        return
                    line = self.line(raw)
                    if line is not None:
                        yield line
        except OSError as error:
            raise _unreadable(path, error) from None
        if self._whole is None:
            raise UsageError("This is no transcript: it is empty.", where=self._where, hint=_AGAIN)

    def line(self, raw: bytes) -> Line | None:
        """Take the next line and return its message; None for header and footer.

        Raises:
            UsageError: if it is not a line of a transcript, or not the one that has to come.
        """
        self._number += 1
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise self._refused(f"it is not JSON: {str(error)[:120]}") from None
        if not isinstance(value, dict):
            raise self._refused("it is not a JSON object")
        if self._whole is None:
            self._whole = self._header(value)
            return None
        if self.ended:
            raise self._refused("it comes after the footer")
        if value.get("type") == "footer":
            self._footer(value, self._whole)
            return None
        return self._message(value, self._whole)

    def _header(self, value: dict[str, Any]) -> Whole:
        kind = _KINDS.get(value.get("schema")) if value.get("type") == "header" else None
        if kind is None:
            raise self._refused("it is not the header of a transcript that this version knows")
        command = value.get("command") or (value.get("target") or {}).get("argv") or ()
        return Whole(kind, command=tuple(map(str, command)))

    def _footer(self, value: dict[str, Any], whole: Whole) -> None:
        self.ended = True
        if value.get("messages") != whole.messages:
            raise self._refused(f"the footer counts {value.get('messages')} messages, and there are {whole.messages}")
        whole.problem = None if value.get("complete") is True else str(value.get("problem", "it says so itself"))

    def _message(self, value: dict[str, Any], whole: Whole) -> Line:
        n, direction, body, text, odd = map(value.get, ("n", "direction", "body", "text", "odd"))
        if value.get("type") != "message" or ("body" in value) == ("text" in value):
            raise self._refused("it is neither a message, with a body or a text, nor a footer")
        if direction not in ("sent", "received"):
            raise self._refused("its direction is neither `sent` nor `received`")
        if not all(type(value.get(name)) in kinds for name, kinds in _NUMBERS):
            raise self._refused(f"one of {', '.join(name for name, _ in _NUMBERS)} is no number")
        if n != whole.messages:
            raise self._refused(f"message {whole.messages} should come, not message {n}")
        server = value.get("server")
        whole.messages += 1
        whole.sent += direction == "sent"
        message = Message(
            n=value["n"],
            server=server if isinstance(server, int) else 0,
            ms=value["ms"],
            direction=direction,
            bytes=value["bytes"],
            body=body if isinstance(body, dict) else None,
            text=text if isinstance(text, str) else None,
        )
        return Line(message, tuple(map(str, odd)) if isinstance(odd, list) else ())

    def _refused(self, why: str) -> UsageError:
        return UsageError(f"This is no transcript: {why}.", where=f"{self._where}, line {self._number}", hint=_AGAIN)


def read_report_messages(path: Path) -> tuple[Whole, list[Line]]:
    """Return the messages of a report.json.

    Raises:
        UsageError: if it cannot be read or is not whole.
    """
    report = read_report(path)
    lines = [Line(message) for message in report.messages]
    sent = sum(message.direction == "sent" for message in report.messages)
    problem = "the run was interrupted" if report.run.interrupted else None
    return Whole("report", len(lines), sent, report.target.argv, problem), lines


def is_report(path: Path) -> bool:
    """Tell by its beginning whether a file is a report.json, whole or not.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return f'"schema": "{REPORT}"'.encode() in file.read(_SNIFFED)
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"The transcript cannot be read: {error.strerror or error}.", where=str(path), hint=_AGAIN)
