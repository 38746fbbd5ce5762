"""Faults of the view: which items a turn has, and what it says of itself."""

from __future__ import annotations

from typing import Any

from hive_gate.faults.edits import Turn, defaulting, items_of, setting, with_each_turn, with_params, with_result
from hive_gate.faults.fault import Fault, Message, RequestHook, by
from hive_gate.faults.wire import Wire

ITEMS_MATCH = "items-match-view"


def _asking(view: str, instead: str) -> RequestHook:
    """Ask the server for another view where one is asked for."""

    def request(message: Message, wire: Wire) -> Message:
        if message["params"].get("itemsView") == view:
            message["params"]["itemsView"] = instead
        return message

    return request


def _full_with_limit(params: dict[str, Any]) -> None:
    if "limit" in params:
        params.setdefault("itemsView", "full")


def _summary_after_first(params: dict[str, Any]) -> None:
    if params.get("cursor"):
        params["itemsView"] = "summary"


def _labeled(page: Any, params: dict[str, Any]) -> None:
    """Let each turn say that it is in the view that was asked for."""
    for turn in page["data"]:
        turn["itemsView"] = params.get("itemsView", "summary")


def _first_answer(page: Any, params: dict[str, Any]) -> None:
    if params.get("itemsView") != "summary":
        return
    for turn in page["data"]:
        turn["items"] = items_of(turn, "userMessage")[:1] + items_of(turn, "agentMessage")[:1]
    _labeled(page, params)


def _only(*kinds: str) -> Any:
    def change(turn: Turn) -> None:
        turn["items"] = [item for item in turn["items"] if item["type"] in kinds]

    return with_each_turn(change)


def _last_answer_only(turn: Turn) -> None:
    answers = items_of(turn, "agentMessage")[:-1]
    turn["items"] = [item for item in turn["items"] if item not in answers]


def _reasoning_last(turn: Turn) -> None:
    turn["items"].sort(key=lambda item: item["type"] == "reasoning")


FAULTS = (
    Fault(
        "view-always-full",
        "Every page is in the view `full`.",
        by(ITEMS_MATCH, "turns-list.page/notLoaded", "turns-list.view/notLoaded", "turns-list.view/summary")
        + by(ITEMS_MATCH, "turns-list.real-turns/notLoaded", "turns-list.real-turns/summary")
        + by(ITEMS_MATCH, "turns-list.page/summary", "turns-list.texts/summary", at="/data/*/itemsView")
        + by(ITEMS_MATCH, "paged-turns.view/notLoaded", "paged-turns.view/summary", "paged-turns.defaults"),
        request=setting(itemsView="full"),
    ),
    Fault(
        "view-always-summary",
        "Every page is in the view `summary`.",
        by(ITEMS_MATCH, "turns-list.view/notLoaded", "turns-list.view/full", "turns-list.real-turns/full")
        + by(ITEMS_MATCH, "turns-list.page/full", at="/data/*/itemsView")
        + by(ITEMS_MATCH, "paged-turns.view/notLoaded", "paged-turns.view/full", "paged-turns.added-live"),
        request=setting(itemsView="summary"),
    ),
    Fault(
        "view-always-not-loaded",
        "No page has items.",
        by(
            ITEMS_MATCH,
            "turns-list.page/summary",
            "turns-list.page/full",
            "turns-list.view/summary",
            at="/data/*/items",
        )
        + by(ITEMS_MATCH, "turns-list.real-turns/summary", "turns-list.walk", "turns-list.archived"),
        request=setting(itemsView="notLoaded"),
    ),
    Fault(
        "not-loaded-with-items",
        "The view `notLoaded` has items all the same.",
        by(ITEMS_MATCH, "turns-list.page/notLoaded", "turns-list.view/notLoaded", at="/data/*/items*"),
        request=_asking("notLoaded", "full"),
        reply=with_result(_labeled),
    ),
    Fault(
        "full-without-reasoning",
        "The view `full` leaves the reasoning out.",
        by(ITEMS_MATCH, "turns-list.view/full", at="/data/*/items/*"),
        reply=_only("userMessage", "agentMessage"),
    ),
    Fault(
        "full-without-earlier-answers",
        "The view `full` has only the last answer of a turn.",
        by(
            ITEMS_MATCH,
            "turns-list.view/full",
            "turns-list.real-turns/full",
            "paged-turns.view/full",
            at="/data/*/items/*",
        ),
        reply=with_each_turn(_last_answer_only),
    ),
    Fault(
        "full-in-another-order",
        "The items of the view `full` are not in the order in which they came.",
        by(ITEMS_MATCH, "turns-list.view/full", at="/data/*/items/*"),
        reply=with_each_turn(_reasoning_last),
    ),
    Fault(
        "full-doubles-items",
        "The last item of each turn stands there twice.",
        by(
            ITEMS_MATCH,
            "turns-list.page/full",
            "turns-list.view/full",
            "turns-list.view/summary",
            "paged-turns.view/full",
        ),
        reply=with_each_turn(lambda turn: turn.update(items=turn["items"] + turn["items"][-1:])),
    ),
    Fault(
        "summary-has-first-answer",
        "The view `summary` has the first answer of a turn, not the last.",
        by(ITEMS_MATCH, "turns-list.view/summary", "paged-turns.view/summary", at="/data/*/items/*"),
        request=_asking("summary", "full"),
        reply=with_result(_first_answer),
    ),
    Fault(
        "summary-without-question",
        "The user's message is missing.",
        by(ITEMS_MATCH, "turns-list.view/summary", "turns-list.default-view", "turns-list.page/summary"),
        reply=_only("agentMessage", "reasoning"),
    ),
    Fault(
        "view-for-first-page-only",
        "A page that is asked for with a cursor is in the view `summary`, whatever it says.",
        by(ITEMS_MATCH, "resume.initial-page/notLoaded", "resume.initial-page/full", at="/data/*/items*")
        + by("same-turns-as", "read.with-turns"),
        request=with_params(_summary_after_first),
        reply=with_result(_labeled),
    ),
    Fault(
        "view-label-wrong",
        "Every turn says that it is in the view `full`, whatever it holds.",
        by(ITEMS_MATCH, "turns-list.page/notLoaded", "turns-list.page/summary", at="/data/*/itemsView"),
        reply=with_each_turn(lambda turn: turn.update(itemsView="full")),
    ),
    Fault(
        "default-view-full",
        "Without a view the page is `full`.",
        by(ITEMS_MATCH, "turns-list.default-view"),
        request=defaulting("itemsView", "full"),
    ),
    Fault(
        "default-view-full-with-limit",
        "Without a view, but with a limit, the page is `full`.",
        by(ITEMS_MATCH, "turns-list.page/none", at="/data/*/itemsView"),
        request=with_params(_full_with_limit),
    ),
    Fault(
        "default-view-not-loaded",
        "Without a view the turns have no items.",
        by(ITEMS_MATCH, "turns-list.default-view", at="/data/*/items"),
        request=defaulting("itemsView", "notLoaded"),
    ),
)
