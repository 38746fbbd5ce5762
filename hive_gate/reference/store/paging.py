"""A page of turns, and the cursors that lead from one to the next.

A cursor is JSON text, `{"turnId": ..., "includeAnchor": ...}`: a turn and whether the page begins with it. It names a
turn and no position, so turns added between two pages neither shift nor repeat anything.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.items import AgentMessage, StoredItem, UserMessage
from hive_gate.reference.store.records import ItemsView, SortDirection, StoredTurn, TurnPage

DEFAULT_PAGE = 25
LARGEST_PAGE = 100

_MEMBERS = ("turnId", "includeAnchor")


def clamp(page_size: int | None) -> int:
    """Return the size of a page: 25 unless asked for, and brought into 1..100."""
    return DEFAULT_PAGE if page_size is None else min(max(page_size, 1), LARGEST_PAGE)


def page_of_turns(
    turns: Sequence[StoredTurn],
    *,
    cursor: str | None = None,
    page_size: int | None = None,
    sort_direction: SortDirection = SortDirection.DESC,
    items_view: ItemsView = ItemsView.SUMMARY,
) -> TurnPage:
    """Return one page of turns given oldest first.

    Args:
        turns: all turns of the thread.
        cursor: where the page begins; never looked at when there are no turns.
        page_size: None means 25; brought into 1..100.
        sort_direction: order of the page.
        items_view: what each turn holds.

    Raises:
        InvalidRequest: `invalid cursor: <cursor>`, or its anchor turn is gone.
    """
    if not turns:
        return TurnPage((), None, None)
    ordered = list(turns) if sort_direction is SortDirection.ASC else list(reversed(turns))
    start = 0 if cursor is None else _start(ordered, cursor)
    page = ordered[start : start + clamp(page_size)]
    if not page:
        return TurnPage((), None, None)
    more = start + len(page) < len(ordered)
    return TurnPage(
        tuple(viewed(turn, items_view) for turn in page),
        _Cursor(page[-1].turn_id, False).text() if more else None,
        _Cursor(page[0].turn_id, True).text(),
    )


def viewed(turn: StoredTurn, view: ItemsView) -> StoredTurn:
    """Return a full turn as a view shows it."""
    if view is ItemsView.FULL:
        return replace(turn, items_view=view)
    return replace(turn, items_view=view, items=() if view is ItemsView.NOT_LOADED else _summary(turn.items))


def _summary(items: Sequence[StoredItem]) -> tuple[StoredItem, ...]:
    first = next((item for item in items if isinstance(item, UserMessage)), None)
    last = next((item for item in reversed(items) if isinstance(item, AgentMessage)), None)
    return tuple(item for item in (first, last) if item is not None)


@dataclass(frozen=True, slots=True)
class _Cursor:
    turn_id: str
    inclusive: bool

    def text(self) -> str:
        members = zip(_MEMBERS, (self.turn_id, self.inclusive), strict=True)
        return json.dumps(dict(members), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> _Cursor | None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if isinstance(value, dict):
            value = [value.get(name) for name in _MEMBERS]
        # The real server's decoder takes a list of the members for an object of them.
        if not isinstance(value, list) or len(value) != len(_MEMBERS):
            return None
        turn_id, inclusive = value
        return cls(turn_id, inclusive) if isinstance(turn_id, str) and isinstance(inclusive, bool) else None


def _start(ordered: Sequence[StoredTurn], text: str) -> int:
    cursor = _Cursor.parse(text)
    if cursor is None:
        raise InvalidRequest(f"invalid cursor: {text}")
    for index, turn in enumerate(ordered):
        if turn.turn_id == cursor.turn_id:
            return index if cursor.inclusive else index + 1
    raise InvalidRequest("invalid cursor: anchor turn is no longer present")
