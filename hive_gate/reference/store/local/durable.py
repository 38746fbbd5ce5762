"""Bytes that are on the disk when a call returns, also with several writers on one file.

Every append takes the file's lock (`flock`, so it goes with the process that dies), ends a torn last line of a writer
that died, adds its lines in one write at the end and syncs. The lock is advisory: the real server takes none, but it
too adds whole lines at the end (`O_APPEND`), so the two never write into each other's lines.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path


class Moved(Exception):
    """The file is no longer where it was when it was looked up."""


class Occupied(Exception):
    """There is a file already where one was to be put."""


@contextmanager
def locked(path: Path, *, make: bool = False) -> Iterator[int]:
    """Hold a file's lock and give its descriptor, open for reading and appending.

    Args:
        path: the file.
        make: make an empty one if there is none.

    Raises:
        Moved: the file was moved away in between, or there is none.
        OSError: it cannot be opened.
    """
    if make:
        folders(path.parent)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT if make else 0), 0o644)
    except FileNotFoundError as error:
        raise Moved from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if not _is_at(descriptor, path):
            raise Moved
        yield descriptor
    finally:
        os.close(descriptor)  # lets go of the lock as well


@contextmanager
def held(path: Path, *, alone: bool) -> Iterator[None]:
    """Hold a lock that is nothing but a lock: alone, or together with others who do not want it alone."""
    folders(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def append(path: Path, data: bytes, now: datetime, *, make: bool = False) -> None:
    """Add whole lines at the end of a file, which then counts as changed `now`.

    Raises:
        Moved: the file was moved away.
        OSError: they could not be written or synced; a part of them may be there.
    """
    with locked(path, make=make) as descriptor:
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        _write(descriptor, b"\n" + data if torn else data)
        touch(descriptor, now)
        os.fsync(descriptor)
        if size == 0:
            sync_folder(path.parent)


def create(path: Path, data: bytes, now: datetime) -> None:
    """Make a file with its first lines: it is there as a whole or not at all, and on the disk when the call returns.

    A writer that dies half-way leaves a hidden file behind that nobody reads.

    Raises:
        Occupied: there is one.
        OSError: it could not be written or synced.
    """
    folders(path.parent)
    half = path.with_name(f".{path.name}.half")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        _write(descriptor, data)
        touch(descriptor, now)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if path.exists():
        half.unlink()
        raise Occupied(path)
    half.rename(path)
    sync_folder(path.parent)


def move(source: Path, target: Path) -> None:
    """Move a file while no append is under way; both folders are synced.

    Raises:
        Moved: the file was moved away.
        Occupied: there is a file at the target.
        OSError: it could not be moved.
    """
    folders(target.parent)
    with locked(source):
        if target.exists():
            raise Occupied(target)
        source.rename(target)
        sync_folder(target.parent)
        sync_folder(source.parent)


def touch(file: int | Path, now: datetime) -> None:
    """Say that a file changed `now`: the system's own time of change is coarse enough to make two changes one."""
    nanoseconds = int(now.timestamp() * 1e6) * 1000
    os.utime(file, ns=(nanoseconds, nanoseconds))


def folders(path: Path) -> None:
    """Make a folder and those above it; each new name is on the disk when the call returns."""
    if path.is_dir():
        return
    folders(path.parent)
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Bring the names in a folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
