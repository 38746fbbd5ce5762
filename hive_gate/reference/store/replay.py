"""The replay of a legacy thread: turns out of records, one record at a time.

- The record of a turn's start closes the open turn and opens one with its id.
- A user message joins an explicitly opened turn, and otherwise closes the open turn and opens an implicit one.
- Everything else joins the open turn, or opens an implicit one. An implicit turn without items is dropped.
- A turn's ending goes to the turn with its id or, without such, to the open one.
- A rollback closes the open turn and drops the last turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hive_gate.reference.store import eventitems
from hive_gate.reference.store.items import ContextCompaction, Plan, Reasoning, StoredItem
from hive_gate.reference.store.pending import PendingTurn
from hive_gate.reference.store.records import HistoryRecord, StoredTurn, StoredTurnStatus


class Replay:
    """Takes the admitted records of a thread in order; :meth:`turns` is what they come to."""

    def __init__(self) -> None:
        self._turns: list[PendingTurn] = []
        self._open: PendingTurn | None = None
        self._index = -1
        self._next_item = 1
        self._events: Mapping[str, Callable[[Any], None]] = {
            "user_message": self._user,
            "agent_message": self._agent,
            "agent_reasoning": lambda event: self._think(event["text"], raw=False),
            "agent_reasoning_raw_content": lambda event: self._think(event["text"], raw=True),
            "context_compacted": lambda _: self._add(ContextCompaction),
            "entered_review_mode": lambda event: self._add(lambda ident: eventitems.review(ident, event)),
            "exited_review_mode": lambda event: self._add(lambda ident: eventitems.review(ident, event)),
            "item_completed": self._plan,
            "web_search_end": self._tool,
            "mcp_tool_call_end": self._tool,
            "patch_apply_end": self._tool,
            "image_generation_end": self._tool,
            "task_started": self._started,
            "turn_started": self._started,
            "task_complete": self._completed,
            "turn_complete": self._completed,
            "turn_aborted": self._aborted,
            "thread_rolled_back": self._rolled_back,
        }

    def take(self, record: HistoryRecord) -> None:
        """Take the next record; it must be an admitted one, since it is counted."""
        self._index += 1
        if record.kind == "event_msg":
            handle = self._events.get(record.payload["type"])
            if handle is not None:
                handle(record.payload)
        elif record.kind == "compacted":
            self._ensure().compacted = True
        elif record.kind == "response_item":
            prompt = eventitems.hook_prompt(f"hook-{self._index}", record.payload)
            if prompt is not None:
                self._ensure().items.append(prompt)

    def turns(self) -> tuple[StoredTurn, ...]:
        """Return the turns so far, oldest first; an open one is in progress if its start was stored."""
        still_open = [self._open] if self._open is not None and self._open.kept else []
        return tuple(turn.stored() for turn in [*self._turns, *still_open])

    def _started(self, event: Any) -> None:
        self._close()
        self._open = PendingTurn(
            event["turn_id"], True, StoredTurnStatus.IN_PROGRESS, started_at=event.get("started_at")
        )

    def _user(self, event: Any) -> None:
        if self._open is not None and not self._open.joins_user:
            self._close()
        self._add(lambda ident: eventitems.user_message(ident, event))

    def _agent(self, event: Any) -> None:
        if event["message"]:
            self._add(lambda ident: eventitems.agent_message(ident, event))

    def _think(self, text: str, *, raw: bool) -> None:
        if not text:
            return
        summary, content = ((), (text,)) if raw else ((text,), ())
        if not self._ensure().think(Reasoning("", summary, content)):
            self._add(lambda ident: Reasoning(ident, summary, content))

    def _plan(self, event: Any) -> None:
        if event["item"]["text"]:
            self._put_in(event["turn_id"], Plan(event["item"]["id"], event["item"]["text"]))

    def _tool(self, event: Any) -> None:
        item = eventitems.tool(event)
        if event["type"] == "patch_apply_end" and event.get("turn_id"):
            # A patch can end after the next turn began: it belongs to its own, or to none.
            self._put_in(event["turn_id"], item)
        else:
            self._ensure().put(item)

    def _completed(self, event: Any) -> None:
        turn = self._named(event["turn_id"]) or self._open
        if turn is not None:
            turn.complete(event)
        if turn is self._open:
            self._close()

    def _aborted(self, event: Any) -> None:
        # Unlike a completed turn, an aborted one stays open: what still comes in joins it.
        turn = self._named(event.get("turn_id")) or self._open
        if turn is not None:
            turn.abort(event)

    def _rolled_back(self, event: Any) -> None:
        self._close()
        keep = max(len(self._turns) - event["num_turns"], 0)
        del self._turns[keep:]
        self._next_item = 1 + sum(len(turn.items) for turn in self._turns)

    def _close(self) -> None:
        if self._open is not None and self._open.kept:
            self._turns.append(self._open)
        self._open = None

    def _ensure(self) -> PendingTurn:
        if self._open is None:
            self._open = PendingTurn(f"rollout-{self._index}", False, StoredTurnStatus.COMPLETED)
        return self._open

    def _named(self, turn_id: str | None) -> PendingTurn | None:
        if turn_id is None:
            return None
        if self._open is not None and self._open.turn_id == turn_id:
            return self._open
        return next((turn for turn in self._turns if turn.turn_id == turn_id), None)

    def _put_in(self, turn_id: str, item: StoredItem) -> None:
        turn = self._named(turn_id)
        if turn is not None:
            turn.put(item)

    def _add(self, make: Callable[[str], StoredItem]) -> None:
        turn = self._ensure()
        turn.items.append(make(f"item-{self._next_item}"))
        self._next_item += 1
