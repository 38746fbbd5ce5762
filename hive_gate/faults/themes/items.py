"""Faults of `thread/items/list`: which items are on a page, of which turn they are, and where the cursors lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import EMPTY_PAGE, defaulting, forgetting, setting, with_params, with_result
from hive_gate.faults.fault import ITEMS_OF_THREAD, RESUME, TURN, Fault, Message, Notice, ReplyHook, RequestHook, by
from hive_gate.faults.themes.cursors import first_cursor_again
from hive_gate.faults.themes.pages import CURSOR, SIZES, including_anchor
from hive_gate.faults.wire import Wire

ITEMS = "items-match-scene"

_THREAD, _TURN, _DEFAULTS, _LIMIT = "items-list.thread", "items-list.turn", "items-list.defaults", "items-list.limit"
_WALK, _TURN_WALK, _BACK = "items-list.walk", "items-list.turn-walk", "items-list.backwards-cursor"
_LIVE, _LOADED = "items-list.added-live", "items-list.loaded"

Entry = dict[str, Any]


def _with_entries(change: Callable[[list[Entry], dict[str, Any]], list[Entry]]) -> ReplyHook:
    """Replace the entries of each page."""
    return with_result(lambda page, params: page.update(data=change(page["data"], params)))


def _of_first_turn(entries: list[Entry], params: dict[str, Any]) -> list[Entry]:
    return [entry | {"turnId": entries[0]["turnId"]} for entry in entries]


def _back_exclusive(page: Any, params: dict[str, Any]) -> None:
    if page["backwardsCursor"]:
        page["backwardsCursor"] = page["backwardsCursor"].replace('"includeAnchor":true', '"includeAnchor":false')


def _at_most_fifty(params: dict[str, Any]) -> None:
    params["limit"] = min(params.get("limit", 25), 50)


def _default_for_zero(params: dict[str, Any]) -> None:
    if params.get("limit") == 0:
        del params["limit"]


def _live_lost(reply: Message, asked: Message, wire: Wire) -> Message:
    """Leave out the items of turns that this server ran."""
    live = wire.memory.setdefault("live", set())
    if "result" in reply and asked["method"] == TURN:
        live.add(reply["result"]["turn"]["id"])
    elif "result" in reply:
        reply["result"]["data"] = [entry for entry in reply["result"]["data"] if entry["turnId"] not in live]
    return reply


def _renumbered_once_loaded(reply: Message, asked: Message, wire: Wire) -> Message:
    """Give the items of a thread that was resumed other ids."""
    loaded = wire.memory.setdefault("loaded", set())
    if asked["method"] == RESUME:
        loaded.add(asked["params"]["threadId"])
    elif asked["params"]["threadId"] in loaded and "result" in reply:
        for number, entry in enumerate(reply["result"]["data"], 1):
            entry["item"]["id"] = f"item-{number}"
    return reply


def _refused_once_loaded(reply: Message, asked: Message, wire: Wire) -> Message:
    loaded = wire.memory.setdefault("loaded", set())
    if asked["method"] == RESUME:
        loaded.add(asked["params"]["threadId"])
    elif asked["params"]["threadId"] in loaded:
        return {"id": reply["id"], "error": {"code": -32601, "message": f"{ITEMS_OF_THREAD} is not supported yet"}}
    return reply


def _items(
    name: str, breaks: str, noticed: tuple[Notice, ...], request: RequestHook | None = None,
    reply: ReplyHook | None = None, more: tuple[str, ...] = (),
) -> Fault:  # fmt: skip
    return Fault(name, breaks, noticed, (ITEMS_OF_THREAD, *more), request, reply)


FAULTS = (
    _items(
        "items-false-empty",
        "A thread with items gives an empty page of them.",
        by(ITEMS, _THREAD, _TURN, _DEFAULTS, _WALK, _TURN_WALK, _BACK, _LIVE, _LOADED, "paged-turns.archived")
        + by("result", _THREAD, at="/backwardsCursor"),
        reply=with_result(lambda page, _: page.update(EMPTY_PAGE)),
    ),
    _items(
        "items-lost",
        "The second item of a page is lost.",
        by(ITEMS, _THREAD, _TURN, _DEFAULTS, f"{_WALK}/*/5"),
        reply=_with_entries(lambda entries, _: entries[:1] + entries[2:]),
    ),
    _items(
        "items-repeated-at-border",
        "The last item of a page comes again as the first of the next.",
        by(ITEMS, f"{_WALK}/*/5") + by(CURSOR, f"{_WALK}/*/1", _TURN_WALK),
        with_params(including_anchor),
    ),
    _items(
        "items-of-first-turn",
        "Each item of a page is said to be of the turn of the first.",
        by(ITEMS, _THREAD, _DEFAULTS, f"{_WALK}/*/5"),
        reply=_with_entries(_of_first_turn),
    ),
    _items(
        "items-turn-ignored",
        "`turnId` is ignored: the items of all turns come.",
        by(ITEMS, _TURN, _TURN_WALK) + by("result", "items-list.unknown-turn", at="/data"),
        forgetting("turnId"),
    ),
    _items(
        "items-direction-ignored",
        "`desc` is ignored.",
        by(ITEMS, f"{_THREAD}/desc", f"{_TURN}/desc", f"{_WALK}/desc", _BACK),
        setting(sortDirection="asc"),
    ),
    _items(
        "items-newest-first",
        "Without a direction the newest item comes first.",
        by(ITEMS, f"{_DEFAULTS}/nothing", _LIMIT),
        defaulting("sortDirection", "desc"),
    ),
    _items(
        "items-null-direction-newest-first",
        "A direction that is null is taken for `desc`.",
        by(ITEMS, f"{_DEFAULTS}/nulls"),
        with_params(
            lambda params: params.update(sortDirection="desc") if params.get("sortDirection", "") is None else None
        ),
    ),
    _items(
        "items-limit-ignored",
        "Every page of items has the default size.",
        by(SIZES, _WALK, _TURN_WALK) + by(ITEMS, f"{_LIMIT}/zero", f"{_LIMIT}/over-one-hundred"),
        forgetting("limit"),
    ),
    _items(
        "items-default-limit-50",
        "Without a limit a page has 50 items.",
        by(ITEMS, f"{_LIMIT}/absent"),
        defaulting("limit", 50),
    ),
    _items(
        "items-capped-at-50",
        "A page never has more than 50 items.",
        by(ITEMS, f"{_LIMIT}/over-one-hundred"),
        with_params(_at_most_fifty),
    ),
    _items(
        "items-limit-zero-is-none",
        "A limit of 0 is taken for no limit.",
        by(ITEMS, f"{_LIMIT}/zero"),
        with_params(_default_for_zero),
    ),
    _items(
        "items-next-cursor-null",
        "Every page of items is the last one.",
        by(ITEMS, _WALK, _TURN_WALK) + by("result", _LIMIT, at="/nextCursor"),
        reply=with_result(lambda page, _: page.update(nextCursor=None)),
    ),
    _items(
        "items-next-cursor-repeats",
        "Each page of items gives the cursor of the first.",
        by(CURSOR, _WALK, _TURN_WALK),
        reply=first_cursor_again,
    ),
    _items(
        "items-cursor-ignored",
        "Every page of items is the first one.",
        by(CURSOR, _WALK, _TURN_WALK)
        + by(ITEMS, _BACK, _LIVE, "resume.anchors")
        + by("error", "items-list.cursor-refused"),
        forgetting("cursor"),
    ),
    _items(
        "items-backwards-cursor-null",
        "There is no `backwardsCursor` with items.",
        by("result", _THREAD, at="/backwardsCursor") + by(ITEMS, _BACK, _LIVE),
        reply=with_result(lambda page, _: page.update(backwardsCursor=None)),
    ),
    _items(
        "items-backwards-cursor-exclusive",
        "`backwardsCursor` does not give its own item again.",
        by(ITEMS, _BACK, _LIVE),
        reply=with_result(_back_exclusive),
    ),
    _items(
        "items-of-live-turn-lost",
        "The items of a turn that this server ran are not listed.",
        by(ITEMS, _LIVE, "resume.anchors"),
        reply=_live_lost,
        more=(TURN,),
    ),
    _items(
        "items-renumbered-once-loaded",
        "The items of a loaded thread have other ids.",
        by("equals", _LOADED, at="/data/*/item/id"),
        reply=_renumbered_once_loaded,
        more=(RESUME,),
    ),
    _items(
        "items-refused-once-loaded",
        "The items of a loaded thread are refused.",
        by("result", _LOADED, _LIVE, "resume.anchors"),
        reply=_refused_once_loaded,
        more=(RESUME,),
    ),
)
