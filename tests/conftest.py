"""What every test starts from."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Take the signals' usual meaning: what runs in the background of a shell inherits that it ignores Ctrl-C.

    Tests hand that down to the programs that they start and interrupt.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
