"""The exit codes of `hive-gate`, each with one meaning."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the shell and CI see when `hive-gate` ends."""

    OPEN = 0
    """The gate is open (or the command did what it was asked)."""

    CLOSED = 1
    """The contract closed the gate: a required clause failed."""

    USAGE = 2
    """The command line, a contract or a report file is not usable as given."""

    TARGET = 3
    """The target could not be judged: not found, did not start, silent, died."""

    FAULT = 4
    """A fault of hive-gate itself."""

    INTERRUPTED = 130
    """Ctrl-C or SIGTERM."""
