"""thread/start and thread/fork: threads that begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hive_gate.reference.server import ids, tokens, wire
from hive_gate.reference.server.core import VERSION, Asked, Core, thread_id_of
from hive_gate.reference.server.errors import RpcError, refusal
from hive_gate.reference.server.loaded import Loaded
from hive_gate.reference.server.reading import turns_now
from hive_gate.reference.server.settings import Settings, settle
from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import ThreadStoreError
from hive_gate.reference.store.modes import LEGACY, HistoryMode, refuse_history
from hive_gate.reference.store.rebuild import turns_of
from hive_gate.reference.store.records import HistoryRecord, NewThread, StoredThread, StoredTurn, ThreadChange


def start(core: Core, asked: Asked) -> None:
    """Answer thread/start: nothing is stored before the first turn."""
    params = asked.params
    settings = settle(core.home, params, cwd=str(core.cwd))
    loaded = _begin(core, params, settings, ephemeral=bool(params["ephemeral"]))
    asked.reply({"thread": core.wire_thread(loaded.begun), **settings.wire()})
    _announce(core, loaded, loaded.begun)


def fork(core: Core, asked: Asked) -> None:
    """Answer thread/fork: a new thread with the history of another one, whose name it takes over."""
    params = asked.params
    source_id = thread_id_of(params, "session")
    source = source_of(core, source_id, path=params["path"])
    records = source.history.records if source.history else ()
    settings = settle(core.home, params, cwd=source.cwd)
    loaded = _begin(core, params, settings, ephemeral=params["ephemeral"], source=source)
    loaded.tokens = tokens.last_of(records)
    _copy(core, loaded, [*records, *_cut(records)], source.name)
    stored = core.describe(loaded)
    # An ephemeral fork is answered with its source's turns as stored, a stored one with its own.
    turns = turns_of(records) if loaded.ephemeral else turns_now(core.history(loaded), loaded)
    shown = () if params["excludeTurns"] else turns
    asked.reply({"thread": core.wire_thread(stored, shown), **settings.wire()})
    if not params["excludeTurns"]:
        tell_tokens(core, loaded, records, turns)
    _announce(core, loaded, stored)


def source_of(core: Core, thread_id: str, *, path: str | None = None) -> StoredThread:
    """Return the stored thread to go on with, or to fork, with its history.

    Raises:
        RpcError: there is none, it is archived, or its history is refused.
    """
    try:
        if path:
            if not (core.cwd / path).is_file():
                raise RpcError(f"failed to resolve rollout path `{path}`: file does not exist")
            stored = core.store.resume(thread_id, path=core.cwd / path)
        else:
            found = core.read(thread_id)
            if found is None:
                raise RpcError(f"no rollout found for thread id {thread_id}")
            refuse_history(thread_id, found.history_mode)
            if found.archived:
                raise RpcError(
                    f"session {thread_id} is archived. Run `codex unarchive {thread_id}` to unarchive it first."
                )
            stored = core.store.resume(thread_id)
    except ThreadStoreError as error:
        raise refusal(error, "failed to read thread") from error
    return stored


def tell_tokens(core: Core, loaded: Loaded, records: Sequence[HistoryRecord], turns: Sequence[StoredTurn]) -> None:
    """Repeat the newest token counts of a history, if it has any, as those of the turn that they came from."""
    index = tokens.newest(records)
    if index is None:
        return
    then = turns_of(records[: index + 1])
    known = [one.turn_id for one in turns]
    owner = then[-1].turn_id if then and then[-1].turn_id in known else "".join(known[-1:])
    told = {"threadId": loaded.thread_id, "turnId": owner, "tokenUsage": tokens.wire(records[index].payload["info"])}
    core.notify(loaded, "thread/tokenUsage/updated", told)


def _begin(
    core: Core, params: Mapping[str, Any], settings: Settings, *, ephemeral: bool, source: StoredThread | None = None
) -> Loaded:
    mode = params.get("historyMode")
    new = NewThread(
        thread_id=ids.new(),
        cwd=settings.cwd,
        model_provider=settings.provider,
        source="vscode",
        cli_version=VERSION,
        originator=core.client or "",
        history_mode=LEGACY if mode is None else HistoryMode(mode),
        thread_source=params["threadSource"],
        forked_from_id=None if source is None else source.thread_id,
        created_at=datetime.now(UTC),
    )
    try:
        begun = _unstored(new, source) if ephemeral else core.store.create(new)
    except ThreadStoreError as error:
        raise refusal(error, "failed to create thread") from error
    loaded = Loaded(begun, settings, ephemeral)
    core.loaded[new.thread_id] = loaded
    return loaded


def _unstored(new: NewThread, source: StoredThread | None) -> StoredThread:
    now = new.created_at or datetime.now(UTC)
    return StoredThread(
        thread_id=new.thread_id,
        created_at=now,
        updated_at=now,
        cwd=new.cwd,
        model_provider=new.model_provider,
        source=new.source,
        cli_version=new.cli_version,
        originator=new.originator,
        history_mode=new.history_mode,
        thread_source=new.thread_source,
        forked_from_id=new.forked_from_id,
        preview="" if source is None else source.preview,
    )


def _copy(core: Core, loaded: Loaded, records: Sequence[HistoryRecord], name: str | None) -> None:
    try:
        core.append(loaded, records)
        if name is not None and not loaded.ephemeral:
            core.store.update_metadata(loaded.thread_id, ThreadChange(name=name))
    except ThreadStoreError as error:
        del core.loaded[loaded.thread_id]
        raise refusal(error, "failed to fork thread") from error


def _cut(records: Sequence[HistoryRecord]) -> Sequence[HistoryRecord]:
    """Return what a fork adds when its source is in the middle of a turn: there the fork's turn ends."""
    open_turn: str | None = None
    unfinished = False
    for record in records:
        kind = record.payload.get("type")
        if record.kind == "event_msg" and kind == "task_started":
            open_turn, unfinished = record.payload.get("turn_id"), True
        elif record.kind == "event_msg" and kind in ("task_complete", "turn_aborted"):
            open_turn, unfinished = None, False
        elif record.kind == "response_item" and kind == "message" and record.payload.get("role") == "user":
            unfinished = True
    return [recording.event("turn_aborted", turn_id=open_turn, reason="interrupted")] if unfinished else []


def _announce(core: Core, loaded: Loaded, stored: StoredThread) -> None:
    core.out.notify("thread/started", {"thread": wire.thread(stored, loaded.status, ephemeral=loaded.ephemeral)})
