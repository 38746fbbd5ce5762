"""thread/read, thread/turns/list, thread/turns/items/list: what is stored, without loading it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hive_gate.reference.server import wire
from hive_gate.reference.server.core import Asked, Core, thread_id_of
from hive_gate.reference.server.errors import UNSUPPORTED, RpcError, refusal
from hive_gate.reference.server.loaded import Loaded
from hive_gate.reference.store.errors import ThreadNotFound, ThreadStoreError
from hive_gate.reference.store.paging import page_of_turns
from hive_gate.reference.store.queries import TurnQuery
from hive_gate.reference.store.rebuild import merge_active, turns_of
from hive_gate.reference.store.records import (
    HistoryRecord,
    SortDirection,
    StoredTurn,
    TurnPage,
)


def read(core: Core, asked: Asked) -> None:
    """Answer thread/read."""
    thread_id = thread_id_of(asked.params)
    with_turns = asked.params["includeTurns"]
    loaded = core.loaded.get(thread_id)
    if loaded is not None and loaded.ephemeral:
        if with_turns:
            raise RpcError("ephemeral threads do not support includeTurns")
        asked.reply({"thread": core.wire_thread(loaded.begun)})
        return
    stored = core.read(thread_id, history=with_turns)
    if stored is None:
        if loaded is None:
            raise RpcError(f"thread not loaded: {thread_id}")
        if with_turns:
            raise _not_materialized(thread_id, "includeTurns")
        stored = loaded.begun
    turns = turns_now(stored.history.records, loaded) if with_turns and stored.history else ()
    asked.reply({"thread": core.wire_thread(stored, turns)})


def turns_list(core: Core, asked: Asked) -> None:
    """Answer thread/turns/list."""
    thread_id = thread_id_of(asked.params)
    loaded = core.loaded.get(thread_id)
    if loaded is not None and loaded.ephemeral:
        raise RpcError("ephemeral threads do not support thread/turns/list")
    try:
        page = core.store.list_turns(_turn_query(thread_id, asked.params, loaded))
    except ThreadNotFound as error:
        if loaded is not None:
            raise _not_materialized(thread_id, "thread/turns/list") from error
        raise RpcError(f"thread not loaded: {thread_id}") from error
    except ThreadStoreError as error:
        raise refusal(error, "failed to read thread") from error
    asked.reply(wire.turn_page(page))


def items_list(core: Core, asked: Asked) -> None:  # noqa: ARG001 - a handler like the others
    """Refuse thread/turns/items/list, whatever it asks for."""
    raise RpcError("thread/turns/items/list is not supported yet", UNSUPPORTED)


def turns_now(records: Sequence[HistoryRecord], loaded: Loaded | None) -> tuple[StoredTurn, ...]:
    """Return a history's turns; only the turn that is running now is shown without an end."""
    turns = turns_of(records)
    running = loaded.running.turn_id if loaded is not None and loaded.running is not None else None
    active = next((turn for turn in turns if turn.turn_id == running), None)
    return merge_active(turns, active)


def turns_joined(records: Sequence[HistoryRecord], loaded: Loaded) -> tuple[StoredTurn, ...]:
    """Return a loaded thread's turns; its active turn as clients have seen it, whatever is stored of it."""
    return merge_active(turns_of(records), loaded.active())


def first_page(turns: Sequence[StoredTurn], wanted: Mapping[str, Any]) -> TurnPage:
    """Return the page that thread/resume can carry: what thread/turns/list would answer without a cursor."""
    return page_of_turns(turns, **_paging(wanted))


def _turn_query(thread_id: str, params: Mapping[str, Any], loaded: Loaded | None) -> TurnQuery:
    active = None if loaded is None else loaded.active()
    return TurnQuery(thread_id, cursor=params["cursor"], active=active, **_paging(params))


def _paging(params: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "page_size": params["limit"],
        "sort_direction": SortDirection(params["sortDirection"] or "desc"),
        "items_view": wire.VIEWS[params["itemsView"] or "summary"],
    }


def _not_materialized(thread_id: str, what: str) -> RpcError:
    return RpcError(f"thread {thread_id} is not materialized yet; {what} is unavailable before first user message")
