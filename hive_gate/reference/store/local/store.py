"""The thread store over files. See :mod:`.layout` for where they are and :mod:`.durable` for what survives what."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hive_gate.reference.store import moments
from hive_gate.reference.store.errors import Conflict, Internal, InvalidRequest, ThreadNotFound
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.listing import page_of_threads
from hive_gate.reference.store.local import durable
from hive_gate.reference.store.local.catalog import Catalog
from hive_gate.reference.store.local.layout import Layout
from hive_gate.reference.store.local.lines import encode
from hive_gate.reference.store.local.names import Names
from hive_gate.reference.store.local.shelf import Shelf
from hive_gate.reference.store.modes import refuse_history
from hive_gate.reference.store.paging import page_of_turns
from hive_gate.reference.store.queries import ThreadQuery, TurnQuery
from hive_gate.reference.store.rebuild import merge_active, turns_of
from hive_gate.reference.store.records import (
    HistoryRecord,
    NewThread,
    StoredHistory,
    StoredThread,
    ThreadChange,
    ThreadPage,
    TurnPage,
)
from hive_gate.reference.store.rules import archived_session, check_change, check_new
from hive_gate.reference.store.summary import Summary, meta_of, thread_of


class LocalThreadStore(ThreadStore):
    """Threads in the folder of a home, shared with other processes and with the real server.

    Args:
        home: the folder (CODEX_HOME); made with the first thread.
        clock: tells the present.
    """

    def __init__(self, home: Path, *, clock: moments.Clock = moments.now) -> None:
        self._clock = clock
        self._layout = Layout(Path(os.path.abspath(home)))  # noqa: PTH100 - links stay as they are
        self._names = Names(self._layout.names)
        self._catalog = Catalog(self._layout, self._names)
        self._shelf = Shelf(self._layout, self._catalog)
        self._created: dict[str, tuple[HistoryRecord, StoredThread]] = {}
        self._lock = threading.RLock()

    def create(self, new: NewThread) -> StoredThread:
        """See :meth:`ThreadStore.create`."""
        with self._doing("create", new.thread_id):
            check_new(new, exists=new.thread_id in self._created or self._shelf.find(new.thread_id) is not None)
            began = new.created_at or self._clock()
            meta, path = meta_of(new, began), self._layout.fresh(new.thread_id, began)
            head = Summary(meta.payload, "")
            thread = thread_of(new.thread_id, head, updated_at=began, archived=False, name=None, path=path)
            self._created[new.thread_id] = meta, thread
            return thread

    def append(self, thread_id: str, records: Sequence[HistoryRecord]) -> None:
        """See :meth:`ThreadStore.append`."""
        with self._doing("append to", thread_id):
            now = self._clock()
            if thread_id not in self._created:
                self._shelf.add(thread_id, encode(records, now), now)
                return
            meta, thread = self._created[thread_id]
            try:
                durable.create(thread.path or self._layout.home, encode([meta, *records], now), now)
            except durable.Occupied as error:
                raise Conflict(f"thread {thread_id} exists already") from error
            del self._created[thread_id]
            self._catalog.enter(thread_id, thread.path or self._layout.home)

    def resume(self, thread_id: str, *, path: Path | None = None) -> StoredThread:
        """See :meth:`ThreadStore.resume`."""
        with self._lock:
            thread = self.read(thread_id) if path is None else self.read_by_path(path)
            refuse_history(thread.thread_id, thread.history_mode)
            if thread.archived:
                raise archived_session(thread.thread_id)
            return self.read(thread.thread_id, include_archived=False, include_history=True)

    def load_history(self, thread_id: str, *, include_archived: bool = True) -> StoredHistory:
        """See :meth:`ThreadStore.load_history`."""
        thread = self.read(thread_id, include_archived=include_archived, include_history=True)
        return thread.history or StoredHistory(thread_id, ())

    def read(self, thread_id: str, *, include_archived: bool = True, include_history: bool = False) -> StoredThread:
        """See :meth:`ThreadStore.read`."""
        with self._doing("read", thread_id):
            return self._shelf.read(thread_id, include_archived=include_archived, history=include_history)

    def read_by_path(self, path: Path, *, include_archived: bool = True, include_history: bool = False) -> StoredThread:
        """See :meth:`ThreadStore.read_by_path`."""
        whole = Path(os.path.abspath(self._layout.home / path))  # noqa: PTH100 - links stay as they are
        found = self._layout.identify(whole)
        if found is None:
            raise InvalidRequest(f"{path} is not a rollout of this store")
        thread_id, archived = found
        if archived and not include_archived:
            raise ThreadNotFound(thread_id)
        with self._doing("read", thread_id):
            return self._shelf.read_at(thread_id, whole, archived=archived, history=include_history)

    def list_threads(self, query: ThreadQuery) -> ThreadPage:
        """See :meth:`ThreadStore.list_threads`."""
        with self._doing("list", "threads"):
            return page_of_threads(self._catalog.threads(archived=query.archived), query)

    def list_turns(self, query: TurnQuery) -> TurnPage:
        """See :meth:`ThreadStore.list_turns`. The whole history is read and replayed each time."""
        turns = turns_of(self.load_history(query.thread_id).records)
        return page_of_turns(
            merge_active(turns, query.active),
            cursor=query.cursor,
            page_size=query.page_size,
            sort_direction=query.sort_direction,
            items_view=query.items_view,
        )

    def update_metadata(self, thread_id: str, change: ThreadChange) -> StoredThread:
        """See :meth:`ThreadStore.update_metadata`."""
        check_change(change)
        with self._doing("update", thread_id):
            created = self._created.get(thread_id)
            thread = self.read(thread_id) if created is None else created[1]
            refuse_history(thread_id, thread.history_mode)
            if change.name is None:
                return thread
            self._names.add(thread_id, change.name.strip(), self._clock())
            if created is None:
                return self.read(thread_id)
            named = replace(thread, name=change.name.strip())
            self._created[thread_id] = created[0], named
            return named

    def archive(self, thread_id: str) -> StoredThread:
        """See :meth:`ThreadStore.archive`."""
        with self._doing("archive", thread_id):
            return self._shelf.move(thread_id, self._clock(), archived=False)

    def unarchive(self, thread_id: str) -> StoredThread:
        """See :meth:`ThreadStore.unarchive`."""
        with self._doing("unarchive", thread_id):
            return self._shelf.move(thread_id, self._clock(), archived=True)

    def close(self) -> None:
        """See :meth:`ThreadStore.close`. Threads that were created and never appended to are forgotten."""
        with self._lock:
            self._created.clear()
            self._catalog.close()

    @contextmanager
    def _doing(self, what: str, subject: str) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except durable.Moved as error:
                raise Internal(f"failed to {what} {subject}: its rollout is moved again and again") from error
            except OSError as error:
                raise Internal(f"failed to {what} {subject}: {error}") from error
