"""What ends a run early, its time or a signal, so that what was found until then is kept."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

import anyio
from anyio.abc import TaskStatus

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends a run early: Ctrl-C, a polite kill, a terminal that was closed."""


class Interruptible(Protocol):
    """A run as it goes on."""

    interrupted: bool
    problem: str | None
    """Why it did not go on to its end."""


@asynccontextmanager
async def within(seconds: float, state: Interruptible) -> AsyncIterator[anyio.CancelScope]:
    """Cancel what is inside when the time is up or a signal comes, which the state is told, and go on behind it.

    Signals are listened to until what is inside has ended: an impatient second Ctrl-C must not leave a server behind.
    """
    async with anyio.create_task_group() as listening:
        limit = anyio.move_on_after(seconds)
        await listening.start(_listen, state, limit)
        with limit:
            yield limit
        listening.cancel_scope.cancel()


async def _listen(
    state: Interruptible, scope: anyio.CancelScope, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        task_status.started()
        async for number in signals:
            state.interrupted = True
            state.problem = f"interrupted by {signal.Signals(number).name}"
            scope.cancel()


@contextmanager
def handlers_kept() -> Iterator[None]:
    """Put the signal handlers back that the event loop takes away: what follows has to be cleaned up as well."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
