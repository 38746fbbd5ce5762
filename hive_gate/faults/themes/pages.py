"""Faults of a page: which turns are on it, in which order, and how many."""

from __future__ import annotations

from typing import Any

from hive_gate.faults.edits import (
    EMPTY_PAGE,
    Turn,
    cursor,
    defaulting,
    forgetting,
    refusal,
    setting,
    with_params,
    with_result,
    with_turns,
)
from hive_gate.faults.fault import LIST, READ, Fault, Message, by
from hive_gate.faults.wire import Wire

TURNS, SIZES, CURSOR = "turns-match-scene", "page-sizes", "cursor-advances"


def _without_middle(turns: list[Turn], params: dict[str, Any]) -> list[Turn]:
    return turns[:1] + turns[2:] if len(turns) > 2 else turns


def _without_first_after_border(turns: list[Turn], params: dict[str, Any]) -> list[Turn]:
    return turns[1:] if params.get("cursor") else turns


def including_anchor(params: dict[str, Any]) -> None:
    """Ask with a cursor as if it had been given as `backwardsCursor`."""
    if str(params.get("cursor", "")).startswith("{"):
        params["cursor"] = params["cursor"].replace('"includeAnchor":false', '"includeAnchor":true')


def _swap_last_two(turns: list[Turn], params: dict[str, Any]) -> list[Turn]:
    return turns[:-2] + turns[:-3:-1]


def _swap_directions(params: dict[str, Any]) -> None:
    params["sortDirection"] = "desc" if params.get("sortDirection") == "asc" else "asc"


def _one_more(params: dict[str, Any]) -> None:
    params["limit"] = params.get("limit", 25) + 1


def _free_size_after_first(params: dict[str, Any]) -> None:
    if params.get("cursor"):
        params.pop("limit", None)


def _none_for_zero(page: Any, params: dict[str, Any]) -> None:
    if params.get("limit") == 0:
        page.update(EMPTY_PAGE)


def _default_for_zero(params: dict[str, Any]) -> None:
    if params.get("limit") == 0:
        del params["limit"]


def _at_most_fifty(params: dict[str, Any]) -> None:
    params["limit"] = min(params.get("limit", 25), 50)


def _refuse_over_100(request: Message, wire: Wire) -> Message | None:
    if request["params"].get("limit", 0) <= 100:
        return request
    wire.to_client(refusal(request, "limit must be at most 100"))
    return None


def _read_all_over_100(request: Message, wire: Wire) -> Message:
    """Have the whole thread read where the page asked for is too large."""
    if request["params"].get("limit", 0) <= 100:
        return request
    params = {"threadId": request["params"]["threadId"], "includeTurns": True}
    return {"id": request["id"], "method": READ, "params": params}


def _page_of_read(result: Any, params: dict[str, Any]) -> None:
    """Make the page of a thread that was read, with as many turns as were asked for."""
    if "thread" not in result:
        return
    turns = result.pop("thread")["turns"][::-1][: params["limit"]]
    for turn in turns:
        turn.update(items=[], itemsView="notLoaded")
    result.update(
        data=turns,
        nextCursor=cursor(turns[-1], inclusive=False),
        backwardsCursor=cursor(turns[0], inclusive=True),
    )


def _null_limit(params: dict[str, Any]) -> None:
    if "limit" in params and params["limit"] is None:
        params["limit"] = 1


