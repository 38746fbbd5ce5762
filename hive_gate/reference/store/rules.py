"""What every store refuses in the same words."""

from __future__ import annotations

import re

from hive_gate.reference.store.errors import PAGINATED_THREADS, Conflict, InvalidRequest, Unsupported
from hive_gate.reference.store.modes import LEGACY, PAGINATED
from hive_gate.reference.store.records import NewThread, ThreadChange

_THREAD_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_thread_id(text: str) -> bool:
    """Whether it is a UUID in lower case."""
    return _THREAD_ID.fullmatch(text) is not None


def check_new(new: NewThread, *, exists: bool) -> None:
    """Raise unless the thread may be created; see :meth:`ThreadStore.create`."""
    if not is_thread_id(new.thread_id):
        raise InvalidRequest(f"{new.thread_id!r} is not a UUID in lower case")
    if new.history_mode == PAGINATED:
        raise Unsupported(PAGINATED_THREADS)
    if new.history_mode != LEGACY:
        raise InvalidRequest(f"unknown history mode `{new.history_mode.text}`, expected `legacy` or `paginated`")
    if exists:
        raise Conflict(f"thread {new.thread_id} exists already")


def check_change(change: ThreadChange) -> None:
    """Raise unless the change may be made; see :meth:`ThreadStore.update_metadata`."""
    if change.name is not None and not change.name.strip():
        raise InvalidRequest("thread name must not be empty")


def archived_session(thread_id: str) -> InvalidRequest:
    """Return what going on with an archived thread is answered with."""
    return InvalidRequest(f"session {thread_id} is archived. Run `codex unarchive {thread_id}` to unarchive it first.")
