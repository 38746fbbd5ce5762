"""The file of a record: a regular one, and one tap's alone."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from hive_gate.errors import UsageError
from hive_gate.tap import form

_HEADER = 1 << 16
"""Bytes of a former record that are looked at, for its header."""


def open_record(path: Path) -> int:
    """Open a file to record into, for its owner's eyes alone, and return its descriptor; the folder is made.

    It can be written and read. As long as it, or a duplicate of it, is open, no other tap gets the file. A former
    record makes way for a new file, so that whoever reads it sees that it is another. A link stays.

    Raises:
        UsageError: if it cannot be written, is no regular file, is another tap's, or holds something that is no record:
            that must not be lost by a slip.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        while True:
            # Two taps may be doing this at once: what one has just made the other finds, and takes or is refused.
            real = Path(os.path.realpath(path))
            with suppress(FileNotFoundError):
                remove_former(path, real)
            with suppress(FileExistsError):
                file = os.open(real, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
                if take_lock(file):
                    return file
                os.close(file)
    except OSError as error:
        raise UsageError(
            f"The record cannot be written: {error.strerror or error}.",
            where=str(path),
            hint="name a file in a folder that can be written, with --record",
        ) from None


def take_lock(file: int, *, shared: bool = False) -> bool:
    """Lock an open file until it is closed; False: somebody else has it.

    Where files cannot be locked, as on some network drives, everybody gets it.
    """
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def remove_former(path: Path, real: Path) -> None:
    """Remove a record that is nobody's any more.

    Args:
        path: what to call it in errors.
        real: where it is.

    Raises:
        UsageError: if it is another tap's, or no record.
        OSError: if it cannot be opened or removed.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise UsageError(
            "The record has to be a regular file: it is read again in the end.",
            where=str(path),
            hint="name another one with --record",
        )
    file = os.open(real, os.O_RDWR)
    try:
        beginning = os.pread(file, len(form.BEGINNING), 0)
        if beginning not in (b"", form.BEGINNING):
            raise UsageError(
                "The file to record into is there already, and is no record.",
                where=str(path),
                hint="name another one with --record",
            )
        if not take_lock(file):
            raise _taken(path, file)
        if os.path.samestat(os.fstat(file), real.stat()):  # else another tap was quicker, and this is its own by now
            real.unlink()
    finally:
        os.close(file)


def _taken(path: Path, file: int) -> UsageError:
    try:
        pid = json.loads(os.pread(file, _HEADER, 0).partition(b"\n")[0])["pid"]
    except (ValueError, RecursionError, LookupError, TypeError):  # it has only just begun
        pid = None
    who = f"Another tap, process {pid}," if isinstance(pid, int) else "Another tap"
    return UsageError(
        f"{who} is recording into this file.", where=str(path), hint="name another one with --record, one for each tap"
    )
