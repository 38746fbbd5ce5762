"""A record while it is being written: its lines as they come, from the first to the footer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from hive_gate.tap.record_file import take_lock
from hive_gate.wire.framing import LineSplitter

PAUSE = 0.1
"""Seconds between two looks at the file."""

News = Literal["waiting", "again"]
"""`waiting`: there is no such file yet. `again`: another record has taken its place."""


def follow(
    path: Path, writer: Callable[[], int | None] = lambda: None, sleep: Callable[[float], None] = time.sleep
) -> Iterator[bytes | News]:
    """Yield the lines of a file without their newlines, and what happens to the file; end once its writer is gone.

    A file that is not there yet is waited for. One that becomes shorter, or whose place another one takes, is read from
    its beginning.

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
                gone = _is_gone(writer(), file.fileno())  # asked first: what it wrote in the end is read, too
                while chunk := file.read(1 << 16):
                    yield from splitter.feed(chunk)
                if _is_another(path, file.fileno(), file.tell()):
                    break
                if gone:
                    return
                sleep(PAUSE)
        told = False
        yield "again"


def _is_another(path: Path, descriptor: int, read: int) -> bool:
    """Whether what is at `path` is not what was read so far: replaced, or cut and written anew."""
    mine = os.fstat(descriptor)
    if mine.st_size < read:
        return True
    try:
        there = path.stat()
    except FileNotFoundError:
        return False  # moved away: what is still written to it goes on being read
    return (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino)


def _is_gone(pid: int | None, descriptor: int) -> bool:
    """Whether the process that wrote a file has ended. One that only cannot be seen from here still has its lock."""
    if pid is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return take_lock(descriptor, shared=True)
    except OSError:
        return False
    return False
