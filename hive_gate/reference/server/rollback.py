"""thread/rollback: the last turns go, by a marker at the end of the history."""

from __future__ import annotations

import threading

from hive_gate.reference.server import conversation, ids, tokens, wire
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import INTERNAL, RpcError
from hive_gate.reference.server.loaded import Loaded
from hive_gate.reference.server.reading import turns_now
from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import ThreadStoreError

_IN_FLIGHT = 0.01
"""Seconds that a rollback takes, about as long as the real server's; a second one meanwhile is refused.

They count from when everything that was sent with it has been looked at, so that on a busy machine, too, of two that
come in one write the second is refused.
"""


def rollback(core: Core, asked: Asked) -> None:
    """Take a thread/rollback: check it now; it is done by :func:`finish_soon`, or sooner if another request comes."""
    if asked.params["numTurns"] < 1:
        raise RpcError("numTurns must be >= 1")
    loaded = core.need_loaded(asked.params)
    thread_id = loaded.thread_id
    if thread_id in core.rollbacks:
        raise RpcError("rollback already in progress for this thread")
    why_not = _impossible(core, loaded)
    if why_not is not None:
        core.set_status(loaded, wire.SYSTEM_ERROR)
        raise RpcError(why_not)

    def finish() -> None:
        with core.lock:
            # Another request may have finished this one already, and a later rollback may be in its place.
            if core.rollbacks.get(thread_id) is finish:
                del core.rollbacks[thread_id]
                _drop(core, loaded, asked)

    core.rollbacks[thread_id] = finish


def finish_soon(core: Core) -> None:
    """Do the rollbacks that are in flight a little later."""
    with core.lock:
        for finish in core.rollbacks.values():
            timer = threading.Timer(_IN_FLIGHT, finish)
            timer.daemon = True
            timer.start()


def finish_all(core: Core) -> None:
    """Do the rollbacks that are in flight now."""
    with core.lock:
        for finish in list(core.rollbacks.values()):
            finish()


def _impossible(core: Core, loaded: Loaded) -> str | None:
    if loaded.running is not None:
        return "Cannot rollback while a turn is in progress."
    if loaded.ephemeral:
        return "thread rollback requires persisted thread history"
    if core.read(loaded.thread_id) is None:
        return (
            "failed to load thread history for rollback replay: invalid thread-store request: "
            f"failed to resolve rollout path `{loaded.begun.path}`: file does not exist"
        )
    return None


def _drop(core: Core, loaded: Loaded, asked: Asked) -> None:
    marker = recording.rolled_back(asked.params["numTurns"])
    try:
        left = turns_now([*core.history(loaded), marker], loaded)
        loaded.tokens = tokens.estimated(loaded.tokens, conversation.size(left))
        core.append(loaded, [recording.token_count(loaded.tokens)])
        core.store.rollback(loaded.thread_id, asked.params["numTurns"])
        stored = core.describe(loaded)
    except ThreadStoreError as error:
        asked.refuse(RpcError(f"failed to start rollback: {error}", INTERNAL))
        return
    loaded.stale = None
    told = {"threadId": loaded.thread_id, "turnId": ids.new(), "tokenUsage": tokens.wire(loaded.tokens)}
    core.notify(loaded, "thread/tokenUsage/updated", told)
    asked.reply({"thread": core.wire_thread(stored, left)})
