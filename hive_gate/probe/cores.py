"""The cores that a worker and all that it starts keep to, on a system that lets one say so (Linux).

Two runs that share their cores wake each other's servers on the wrong one all the time, which costs a sixth of their
time; a run that keeps to its own does not.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable


def available() -> tuple[int, ...]:
    """Return the cores that this process may use, by their numbers; none where that cannot be known."""
    if sys.platform == "linux":
        return tuple(sorted(os.sched_getaffinity(0)))
    return ()


def share(number: int, of: int) -> tuple[int, ...]:
    """Return the cores of one of `of` workers, counted from 0; none if there are too few to go round, or just one."""
    cores = available()
    return cores[number::of] if 1 < of <= len(cores) else ()


def keep_to(pid: int, cores: Iterable[int]) -> None:
    """Have a process, and what it starts from now on, use these cores alone; nothing happens for none.

    Args:
        pid: 0 for this process.
        cores: their numbers.
    """
    chosen = tuple(cores)
    if sys.platform == "linux" and chosen:
        with contextlib.suppress(OSError):  # the process is gone, or the cores are: then it runs where it may
            os.sched_setaffinity(pid, chosen)