FAULTS = (
    Fault(
        "null-limit-as-one",
        "A limit that is null is taken for one.",
        by(TURNS, "turns-list.null-parameters", "paged-turns.defaults/nulls"),
        request=with_params(_null_limit),
    ),
    Fault(
        "false-empty-page",
        "A thread with turns gives an empty page.",
        by(TURNS, "turns-list.page", "turns-list.walk", "turns-list.archived", "turns-list.default-direction")
        + by(SIZES, "turns-list.walk", "paged-turns.walk")
        + by(TURNS, "paged-turns.view", "paged-turns.defaults", "paged-turns.walk"),
        reply=with_result(lambda page, _: page.update(EMPTY_PAGE)),
    ),
    Fault(
        "lost-turn",
        "A turn in the middle of a page is lost.",
        by(TURNS, "turns-list.walk/*/7", "turns-list.walk/*/100", "turns-list.long-walk", "turns-list.direction")
        + by(TURNS, "paged-turns.view", "paged-turns.walk/*/7"),
        reply=with_turns(_without_middle),
    ),
    Fault(
        "lost-at-border",
        "The turn after a page border is lost.",
        by(TURNS, "turns-list.walk/*/1", "turns-list.walk/*/2", "turns-list.long-walk"),
        reply=with_turns(_without_first_after_border),
    ),
    Fault(
        "repeated-at-border",
        "The last turn of a page comes again as the first of the next.",
        by(TURNS, "turns-list.walk/*/2", "turns-list.long-walk", "paged-turns.walk/*/2")
        + by(CURSOR, "turns-list.walk/*/1", "paged-turns.walk/*/1"),
        request=with_params(including_anchor),
    ),
    Fault(
        "repeated-turn",
        "The last turn of a page stands there twice.",
        by(TURNS, "turns-list.page", "turns-list.walk") + by(SIZES, "turns-list.walk/*/1", "turns-list.walk/*/2"),
        reply=with_turns(lambda turns, _: turns + turns[-1:]),
    ),
    Fault(
        "wrong-way-round",
        "The turns of a page come in the opposite order.",
        by(TURNS, "turns-list.page", "turns-list.direction", "turns-list.default-direction"),
        reply=with_turns(lambda turns, _: turns[::-1]),
    ),
    Fault(
        "two-turns-swapped",
        "The last two turns of a page have changed places.",
        by(TURNS, "turns-list.walk/*/2", "turns-list.walk/*/7", "turns-list.long-walk"),
        reply=with_turns(_swap_last_two),
    ),
    Fault(
        "default-direction-asc",
        "Without a direction the oldest turn comes first.",
        by(
            TURNS,
            "turns-list.default-direction",
            "turns-list.default-view",
            "paged-turns.defaults/nothing",
            "paged-turns.limit",
        ),
        request=defaulting("sortDirection", "asc"),
    ),
    Fault(
        "always-newest-first",
        "`asc` is ignored.",
        by(TURNS, "turns-list.direction/asc", "turns-list.walk/asc", "turns-list.backwards-cursor")
        + by(TURNS, "paged-turns.view/*/asc", "paged-turns.walk/asc", "paged-turns.backwards-cursor"),
        request=setting(sortDirection="desc"),
    ),
    Fault(
        "always-oldest-first",
        "`desc` is ignored.",
        by(TURNS, "turns-list.direction/desc", "turns-list.walk/desc", "turns-list.backwards-cursor")
        + by(TURNS, "paged-turns.view/*/desc", "paged-turns.walk/desc", "paged-turns.backwards-cursor"),
        request=setting(sortDirection="asc"),
    ),
    Fault(
        "directions-swapped",
        "`asc` gives the newest first and `desc` the oldest.",
        by(TURNS, "turns-list.direction", "turns-list.walk"),
        request=with_params(_swap_directions),
    ),
    Fault(
        "limit-ignored",
        "Every page has the default size.",
        by(TURNS, "turns-list.page", "turns-list.limit/zero", "turns-list.limit/one-hundred")
        + by(SIZES, "turns-list.walk/*/1", "turns-list.walk/*/2", "paged-turns.walk/*/1", "paged-turns.walk/*/2"),
        request=forgetting("limit"),
    ),
    Fault(
        "limit-off-by-one",
        "A page has one turn more than asked for.",
        by(TURNS, "turns-list.page", "turns-list.limit/absent")
        + by(SIZES, "turns-list.walk/*/1", "turns-list.walk/*/2"),
        request=with_params(_one_more),
    ),
    Fault(
        "limit-for-first-page-only",
        "A page that is asked for with a cursor has the default size.",
        by(SIZES, "turns-list.walk/*/1", "turns-list.walk/*/2", "turns-list.long-walk/*/7"),
        request=with_params(_free_size_after_first),
    ),
    Fault(
        "default-limit-50",
        "Without a limit a page has 50 turns.",
        by(TURNS, "turns-list.limit/absent", "paged-turns.limit/absent"),
        request=defaulting("limit", 50),
    ),
    Fault(
        "limit-zero-gives-none",
        "A limit of 0 gives an empty page.",
        by(TURNS, "turns-list.limit/zero") + by("result", "turns-list.limit/zero", at="/nextCursor"),
        reply=with_result(_none_for_zero),
    ),
    Fault(
        "limit-zero-is-none",
        "A limit of 0 is taken for no limit.",
        by(TURNS, "turns-list.limit/zero", "paged-turns.limit/zero"),
        request=with_params(_default_for_zero),
    ),
    Fault(
        "limit-capped-at-50",
        "A page never has more than 50 turns.",
        by(TURNS, "turns-list.limit/one-hundred", "turns-list.limit/over-one-hundred"),
        request=with_params(_at_most_fifty),
    ),
    Fault(
        "limit-over-100-refused",
        "A limit over 100 is refused.",
        by("result", "turns-list.limit/over-one-hundred"),
        request=_refuse_over_100,
    ),
    Fault(
        "limit-over-100-granted",
        "A limit over 100 gives as many turns as asked for.",
        by(TURNS, "turns-list.limit/over-one-hundred"),
        of=(LIST,),
        request=_read_all_over_100,
        reply=with_result(_page_of_read),
    ),
)
