"""A JSON-RPC client over one byte stream in each direction.

Requests may be in flight side by side; a reply is matched by id and only where the message has no `method`. When the
stream ends, every waiter is told at once: nobody waits for a deadline on a server that is gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio
from anyio.abc import TaskGroup

from hive_gate.wire.framing import LineSplitter
from hive_gate.wire.message import Anomaly, kind_of
from hive_gate.wire.transcript import Exchange, Message, Transcript

UNSUPPORTED = -32601
"""Code with which requests of the server are answered: this client offers it nothing."""

BANNER_LINES = 20
"""Lines that are tolerated before the first message, as wrappers print them."""

BANNER_BYTES = 65_536

_ABSENT = object()


class ByteSender(Protocol):
    """What a connection writes to."""

    async def send(self, item: bytes, /) -> None:
        """Write all bytes or raise `anyio.BrokenResourceError` or `anyio.ClosedResourceError`."""


class ByteReceiver(Protocol):
    """What a connection reads from."""

    async def receive(self, max_bytes: int = 65536, /) -> bytes:
        """Return the next bytes or raise `anyio.EndOfStream`."""


@dataclass(slots=True)
class Pending:
    """A request that was sent and not yet answered."""

    method: str
    request: Message
    step: int | None
    notified: int
    """How many notifications had come when it was sent."""
    done: anyio.Event = field(default_factory=anyio.Event)
    reply: Message | None = None
    took_ms: float | None = None


class Connection:
    """The client's end of the wire to one server.

    Args:
        sender: the server's stdin.
        receiver: the server's stdout.
        transcript: where every line is recorded.
        server: the server's index in the transcript.
    """

    def __init__(self, sender: ByteSender, receiver: ByteReceiver, transcript: Transcript, server: int) -> None:
        self._sender = sender
        self._receiver = receiver
        self._transcript = transcript
        self.server = server
        self.clause: str | None = None
        """On whose behalf the next messages are; set by the caller before each step."""
        self.step: int | None = None
        self.ended: str | None = None
        """Why nothing more will come; None while the stream is open."""
        self.notifications: list[Message] = []
        self._pending: dict[int, Pending] = {}
        self._answered: set[int] = set()
        self._next_id = 1
        self._banner_lines = 0
        self._banner_bytes = 0
        self._news = anyio.Event()

    # -- sending -------------------------------------------------------------------------------------------------

    async def send_line(self, line: bytes) -> Message | None:
        """Write one line as it is (a newline is added) and return its message; None if the server is gone."""
        message = self._transcript.add(self.server, "sent", line, self.clause, self.step)
        return message if await self._write(line) else None

    async def notify(self, method: str, params: Any = _ABSENT) -> None:
        """Send a notification; `params` is left out unless given."""
        await self.send_line(_encode({"method": method} | _params(params)))

    async def start(self, method: str, params: Any = _ABSENT) -> Pending:
        """Send a request and return it without waiting for the reply."""
        return (await self.start_together([(method, params)]))[0]

    async def start_together(self, calls: Sequence[tuple[str, Any]]) -> list[Pending]:
        """Send several requests, each a method with its params, in one write: the server finds them side by side."""
        opened = [self._open(method, params) for method, params in calls]
        await self._write(b"\n".join(line for _, line in opened))
        return [pending for pending, _ in opened]

    async def finish(self, pending: Pending, timeout: float) -> Exchange:
        """Wait for the reply of `pending` at most `timeout` seconds and return the exchange, answered or not."""
        with anyio.move_on_after(timeout):
            await pending.done.wait()
        return self._exchange(pending, timeout)

    async def call(self, method: str, params: Any = _ABSENT, *, timeout: float) -> Exchange:
        """Send a request and wait for its reply; both together take at most `timeout` seconds."""
        pending, line = self._open(method, params)
        with anyio.move_on_after(timeout):
            await self._write(line)  # a server that does not read blocks this once the pipe is full
            await pending.done.wait()
        return self._exchange(pending, timeout)

    def _open(self, method: str, params: Any) -> tuple[Pending, bytes]:
        """Record a request that is about to be sent; return it with its line."""
        ident = self._next_id
        self._next_id += 1
        line = _encode({"id": ident, "method": method} | _params(params))
        message = self._transcript.add(self.server, "sent", line, self.clause, self.step)
        self._pending[ident] = pending = Pending(method, message, self.step, len(self.notifications))
        if self.ended is not None:
            pending.done.set()
        return pending, line

    async def _write(self, line: bytes) -> bool:
        """Write a line; False if the server is gone, in which case all who wait have been told."""
        if self.ended is not None:
            return False
        try:
            await self._sender.send(line + b"\n")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            self._end("its stdin is closed")
            return False
        return True

    def _exchange(self, pending: Pending, timeout: float) -> Exchange:
        failure = None
        if pending.reply is None:
            failure = self.ended or f"no answer within {timeout:g} s, though the server is alive"
        reply = pending.reply
        return Exchange(
            method=pending.method,
            request=pending.request.n,
            reply=None if reply is None else reply.n,
            took_ms=pending.took_ms,
            bytes_out=pending.request.bytes,
            bytes_in=0 if reply is None else reply.bytes,
            step=pending.step,
            notifications=tuple(m.n for m in self.notifications[pending.notified :]),
            failure=failure,
        )

    async def wait_for(self, wanted: Callable[[Message], bool], since: int, timeout: float) -> Message | None:
        """Return the first notification from index `since` on that is `wanted`; None after `timeout` seconds."""
        with anyio.move_on_after(timeout):
            while True:
                while since < len(self.notifications):
                    message = self.notifications[since]
                    since += 1
                    if wanted(message):
                        return message
                if self.ended is not None:
                    return None
                await self._news.wait()
        return None

    # -- receiving -----------------------------------------------------------------------------------------------

    async def receive_all(self) -> None:
        """Read until the stream ends; run this beside the requests."""
        # A refusal may have to wait until the server reads it; the reader does not wait for that, or a server that
        # reads only once it has written would never be read.
        async with anyio.create_task_group() as refusals:
            await self._receive_all(refusals)
            refusals.cancel_scope.cancel()

    async def _receive_all(self, refusals: TaskGroup) -> None:
        splitter = LineSplitter()
        try:
            while True:
                for line in splitter.feed(await self._receiver.receive(262_144)):
                    self._on_line(line, refusals)
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            rest = splitter.rest()
            if rest:
                message = self._transcript.add(self.server, "received", rest, self.clause, self.step)
                self._transcript.note(Anomaly("unfinished-line", "the stream ended inside a line"), message)
            self._end("the server ended")

    def _on_line(self, line: bytes, refusals: TaskGroup) -> None:
        banner = self._may_be_banner(line)
        message = self._transcript.add(self.server, "received", line, self.clause, self.step, banner=banner)
        if message.body is None:
            return
        kind = kind_of(message.body)
        if kind == "reply":
            self._on_reply(message)
        elif kind == "notification":
            self.notifications.append(message)
            self._wake()
        elif kind == "request":
            refusals.start_soon(self._write, self._refusal(message))
        else:
            self._transcript.note(Anomaly("unknown-message", "neither request, notification nor reply"), message)

    def _may_be_banner(self, line: bytes) -> bool:
        """Tell whether a line may still be a wrapper's greeting: before the first message, and bounded."""
        if self._banner_lines < BANNER_LINES and self._banner_bytes + len(line) <= BANNER_BYTES:
            if not line.lstrip().startswith(b"{"):
                self._banner_lines += 1
                self._banner_bytes += len(line)
                return True
            self._banner_lines = BANNER_LINES
        return False

    def _on_reply(self, message: Message) -> None:
        ident = message.body["id"]
        if "result" in message.body and "error" in message.body:
            self._transcript.note(Anomaly("result-and-error", "a reply with both a result and an error"), message)
        # `True == 1` in Python, but the id true is not ours.
        known = isinstance(ident, int) and not isinstance(ident, bool)
        pending = self._pending.pop(ident, None) if known else None
        if pending is None:
            again = known and ident in self._answered
            kind = "second-reply" if again else "unasked-reply"
            self._transcript.note(Anomaly(kind, f"a reply with the id {ident!r}, which no open request has"), message)
            return
        self._answered.add(ident)
        pending.reply = message
        pending.took_ms = round(message.ms - pending.request.ms, 3)
        pending.done.set()

    def _refusal(self, message: Message) -> bytes:
        """Return the answer to a request of the server: it must not wait for a client that offers nothing."""
        method = message.body["method"]
        self._transcript.note(Anomaly("server-request", f"the server asked {method}; answered {UNSUPPORTED}"), message)
        error = {"code": UNSUPPORTED, "message": f"hive-gate does not offer {method}"}
        line = _encode({"id": message.body["id"], "error": error})
        self._transcript.add(self.server, "sent", line, self.clause, self.step)
        return line

    def _end(self, reason: str) -> None:
        if self.ended is None:
            self.ended = reason
        for pending in self._pending.values():
            pending.done.set()
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = anyio.Event()


def _params(params: Any) -> dict[str, Any]:
    return {} if params is _ABSENT else {"params": params}


def _encode(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
