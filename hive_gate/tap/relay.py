"""Start a server and stand between it and its client: bytes, ends, signals and the exit code pass as they are.

Each direction has a thread that reads a chunk, tells the recorder and writes it. It never reads ahead, so that whoever
does not read stops whoever writes, as without the relay. The client is whoever started this process: its descriptors 0
and 1 are the client's; the server's stderr is this process's own and passes untouched.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from hive_gate.errors import TargetError
from hive_gate.tap.signals import Signals, keep_signals_out
from hive_gate.wire.transcript import Direction

CHUNK = 1 << 16
"""Bytes read at once, at most: as many as a pipe holds. With more the first byte of a long line waits for its last."""

LAST_WORDS = 1.0
"""Seconds without a byte, after the server has ended, before its pipe is given up: something it left may hold it. The
client's is given up after as many, but only where a signal asked for the end: else it may take its time."""

_NUDGE = signal.SIGURG
"""Interrupts a thread that writes, so that it tells how far it got; to anybody else this signal means nothing."""

_SWITCH = 0.0002
"""Seconds for which the recorder's thread may hold up the others; Python's own default is 5 ms."""

_CLIENT_IN, _CLIENT_OUT = 0, 1

_SET_PARENT_DEATH_SIGNAL = 1
"""`PR_SET_PDEATHSIG` of Linux."""

Take = Callable[[Direction, float, bytes], None]
"""(direction, moment of `time.monotonic()`, chunk): told of each chunk before it is passed on; must be quick."""


class Relay:
    """A server behind this process.

    Args:
        argv: the server's command line.
        take: told of what passes; may be called from two threads at once.
        signals: what is told of the server's start and its end; entered already.
    """

    def __init__(self, argv: Sequence[str], take: Take, signals: Signals) -> None:
        self._argv = list(argv)
        self._take = take
        self._signals = signals

    def run(self) -> int:
        """Run the server until it ends and return its exit code; negative: the signal that ended it.

        Raises:
            TargetError: if it cannot be started.
        """
        with _quick_switches():
            server = self._start()
            if server.stdin is None or server.stdout is None:
                raise RuntimeError("the pipes that were asked for are not there")
            self._signals.pass_to(server)
            up = _Pump("sent", _CLIENT_IN, server.stdin.fileno(), self._take)
            down = _Pump("received", server.stdout.fileno(), _CLIENT_OUT, self._take)
            code = server.wait()
            self._signals.ended(code)
            down.drain(self._signals)
            up.abandon()
        return code

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            # A process group of its own: a signal to the whole group, as Ctrl-C is one, would reach the server twice.
            return subprocess.Popen(
                self._argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0,
                preexec_fn=_tied_to_this_process(),
            )
        except OSError as error:
            raise TargetError(
                f"The server could not be started: {error.strerror or error}.",
                where=" ".join(self._argv),
                hint="check that the program after -- exists and is executable",
            ) from None


def _tied_to_this_process() -> Callable[[], None] | None:
    """Return what a new process has to do so that it gets SIGTERM when this one is gone, or None where that is unknown.

    A tap that is killed cannot end its server, and a server may not mind the end of its input. SIGTERM, because it is
    what a tap would have passed on: a launcher passes it on in turn, and the server decides, as it always does.

    The signal comes when the *thread* that started the server ends, so the main one has to. And only a process without
    other threads may do this: between fork and exec it runs Python, and would wait for ever for what they had locked.
    """
    alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
    if sys.platform != "linux" or not alone:
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def tie() -> None:
        prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # it was killed before this was said
            os._exit(1)

    return tie


class _Pump:
    """One direction, in a thread of its own."""

    def __init__(self, direction: Direction, source: int, target: int, take: Take) -> None:
        self._direction = direction
        self._source = source
        self._target = target
        self._take = take
        self._reading_since: float | None = None
        self._writing_since: float | None = None
        """When the last byte was written, or since when the first one waits to be."""
        self._running = True
        self._ending = threading.Lock()
        """Held where the thread must not end meanwhile."""
        self._thread = threading.Thread(target=self._run, name=direction, daemon=True)
        self._thread.start()

    def drain(self, signals: Signals) -> None:
        """Wait until everything that was written is passed on, however slow its reader is.

        Once a signal has asked for the end, a reader that takes nothing is not waited for any more.
        """
        hurried: float | None = None
        while self._thread.is_alive() and signals.late <= 1:
            self._thread.join(0.02)
            if hurried is None and (signals.passed_on or signals.late):
                hurried = time.monotonic()
                signal.signal(_NUDGE, lambda *_: None)
            if hurried is not None:
                self._nudge()
            reading, writing, now = self._reading_since, self._writing_since, time.monotonic()
            if reading is not None and now - reading > LAST_WORDS:
                break
            if hurried is not None and writing is not None and now - max(writing, hurried) > LAST_WORDS:
                break
        _close(self._target)

    def abandon(self) -> None:
        """Take no more than is under way; the thread may wait for a byte for ever, and ends with the process."""
        patience = time.monotonic() + LAST_WORDS
        while self._thread.is_alive() and self._reading_since is None and time.monotonic() < patience:
            self._thread.join(0.002)
        _close(self._target)

    def _nudge(self) -> None:
        """Make a write return that has written something: else it stays until its last byte is taken."""
        with self._ending:
            if self._running and self._thread.ident is not None:
                signal.pthread_kill(self._thread.ident, _NUDGE)

    def _run(self) -> None:
        try:
            self._pass_on()
        finally:
            with self._ending:
                self._running = False

    def _pass_on(self) -> None:
        keep_signals_out()
        while chunk := self._read():
            # Told before it is passed on: afterwards what it leads to might come first.
            self._take(self._direction, time.monotonic(), chunk)
            if not self._write(chunk):
                _close(self._source)  # whoever writes there is to see that nobody reads any more
                return
        _close(self._target)

    def _read(self) -> bytes:
        self._reading_since = time.monotonic()
        try:
            while True:
                try:
                    return os.read(self._source, CHUNK)
                except BlockingIOError:  # somebody else who has this descriptor made it so
                    _wait(self._source, select.POLLIN)
                except OSError:
                    return b""
        finally:
            self._reading_since = None

    def _write(self, chunk: bytes) -> bool:
        view = memoryview(chunk)
        try:
            while view:
                self._writing_since = time.monotonic()
                try:
                    view = view[os.write(self._target, view) :]
                except BlockingIOError:
                    _wait(self._target, select.POLLOUT)
                except OSError:
                    return False
        finally:
            self._writing_since = None
        return True


def _wait(descriptor: int, event: int) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    poll.poll()


def fill_closed_descriptors() -> None:
    """Make something of the client's and the server's descriptors (0, 1, 2) that were closed before the start.

    Whatever is opened next would become one of them: a server's output must not end up in its own record.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
            os.set_inheritable(null, True)


def _close(descriptor: int) -> None:
    """Let go of a descriptor but keep its number taken: a file that is opened later must not become anybody's stdin."""
    null = os.open(os.devnull, os.O_RDWR)
    with suppress(OSError):
        os.dup2(null, descriptor, inheritable=False)
    os.close(null)


@contextmanager
def _quick_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
