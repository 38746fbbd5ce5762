"""A server as a child process: its own process group, drained pipes, and a bounded end that leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.abc

from hive_gate.errors import TargetError
from hive_gate.wire.connection import Connection
from hive_gate.wire.kin import MARK, descendants, kill_left, new_mark
from hive_gate.wire.transcript import Transcript

STDERR_TAIL = 8_192
"""Bytes kept of a server's stderr; the pipe itself is always drained, or a chatty server would block on it."""

EOF_GRACE = 2.0
"""Seconds a server gets to end by itself after its stdin is closed."""

TERM_GRACE = 2.0
"""Seconds after SIGTERM before SIGKILL."""

KILL_GRACE = 5.0
"""Seconds to wait for the kernel after SIGKILL."""

LAST_WORDS = 1.0
"""Seconds between the end of a server's stdout and its exit, or between its exit and the end of its pipes."""


@dataclass(slots=True)
class Tail:
    """The last bytes of a stream."""

    limit: int = STDERR_TAIL
    kept: bytes = b""
    total: int = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self.total += len(chunk)
        self.kept = (self.kept + chunk)[-self.limit :]

    def text(self) -> str:
        """Return the kept bytes as text, saying how many came before them."""
        cut = self.total - len(self.kept)
        return (f"[{cut} bytes before]\n" if cut else "") + self.kept.decode("utf-8", "replace")


@dataclass(slots=True)
class ServerProcess:
    """A running (or ended) server.

    Attributes are final once the context of :func:`serve` is left.
    """

    connection: Connection
    pid: int
    stderr: Tail = field(default_factory=Tail)
    exit_code: int | None = None
    stop: str = "running"
    """How it ended: `eof` (by itself once its stdin closed), `term`, `kill`, or `died` (before it was told to)."""
    survivors: tuple[str, ...] = ()
    """Processes of its that were still there after it ended; they were killed."""


@asynccontextmanager
async def serve(
    argv: Sequence[str], env: Mapping[str, str], cwd: Path, transcript: Transcript, server: int
) -> AsyncIterator[ServerProcess]:
    """Start `argv` and yield its process; leaving the context ends it, whatever happened inside.

    The end is: close stdin, wait, SIGTERM to the group, wait, SIGKILL to the group, each bounded, with both pipes
    drained meanwhile. This holds on exceptions, timeouts and cancellation as well.

    Raises:
        TargetError: if the program cannot be started.
    """
    mark = new_mark()
    try:
        # Shielded: cut off in its middle it would leave a process that nobody knows of.
        with anyio.CancelScope(shield=True):
            process = await anyio.open_process(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**env, MARK: mark},
                cwd=cwd,
                start_new_session=True,  # a group of its own: Ctrl-C is ours to handle, the group can be ended whole
            )
    except OSError as error:
        raise TargetError(
            f"the server could not be started: {error.strerror or error}",
            where=" ".join(argv),
            hint="check that the program exists, is executable and is built for this machine",
        ) from error
    assert process.stdin is not None  # noqa: S101 - as asked for above
    assert process.stdout is not None  # noqa: S101
    connection = Connection(process.stdin, process.stdout, transcript, server)
    running = ServerProcess(connection, process.pid)
    # Shielded: a server that is cut off in the middle of an answer sees the end of its stdin only once the answer is
    # out, so the pipes are read until the end, whatever happens to those who asked.
    reading, all_read = anyio.CancelScope(shield=True), anyio.Event()
    async with anyio.create_task_group() as readers:
        readers.start_soon(_read, process, running, reading, all_read)
        try:
            yield running
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, running, mark)
                with anyio.move_on_after(LAST_WORDS):  # what is still in the pipes; something may hold them open
                    await all_read.wait()
                reading.cancel()
                if process.returncode is not None:  # else closing would wait for a process that even SIGKILL left
                    await process.aclose()


async def _read(
    process: anyio.abc.Process, running: ServerProcess, scope: anyio.CancelScope, all_read: anyio.Event
) -> None:
    assert process.stderr is not None  # noqa: S101
    with scope:
        async with anyio.create_task_group() as both:
            both.start_soon(running.connection.receive_all)
            both.start_soon(_drain, process.stderr, running.stderr)
    all_read.set()


async def _drain(stream: anyio.abc.ByteReceiveStream, tail: Tail) -> None:
    with contextlib.suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        while True:
            tail.feed(await stream.receive(65_536))


async def _end(process: anyio.abc.Process, running: ServerProcess, mark: str) -> None:
    family = descendants(process.pid)
    if process.returncode is not None or (running.connection.ended is not None and await _exited(process, LAST_WORDS)):
        running.stop = "died"
    else:
        assert process.stdin is not None  # noqa: S101
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            await process.stdin.aclose()
        if await _exited(process, EOF_GRACE):
            running.stop = "eof"
        else:
            _signal_group(process.pid, signal.SIGTERM)
            if await _exited(process, TERM_GRACE):
                running.stop = "term"
            else:
                _signal_group(process.pid, signal.SIGKILL)
                await _exited(process, KILL_GRACE)
                running.stop = "kill"
    running.exit_code = process.returncode
    running.survivors = await kill_left(process.pid, mark, family)
    _signal_group(process.pid, signal.SIGKILL)


async def _exited(process: anyio.abc.Process, timeout: float) -> bool:
    """Wait for the exit by polling: waiting on the process object also waits for pipes that a survivor holds."""
    with anyio.move_on_after(timeout):
        while process.returncode is None:
            await anyio.sleep(0.003)
    return process.returncode is not None


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
