"""A turn from its beginning to its end: what is stored, what the client hears, in the real server's order."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hive_gate.reference.model import Began, Delta, Event, ModelFailed, Said
from hive_gate.reference.server import ids, tokens, wire, wireitems
from hive_gate.reference.server.conversation import conversation
from hive_gate.reference.server.core import Core
from hive_gate.reference.server.inputs import Inputs
from hive_gate.reference.server.loaded import Loaded, RunningTurn
from hive_gate.reference.server.reading import turns_now
from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import ThreadStoreError
from hive_gate.reference.store.items import AgentMessage
from hive_gate.reference.store.records import HistoryRecord, ItemsView, StoredTurn, StoredTurnError, StoredTurnStatus

Json = dict[str, Any]


def prepare(core: Core, loaded: Loaded, turn: RunningTurn) -> None:
    """Store the beginning of a turn.

    Raises:
        ThreadStoreError: the store fails; then there is no turn.
    """
    settings = loaded.settings
    opened = recording.turn_started(turn.turn_id, turn.started_at)
    context = recording.turn_context(turn.turn_id, settings.cwd, settings.model)
    core.append(loaded, [opened, context])
    loaded.running = turn
    loaded.stale = None


def begin(core: Core, loaded: Loaded, turn: RunningTurn, inputs: Inputs) -> None:
    """Announce a prepared turn and let the model answer it on a thread of its own."""
    core.set_status(loaded, wire.ACTIVE)
    core.notify(loaded, "turn/started", _about(loaded, turn=_envelope(turn.seen())))
    try:
        _hear(core, loaded, turn, inputs)
    except ThreadStoreError as error:
        _end(core, loaded, turn, StoredTurnStatus.FAILED, StoredTurnError(str(error), code="other"))
        return
    threading.Thread(target=_run, args=(core, loaded, turn), daemon=True).start()


def interrupt(core: Core, loaded: Loaded) -> None:
    """End a thread's running turn, if there is one, as interrupted."""
    if loaded.running is not None:
        loaded.stale = _end(core, loaded, loaded.running, StoredTurnStatus.INTERRUPTED)


def _run(core: Core, loaded: Loaded, turn: RunningTurn) -> None:
    try:
        while True:
            with core.lock:
                model = core.model(loaded)
                said = conversation(turns_now(core.history(loaded), loaded))
            for event in model.stream(said, turn.call):
                with core.lock:
                    if turn.over:
                        return
                    _take(core, loaded, turn, event)
            with core.lock:
                if turn.over:
                    return
                if not turn.steered:
                    _end(core, loaded, turn, StoredTurnStatus.COMPLETED)
                    return
                for inputs in turn.steered:
                    _hear(core, loaded, turn, inputs)
                turn.steered.clear()
    except ModelFailed as failure:
        error = StoredTurnError(failure.message, code=failure.code)
        _fail(core, loaded, turn, error, retell=failure.cut)
    except ThreadStoreError as failure:
        _fail(core, loaded, turn, StoredTurnError(str(failure), code="other"))
    except Exception as failure:
        # A fault of the reference itself must not leave a turn that never ends.
        _fail(core, loaded, turn, StoredTurnError(f"the reference server failed: {failure!r}", code="other"))


def _fail(core: Core, loaded: Loaded, turn: RunningTurn, error: StoredTurnError, *, retell: bool = False) -> None:
    with core.lock:
        if not turn.over:
            if retell:
                _tell_tokens(core, loaded, turn)
            _end(core, loaded, turn, StoredTurnStatus.FAILED, error)


def _hear(core: Core, loaded: Loaded, turn: RunningTurn, inputs: Inputs) -> None:
    if not inputs.parts:
        return
    core.append(loaded, inputs.records())
    turn.items.append(inputs.item(turn.next_item()))
    item = {"type": "userMessage", "id": ids.new_item(), "clientId": inputs.client_id, "content": inputs.content()}
    _item_event(core, loaded, turn, "started", item)
    _item_event(core, loaded, turn, "completed", item)


