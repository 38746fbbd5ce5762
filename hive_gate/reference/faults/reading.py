"""Faults of thread/read, and of loaded threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import result
from hive_gate.reference.faults.fault import LIST, READ, Fault, Handler, Json, Swap, answering, asking, by, handling
from hive_gate.reference.server import reading
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import RpcError
from hive_gate.reference.store.paging import viewed
from hive_gate.reference.store.records import ItemsView, StoredTurn, StoredTurnStatus

_READ = "read.with-turns"


def _any_thread(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        try:
            handle(core, asked)
        except RpcError:
            asked.reply({"thread": {"id": asked.params["threadId"], "turns": [], "status": {"type": "notLoaded"}}})

    return new


def _less_when_loaded(old: Any) -> Any:
    def new(records: Any, loaded: Any) -> Any:
        turns = old(records, loaded)
        return turns if loaded is None else turns[1:]

    return new


def _loaded_differs(handle: Handler) -> Handler:
    def drop_last(answer: Json) -> Json:
        return {**answer, "data": answer["data"][:-1]}

    edited = answering(LIST, drop_last).make({LIST: handle})[LIST]

    def new(core: Core, asked: Asked) -> None:
        (edited if asked.params["threadId"] in core.loaded else handle)(core, asked)

    return new


def _busy(old: Any) -> Any:
    def new(thread_id: str, params: Any, loaded: Any) -> Any:
        query = old(thread_id, params, loaded)
        if loaded is None or query.active is not None:
            return query
        return replace(query, active=StoredTurn("a-turn-that-nobody-runs", StoredTurnStatus.IN_PROGRESS))

    return new


FAULTS = (
    Fault(
        "read-turns-always",
        "Turns come without being asked for.",
        by("result", "read.without-turns", at="/thread/turns"),
        (asking(READ, lambda params: params | {"includeTurns": True}),),
    ),
    Fault(
        "read-turns-never",
        "`includeTurns` is ignored: a stored thread looks empty.",
        by("turns-match-scene", _READ, "read.real-turns", "read.loaded"),
        (asking(READ, lambda params: params | {"includeTurns": False}),),
    ),
    Fault(
        "read-newest-first",
        "The turns come newest first.",
        by("turns-match-scene", _READ, "read.loaded"),
        (Swap(reading, "turns_now", result(lambda turns: turns[::-1])),),
    ),
    Fault(
        "read-summary",
        "The turns come as summaries.",
        by("items-match-view", _READ),
        (Swap(reading, "turns_now", result(lambda turns: [viewed(turn, ItemsView.SUMMARY) for turn in turns])),),
    ),
    Fault(
        "read-cut",
        "Only the newest four turns come, as if there were no others.",
        by("turns-match-scene", _READ, "read.loaded") + by("same-turns-as", _READ),
        (Swap(reading, "turns_now", result(lambda turns: turns[-4:])),),
    ),
    Fault(
        "read-unknown-thread",
        "An unknown thread is read as an empty one.",
        by("error", "read.unknown-thread"),
        (handling(READ, _any_thread),),
    ),
    Fault(
        "read-less-when-loaded",
        "Of a loaded thread the first turn is not read.",
        by("turns-match-scene", "read.loaded"),
        (Swap(reading, "turns_now", _less_when_loaded),),
    ),
    Fault(
        "read-another-id",
        "The thread comes back under another id.",
        by("result", _READ, "read.without-turns", at="/thread/id"),
        (
            answering(
                READ,
                lambda answer: {**answer, "thread": {**answer["thread"], "id": f"thread-{answer['thread']['id']}"}},
            ),
        ),
    ),
    Fault(
        "list-less-when-loaded",
        "The pages of a loaded thread lack their last turn.",
        by("same-turns-as", "turns-list.loaded") + by("turns-match-scene", "turns-list.loaded"),
        (handling(LIST, _loaded_differs),),
    ),
    Fault(
        "list-busy-when-loaded",
        "A loaded thread ends with a turn in progress that nobody runs.",
        by("same-turns-as", "turns-list.loaded"),
        (Swap(reading, "_turn_query", _busy),),
    ),
)
