"""One process at a time installs or removes a version; the others wait and then use the result."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hive_gate.errors import TargetError
from hive_gate.target.progress import OnProgress, Progress

POLL = 0.1
"""Seconds between two tries. A blocking wait could not be given up, nor tell anybody that it waits."""

PATIENCE = 1800.0
"""Seconds to wait for another process: longer than the longest fetch may take."""


@contextmanager
def locked(folder: Path, key: str, on_progress: OnProgress, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of one version.

    The kernel drops the lock when its holder ends, however it ends, so a lock is never stale. Lock files stay: a
    file that is unlinked while another process opens it would be two locks.

    Raises:
        TargetError: the cache is not writable, or somebody holds the lock for longer than `patience` seconds.
    """
    path = folder / f"{key}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise TargetError(
            f"The cache folder cannot be written: {error.strerror}.",
            where=str(folder),
            hint="make it writable, or name another one: HIVE_GATE_CACHE=/some/folder",
        ) from error
    try:
        _acquire(descriptor, path, key, on_progress, time.monotonic() + patience)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, path: Path, key: str, on_progress: OnProgress, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            return
        if time.monotonic() > deadline:
            raise TargetError(
                f"Another process has been busy with codex {key} for too long.",
                where=str(path),
                hint="look for a hive-gate that hangs and end it, then try again",
            )
        on_progress(Progress("waiting", 0, None, f"codex {key}"))
        time.sleep(POLL)
