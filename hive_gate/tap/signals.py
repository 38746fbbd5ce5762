"""Signals between whoever started this process and the server behind it."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What is passed on to the server."""


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
