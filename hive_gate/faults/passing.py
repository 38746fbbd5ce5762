"""Start the real server and pass lines on in both directions; its end, its exit code and TERM are passed on too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
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
    lane = _Lane(server, wire, server.stdin.fileno())
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


class _Lane:
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
        self._pass(sys.stdin.fileno(), self._wire.from_client)
        with self._writing["server"]:
            os.close(self._to["server"])
            self._to["server"] = -1

    def downward(self, source: int) -> None:
        """Pass the server's lines on."""
        self._pass(source, self._wire.from_server)

    def _pass(self, source: int, decide: Callable[[bytes], list[Line]]) -> None:
        try:
            for line in _lines(source):
                with self._deciding:
                    out = decide(line)
                for side, raw in out:
                    self._write(side, raw)
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


def _lines(source: int) -> Iterator[bytes]:
    """Yield each line with its newline; what is left at the end as it is."""
    pieces: list[bytes] = []
    while chunk := os.read(source, 1 << 18):
        first, *others = chunk.split(b"\n")
        pieces.append(first)
        for piece in others:
            yield b"".join(pieces) + b"\n"
            pieces = [piece]
    if rest := b"".join(pieces):
        yield rest