def _take(core: Core, loaded: Loaded, turn: RunningTurn, event: Event) -> None:
    match event:
        case Began(ident):
            turn.answering = ident
            _item_event(core, loaded, turn, "started", wireitems.item(AgentMessage(ident, "")))
        case Delta(ident, text):
            piece = _about(loaded, turnId=turn.turn_id, itemId=ident, delta=text)
            core.notify(loaded, "item/agentMessage/delta", piece)
        case Said(ident, text):
            core.append(loaded, [recording.agent_message(text), recording.message("assistant", text)])
            turn.items.append(AgentMessage(turn.next_item(), text))
            item = wireitems.item(AgentMessage(ident or ids.new_item(), text))
            if ident is None or turn.answering != ident:
                _item_event(core, loaded, turn, "started", item)
            turn.answering = None
            turn.last_answer = text
            _item_event(core, loaded, turn, "completed", item)
        case _:
            loaded.tokens = tokens.add(loaded.tokens, event)
            _tell_tokens(core, loaded, turn)


def _tell_tokens(core: Core, loaded: Loaded, turn: RunningTurn) -> None:
    if loaded.tokens is not None:
        core.append(loaded, [recording.token_count(loaded.tokens)])
        counts = _about(loaded, turnId=turn.turn_id, tokenUsage=tokens.wire(loaded.tokens))
        core.notify(loaded, "thread/tokenUsage/updated", counts)


def _end(
    core: Core, loaded: Loaded, turn: RunningTurn, status: StoredTurnStatus, error: StoredTurnError | None = None
) -> StoredTurn:
    turn.over, loaded.running = True, None
    turn.call.cancel()
    ended = replace(
        turn.seen(), status=status, error=error, completed_at=int(time.time()), duration_ms=turn.duration_ms()
    )
    try:
        core.append(loaded, [_ending(ended, turn.last_answer)])
    except ThreadStoreError as failure:
        ended = replace(
            ended, status=StoredTurnStatus.FAILED, error=error or StoredTurnError(str(failure), code="other")
        )
    for request in loaded.unanswered:
        core.out.result(request, {})
    loaded.unanswered.clear()
    if ended.error is not None:
        core.set_status(loaded, wire.SYSTEM_ERROR)
        told: Json = {"error": wire.turn_error(ended.error), "willRetry": False}
        core.notify(loaded, "error", {**told, "threadId": loaded.thread_id, "turnId": turn.turn_id})
    elif loaded.status == wire.ACTIVE:
        core.set_status(loaded, wire.IDLE)
    core.notify(loaded, "turn/completed", _about(loaded, turn=_envelope(ended)))
    return ended


def _ending(turn: StoredTurn, last_answer: str | None) -> HistoryRecord:
    completed, took = turn.completed_at or 0, turn.duration_ms or 0
    if turn.status is StoredTurnStatus.INTERRUPTED:
        return recording.turn_aborted(turn.turn_id, completed_at=completed, duration_ms=took)
    # The history of the real server does not say that a turn failed either.
    return recording.turn_completed(
        turn.turn_id, last_agent_message=last_answer, completed_at=completed, duration_ms=took
    )


def _envelope(turn: StoredTurn) -> Json:
    return wire.turn(replace(turn, items=(), items_view=ItemsView.NOT_LOADED))


def _about(loaded: Loaded, **members: Any) -> Json:
    return {"threadId": loaded.thread_id, **members}


def _item_event(core: Core, loaded: Loaded, turn: RunningTurn, kind: str, item: Mapping[str, Any]) -> None:
    moment = time.time_ns() // 1_000_000
    about = {"item": dict(item), "threadId": loaded.thread_id, "turnId": turn.turn_id}
    core.notify(loaded, f"item/{kind}", {**about, f"{kind}AtMs": moment})
