"""The thread store over memory: nothing outlives the process, no file is touched."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hive_gate.reference.store import moments
from hive_gate.reference.store.errors import InvalidRequest, ThreadNotFound
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.listing import page_of_threads
from hive_gate.reference.store.modes import refuse_history, refuse_unknown
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
from hive_gate.reference.store.summary import Summary, meta_of, summarize, thread_of


@dataclass(slots=True)
class _Kept:
    thread_id: str
    records: list[HistoryRecord]
    updated_at: datetime
    stored: bool = False
    archived: bool = False
    name: str | None = None

    def thread(self) -> StoredThread:
        summary = summarize(self.thread_id, self.records) or Summary(self.records[0].payload, "")
        return thread_of(
            self.thread_id,
            summary,
            updated_at=self.updated_at,
            archived=self.archived,
            name=self.name,
            path=None,
        )


class MemoryThreadStore(ThreadStore):
    """Threads in memory.

    Args:
        clock: tells the present.
    """

    def __init__(self, *, clock: moments.Clock = moments.now) -> None:
        self._clock = clock
        self._threads: dict[str, _Kept] = {}
        self._lock = threading.RLock()

    def adopt(self, thread_id: str, records: Sequence[HistoryRecord], *, archived: bool = False) -> None:
        """Take in a thread as another writer might have left it, of whatever history mode.

        Args:
            thread_id: the thread.
            records: all of it, beginning with its `session_meta`.
            archived: the side that it is on.
        """
        with self._lock:
            now = self._clock()
            copies = [_copied(record, now) for record in records]
            self._threads[thread_id] = _Kept(thread_id, copies, now, stored=True, archived=archived)

    def create(self, new: NewThread) -> StoredThread:
        """See :meth:`ThreadStore.create`."""
        with self._lock:
            check_new(new, exists=new.thread_id in self._threads)
            began = new.created_at or self._clock()
            kept = self._threads[new.thread_id] = _Kept(new.thread_id, [meta_of(new, began)], began)
            return kept.thread()

    def append(self, thread_id: str, records: Sequence[HistoryRecord]) -> None:
        """See :meth:`ThreadStore.append`."""
        with self._lock:
            kept = self._threads.get(thread_id)
            if kept is None:
                raise ThreadNotFound(thread_id)
            refuse_history(thread_id, kept.thread().history_mode)
            if kept.archived:
                raise archived_session(thread_id)
            now = self._clock()
            kept.records.extend([_copied(record, now) for record in records])
            kept.stored, kept.updated_at = True, now

    def resume(self, thread_id: str, *, path: Path | None = None) -> StoredThread:
        """See :meth:`ThreadStore.resume`."""
        with self._lock:
            thread = self.read(thread_id) if path is None else self.read_by_path(path)
            refuse_history(thread_id, thread.history_mode)
            if thread.archived:
                raise archived_session(thread_id)
            return self.read(thread_id, include_history=True)

    def load_history(self, thread_id: str, *, include_archived: bool = True) -> StoredHistory:
        """See :meth:`ThreadStore.load_history`."""
        thread = self.read(thread_id, include_archived=include_archived, include_history=True)
        return thread.history or StoredHistory(thread_id, ())

    def read(self, thread_id: str, *, include_archived: bool = True, include_history: bool = False) -> StoredThread:
        """See :meth:`ThreadStore.read`."""
        with self._lock:
            kept = self._threads.get(thread_id)
            if kept is None or not kept.stored or (kept.archived and not include_archived):
                raise ThreadNotFound(thread_id)
            thread = kept.thread()
            if not include_history:
                return thread
            refuse_history(thread_id, thread.history_mode)
            return replace(thread, history=StoredHistory(thread_id, tuple(kept.records)))

    def read_by_path(self, path: Path, *, include_archived: bool = True, include_history: bool = False) -> StoredThread:  # noqa: ARG002 - there are no paths
        """See :meth:`ThreadStore.read_by_path`: always refused."""
        raise InvalidRequest(f"{path} is not a rollout of this store, which has no files")

    def list_threads(self, query: ThreadQuery) -> ThreadPage:
        """See :meth:`ThreadStore.list_threads`."""
        with self._lock:
            threads = [kept.thread() for kept in self._threads.values() if kept.stored]
        return page_of_threads((thread for thread in threads if thread.archived == query.archived), query)

    def list_turns(self, query: TurnQuery) -> TurnPage:
        """See :meth:`ThreadStore.list_turns`."""
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
        with self._lock:
            kept = self._threads.get(thread_id)
            if kept is None:
                raise ThreadNotFound(thread_id)
            refuse_history(thread_id, kept.thread().history_mode)
            if change.name is not None:
                kept.name = change.name.strip()
            return kept.thread()

    def archive(self, thread_id: str) -> StoredThread:
        """See :meth:`ThreadStore.archive`."""
        with self._lock:
            return self._put(thread_id, archived=True)

    def unarchive(self, thread_id: str) -> StoredThread:
        """See :meth:`ThreadStore.unarchive`."""
        with self._lock:
            thread = self._put(thread_id, archived=False)
            kept = self._threads[thread_id]
            kept.updated_at = self._clock()
            return replace(thread, updated_at=kept.updated_at)

    def _put(self, thread_id: str, *, archived: bool) -> StoredThread:
        kept = self._threads.get(thread_id)
        if kept is None or not kept.stored or kept.archived == archived:
            raise ThreadNotFound(thread_id, archived=not archived)
        refuse_unknown(thread_id, kept.thread().history_mode)
        kept.archived = archived
        return kept.thread()


def _copied(record: HistoryRecord, now: datetime) -> HistoryRecord:
    """Return the record as a reader of a file would get it: its own copy, and only if it is JSON."""
    try:
        payload = json.loads(json.dumps(record.payload, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequest(f"a {record.kind} record cannot be stored as JSON: {error}") from error
    return HistoryRecord(record.kind, payload, record.timestamp or moments.stamp(now))
