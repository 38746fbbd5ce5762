"""Run a program to its end: bounded in time and output, in a group of its own, leaving nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

TICK = 0.1
"""Seconds between two looks at a running program, and so between two calls of `on_tick`."""

TERM_GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL."""

OUTPUT_LIMIT = 64 * 1024 * 1024
"""Bytes a program may write to stdout or stderr; one that writes more is ended, or it would fill the disk."""

TAIL = 4096
"""Bytes kept of the end of stderr."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended."""

    argv: tuple[str, ...]
    code: int | None
    """Exit code, negative for a signal; None if it was ended from here (see `ended`)."""
    stdout: str
    stderr_tail: str
    ended: str | None = None
    """Why it was ended from here: `no end within 10 s`, `more than 64 MiB of output`."""

    @property
    def outcome(self) -> str:
        """The end in a phrase: `exit code 2`, `signal 9`, `no end within 10 s`."""
        if self.ended or self.code is None:
            return self.ended or "ended"
        return f"signal {-self.code}" if self.code < 0 else f"exit code {self.code}"


def run_bounded(
    argv: Sequence[str],
    env: Mapping[str, str],
    timeout: float,
    *,
    cwd: Path | None = None,
    on_tick: Callable[[], None] | None = None,
) -> Finished:
    """Start `argv` with nothing on stdin and wait for its end.

    Whatever happens (it ends, time is up, Ctrl-C, `on_tick` raises), its whole process group is gone afterwards.
    Output goes through files, not pipes: a grandchild that keeps a pipe open cannot hold us up.

    Args:
        argv: program and arguments.
        env: its whole environment.
        timeout: seconds.
        cwd: its working folder; by default the caller's.
        on_tick: called about ten times a second; may raise to give up.

    Raises:
        OSError: it could not be started.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        process = subprocess.Popen(
            list(argv), env=dict(env), cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            ended = _wait(process, (out, err), time.monotonic() + timeout, timeout, on_tick)
        finally:
            _end_group(process)
        out.seek(0)
        stdout = out.read(OUTPUT_LIMIT).decode("utf-8", "replace")
        err.seek(max(0, os.fstat(err.fileno()).st_size - TAIL))
        tail = err.read().decode("utf-8", "replace").strip()
    return Finished(tuple(argv), None if ended else process.returncode, stdout, tail, ended)


def _wait(
    process: subprocess.Popen[bytes],
    outputs: tuple[IO[bytes], ...],
    deadline: float,
    timeout: float,
    on_tick: Callable[[], None] | None,
) -> str | None:
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(TICK)
            return None
        if on_tick:
            on_tick()
        if any(os.fstat(file.fileno()).st_size > OUTPUT_LIMIT for file in outputs):
            return f"more than {OUTPUT_LIMIT // 1024**2} MiB of output"
        if time.monotonic() > deadline:
            return f"no end within {timeout:g} s"


def _end_group(process: subprocess.Popen[bytes]) -> None:
    # The group's id is the leader's process id. It stays taken as long as one member lives, so signalling it after
    # the leader was reaped reaches what is left of our own group, or nothing.
    try:
        if process.poll() is None:
            _signal(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TERM_GRACE)
    finally:  # also when the user presses Ctrl-C once more during the grace
        _signal(process.pid, signal.SIGKILL)
        process.wait()


def _signal(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
