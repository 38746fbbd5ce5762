"""A wire in memory: the test is the server."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import anyio
import pytest

from hive_gate.wire.connection import Connection
from hive_gate.wire.transcript import Transcript


@dataclass(slots=True)
class Pipe:
    """One direction of the wire; what is sent is received as it was sent, in the same chunks."""

    chunks: deque[bytes] = field(default_factory=deque)
    ended: bool = False
    """The writer has closed its end."""
    broken: bool = False
    """The reader is gone."""
    blocked: bool = False
    """The reader has stopped reading, and what is between is full."""
    news: anyio.Event = field(default_factory=anyio.Event)

    async def send(self, item: bytes, /) -> None:
        if self.broken:
            raise anyio.BrokenResourceError
        self.chunks.append(item)
        self._wake()
        if self.blocked:
            await anyio.sleep_forever()

    async def receive(self, max_bytes: int = 65536, /) -> bytes:
        while not self.chunks:
            if self.ended:
                raise anyio.EndOfStream
            await self.news.wait()
        return self.chunks.popleft()

    def end(self) -> None:
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        self.news.set()
        self.news = anyio.Event()


@dataclass(slots=True)
class Peer:
    """The server's end of a wire in memory, and the client that talks to it."""

    client: Connection
    transcript: Transcript
    stdin: Pipe
    stdout: Pipe

    async def says(self, *bodies: dict[str, Any]) -> None:
        """Send messages, each in a chunk of its own."""
        for body in bodies:
            await self.stdout.send(json.dumps(body).encode() + b"\n")

    async def heard(self) -> Any:
        """Return the next message of the client."""
        return json.loads(await self.stdin.receive())

    async def settle(self) -> None:
        """Wait until the client has read everything that was sent."""
        await anyio.wait_all_tasks_blocked()

    def dies(self) -> None:
        """End both directions, as a process does."""
        self.stdin.broken = True
        self.stdout.end()

    @property
    def oddities(self) -> list[str]:
        """The kinds of what was noticed, in order."""
        return [oddity.kind for oddity in self.transcript.oddities]


Wire: TypeAlias = Callable[[], AbstractAsyncContextManager[Peer]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def wire() -> Wire:
    """Return a context in which a client reads from a :class:`Peer`; no wait in it lasts longer than 10 s."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Peer]:
        transcript, stdin, stdout = Transcript(), Pipe(), Pipe()
        peer = Peer(Connection(stdin, stdout, transcript, 0), transcript, stdin, stdout)
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(peer.client.receive_all)
                yield peer
                stdout.end()

    return opened
