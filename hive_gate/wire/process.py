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
import psutil

from hive_gate.errors import TargetError
from hive_gate.wire.connection import Connection
from hive_gate.wire.transcript import Transcript

STDERR_TAIL = 8_192
"""Bytes kept of a server's stderr; the pipe itself is always drained, or a chatty server would block on it."""

EOF_GRACE = 2.0
"""Seconds a server gets to end by itself after its stdin is closed."""

TERM_GRACE = 2.0
"""Seconds after SIGTERM before SIGKILL."""

KILL_GRACE = 5.0
"""Seconds to wait for the kernel after SIGKILL."""


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
    try:
        process = await anyio.open_process(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,  # a group of its own: Ctrl-C is ours to handle, and the group can be ended whole
        )
    except OSError as error:
        raise TargetError(
            f"the server could not be started: {error.strerror or error}",
            where=" ".join(argv),
            hint="check that the program exists, is executable and is built for this machine",
        ) from error
    assert process.stdin is not None  # noqa: S101 - as asked for above
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    connection = Connection(process.stdin, process.stdout, transcript, server)
    running = ServerProcess(connection, process.pid)
    async with anyio.create_task_group() as drains:
        drains.start_soon(connection.receive_all)
        drains.start_soon(_drain, process.stderr, running.stderr)
        try:
            yield running
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, running)
                with anyio.move_on_after(1):  # what is still in the pipes; a survivor may hold them open for ever
                    await _drained(running)
                drains.cancel_scope.cancel()
    with anyio.CancelScope(shield=True):
        for stream in (process.stdout, process.stderr):
            await stream.aclose()


async def _drain(stream: anyio.abc.ByteReceiveStream, tail: Tail) -> None:
    with contextlib.suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        while True:
            tail.feed(await stream.receive(65_536))


async def _drained(running: ServerProcess) -> None:
    while running.connection.ended is None:
        await anyio.sleep(0.005)


async def _end(process: anyio.abc.Process, running: ServerProcess) -> None:
    family = _family(process.pid)
    if process.returncode is not None or (running.connection.ended is not None and await _exited(process, 1.0)):
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
    running.survivors = await _kill_survivors(family, process.pid)


async def _exited(process: anyio.abc.Process, timeout: float) -> bool:
    """Wait for the exit by polling: waiting on the process object also waits for pipes that a survivor holds."""
    with anyio.move_on_after(timeout):
        while process.returncode is None:
            await anyio.sleep(0.003)
    return process.returncode is not None


def _family(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


async def _kill_survivors(family: list[psutil.Process], group: int) -> tuple[str, ...]:
    """Kill what the server started and left; a child with a session of its own is not reached by the group's signal."""
    left: list[str] = []
    for child in family:
        with contextlib.suppress(psutil.Error):
            # A zombie is gone already; nobody may be there to reap it in a container.
            if child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
                left.append(f"{child.name()} (pid {child.pid})")
                child.kill()
    _signal_group(group, signal.SIGKILL)
    return tuple(left)
