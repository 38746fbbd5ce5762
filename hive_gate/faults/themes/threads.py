"""Faults that show on certain threads: archived, loaded, growing, rolled back; and replies that change places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import EMPTY_PAGE, Turn, items_of
from hive_gate.faults.fault import LIST, RESUME, TURN, Fault, Message, ReplyHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_ARCHIVED = "turns-list.archived"


def _of_archived(change: Callable[[Message], Message]) -> ReplyHook:
    """Change the reply where the thread lies among the archived ones."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        folder = wire.codex_home / "archived_sessions"
        thread = asked["params"]["threadId"]
        return change(message) if any(folder.glob(f"*{thread}*")) else message

    return reply


def _of_loaded(change: Callable[[Any, dict[str, Any]], None]) -> ReplyHook:
    """Change the pages of a thread once it has been resumed."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        loaded = wire.memory.setdefault("loaded", set())
        if asked["method"] == RESUME:
            loaded.add(asked["params"]["threadId"])
        elif asked["params"]["threadId"] in loaded and "result" in message:
            change(message["result"], asked["params"])
        return message

    return reply


def _of_live(change: Callable[[list[Turn], set[str]], list[Turn]]) -> ReplyHook:
    """Change the pages that hold a turn which this server ran itself; `change` gets the turns and the ids of those."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        live = wire.memory.setdefault("live", set())
        if "result" in message and asked["method"] == TURN:
            live.add(message["result"]["turn"]["id"])
        elif "result" in message:
            message["result"]["data"] = change(message["result"]["data"], live)
        return message

    return reply


def _newest_lost(page: Any, params: dict[str, Any]) -> None:
    if not params.get("cursor"):
        page["data"] = page["data"][1:]


def _reasoning_lost(page: Any, params: dict[str, Any]) -> None:
    for turn in page["data"]:
        turn["items"] = [item for item in turn["items"] if item["type"] != "reasoning"]


def _answers_lost(page: Any, params: dict[str, Any]) -> None:
    for turn in page["data"]:
        turn["items"] = items_of(turn, "userMessage")


def _statuses_lost(page: Any, params: dict[str, Any]) -> None:
    for turn in page["data"]:
        turn["status"] = "inProgress"


def _live_lost(turns: list[Turn], live: set[str]) -> list[Turn]:
    return [turn for turn in turns if turn["id"] not in live]


def _live_first(turns: list[Turn], live: set[str]) -> list[Turn]:
    return sorted(turns, key=lambda turn: turn["id"] not in live)


def _live_in_progress(turns: list[Turn], live: set[str]) -> list[Turn]:
    return [turn | {"status": "inProgress"} if turn["id"] in live else turn for turn in turns]


def _live_without_question(turns: list[Turn], live: set[str]) -> list[Turn]:
    return [turn | {"items": items_of(turn, "agentMessage")} if turn["id"] in live else turn for turn in turns]


def _still_there(reply: Message, asked: Message, wire: Wire) -> Message:
    """Show turns again that stood on an earlier first page and were rolled back since."""
    page, params = reply.get("result", {}), asked["params"]
    if "data" in page and not params.get("cursor"):
        known = wire.memory.setdefault(params["threadId"], page["data"])
        shown = {turn["id"] for turn in page["data"]}
        page["data"] = [turn for turn in known if turn["id"] not in shown] + page["data"]
    return reply


def _swap_first_two(reply: Message, asked: Message, wire: Wire) -> Message | None:
    """Hold the first reply until the second is there, and give each the other's id."""
    held = wire.memory.get("held")
    if held is None:
        wire.memory["held"] = reply
        return None
    if held:
        held["id"], reply["id"] = reply["id"], held["id"]
        wire.to_client(held)
        wire.memory["held"] = {}
    return reply


def _refused(reply: Message) -> Message:
    thread = "archived threads cannot be paged"
    return {"id": reply["id"], "error": {"code": -32600, "message": thread}}


FAULTS = (
    Fault(
        "archived-refused",
        "An archived thread is refused.",
        by("result", _ARCHIVED, "paged-turns.archived"),
        reply=_of_archived(_refused),
    ),
    Fault(
        "archived-as-empty",
        "An archived thread is an empty page.",
        by(TURNS, _ARCHIVED, "turns-list.side-by-side", "paged-turns.archived"),
        reply=_of_archived(lambda reply: {"id": reply["id"], "result": EMPTY_PAGE}),
    ),
    Fault(
        "loaded-loses-newest",
        "A loaded thread lacks its newest turn.",
        by(TURNS, "turns-list.loaded", "paged-turns.loaded")
        + by("same-turns-as", "turns-list.loaded", "paged-turns.loaded"),
        of=(LIST, RESUME),
        reply=_of_loaded(_newest_lost),
    ),
    Fault(
        "loaded-loses-answers",
        "The turns of a loaded thread have no answers.",
        by("same-turns-as", "turns-list.loaded/summary", "turns-list.loaded/full", "paged-turns.loaded")
        + by(ITEMS_MATCH, "turns-list.loaded/summary", "turns-list.loaded/full"),
        of=(LIST, RESUME),
        reply=_of_loaded(_answers_lost),
    ),
    Fault(
        "loaded-loses-reasoning",
        "The turns of a loaded thread have no reasoning.",
        by("same-turns-as", "turns-list.loaded/full") + by(ITEMS_MATCH, "turns-list.loaded/full"),
        of=(LIST, RESUME),
        reply=_of_loaded(_reasoning_lost),
    ),
    Fault(
        "loaded-in-progress",
        "Every turn of a loaded thread is in progress.",
        by("same-turns-as", "turns-list.loaded") + by(TURNS, "turns-list.loaded", at="/data/*/status"),
        of=(LIST, RESUME),
        reply=_of_loaded(_statuses_lost),
    ),
    Fault(
        "live-turn-lost",
        "A turn that this server ran is not listed.",
        by(TURNS, "turns-list.added-live", "turns-list.failed-live", "paged-turns.added-live", "resume.anchors"),
        of=(LIST, TURN),
        reply=_of_live(_live_lost),
    ),
    Fault(
        "live-turn-first",
        "A turn that this server ran always comes first, also from the oldest on.",
        by(TURNS, "turns-list.added-live"),
        of=(LIST, TURN),
        reply=_of_live(_live_first),
    ),
    Fault(
        "live-turn-in-progress",
        "A turn that this server ran is in progress for ever.",
        by(TURNS, "turns-list.added-live", "turns-list.failed-live", at="/data/*/status"),
        of=(LIST, TURN),
        reply=_of_live(_live_in_progress),
    ),
    Fault(
        "live-turn-without-question",
        "A turn that this server ran is listed without the user's message.",
        by(ITEMS_MATCH, "turns-list.added-live", "turns-list.failed-live", at="/data/*/items*"),
        of=(LIST, TURN),
        reply=_of_live(_live_without_question),
    ),
    Fault(
        "rollback-ignored",
        "Turns that were rolled back are still listed.",
        by(TURNS, "turns-list.cursor-rolled-back"),
        reply=_still_there,
    ),
    Fault(
        "replies-swapped",
        "Of two requests in flight each gets the other's page.",
        by(TURNS, "turns-list.side-by-side"),
        reply=_swap_first_two,
    ),
)
