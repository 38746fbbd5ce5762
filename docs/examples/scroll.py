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

from hive_gate.pager import History, Page, PagingError, Refused, Settings

USAGE = "name a thread and the command that starts an app-server: scroll.py THREAD-ID codex app-server"


class Result(dict[str, Any]):
    """A result that knows the size of its line, by which the pager sees that a thread's pages are large."""

    size = 0
    """Bytes."""


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

    def _parse(self, line: bytes) -> dict[str, Any]:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise ConnectionError(f"the server wrote what is no message: {line[:60]!r}")
        if isinstance(message.get("result"), dict):
            message["result"] = Result(message["result"])
            message["result"].size = len(line)
        return message

    async def read(self) -> None:
        """Read what the server sends; run this beside the calls.

        Raises:
            ConnectionError: it has ended, or what it sends is no JSON-RPC.
        """
        while True:
            try:
                message = self._parse(await self._from.receive_until(b"\n", max_bytes=1 << 30))
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

    settings = Settings(size=lambda result: getattr(result, "size", 0))
    thread = History(connection.call, settings).thread(thread_id)
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
        problem = f"The thread {thread_id} cannot be shown: {reason(problems.exceptions[0])}"
    return problem


def reason(error: BaseException) -> str:
    """Return what to tell of an error."""
    if isinstance(error, anyio.BrokenResourceError):
        return "the server has ended"
    if isinstance(error, TimeoutError):
        return "the server did not answer within 30 s"
    return str(error) or type(error).__name__


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(USAGE)
    sys.exit(anyio.run(main, sys.argv[1], sys.argv[2:]))
