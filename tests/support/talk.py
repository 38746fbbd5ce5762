"""A connection, written down message by message, for tests of what is made of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hive_gate.tap.form import SCHEMA_ID
from hive_gate.wire.transcript import Direction

THREAD, OTHER, GONE = "thread-1", "thread-2", "thread-gone"
PAGES = ("thread/resume", "thread/turns/list")
FIRST = {"limit": 20, "sortDirection": "desc", "itemsView": "full"}
LARGE = 2_500_000
"""Bytes of a page after which the next ones come shortened."""


@dataclass
class Talk:
    """What passed between a client and a server; each message comes 10 ms after the one before.

    At `ms` the last one came, and the server ended.
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    ms: float = 0.0
    next_id: int = 1
    _pace: dict[Any, float] = field(default_factory=dict)
    """By thread, when the next page may be asked for."""

    def add(self, direction: Direction, **line: Any) -> int:
        """Add a message and return its number."""
        self.ms += 10.0
        n = len(self.lines)
        self.lines.append({"type": "message", "n": n, "ms": self.ms, "direction": direction, "bytes": 50, **line})
        return n

    def sends(self, after: float = 0.0, **body: Any) -> int:
        """The client sends a message, `after` more milliseconds."""
        self.ms += after
        return self.add("sent", body=body)

    def gets(self, **body: Any) -> int:
        """The client gets a message."""
        return self.add("received", body=body)

    def asks(self, method: str, params: Any = None, after: float = 0.0) -> int:
        """The client sends a request; return its id."""
        ident, self.next_id = self.next_id, self.next_id + 1
        if method in PAGES and isinstance(params, dict):
            self.ms = max(self.ms, self._pace.get(params.get("threadId"), 0.0))
        self.sends(after, id=ident, method=method, **({} if params is None else {"params": params}))
        return ident

    def result(self, method: str, params: Any, result: Any, after: float = 0.0, size: int = 50) -> None:
        """A request and its result, of `size` bytes; after a page the thread is left alone as long as it should."""
        ident = self.asks(method, params, after)
        if method in PAGES and isinstance(params, dict):
            self._pace[params.get("threadId")] = self.ms + 100.0
        self.add("received", body={"id": ident, "result": result}, bytes=size)

    def refusal(self, method: str, params: Any, code: int, message: str, after: float = 0.0) -> None:
        """A request and the error that answers it."""
        self.gets(id=self.asks(method, params, after), error={"code": code, "message": message})

    # -- what Hive does, as it should --------------------------------------------------------------------------------

    def greets(self) -> None:
        """The handshake."""
        info = {"clientInfo": {"name": "hive", "version": "1"}, "capabilities": {"experimentalApi": True}}
        self.result("initialize", info, {"userAgent": "codex"})
        self.sends(method="initialized")

    def restores(self, cursor: str | None, thread: str = THREAD, size: int = 50, **paging: Any) -> None:
        """A thread is restored; older turns are at `cursor`."""
        page = {"data": [{"id": "turn-9"}], "nextCursor": cursor, "backwardsCursor": "b"}
        params = {"threadId": thread, "excludeTurns": True, "initialTurnsPage": FIRST | paging}
        self.result("thread/resume", params, {"thread": {"id": thread}, "initialTurnsPage": page}, size=size)

    def resumes_by_path(self, cursor: str | None, thread: str = THREAD) -> None:
        """A thread is restored by the path of its file, and not by its id."""
        page = {"data": [{"id": "turn-9"}], "nextCursor": cursor, "backwardsCursor": "b"}
        params = {"threadId": "", "path": f"/{thread}", "excludeTurns": True, "initialTurnsPage": FIRST}
        self.result("thread/resume", params, {"thread": {"id": thread}, "initialTurnsPage": page})
        self._pace[thread] = self._pace.pop("")

    def pages(
        self, cursor: str | None, following: str | None, thread: str = THREAD, size: int = 50, **paging: Any
    ) -> None:
        """An older page is asked for and comes."""
        page = {"data": [{"id": "turn-8"}], "nextCursor": following, "backwardsCursor": "b"}
        self.result("thread/turns/list", self.listing(cursor, thread) | paging, page, size=size)

    def page_refused(
        self, cursor: str | None, code: int, message: str, thread: str = THREAD, after: float = 0.0, **paging: Any
    ) -> None:
        """An older page is asked for and refused."""
        self.refusal("thread/turns/list", self.listing(cursor, thread) | paging, code, message, after)

    def reads_whole(self, thread: str = THREAD) -> None:
        """A thread is read with all its turns."""
        self.result("thread/read", {"threadId": thread, "includeTurns": True}, {"thread": {"id": thread, "turns": []}})

    @staticmethod
    def listing(cursor: str | None, thread: str = THREAD) -> dict[str, Any]:
        """The params of a page."""
        return {"threadId": thread, **FIRST} | ({} if cursor is None else {"cursor": cursor})

    def write(self, path: Path, *, footer: bool = True, schema: str = SCHEMA_ID, **header: Any) -> Path:
        """Write it down as a tap records it."""
        first = {"type": "header", "schema": schema, "command": ["codex", "app-server"], **header}
        last = [{"type": "footer", "messages": len(self.lines), "complete": True, "ms": self.ms}] if footer else []
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [first, *self.lines, *last])
        path.write_text(text, encoding="utf-8")
        return path


def good() -> Talk:
    """A client that does everything that a rule speaks of, as it should."""
    talk = Talk()
    talk.greets()
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.pages("c2", None)
    talk.gets(id=0, method="item/commandExecution/requestApproval", params={"threadId": THREAD})
    talk.sends(id=0, result={"decision": "decline"})
    talk.page_refused(None, -32600, f"thread not loaded: {GONE}", GONE)
    talk.refusal("thread/rollback", {"threadId": THREAD, "numTurns": 1}, -32601, "thread/rollback is not supported yet")
    talk.restores("d1", OTHER)
    talk.page_refused("d1", -32600, "invalid cursor: anchor turn is no longer present", OTHER)
    talk.page_refused(None, -32001, "Server overloaded; retry later.", OTHER)
    talk.page_refused(None, -32001, "Server overloaded; retry later.", OTHER, after=100)
    talk.result("thread/turns/list", talk.listing(None, OTHER), {"data": [], "nextCursor": None}, after=200)
    talk.refusal("thread/read", {"threadId": OTHER}, -32603, "failed to read thread")
    talk.result("thread/read", {"threadId": OTHER}, {"thread": {"id": OTHER}}, after=100)
    talk.reads_whole(OTHER)
    return talk
