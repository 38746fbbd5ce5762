"""Faults of a thread that is opened: where its cursors lead, what takes the capability, and what a fork has."""

from __future__ import annotations

from typing import Any

from hive_gate.faults.edits import refusal, with_result
from hive_gate.faults.fault import (
    FORK,
    ITEMS_OF_THREAD,
    LIST,
    RESUME,
    REVERT,
    START,
    Fault,
    Message,
    ReplyHook,
    by,
)
from hive_gate.faults.themes.items import ITEMS
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.wire import Wire

_ANCHORS, _LEGACY = "resume.anchors", "resume.anchors-legacy"
_FORK, _STABLE = "fork.legacy-undo", ("handshake.stable-pages", "handshake.stable-restore")

_NAMES = ("turnsBackwardsCursor", "itemsBackwardsCursor")


def _anchored(to: str | None) -> ReplyHook:
    """Give other cursors with a resume."""
    return with_result(lambda result, _: result.update(dict.fromkeys(_NAMES, to)))


def _no_anchors(result: Any, params: dict[str, Any]) -> None:
    for name in _NAMES:
        del result[name]


def _exclusive(result: Any, params: dict[str, Any]) -> None:
    for name in _NAMES:
        if result[name]:
            result[name] = result[name].replace('"includeAnchor":true', '"includeAnchor":false')


def _gated(request: Message, wire: Wire) -> Message | None:
    """Refuse what is stable as if it still took the capability."""
    if request["method"] == "initialize":
        wire.memory["stable"] = not request["params"].get("capabilities", {}).get("experimentalApi")
    gated = request["method"] in (LIST, ITEMS_OF_THREAD, REVERT) or (request.get("params") or {}).get("excludeTurns")
    if wire.memory.get("stable") and gated:
        wire.to_client(refusal(request, f"{request['method']} requires experimentalApi capability"))
        return None
    return request


def _ungated(request: Message, wire: Wire) -> Message:
    """Have the choice of a history mode need no capability."""
    if request["method"] == START:
        request["params"].pop("historyMode", None)
    return request


def _whole(request: Message, wire: Wire) -> Message:
    request["params"].pop("lastTurnId", None)
    return request


def _source_cut(reply: Message, asked: Message, wire: Wire) -> Message:
    """Show the thread that was forked only up to where it was."""
    result = reply.get("result") or {}
    if asked["method"] == FORK:
        wire.memory[asked["params"]["threadId"]] = True
    elif asked["params"]["threadId"] in wire.memory:
        del result["data"][-2:]
    return reply


def _as_source(reply: Message, asked: Message, wire: Wire) -> Message:
    reply["result"]["thread"]["id"] = asked["params"]["threadId"]
    return reply


FAULTS = (
    Fault(
        "stable-needs-capability",
        "What is stable is refused without the capability.",
        by("result", *_STABLE),
        of=(),
        request=_gated,
    ),
    Fault(
        "no-gate-history-mode",
        "A history mode is chosen, or ignored, without the capability.",
        by("error", "handshake.without-capability/start-history-mode"),
        of=(START,),
        request=_ungated,
    ),
    Fault(
        "anchors-null",
        "A resume of a paginated thread has no cursors.",
        by("result", _ANCHORS, "handshake.stable-restore", at="/turnsBackwardsCursor")
        + by("result", _ANCHORS, "handshake.stable-restore", at="/itemsBackwardsCursor"),
        of=(RESUME,),
        reply=_anchored(None),
    ),
    Fault(
        "anchors-omitted",
        "A resume does not speak of the cursors.",
        by("result", _LEGACY) + by("capture", _ANCHORS),
        of=(RESUME,),
        reply=with_result(_no_anchors),
    ),
    Fault(
        "anchors-exclusive",
        "The cursors of a resume do not give the newest turn and item again.",
        by(TURNS, _ANCHORS, at="/data*") + by(ITEMS, _ANCHORS, at="/data*"),
        of=(RESUME,),
        reply=with_result(_exclusive),
    ),
    Fault(
        "anchors-of-legacy",
        "A resume of a legacy thread has cursors.",
        by("result", _LEGACY, at="/turnsBackwardsCursor") + by("result", _LEGACY, at="/itemsBackwardsCursor"),
        of=(RESUME,),
        reply=_anchored("made up"),
    ),
    Fault(
        "fork-has-all-turns",
        "A fork up to a turn has every turn.",
        by(TURNS, _FORK, at="/data*") + by("model-input", _FORK),
        of=(FORK,),
        request=_whole,
    ),
    Fault(
        "fork-is-the-thread",
        "A fork has the id of the thread that was forked.",
        by("result", _FORK, at="/thread/id"),
        of=(FORK,),
        reply=_as_source,
    ),
    Fault(
        "fork-forgets-its-origin",
        "A fork does not say which thread it is of.",
        by("result", _FORK, at="/thread/forkedFromId"),
        of=(FORK,),
        reply=with_result(lambda result, _: result["thread"].update(forkedFromId=None)),
    ),
    Fault(
        "fork-cuts-its-origin",
        "The thread that was forked ends where the fork begins.",
        by(TURNS, _FORK, at="/data*"),
        of=(FORK, LIST),
        reply=_source_cut,
    ),
)
