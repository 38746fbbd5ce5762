"""Transcripts from files: what a tap recorded, what a probe wrote, and how whole they are."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from hive_gate.errors import UsageError
from hive_gate.report.jsonfile import read_report
from hive_gate.report.model import SCHEMA_ID as REPORT
from hive_gate.report.transcript import SCHEMA_ID as PROBE
from hive_gate.tap.form import SCHEMA_ID as TAP
from hive_gate.wire.transcript import Message

Source = Literal["tap", "probe", "report"]
"""What a file is: a tap's record, a probe's transcript.jsonl, or a probe's report.json."""

_KINDS: dict[str, Source] = {TAP: "tap", PROBE: "probe"}
"""By the `schema` member of a header."""

_AGAIN = "name a record of hive-gate tap, or a transcript.jsonl or report.json of a probe"

_NUMBERS = (("n", (int,)), ("ms", (int, float)), ("bytes", (int,)))
"""What every message has, and its types."""

_FORMS = {dict: "an object", str: "a text"}

_MOST = 1e15
"""What no number of a transcript exceeds: more is no time and no size, and cannot be reckoned with."""

_BEGINNING = 1 << 16
"""Bytes of a file's first line that are looked at, to tell what it is."""

_COMPRESSED = {b"\x1f\x8b": ("gzip", "gunzip"), b"\x28\xb5\x2f\xfd": ("zstd", "unzstd")}
"""How a compressed file begins, by which it was made, and what undoes it."""

_REPORT_MEMBER = re.compile(rb'"schema"\s*:\s*"' + re.escape(REPORT.encode()) + rb'"')


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
        self.ended_ms: float | None = None
        """When the server ended, as the footer says it; None: it has not come, or does not say it."""
        self.pid: int | None = None
        """The process that recorded it, where its header says so."""
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

    def lines(self, source: Path | BinaryIO) -> Iterator[Line]:
        """Yield the messages of a file in order. A last line that was cut off ends it; `whole.problem` tells.

        Args:
            source: the file; one that is open already is read from its beginning and stays open.

        Raises:
            UsageError: if the file cannot be read or is no transcript.
        """
        try:
            if isinstance(source, Path):
                with source.open("rb") as file:
                    yield from self._lines(file)
            else:
                source.seek(0)
                yield from self._lines(source)
        except OSError as error:
            raise _unreadable(self._where, error) from None
        if self._whole is None:
            raise UsageError("This is no transcript: it is empty.", where=self._where, hint=_AGAIN)

    def _lines(self, file: BinaryIO) -> Iterator[Line]:
        for raw in file:
            if not raw.endswith(b"\n") and self._whole is not None:
                return
            line = self.line(raw)
            if line is not None:
                yield line

    def line(self, raw: bytes) -> Line | None:
        """Take the next line and return its message; None for header and footer.

        Raises:
            UsageError: if it is not a line of a transcript, or not the one that has to come.
        """
        self._number += 1
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError) as error:
            if raw.startswith(b"\0"):  # a hole, which is where a tap that was cut from its beginning goes on
                raise self._refused("null bytes are in it, so it was cut while it was written or read") from None
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
        kind = _kind_of(value)
        if kind is None:
            pointer = "/schema" if value.get("type") == "header" else None
            raise self._refused("it is not the header of a transcript that this version knows", pointer)
        command, target, pid = map(value.get, ("command", "target", "pid"))
        where = "/command"
        if command is None and target is not None:
            if not isinstance(target, dict):
                raise self._refused("an object is expected", "/target")
            command, where = target.get("argv"), "/target/argv"
        if command is not None and not (isinstance(command, list) and all(isinstance(word, str) for word in command)):
            raise self._refused("a list of strings is expected", where)
        self.pid = pid if type(pid) is int and 0 < pid < 1 << 31 else None
        return Whole(kind, command=tuple(command or ()))

    def _footer(self, value: dict[str, Any], whole: Whole) -> None:
        self.ended = True
        if value.get("messages") != whole.messages:
            raise self._refused(
                f"the footer counts {value.get('messages')!r:.40} messages, and there are {whole.messages}", "/messages"
            )
        whole.problem = None if value.get("complete") is True else str(value.get("problem", "it says so itself"))
        ms = value.get("ms")
        self.ended_ms = ms if _is_number(ms, (int, float)) else None

    def _message(self, value: dict[str, Any], whole: Whole) -> Line:
        n, direction, body, text, odd = map(value.get, ("n", "direction", "body", "text", "odd"))
        if value.get("type") != "message" or ("body" in value) == ("text" in value):
            raise self._refused("it is neither a message, with a body or a text, nor a footer")
        if direction not in ("sent", "received"):
            raise self._refused("its direction is neither `sent` nor `received`", "/direction")
        for name, kinds in _NUMBERS:
            if not _is_number(value.get(name), kinds):
                raise self._refused(f"its `{name}` is no number", f"/{name}")
        for name, found, form in (("body", body, dict), ("text", text, str)):
            if found is not None and not isinstance(found, form):
                raise self._refused(f"its `{name}` is neither {_FORMS[form]} nor null", f"/{name}")
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
            body=body,
            text=text,
        )
        return Line(message, tuple(map(str, odd)) if isinstance(odd, list) else ())

    def _refused(self, why: str, pointer: str | None = None) -> UsageError:
        where = f"{self._where}, line {self._number}" + ("" if pointer is None else f", {pointer}")
        return UsageError(f"This is no transcript: {why}.", where=where, hint=_AGAIN)


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


def sniff(path: Path) -> Source | None:
    """Tell what a file is, whole or not: by its first line, or a report by its schema, wherever in it that stands.

    Raises:
        UsageError: if it cannot be read, is no regular file, or is compressed.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError(
                "A transcript has to be a regular file: it is read more than once.", where=str(path), hint=_AGAIN
            )
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
            for sign, (name, undo) in _COMPRESSED.items():
                if beginning.startswith(sign):
                    raise UsageError(f"The file is compressed, by {name}.", where=str(path), hint=f"{undo} it first")
            kind = _kind_of_line(beginning.partition(b"\n")[0])
            if kind is not None or not beginning.lstrip().startswith(b"{"):
                return kind
            return "report" if _REPORT_MEMBER.search(beginning + file.read()) else None
    except OSError as error:
        raise _unreadable(str(path), error) from None


def _kind_of_line(line: bytes) -> Source | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return _kind_of(value) if isinstance(value, dict) else None


def _kind_of(header: dict[str, Any]) -> Source | None:
    schema = header.get("schema")
    return _KINDS.get(schema) if header.get("type") == "header" and isinstance(schema, str) else None


def _is_number(value: Any, kinds: tuple[type, ...]) -> bool:
    return type(value) in kinds and -_MOST < value < _MOST  # NaN is neither


def _unreadable(where: str, error: OSError) -> UsageError:
    return UsageError(f"The transcript cannot be read: {error.strerror or error}.", where=where, hint=_AGAIN)
