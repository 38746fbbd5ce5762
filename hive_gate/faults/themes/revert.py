"""Faults of `thread/revert`: what it cuts away, what it answers, and what agrees with it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import refusal, with_result
from hive_gate.faults.fault import ITEMS_OF_THREAD, LIST, READ, RESUME, REVERT, Fault, Message, Notice, ReplyHook, by
from hive_gate.faults.themes.items import ITEMS
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.wire import Wire

_LAST, _FIRST, _RESTART, _MODEL = "revert.last", "revert.first", "revert.restart", "revert.model"
_ANNOUNCED, _ACTIVE, _CURSORS, _FILES = "revert.announced", "revert.active-turn", "revert.cursors", "revert.files"
_NAME = "thread-name.revert"
_DONE = (_LAST, _FIRST, _RESTART, _MODEL, _ANNOUNCED, _ACTIVE, _CURSORS, _FILES, _NAME)
_REFUSED = ("revert.refuses", "revert.legacy", "revert.ephemeral")
_SHOWING = (LIST, ITEMS_OF_THREAD, READ, RESUME)


def _unknown_method(request: Message, wire: Wire) -> None:
    wire.to_client(refusal(request, f"Invalid request: unknown variant `{REVERT}`, expected one of `thread/read`"))


def _cutting(neighbor: int) -> Fault:
    """Cut before another turn: -1 for the one before, 1 for the one after, as far as there is one."""

    def request(asked: Message, wire: Wire) -> Message:
        if asked["method"] != REVERT:
            return asked
        wire.memory["listing"] = asked["id"]
        params = {
            "threadId": asked["params"]["threadId"],
            "sortDirection": "asc",
            "limit": 100,
            "itemsView": "notLoaded",
        }
        return {"id": asked["id"], "method": LIST, "params": params}

    def reply(message: Message, asked: Message, wire: Wire) -> Message | None:
        if asked["method"] != REVERT or wire.memory.pop("listing", None) != asked["id"]:
            return message
        ids = [turn["id"] for turn in message["result"]["data"]]
        params = dict(asked["params"])
        if params["beforeTurnId"] in ids:
            at = ids.index(params["beforeTurnId"]) + neighbor
            params["beforeTurnId"] = ids[min(max(at, 0), len(ids) - 1)]
        wire.to_server({**asked, "params": params})
        return None

    return Fault("", "", (), (REVERT,), request, reply)


def _unheard(request: Message, wire: Wire) -> Message:
    """Let a revert not happen: the thread is read instead."""
    if request["method"] != REVERT or request["params"]["threadId"] not in wire.memory:
        return request
    thread = request["params"]["threadId"]
    ids = wire.memory[thread]
    at = ids.index(request["params"]["beforeTurnId"])
    wire.memory["gone", thread] = set(ids[at:])
    return {"id": request["id"], "method": READ, "params": {"threadId": thread}}


def _hidden(*methods: str) -> ReplyHook:
    """Hide the turns of reverts that did not happen from the replies to some methods."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        thread = (asked.get("params") or {}).get("threadId")
        result, gone = message.get("result"), wire.memory.get(("gone", thread), set())
        if result is None:
            return message
        if asked["method"] == LIST and not gone:
            # Every clause lists the turns before it reverts: newest first or last, from the end on.
            seen = [turn["id"] for turn in result["data"]]
            newest_first = asked["params"].get("sortDirection") != "asc"
            wire.memory[thread] = seen[::-1] if newest_first else seen
        if asked["method"] == REVERT:
            result |= {"turnsBackwardsCursor": "made up", "itemsBackwardsCursor": "made up"}
        elif asked["method"] in methods and gone:
            _hide(result, gone)
        return message

    return reply


def _hide(result: dict[str, Any], gone: set[str]) -> None:
    for holder in (result, result.get("thread") or {}, result.get("initialTurnsPage") or {}):
        for name in ("data", "turns"):
            if name in holder:
                holder[name] = [each for each in holder[name] if each.get("turnId", each.get("id")) not in gone]


