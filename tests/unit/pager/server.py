"""A server of a few lines: it has some turns, and refuses or hangs as a test tells it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import anyio

from hive_gate.pager import Refused

THREAD = "thread-1"
BUSY = Refused(-32001, "Server overloaded; retry later.")


def turn(number: int) -> dict[str, Any]:
    text = [{"type": "text", "text": f"Question {number}."}]
    items = [{"type": "userMessage", "id": f"item-{number}", "content": text}]
    return {"id": f"turn-{number}", "items": items, "status": "completed", "startedAt": 1_000 + number}


@dataclass
class Server:
    """Answers what the pager asks."""

    turns: int = 7
    now: float = 0.0
    takes: float = 0.0
    """Seconds for each answer."""
    refusals: deque[Exception | None] = field(default_factory=deque)
    """For the next requests, in order; None: none."""
    gate: anyio.Event | None = None
    """While it is there, no request is answered before it is set."""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    """When each was asked."""
    flying: int = 0
    most_flying: int = 0
    edits: dict[int, Any] = field(default_factory=dict)
    """By number of the request, members that its page has instead."""

    async def call(self, method: str, params: dict[str, Any], /) -> Any:
        number = len(self.asked)
        self.asked.append((method, params))
        self.at.append(self.now)
        self.flying += 1
        self.most_flying = max(self.most_flying, self.flying)
        try:
            if self.gate is not None:
                await self.gate.wait()
            await anyio.lowlevel.checkpoint()
            self.now += self.takes
            refusal = self.refusals.popleft() if self.refusals else None
            if refusal is not None:
                raise refusal
            return self.answer(method, params, self.edits.get(number, {}))
        finally:
            self.flying -= 1

    def answer(self, method: str, params: dict[str, Any], edit: Any) -> Any:
        thread = {"id": params["threadId"], "preview": "Question 1." if self.turns else ""}
        if method == "thread/read":
            return {"thread": {**thread, "turns": [turn(n) for n in range(1, self.turns + 1)]}} | edit
        page = self.page(params.get("initialTurnsPage", params)) | edit
        return {"thread": thread, "initialTurnsPage": page} if method == "thread/resume" else page

    def page(self, params: dict[str, Any]) -> dict[str, Any]:
        newest = int(params.get("cursor") or self.turns)
        oldest = max(newest - params["limit"], 0)
        return {
            "data": [turn(n) for n in range(newest, oldest, -1)],
            "nextCursor": str(oldest) if oldest else None,
            "backwardsCursor": None,
        }

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await anyio.lowlevel.checkpoint()

    def clock(self) -> float:
        return self.now

    @property
    def cursors(self) -> list[str | None]:
        """What was asked for, in order."""
        return [params.get("cursor") for _, params in self.asked]
