"""Faults of cursors: what they name, and what is done with one that leads nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import page_maker, pages
from hive_gate.reference.faults.fault import Fault, Swap, by
from hive_gate.reference.store import paging
from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.records import SortDirection, TurnPage

_ADDED = ("turns-list.added-between-pages", "turns-list.added-live")
_WALK = "turns-list.walk"


def _start(new: Any) -> Swap:
    """Return the swap of where a page begins; `new` gets what is there, the turns in order and the cursor."""
    return Swap(paging, "_start", lambda old: lambda ordered, text: new(old, ordered, text))


def _from_the_top(message: str) -> Any:
    def new(old: Any, ordered: Any, text: str) -> int:
        try:
            return int(old(ordered, text))
        except InvalidRequest as error:
            if message in str(error):
                return 0
            raise

    return new


def _past_any_anchor(old: Any, ordered: Sequence[Any], text: str) -> int:
    try:
        return int(old(ordered, text))
    except InvalidRequest:
        if text.startswith("{"):
            return len(ordered)
        raise


def _by_position(old: Any) -> Any:
    """Make a cursor stand for a number of turns."""
    positions: dict[tuple[str, str], int] = {}

    def new(turns: Sequence[Any], **options: Any) -> TurnPage:
        direction = str(options["sort_direction"])
        cursor = options.get("cursor")
        ordered = list(turns) if options["sort_direction"] is SortDirection.ASC else list(reversed(turns))
        begin = positions.get((cursor or "", direction))
        if begin is not None and begin < len(ordered):
            anchor = paging._Cursor(ordered[begin].turn_id, True).text()
            options = {**options, "cursor": anchor}
        page: TurnPage = old(turns, **options)
        if page.next_cursor is not None:
            last = next(i for i, turn in enumerate(ordered) if turn.turn_id == page.turns[-1].turn_id)
            positions[page.next_cursor, direction] = last + 1
        return page

    return new


def _from_memory(old: Any) -> Any:
    """Make pages out of what was read first."""
    read: dict[str, Any] = {}

    def new(self: LocalThreadStore, thread_id: str, **options: Any) -> Any:
        if thread_id not in read:
            read[thread_id] = old(self, thread_id, **options)
        return read[thread_id]

    return new


def _past_the_end(page: TurnPage) -> TurnPage:
    last = paging._Cursor(page.turns[-1].turn_id, False).text() if page.turns else None
    return replace(page, next_cursor=page.next_cursor or last)


FAULTS = (
    Fault(
        "cursor-rolled-back-accepted",
        "A cursor whose turn was rolled back begins at the top.",
        by("error", "turns-list.cursor-rolled-back"),
        (_start(_from_the_top("no longer present")),),
    ),
    Fault(
        "cursor-rolled-back-empty",
        "A cursor whose turn was rolled back gives an empty page, as if the history ended there.",
        by("error", "turns-list.cursor-rolled-back"),
        (_start(_past_any_anchor),),
    ),
    Fault(
        "cursor-invalid-accepted",
        "A cursor that was never given begins at the top.",
        by("error", "turns-list.cursor-invalid"),
        (_start(_from_the_top("invalid cursor: no-such")),),
    ),
    Fault(
        "cursor-is-a-position",
        "A cursor counts turns, so that a turn added between pages shifts the next one.",
        by("turns-match-scene", *_ADDED),
        page_maker(_by_position),
    ),
    Fault(
        "cursor-from-memory",
        "Pages are made from what was read first: what was stored since is not in them.",
        by("turns-match-scene", "turns-list.added-between-pages") + by("error", "turns-list.cursor-rolled-back"),
        (Swap(LocalThreadStore, "load_history", _from_memory),),
    ),
    Fault(
        "cursor-repeats-a-turn",
        "Every page begins with the last turn of the page before.",
        by("turns-match-scene", f"{_WALK}/*/2", "turns-list.long-walk/*"),
        (_start(lambda old, ordered, text: max(int(old(ordered, text)) - 1, 0)),),
    ),
    Fault(
        "cursor-skips-a-turn",
        "Every page leaves out the turn after the page before.",
        by("turns-match-scene", f"{_WALK}/*/1", f"{_WALK}/*/2", "turns-list.long-walk/*"),
        (_start(lambda old, ordered, text: int(old(ordered, text)) + 1),),
    ),
    Fault(
        "cursor-backwards-exclusive",
        "`backwardsCursor` leaves out the turn that it names.",
        by("turns-match-scene", "turns-list.backwards-cursor", "turns-list.added-between-pages"),
        (_start(lambda old, ordered, text: int(old(ordered, text)) + ('"includeAnchor":true' in text)),),
    ),
    Fault(
        "cursor-backwards-missing",
        "`backwardsCursor` is always null.",
        by("result", "turns-list.page", at="/backwardsCursor"),
        pages(lambda page: replace(page, backwards_cursor=None)),
    ),
    Fault(
        "cursor-after-the-end",
        "The last page has a `nextCursor` too.",
        by("result", "turns-list.backwards-cursor", at="/nextCursor"),
        pages(_past_the_end),
    ),
    Fault(
        "cursor-missing",
        "`nextCursor` is null although turns remain.",
        by("result", "turns-list.page", at="/nextCursor") + by("turns-match-scene", f"{_WALK}/*/1", f"{_WALK}/*/2"),
        pages(lambda page: replace(page, next_cursor=None)),
    ),
    Fault(
        "cursor-stands-still",
        "`nextCursor` is the cursor of the page's first turn, so that a walk never ends.",
        by("cursor-advances", f"{_WALK}/*/1", f"{_WALK}/*/2"),
        pages(lambda page: replace(page, next_cursor=page.next_cursor and page.backwards_cursor)),
    ),
)
