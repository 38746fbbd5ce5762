"""Faults of the two cursors: where they lead, where they end, and whether they are read at all."""

from __future__ import annotations

from typing import Any

from hive_gate.faults.edits import EMPTY_PAGE, cursor, forgetting, with_params, with_result
from hive_gate.faults.fault import Fault, Message, by
from hive_gate.faults.themes.pages import CURSOR, SIZES, TURNS
from hive_gate.faults.wire import Wire

_SMALL = ("turns-list.walk/*/1", "turns-list.walk/*/2")
_PAGED = ("paged-turns.walk/*/1", "paged-turns.walk/*/2")
_PAGED_BACK = ("paged-turns.backwards-cursor", "paged-turns.added-live")
_BACK = ("turns-list.backwards-cursor", "turns-list.added-between-pages", "turns-list.added-live")


def _always_on(page: Any, params: dict[str, Any]) -> None:
    """Give a cursor after the last page too, which leads to empty pages without end."""
    if page["nextCursor"] is None:
        page["nextCursor"] = cursor(page["data"][-1], inclusive=False) if page["data"] else params.get("cursor")


def _one_page_more(page: Any, params: dict[str, Any]) -> None:
    if page["nextCursor"] is None and page["data"]:
        page["nextCursor"] = cursor(page["data"][-1], inclusive=False)


def _end_after_second(page: Any, params: dict[str, Any]) -> None:
    if params.get("cursor"):
        page["nextCursor"] = None


def first_cursor_again(reply: Message, asked: Message, wire: Wire) -> Message:
    """Repeat the first cursor of a thread on every later page that has one."""
    page = reply.get("result", {})
    if page.get("nextCursor"):
        key = asked["params"]["threadId"], asked["params"].get("sortDirection")
        if not asked["params"].get("cursor"):
            wire.memory[key] = page["nextCursor"]
        page["nextCursor"] = wire.memory[key]
    return reply


def _none_on_last_page(page: Any, params: dict[str, Any]) -> None:
    if page["nextCursor"] is None:
        page["backwardsCursor"] = None


def _exclusive(page: Any, params: dict[str, Any]) -> None:
    if page["data"]:
        page["backwardsCursor"] = cursor(page["data"][0], inclusive=False)


def _at_last(page: Any, params: dict[str, Any]) -> None:
    if page["data"]:
        page["backwardsCursor"] = cursor(page["data"][-1], inclusive=True)


def _from_the_start(request: Message, wire: Wire) -> Message:
    """Read a cursor as a number of turns: those are asked for as well, and cut off again."""
    params = request["params"]
    if str(params.get("cursor", "")).startswith("offset:"):
        del params["cursor"]
        params["limit"] = 100
    return request


def _counted(page: Any, params: dict[str, Any]) -> None:
    given = str(params.get("cursor") or "offset:0")
    if not given.startswith("offset:"):
        return  # a cursor of the server's own: `backwardsCursor` stays as it is
    skipped = int(given.removeprefix("offset:"))
    size = params.get("limit", 25)
    turns = page["data"][skipped:] if skipped else page["data"]
    more = len(turns) > size or page["nextCursor"] is not None
    page.update(data=turns[:size], nextCursor=f"offset:{skipped + size}" if more else None)


FAULTS = (
    Fault(
        "next-cursor-never-null",
        "There is a `nextCursor` after the last page too.",
        by(CURSOR, "turns-list.walk", "turns-list.archived") + by("result", "turns-list.backwards-cursor"),
        reply=with_result(_always_on),
    ),
    Fault(
        "one-empty-page-more",
        "The last page is followed by an empty one.",
        by(SIZES, "turns-list.walk", "turns-list.long-walk"),
        reply=with_result(_one_page_more),
    ),
    Fault(
        "next-cursor-always-null",
        "Every page is the last one.",
        by("result", "turns-list.page", "turns-list.limit", at="/nextCursor")
        + by(TURNS, *_SMALL, "turns-list.long-walk", *_PAGED),
        reply=with_result(lambda page, _: page.update(nextCursor=None)),
    ),
    Fault(
        "early-end",
        "The second page is the last one, whatever is left.",
        by(TURNS, *_SMALL, "turns-list.long-walk/*/7"),
        reply=with_result(_end_after_second),
    ),
    Fault(
        "next-cursor-omitted",
        "`nextCursor` is left out.",
        by("result", "turns-list.page", "turns-list.limit"),
        reply=with_result(lambda page, _: page.pop("nextCursor")),
    ),
    Fault(
        "next-cursor-repeats",
        "Each page gives the cursor of the first.",
        by(CURSOR, *_SMALL, "turns-list.long-walk", *_PAGED),
        reply=first_cursor_again,
    ),
    Fault(
        "cursor-ignored",
        "Every page is the first one.",
        by(CURSOR, *_SMALL, "turns-list.long-walk", *_PAGED)
        + by(TURNS, *_BACK, *_PAGED_BACK, "resume.anchors")
        + by("error", "turns-list.cursor-invalid", "turns-list.cursor-rolled-back")
        + by("error", "paged-turns.cursor-refused", "revert.cursors"),
        request=forgetting("cursor"),
    ),
    Fault(
        "cursor-for-another-direction",
        "A cursor always leads to older turns, also from the oldest on.",
        by(TURNS, "turns-list.walk/asc/1", "turns-list.walk/asc/2", *_BACK, *_PAGED_BACK),
        request=with_params(lambda params: params.update(sortDirection="desc") if params.get("cursor") else None),
    ),
    Fault(
        "backwards-cursor-null",
        "There is no `backwardsCursor`.",
        by("result", "turns-list.page", "paged-turns.view", at="/backwardsCursor")
        + by(TURNS, "turns-list.added-between-pages"),
        reply=with_result(lambda page, _: page.update(backwardsCursor=None)),
    ),
    Fault(
        "backwards-cursor-omitted",
        "`backwardsCursor` is left out.",
        by("result", "turns-list.page") + by("capture", "turns-list.backwards-cursor", "turns-list.added-live"),
        reply=with_result(lambda page, _: page.pop("backwardsCursor")),
    ),
    Fault(
        "backwards-cursor-null-on-last-page",
        "There is no `backwardsCursor` on the last page.",
        by(TURNS, "turns-list.backwards-cursor"),
        reply=with_result(_none_on_last_page),
    ),
    Fault(
        "backwards-cursor-exclusive",
        "`backwardsCursor` does not give its own turn again.",
        by(TURNS, *_BACK),
        reply=with_result(_exclusive),
    ),
    Fault(
        "backwards-cursor-of-last-turn",
        "`backwardsCursor` stands at the last turn of the page, not at the first.",
        by(TURNS, *_BACK),
        reply=with_result(_at_last),
    ),
    Fault(
        "cursor-counts-turns",
        "A cursor is a number of turns from the newest, so a new turn shifts the pages.",
        by(TURNS, "turns-list.added-between-pages", "turns-list.added-live")
        + by("error", "turns-list.cursor-rolled-back"),
        request=_from_the_start,
        reply=with_result(_counted),
    ),
    Fault(
        "pages-end-empty",
        "A page that is asked for with a cursor is empty and the last.",
        by(TURNS, *_SMALL, *_BACK, *_PAGED, *_PAGED_BACK),
        reply=with_result(lambda page, params: page.update(EMPTY_PAGE) if params.get("cursor") else None),
    ),
)
