"""thread/name/set, thread/archive and thread/unarchive."""

from __future__ import annotations

from hive_gate.reference.server import running
from hive_gate.reference.server.core import Asked, Core, hide_echo, thread_id_of
from hive_gate.reference.server.errors import INTERNAL, UNSUPPORTED, RpcError, refusal
from hive_gate.reference.store.errors import Internal, ThreadNotFound, ThreadStoreError, Unsupported
from hive_gate.reference.store.records import ThreadChange


def set_name(core: Core, asked: Asked) -> None:
    """Answer thread/name/set, for loaded and other threads; a thread that is not stored yet is stored by it."""
    thread_id = thread_id_of(asked.params)
    name = asked.params["name"].strip()
    if not name:
        raise RpcError("thread name must not be empty")
    loaded = core.loaded.get(thread_id)
    if loaded is not None and loaded.ephemeral:
        raise RpcError(f"ephemeral thread does not support metadata updates: {thread_id}")
    try:
        if loaded is not None:
            core.append(loaded, ())
        archived = core.store.update_metadata(thread_id, ThreadChange(name=name)).archived
    except ThreadNotFound as error:
        raise RpcError(f"thread not found: {thread_id}") from error
    except ThreadStoreError as error:
        raise _name_refusal(error) from error
    if archived:
        # The real server refuses this and keeps the name all the same.
        raise RpcError(f"no rollout found for thread id {thread_id}")
    asked.reply({})
    core.out.notify("thread/name/updated", {"threadId": thread_id, "threadName": name})


def archive(core: Core, asked: Asked) -> None:
    """Answer thread/archive; a running turn is interrupted first."""
    thread_id = thread_id_of(asked.params, "session")
    loaded = core.loaded.get(thread_id)
    try:
        stored = None if loaded is not None and loaded.ephemeral else core.store.read(thread_id)
        if stored is None or stored.archived:
            raise ThreadNotFound(thread_id)
        if loaded is not None:
            running.interrupt(core, loaded)
        core.store.archive(thread_id)
    except ThreadStoreError as error:
        raise refusal(error, "failed to archive session") from error
    if loaded is not None:
        core.unload(loaded)
    asked.reply({})
    core.out.notify("thread/archived", {"threadId": thread_id})


def unarchive(core: Core, asked: Asked) -> None:
    """Answer thread/unarchive."""
    thread_id = thread_id_of(asked.params, "session")
    try:
        stored = core.store.unarchive(thread_id)
    except ThreadNotFound as error:
        raise RpcError(f"no archived rollout found for thread id {thread_id}") from error
    except ThreadStoreError as error:
        raise refusal(error, "failed to unarchive session") from error
    asked.reply({"thread": core.wire_thread(hide_echo(stored))})
    core.out.notify("thread/unarchived", {"threadId": thread_id})


def _name_refusal(error: ThreadStoreError) -> RpcError:
    if isinstance(error, Unsupported):
        return RpcError(f"thread metadata update is not supported by this store: {error.operation}", UNSUPPORTED)
    if isinstance(error, Internal):
        return RpcError(f"failed to set thread name: {error}", INTERNAL)
    return RpcError(str(error))
