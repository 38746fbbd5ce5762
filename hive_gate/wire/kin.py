"""What a server started and left behind, found wherever it went.

A signal to the server's process group does not reach a child in a session of its own, and a child whose parent has
ended belongs to init and is no longer anybody's descendant. So each server gets a mark in its environment, which all
that it starts inherits.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

import anyio
import psutil

MARK = "HIVE_GATE_SERVER"
"""Name of the environment variable that tells a server's processes from all others."""

GONE = 2.0
"""Seconds to wait for the kernel after SIGKILL."""

_PROC = Path("/proc")


def new_mark() -> str:
    """Return a value of :data:`MARK` that no other server has."""
    return secrets.token_hex(16)


def descendants(pid: int) -> list[psutil.Process]:
    """Return the processes that still hang on `pid`; none if it has ended."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


async def kill_left(server: int, mark: str, known: list[psutil.Process]) -> tuple[str, ...]:
    """Kill what is left of a server that has ended and return the names and pids.

    Args:
        server: the server's own pid, which is left alone.
        mark: its value of :data:`MARK`.
        known: its descendants when it was told to end; they count even if they gave up the mark.
    """
    left = {process.pid: process for process in (*known, *_marked(mark)) if process.pid != server}
    told: list[str] = []
    for process in left.values():
        with contextlib.suppress(psutil.Error):
            if _lives(process):
                told.append(f"{process.name()} (pid {process.pid})")
                process.kill()
    with anyio.move_on_after(GONE):
        while any(_lives(process) for process in left.values()):
            await anyio.sleep(0.003)
    return tuple(told)


def _lives(process: psutil.Process) -> bool:
    """Tell whether a process runs; a zombie has ended, and in a container nobody may be there to reap it."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _marked(mark: str) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for pid in psutil.pids():
        with contextlib.suppress(psutil.Error, OSError):
            if _carries(pid, mark):
                found.append(psutil.Process(pid))
    return found


def _carries(pid: int, mark: str) -> bool:
    if _PROC.is_dir():  # five times as fast as asking psutil, and there may be a thousand processes
        return f"{MARK}={mark}".encode() in (_PROC / str(pid) / "environ").read_bytes()
    return bool(psutil.Process(pid).environ().get(MARK) == mark)
