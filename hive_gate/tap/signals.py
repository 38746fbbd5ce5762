"""Signals between whoever started this process and the server behind it."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What is passed on to the server."""

STEP = 1.0
"""Seconds within which several signals after the server's end are one."""

_Result = TypeVar("_Result")


class Signals:
    """What becomes of signals from before the server's start until this process ends; for the main thread.

    While the server lives they are passed on, and it decides. After its end they are meant for the tap, which is not to
    look as if it had failed: it still ends as the server did, only sooner. The first one leaves out what can be done
    later. Whoever repeats it finds a tap that is stuck: the second one, a second later, drops what nobody takes, and
    the third ends the process wherever it is.

    On leaving without an error signals are ignored, since the process ends by itself; with one, they do what they did
    before.
    """

    def __init__(self) -> None:
        self.passed_on = False
        """Whether one was passed on: whoever sent it waits for the server's end."""
        self.late = 0
        """How many came after the server's end, a `STEP` apart."""
        self._last = 0.0
        self._server: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []
        """Those that came before there was a server."""
        self._code: int | None = None
        self._cuttable = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        before = {number: signal.getsignal(number) for number in SIGNALS}
        # What is ignored the server ignores, too.
        self._before = {number: action for number, action in before.items() if action is not signal.SIG_IGN}
        for number in self._before:
            signal.signal(number, self._take)
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        for number, action in self._before.items():
            signal.signal(number, signal.SIG_IGN if kind is None else action)

    def pass_to(self, server: subprocess.Popen[bytes]) -> None:
        """Pass signals on to a server from now on, and those that came before."""
        self._server = server
        for number in self._early:
            server.send_signal(number)

    def ended(self, code: int) -> None:
        """Take note that the server has ended, with an exit code or, negative, by a signal."""
        self._code = code

    def cut_short(self, work: Callable[[], _Result], *, though_late: bool = False) -> _Result | None:
        """Do what a late signal ends, and return its result; None: one came.

        Args:
            work: what to do.
            though_late: do it even if one has come already; the next one ends it.
        """
        try:
            self._cuttable = True
            try:
                return work() if though_late or not self.late else None
            finally:
                self._cuttable = False
        except _Cut:
            return None

    def _take(self, number: int, _: FrameType | None) -> None:
        if self._code is None:
            self.passed_on = True
            if self._server is None:
                self._early.append(number)
            else:
                self._server.send_signal(number)
            return
        now = time.monotonic()
        if not self.late or now - self._last > STEP:
            self.late, self._last = self.late + 1, now
        if self.late > 2:
            if self._code < 0:
                die_of(-self._code)
            os._exit(self._code)
        if self._cuttable:
            self._cuttable = False
            raise _Cut


class _Cut(BaseException):
    """Ends what a late signal cuts short."""


def keep_signals_out() -> None:
    """Leave signals to the main thread: one that another thread gets is not seen as long as the main thread waits."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


def die_of(number: int) -> None:
    """End this process by the signal that ended the server; whoever waits for it is to see the same.

    What is buffered is lost, so nothing may be.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # one dump is enough
    with suppress(OSError, ValueError):  # SIGKILL has no handler
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
