"""A record while it is being written: its lines as they come, from the first to the footer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from hive_gate.tap.record_file import take_lock
from hive_gate.wire.framing import LineSplitter

PAUSE = 0.1
"""Seconds between two looks at the file."""

News = Literal["waiting", "cut", "again"]
"""`waiting`: there is no such file yet, or nothing in it. `cut`: it became shorter. `again`: another has taken its
place."""


def follow(
    path: Path, writer: Callable[[], int | None] = lambda: None, sleep: Callable[[float], None] = time.sleep
) -> Iterator[bytes | News]:
    """Yield the lines of a file without their newlines, and what happens to the file; end once its writer is gone.

    A file that is not there yet, or empty, is waited for, and that is told once. One that becomes shorter, or whose
    place another one takes, is read from its beginning.

    Args:
        path: the file.
        writer: says which process writes it, as far as its lines tell; None: not known, and it is followed for ever.
        sleep: waits so many seconds.

    Raises:
        OSError: if it is there and cannot be read.
    """
    told = False
    while True:
        try:
            file = path.open("rb")
        except FileNotFoundError:
            if not told:
                yield "waiting"
                told = True
            sleep(PAUSE)
            continue
        with file:
            splitter = LineSplitter()
            while True:
                gone = _is_gone(writer(), path, file.fileno())  # asked first: what it wrote in the end is read, too
                while chunk := file.read(1 << 16):
                    yield from splitter.feed(chunk)
                if (news := _news(path, file.fileno(), file.tell())) is not None:
                    break
                if gone:
                    return
                if not told and not file.tell():
                    yield "waiting"
                    told = True
                sleep(PAUSE)
        told = False
        yield news


def _news(path: Path, descriptor: int, read: int) -> News | None:
    """Tell whether what is at `path` is not what was read so far."""
    mine = os.fstat(descriptor)
    if mine.st_size < read:
        return "cut"
    try:
        there = path.stat()
    except FileNotFoundError:
        return None  # moved away: what is still written to it goes on being read
    return None if os.path.samestat(there, mine) else "again"


def _is_gone(pid: int | None, path: Path, descriptor: int) -> bool:
    """Whether the process that wrote a file has ended.

    Its lock tells: one that only cannot be seen from here still has it, and another one that was given its number since
    has not. Where files cannot be locked, the number has to do.
    """
    if pid is None or not take_lock(descriptor, shared=True):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:  # it is another user's
        pass
    return _lock_holds(path, descriptor)


def _lock_holds(path: Path, descriptor: int) -> bool:
    """Tell whether the lock that was just taken keeps others out."""
    with suppress(OSError), path.open("rb") as again:
        mine = os.path.samestat(os.fstat(again.fileno()), os.fstat(descriptor))
        return mine and not take_lock(again.fileno())
    return False
