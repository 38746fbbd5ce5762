"""Start the real server and pass lines on in both directions; its end, its exit code and TERM are passed on too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from types import FrameType

from hive_gate.faults.wire import Line, Wire

BROKEN = 70
"""Exit code where the relay itself failed: a fault that crashes must not pass for one that was noticed."""


def relay(argv: Sequence[str], wire: Wire) -> int:
    """Run `argv` until it ends and return its exit code; a signal that ended it ends this process as well."""
    server = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    if server.stdin is None or server.stdout is None:
        raise RuntimeError("the pipes that were asked for are not there")

    def on_term(number: int, frame: FrameType | None) -> None:
        server.terminate()

    signal.signal(signal.SIGTERM, on_term)
    lane = Lane(server, wire, server.stdin.fileno())
    threading.Thread(target=lane.upward, daemon=True).start()
    downward = threading.Thread(target=lane.downward, args=(server.stdout.fileno(),), daemon=True)
    downward.start()
    code = server.wait()
    downward.join(2)  # what is still in the pipe; something the server left may hold it open for ever
    if lane.failed:
        return BROKEN
    if code < 0:
        if -code == signal.SIGTERM:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


class Lane:
    """The two directions of one server; each runs in its own thread.

    File descriptors are read and written as they are: a thread that sleeps in a buffered reader would hold its lock
    while the process ends.
    """

    def __init__(self, server: subprocess.Popen[bytes], wire: Wire, to_server: int) -> None:
        self._server = server
        self._wire = wire
        self._to = {"server": to_server, "client": sys.stdout.fileno()}
        self._deciding = threading.Lock()
        self._writing = {"server": threading.Lock(), "client": threading.Lock()}
        self.failed = False

    def upward(self) -> None:
        """Pass the client's lines on, and its end."""
        self.pass_on(sys.stdin.fileno(), self._wire.from_client)
        with self._writing["server"]:
            os.close(self._to["server"])
            self._to["server"] = -1

    def downward(self, source: int) -> None:
        """Pass the server's lines on."""
        self.pass_on(source, self._wire.from_server)

    def pass_on(self, source: int, decide: Callable[[bytes], list[Line]]) -> None:
        """Pass on what comes from a file descriptor until it ends."""
        try:
            for lines in _lines(source):
                with self._deciding:
                    out = [each for line in lines for each in decide(line)]
                for side, group in groupby(out, key=itemgetter(0)):
                    self._write(side, b"".join(raw for _, raw in group))
        except BrokenPipeError:
            pass  # the other end is gone; its own end will be passed on
        except Exception:
            traceback.print_exc()
            self.failed = True
            self._server.kill()

    def _write(self, side: str, raw: bytes) -> None:
        with self._writing[side]:
            view = memoryview(raw)
            while view and self._to[side] >= 0:
                view = view[os.write(self._to[side], view) :]


def _lines(source: int) -> Iterator[list[bytes]]:
    """Yield the lines that came together, each with its newline; what is left at the end as it is.

    They are passed on together as well: two requests in one write are what some clauses are about.
    """
    pieces: list[bytes] = []
    while chunk := os.read(source, 1 << 18):
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = b"".join([*pieces, lines[0]])
            pieces = []
            yield [line + b"\n" for line in lines]
        pieces.append(rest)
    if last := b"".join(pieces):
        yield [last]
