"""Faults of paginated threads, before a server that has none: the relay makes them up from legacy ones."""

from __future__ import annotations

from dataclasses import replace

from hive_gate.faults.edits import EMPTY_PAGE, refusal, threads_in, turns_of
from hive_gate.faults.fault import LIST, READ, RESUME, START, Fault, Message, Notice, Pretense, ReplyHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_EMPTY, _LOST = "history-mode.false-empty", "history-mode.false-empty-projection-lost"
_LOADED = "history-mode.false-empty-loaded"
_PROJECTION = "thread_history_0.sqlite"


def _legacy_asked(request: Message, wire: Wire) -> Message:
    """Start a legacy thread where a paginated one is asked for, and make the file that its projection would be."""
    if request["method"] == START and request["params"].get("historyMode") == "paginated":
        del request["params"]["historyMode"]
        (wire.codex_home / _PROJECTION).touch()
    return request


def _said(reply: Message, asked: Message, wire: Wire) -> Message:
    if (asked.get("params") or {}).get("historyMode") == "paginated":
        for thread in threads_in(reply, asked):
            thread["historyMode"] = "paginated"
    return reply


def _emptied(reply: Message) -> Message:
    """Take every turn out of a reply, as if the thread had none."""
    result = reply.get("result") or {}
    if "data" in result:
        result.update(EMPTY_PAGE)
    if "thread" in result:
        result["thread"]["turns"] = []
    if result.get("initialTurnsPage") is not None:
        result["initialTurnsPage"].update(EMPTY_PAGE)
    return reply


def _empty_in(method: str) -> ReplyHook:
    return lambda reply, asked, wire: _emptied(reply) if asked["method"] == method else reply


def _empty_without_projection(reply: Message, asked: Message, wire: Wire) -> Message:
    there = (wire.codex_home / _PROJECTION).exists()
    return reply if there or asked["method"] == START else _emptied(reply)


def _is_loaded(reply: Message, asked: Message, wire: Wire) -> bool:
    loaded = wire.memory.setdefault("loaded", set())
    if asked["method"] == RESUME and "result" in reply:
        loaded.add(asked["params"]["threadId"])
        return False
    return asked["method"] == LIST and asked["params"]["threadId"] in loaded


def _empty_until_loaded(reply: Message, asked: Message, wire: Wire) -> Message:
    loaded = _is_loaded(reply, asked, wire)
    return _emptied(reply) if asked["method"] == LIST and not loaded else reply


def _empty_once_loaded(reply: Message, asked: Message, wire: Wire) -> Message:
    return _emptied(reply) if _is_loaded(reply, asked, wire) else reply


def _refused_once_loaded(reply: Message, asked: Message, wire: Wire) -> Message:
    loaded = _is_loaded(reply, asked, wire)
    return refusal(reply, "paginated threads cannot be paged", -32601) if loaded else reply


def _without_items(reply: Message, asked: Message, wire: Wire) -> Message:
    for turn in turns_of(reply.get("result") or {}) if asked["method"] != START else ():
        turn["items"] = []
    return reply


def _without_last(reply: Message, asked: Message, wire: Wire) -> Message:
    result = reply.get("result") or {}
    page = result if "data" in result else result.get("initialTurnsPage") or {"data": []}
    del page["data"][-1:]
    if "thread" in result:
        del result["thread"]["turns"][-1:]
    return reply


PAGINATED = Pretense(
    "knows-paginated",
    "The server has paginated threads; they are legacy ones that say so.",
    (_EMPTY, _LOADED, _LOST),
    Fault(
        "knows-paginated", "Legacy threads say that they are paginated.", (), of=(START, LIST, READ, RESUME),
        request=_legacy_asked, reply=_said,
    ),
)  # fmt: skip


def _on_top(name: str, breaks: str, noticed: tuple[Notice, ...], change: ReplyHook) -> Fault:
    """Return a fault that pretends first and then breaks something."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message | None:
        return change(_said(message, asked, wire), asked, wire)

    return replace(PAGINATED.fault, name=name, breaks=breaks, noticed=noticed, reply=reply, pretends=PAGINATED.name)


def _ways(*ways: str, at: str | None = None) -> tuple[Notice, ...]:
    return by(TURNS, *(f"{clause}/{way}" for clause in (_EMPTY, _LOST) for way in ways), at=at)


FAULTS = (
    _on_top(
        "paginated-pages-false-empty",
        "The pages of a paginated thread are empty.",
        _ways("turns-list", at="/data") + by(TURNS, _LOADED, at="/data"),
        _empty_in(LIST),
    ),
    _on_top(
        "paginated-read-false-empty",
        "A paginated thread is read without its turns.",
        _ways("read", at="/thread/turns"),
        _empty_in(READ),
    ),
    _on_top(
        "paginated-first-page-false-empty",
        "The first page with a resume of a paginated thread is empty.",
        _ways("resume", at="/initialTurnsPage/data"),
        _empty_in(RESUME),
    ),
    _on_top(
        "paginated-false-empty-until-loaded",
        "The pages of a paginated thread are empty until it is loaded.",
        _ways("turns-list"),
        _empty_until_loaded,
    ),
    _on_top(
        "paginated-false-empty-once-loaded",
        "The pages of a paginated thread are empty once it is loaded.",
        by(TURNS, _LOADED),
        _empty_once_loaded,
    ),
    _on_top(
        "paginated-refused-once-loaded",
        "The pages of a paginated thread are refused once it is loaded.",
        by("result", _LOADED),
        _refused_once_loaded,
    ),
    _on_top(
        "paginated-false-empty-without-projection",
        "A paginated thread is empty where the projection database is lost.",
        by(TURNS, _LOST),
        _empty_without_projection,
    ),
    _on_top(
        "paginated-without-items",
        "The turns of a paginated thread are empty.",
        by(ITEMS_MATCH, _EMPTY, _LOADED, _LOST),
        _without_items,
    ),
    _on_top(
        "paginated-loses-a-turn",
        "A paginated thread lacks a turn.",
        by(TURNS, _EMPTY, _LOADED, _LOST),
        _without_last,
    ),
)
