"""Scroll through a stored thread, from its newest turn to its oldest: scroll.py THREAD-ID COMMAND...

COMMAND starts an app-server: `codex app-server`, or `hive-gate tap -- codex app-server` to see that every rule is kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream
from anyio.streams.buffered import BufferedByteReceiveStream

from hive_gate.pager import History, Page, PagingError, Refused

USAGE = "name a thread and the command that starts an app-server: scroll.py THREAD-ID codex app-server"


class Connection:
    """One server on stdio: requests go out, each reply finds its request, and the server's requests are refused."""

    def __init__(self, to: ByteSendStream, source: ByteReceiveStream) -> None:
        self._to = to
        self._from = BufferedByteReceiveStream(source)
        self._replies: dict[int, Any] = {}
        self._waiting: dict[int, anyio.Event] = {}
        self._ids = iter(range(1, sys.maxsize))

    async def send(self, **message: Any) -> None:
        """Send one message: one line."""
        await self._to.send(json.dumps(message).encode() + b"\n")

    async def call(self, method: str, params: dict[str, Any], /) -> Any:
        """Send a request and return its result; this is all that the pager needs."""
        ident = next(self._ids)
        self._waiting[ident] = anyio.Event()
        with anyio.fail_after(30):
            await self.send(id=ident, method=method, params=params)
            await self._waiting[ident].wait()
        reply = self._replies.pop(ident, None)
        if reply is None:
            raise ConnectionError("the server has ended")
        if "error" in reply:
            raise Refused(reply["error"]["code"], reply["error"]["message"])
        return reply["result"]

    async def read(self) -> None:
        """Read what the server sends; run this beside the calls.

        Raises:
            ConnectionError: it has ended.
        """
        while True:
            try:
                message = json.loads(await self._from.receive_until(b"\n", max_bytes=1 << 30))
            except (anyio.EndOfStream, anyio.IncompleteRead):
                for waiting in self._waiting.values():
                    waiting.set()
                raise ConnectionError("the server has ended") from None
            if "method" in message and "id" in message:
                await self.send(id=message["id"], error={"code": -32601, "message": "not offered here"})
            elif "id" in message:
                self._replies[message["id"]] = message
                self._waiting.pop(message["id"]).set()


async def scroll(connection: Connection, thread_id: str) -> None:
    """Write the ids of all turns, a line for each page."""
    info = {"clientInfo": {"name": "scroll", "version": "1"}, "capabilities": {"experimentalApi": True}}
    await connection.call("initialize", info)
    await connection.send(method="initialized")

    thread = History(connection.call).thread(thread_id)
    page: Page | None = await thread.restore()
    while page is not None:
        sys.stdout.write(" ".join(turn["id"] for turn in page.turns) + "\n")
        page = await thread.older()
    sys.stdout.write(f"doubts: {', '.join(thread.doubts) or 'none'}\n")


async def main(thread_id: str, command: list[str]) -> str | None:
    """Start a server, scroll, and end it by the end of its input; return what went wrong."""
    problem = None
    try:
        process = await anyio.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None)
        if process.stdin is None or process.stdout is None:
            return f"{command[0]} has no pipes."
        async with process, anyio.create_task_group() as group:
            connection = Connection(process.stdin, process.stdout)
            group.start_soon(connection.read)
            await scroll(connection, thread_id)
            group.cancel_scope.cancel()
    except* (OSError, anyio.BrokenResourceError, PagingError, Refused) as problems:
        problem = f"The thread {thread_id} cannot be shown: {problems.exceptions[0]}"
    return problem


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(USAGE)
    sys.exit(anyio.run(main, sys.argv[1], sys.argv[2:]))