def _still_shown(word: str, method: str, check: str, at: str) -> Fault:
    return Fault(
        f"revert-not-seen-by-{word}",
        f"After a revert `{method}` still shows what was cut away.",
        by(check, _LAST, at=at),
        (REVERT, *_SHOWING),
        _unheard,
        _hidden(*(other for other in _SHOWING if other != method)),
    )


def _answer(name: str, breaks: str, noticed: tuple[Notice, ...], change: Callable[[dict[str, Any]], None]) -> Fault:
    return Fault(name, breaks, noticed, (REVERT,), reply=with_result(lambda result, _: change(result)))


def _wrong(name: str, breaks: str, neighbor: int, noticed: tuple[Notice, ...]) -> Fault:
    made = _cutting(neighbor)
    return Fault(name, breaks, noticed, made.of, made.request, made.reply)


FAULTS = (
    Fault(
        "revert-unknown",
        "The method is in the schema and answered as an unknown one.",
        by("result", *_DONE, "handshake.stable-restore", "deprecation.none") + by("error", *_REFUSED, at="/error"),
        (REVERT,),
        _unknown_method,
        silent=True,
    ),
    _wrong(
        "revert-one-too-many",
        "The turn before the one that is named is gone as well.",
        -1,
        by(TURNS, _LAST, _RESTART, "handshake.stable-restore") + by("model-input", _MODEL),
    ),
    _wrong(
        "revert-one-too-few",
        "The turn that is named stays, only later ones are gone.",
        1,
        by(TURNS, f"{_LAST}/three", _RESTART) + by("model-input", _MODEL),
    ),
    _still_shown("pages", LIST, TURNS, "/data*"),
    _still_shown("items", ITEMS_OF_THREAD, ITEMS, "/data*"),
    _still_shown("read", READ, TURNS, "/thread/turns*"),
    _still_shown("resume", RESUME, TURNS, "/initialTurnsPage/data*"),
    Fault(
        "revert-not-stored",
        "A revert is forgotten by the next server, and by the model.",
        by(TURNS, _RESTART) + by("model-input", _MODEL),
        (REVERT, *_SHOWING),
        _unheard,
        _hidden(*_SHOWING),
    ),
    Fault(
        "revert-of-first-keeps-pages",
        "The pages of a thread that was reverted before its first turn still have turns and items.",
        by("result", _FIRST, at="/data"),
        (REVERT, *_SHOWING),
        _unheard,
        _hidden(READ, RESUME),
    ),
    _answer(
        "revert-answers-with-turns",
        "The answer has a turn.",
        by("result", _LAST, at="/thread/turns"),
        lambda result: result["thread"].update(turns=[{"id": "made-up", "items": [], "status": "completed"}]),
    ),
    _answer(
        "revert-answers-another-thread",
        "The answer is about another thread.",
        by("result", _LAST, at="/thread/id"),
        lambda result: result["thread"].update(id="01970000-0000-7000-8000-000000000000"),
    ),
    _answer(
        "revert-answers-without-cursors",
        "The answer has no cursors.",
        by("result", _LAST, at="/turnsBackwardsCursor") + by("result", _LAST, at="/itemsBackwardsCursor"),
        lambda result: result.update(turnsBackwardsCursor=None, itemsBackwardsCursor=None),
    ),
    _answer(
        "revert-of-first-answers-cursors",
        "Of a thread that has become empty the answer has cursors.",
        by("result", _FIRST, at="/turnsBackwardsCursor") + by("result", _FIRST, at="/itemsBackwardsCursor"),
        lambda result: result.update(turnsBackwardsCursor="made up", itemsBackwardsCursor="made up"),
    ),
    _answer(
        "revert-answers-without-name",
        "The answer does not have the name.",
        by("result", _NAME, at="/thread/name"),
        lambda result: result["thread"].update(name=None),
    ),
    _answer(
        "revert-answers-not-loaded",
        "The answer says that the thread is not loaded.",
        by("result", _ANNOUNCED, at="/thread/status/type"),
        lambda result: result["thread"].update(status={"type": "notLoaded"}),
    ),
)
