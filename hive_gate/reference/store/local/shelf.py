"""One thread's rollout: found, read, added to, moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from hive_gate.reference.store.errors import Conflict, Internal, ThreadNotFound
from hive_gate.reference.store.local import durable
from hive_gate.reference.store.local.catalog import Catalog, head
from hive_gate.reference.store.local.layout import Layout, Rollout, Stamp
from hive_gate.reference.store.local.lines import decode
from hive_gate.reference.store.modes import refuse_history, refuse_unknown
from hive_gate.reference.store.records import StoredHistory, StoredThread
from hive_gate.reference.store.rules import archived_session
from hive_gate.reference.store.summary import Summary, summarize

_TRIES = 3
"""How often a thread is looked for again while files are being moved, before the movers are made to wait."""

_Answer = TypeVar("_Answer")


class Shelf:
    """The rollouts of one home. Errors are the store's, and OSError for what the system refuses."""

    def __init__(self, layout: Layout, catalog: Catalog) -> None:
        self._layout = layout
        self._catalog = catalog

    def find(self, thread_id: str) -> Rollout | None:
        """Return a thread's rollout on either side; None if there is none."""
        for archived in (False, True):
            path = self._layout.find(thread_id, archived=archived)
            if path is not None:
                return _rollout(thread_id, path, archived=archived)
        return None

    def read(self, thread_id: str, *, include_archived: bool, history: bool) -> StoredThread:
        """Return a thread; see :meth:`ThreadStore.read`."""

        def once() -> StoredThread:
            rollout = self.find(thread_id)
            if rollout is None or (rollout.archived and not include_archived):
                raise ThreadNotFound(thread_id)
            return self._read(rollout, history=history)

        return self._following(once)

    def read_at(self, thread_id: str, path: Path, *, archived: bool, history: bool) -> StoredThread:
        """Return the thread in a rollout that is known to be this home's; see :meth:`ThreadStore.read_by_path`."""
        try:
            return self._read(_rollout(thread_id, path, archived=archived), history=history)
        except durable.Moved as error:
            raise ThreadNotFound(thread_id) from error

    def add(self, thread_id: str, lines: bytes, now: datetime) -> None:
        """Add lines to a stored thread; see :meth:`ThreadStore.append`."""

        def once() -> None:
            rollout = self.find(thread_id)
            if rollout is None:
                raise ThreadNotFound(thread_id)
            refuse_history(thread_id, _head(rollout).mode)
            if rollout.archived:
                raise archived_session(thread_id)
            durable.append(rollout.path, lines, now)

        self._following(once)

    def move(self, thread_id: str, now: datetime, *, archived: bool) -> StoredThread:
        """Move a thread from one side to the other; see :meth:`ThreadStore.archive`.

        Args:
            thread_id: the thread.
            now: when one that is brought back counts as updated.
            archived: the side that it is on.
        """
        if not self._layout.home.is_dir():
            raise ThreadNotFound(thread_id, archived=archived)
        with durable.held(self._layout.moves, alone=True):
            path = self._layout.find(thread_id, archived=archived)
            if path is None:
                raise ThreadNotFound(thread_id, archived=archived)
            refuse_unknown(thread_id, _head(_rollout(thread_id, path, archived=archived)).mode)
            target = self._layout.restored(path) if archived else self._layout.archived / path.name
            try:
                durable.move(path, target)
            except durable.Occupied as error:
                raise Conflict(f"{target} is in the way") from error
            if archived:
                durable.touch(target, now)
            return self._read(_rollout(thread_id, target, archived=not archived), history=False)

    def _following(self, once: Callable[[], _Answer]) -> _Answer:
        """Do something with a thread that another process may be moving from one side to the other meanwhile."""
        for _ in range(_TRIES):
            try:
                return once()
            except durable.Moved:
                continue
            except ThreadNotFound:
                # It may have gone to the side where we had looked already.
                if not self._layout.moving():
                    raise
        with durable.held(self._layout.moves, alone=False):
            return once()

    def _read(self, rollout: Rollout, *, history: bool) -> StoredThread:
        if not history:
            return self._catalog.thread(rollout, _head(rollout))
        # The mode is looked at first: the lines of a mode that we do not know may be anything.
        refuse_history(rollout.thread_id, _head(rollout).mode)
        records = tuple(decode(_content(rollout).split(b"\n")))
        thread = self._catalog.thread(rollout, _usable(rollout, summarize(rollout.thread_id, records)))
        return replace(thread, history=StoredHistory(rollout.thread_id, records))


def _rollout(thread_id: str, path: Path, *, archived: bool) -> Rollout:
    try:
        return Rollout(thread_id, path, archived, Stamp.of(path.stat()))
    except FileNotFoundError as error:
        raise durable.Moved from error


def _head(rollout: Rollout) -> Summary:
    try:
        return _usable(rollout, head(rollout.thread_id, rollout.path))
    except FileNotFoundError as error:
        raise durable.Moved from error


def _content(rollout: Rollout) -> bytes:
    try:
        return rollout.path.read_bytes()
    except FileNotFoundError as error:
        raise durable.Moved from error


def _usable(rollout: Rollout, summary: Summary | None) -> Summary:
    if summary is None:
        raise Internal(f"failed to read session metadata {rollout.path}: no usable session_meta record in it")
    return summary
