"""thread/resume and thread/unsubscribe: threads that are loaded, and let go."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from hive_gate.reference.server import tokens, wire
from hive_gate.reference.server.core import Asked, Core, hide_echo, thread_id_of
from hive_gate.reference.server.errors import UNSUPPORTED, RpcError
from hive_gate.reference.server.loaded import Loaded
from hive_gate.reference.server.reading import first_page, turns_joined
from hive_gate.reference.server.settings import settle
from hive_gate.reference.server.starting import source_of, tell_tokens
from hive_gate.reference.store.records import HistoryRecord, StoredThread


def resume(core: Core, asked: Asked) -> None:
    """Answer thread/resume: a loaded thread is joined again, another one loaded."""
    params = asked.params
    path = params["path"] or None
    thread_id = None if path and params["history"] is None else thread_id_of(params, "session")
    loaded = core.loaded.get(thread_id or params["threadId"])
    if params["history"] is not None:
        _refuse_history(params["history"], loaded)
    if loaded is not None and not loaded.ephemeral:
        _check_path(loaded, path)
    stored = source_of(core, thread_id or params["threadId"], path=path)
    records = stored.history.records if stored.history else ()
    loaded = core.loaded.get(stored.thread_id) or _load(core, asked, stored, records)
    loaded.subscribed = True
    turns = turns_joined(records, loaded)
    shown = () if params["excludeTurns"] else turns
    page = params["initialTurnsPage"]
    first = None if page is None else wire.turn_page(first_page(turns, page))
    thread = core.wire_thread(hide_echo(stored), shown)
    asked.reply({"thread": thread, **loaded.settings.wire(), "initialTurnsPage": first})
    if not params["excludeTurns"]:
        tell_tokens(core, loaded, records, turns)


def unsubscribe(core: Core, asked: Asked) -> None:
    """Answer thread/unsubscribe; an idle thread that stays without subscriber is unloaded after a while."""
    loaded = core.loaded.get(thread_id_of(asked.params))
    if loaded is None:
        asked.reply({"status": "notLoaded"})
        return
    status = "unsubscribed" if loaded.subscribed else "notSubscribed"
    loaded.subscribed = False
    asked.reply({"status": status})
    _watch(core, loaded)


def close_if_idle(core: Core, loaded: Loaded) -> None:
    """Unload a thread that is still idle and without subscriber; one with a running turn is looked at again later."""
    with core.lock:
        if core.loaded.get(loaded.thread_id) is not loaded or loaded.subscribed:
            return
        if loaded.running is not None:
            _watch(core, loaded)
            return
        core.unload(loaded)
        core.out.notify("thread/closed", {"threadId": loaded.thread_id})


def _watch(core: Core, loaded: Loaded) -> None:
    timer = threading.Timer(core.unload_after, close_if_idle, (core, loaded))
    timer.daemon = True
    timer.start()


def _load(core: Core, asked: Asked, stored: StoredThread, records: Sequence[HistoryRecord]) -> Loaded:
    settings = settle(core.home, asked.params, cwd=stored.cwd, provider=stored.model_provider)
    loaded = Loaded(stored, settings, status=wire.NOT_LOADED)
    loaded.tokens = tokens.last_of(records)
    core.loaded[stored.thread_id] = loaded
    core.set_status(loaded, wire.IDLE)
    return loaded


def _refuse_history(history: Sequence[object], loaded: Loaded | None) -> None:
    if loaded is not None:
        raise RpcError(f"cannot resume thread {loaded.thread_id} with history while it is already running")
    if not history:
        raise RpcError("history must not be empty")
    raise RpcError("thread/resume.history is not supported yet", UNSUPPORTED)


def _check_path(loaded: Loaded, path: str | None) -> None:
    active = str(loaded.begun.path)
    if path is not None and path != active:
        raise RpcError(
            f"cannot resume running thread {loaded.thread_id} with stale path: requested `{path}`, active `{active}`"
        )
