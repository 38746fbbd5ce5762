"""Records what passes, beside those who pass it on: they hand over chunks and go on; a thread makes lines of them."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Sequence

from hive_gate.tap import form
from hive_gate.tap.outline import Outline
from hive_gate.tap.signals import keep_signals_out
from hive_gate.wire.elide import elide
from hive_gate.wire.message import Parsed, parse
from hive_gate.wire.transcript import Direction

WAITING = 8 << 20
"""Bytes that may wait to be recorded. Beyond that the wire waits, too: nothing is lost and memory is bounded."""

PAUSE = 0.005
"""Seconds that the recorder leaves to those who pass on before it takes what there is."""

LONG = 1 << 20
"""Bytes of a line above which it is not held any more, and only its outline is kept."""

_Chunk = tuple[Direction, float, bytes]


class Recorder:
    """One connection's record.

    Args:
        file: descriptor to write to; the recorder closes it.
        command: the server's command line.
    """

    def __init__(self, file: int, command: Sequence[str]) -> None:
        self._file = file
        self._began = time.monotonic()
        self._lines: dict[Direction, _Lines] = {"sent": _Lines(), "received": _Lines()}
        self._passed: dict[Direction, form.Passed] = {"sent": form.Passed(), "received": form.Passed()}
        self._chunks: deque[_Chunk] = deque()
        self._waiting = 0
        self._closed = False
        self._news = threading.Condition()
        self.problem: str | None = None
        """Why nothing more can be recorded; what passes goes on passing."""
        self._thread: threading.Thread | None = None
        """Begun with the first chunk: the server is started while this process has no other thread."""
        self._write(form.header(command, os.getpid()))

    @property
    def messages(self) -> int:
        """Messages recorded so far."""
        return sum(passed.messages for passed in self._passed.values())

    def take(self, direction: Direction, at: float, chunk: bytes) -> None:
        """Take a chunk that was read at a moment of `time.monotonic()`; waits only if far too much has piled up."""
        with self._news:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
                self._thread.start()
            while self._waiting >= WAITING:
                self._news.wait()
            self._chunks.append((direction, at, chunk))
            self._waiting += len(chunk)
            if len(self._chunks) == 1 or self._waiting >= WAITING:
                self._news.notify_all()

    def close(self, exit_code: int | None) -> None:
        """Record what is left and how the server ended; see :func:`hive_gate.tap.form.footer`."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()
        now = time.monotonic()
        for direction, lines in self._lines.items():
            if lines.size:
                self._write(self._finished(direction, now, unfinished=True))
        sent, received = self._passed["sent"], self._passed["received"]
        self._write(form.footer(sent, received, self._ms(now), exit_code, self.problem))
        os.close(self._file)

    def _run(self) -> None:
        keep_signals_out()
        while batch := self._next():
            for direction, at, chunk in batch:
                try:
                    self._record(direction, at, chunk)
                except Exception as error:  # whoever passes on must not wait for a recorder that is gone
                    self.problem = self.problem or f"the recorder failed: {type(error).__name__}: {error}"

    def _record(self, direction: Direction, at: float, chunk: bytes) -> None:
        self._passed[direction].bytes += len(chunk)
        *ends, rest = chunk.split(b"\n")
        out = bytearray()
        for piece in ends:
            self._lines[direction].add(piece)
            out += self._finished(direction, at)
        self._lines[direction].add(rest)
        self._write(out)

    def _next(self) -> list[_Chunk]:
        """Return what waits; nothing once all is recorded and the end has come."""
        with self._news:
            while not self._chunks and not self._closed:
                self._news.wait()
            # What has just come is on its way to the other side, and the answer maybe on its way back: they go first.
            self._news.wait_for(lambda: self._closed or self._waiting >= WAITING, PAUSE)
            batch = list(self._chunks)
            self._chunks.clear()
            self._waiting = 0
            self._news.notify_all()
        return batch

    def _finished(self, direction: Direction, at: float, *, unfinished: bool = False) -> bytes:
        """Return the record of a line that has ended."""
        lines, n = self._lines[direction], self.messages
        self._passed[direction].messages += 1
        size = lines.size
        parsed, outline = lines.finish()
        return form.message(n, self._ms(at), direction, size, parsed, outline=outline, unfinished=unfinished)

    def _ms(self, at: float) -> float:
        return (at - self._began) * 1000

    def _write(self, data: bytes | bytearray) -> None:
        if self.problem is not None:
            return
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._file, view) :]
        except OSError as error:
            self.problem = f"it could not be written: {error.strerror or error}"


class _Lines:
    """The line of one direction that has not ended yet."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._outline: Outline | None = None
        self.size = 0

    def add(self, piece: bytes) -> None:
        """Take more of the line."""
        self.size += len(piece)
        if self._outline is not None:
            self._outline.feed(piece)
        else:
            self._parts.append(piece)
            if self.size > LONG:
                self._outline = Outline()
                for part in self._parts:
                    self._outline.feed(part)
                self._parts.clear()

    def finish(self) -> tuple[Parsed, str | None]:
        """Return the line as a message, with its hash if only its outline was kept, and begin the next."""
        outline, self._outline, self.size = self._outline, None, 0
        if outline is not None:
            return outline.parsed(), outline.sha256
        parsed = parse(b"".join(self._parts))
        self._parts.clear()
        return Parsed(elide(parsed.body), parsed.text, parsed.anomalies), None
