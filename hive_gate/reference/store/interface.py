"""The thread store: everything the server keeps, and the only way it gets at it.

Life of a thread::

    create          the thread has an id and a place; nothing is stored, read and list do not know it
    append          the first append stores it: its session_meta and the records
    append ...      answered means stored: flushed and synced before the call returns
    rollback        an append of a marker; what was written stays
    archive, unarchive

Pure helpers beside the stores, for a server that holds a thread loaded: `recording` (makes the records to append),
`rebuild.turns_of(records)` and `rebuild.merge_active(turns, active)` (turns from records), `paging.page_of_turns`
(a page from turns).

All calls block and may come from several threads. They raise the kinds of :mod:`hive_gate.reference.store.errors` and
nothing else on purpose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import InvalidRequest, Unsupported
from hive_gate.reference.store.queries import ItemQuery, ThreadQuery, TurnQuery
from hive_gate.reference.store.records import (
    HistoryRecord,
    ItemPage,
    NewThread,
    StoredHistory,
    StoredThread,
    ThreadChange,
    ThreadPage,
    TurnPage,
)


class ThreadStore(ABC):
    """Stored threads, whatever they are stored in.

    The history of a thread whose mode is not `legacy` is refused here, whatever the server above does: `append`,
    `rollback`, `resume`, `load_history`, `read` and `read_by_path` with history, `list_turns` and `update_metadata`
    raise `Unsupported("paginated_threads")` or `UnknownHistoryMode`, and nothing stored changes. Listing and reading
    without history work and show the mode. Archiving works for `paginated` and is refused for an unknown mode.
    """

    @abstractmethod
    def create(self, new: NewThread) -> StoredThread:
        """Reserve a thread and return what it will be; the first `append` stores it.

        Raises:
            Conflict: a thread of this id exists.
            Unsupported: the mode is `paginated`.
            InvalidRequest: the mode is not known, or the id is not a UUID in lower case.
        """

    @abstractmethod
    def append(self, thread_id: str, records: Sequence[HistoryRecord]) -> None:
        """Add records at the end of a thread's history; when the call returns they survive a crash.

        Whole records only: after a crash in the middle of a call some of its first records may be stored.

        Raises:
            ThreadNotFound: the thread was neither created nor stored.
            InvalidRequest: the thread is archived.
            Internal: the records could not be stored.
        """

    @abstractmethod
    def resume(self, thread_id: str, *, path: Path | None = None) -> StoredThread:
        """Return a thread with its history, to go on with it.

        Args:
            thread_id: the thread; ignored where `path` is given.
            path: the thread's rollout instead of its id.

        Raises:
            ThreadNotFound: no stored thread has the id.
            InvalidRequest: the thread is archived, or the path is none of this store's.
        """

    @abstractmethod
    def load_history(self, thread_id: str, *, include_archived: bool = True) -> StoredHistory:
        """Return every record of a thread.

        Raises:
            ThreadNotFound: no stored thread has the id, or it is archived and those are not asked for.
        """

    @abstractmethod
    def read(self, thread_id: str, *, include_archived: bool = True, include_history: bool = False) -> StoredThread:
        """Return a thread by its id.

        Raises:
            ThreadNotFound: no stored thread has the id, or it is archived and those are not asked for.
        """

    @abstractmethod
    def read_by_path(self, path: Path, *, include_archived: bool = True, include_history: bool = False) -> StoredThread:
        """Return a thread by the path of its rollout; a relative path is one from the store's folder.

        Raises:
            InvalidRequest: the path is outside the store or not a rollout, or this store has no files.
            ThreadNotFound: there is no such file; `thread_id` is the id in the name.
        """

    @abstractmethod
    def list_threads(self, query: ThreadQuery) -> ThreadPage:
        """Return a page of threads.

        Raises:
            InvalidRequest: `invalid cursor: <cursor>`.
        """

    def list_turns(self, query: TurnQuery) -> TurnPage:  # noqa: ARG002 - for those who offer it
        """Return a page of a thread's turns. Optional: a store may leave it out.

        Raises:
            Unsupported: this store does not offer it (`list_turns`).
            ThreadNotFound: no stored thread has the id.
            InvalidRequest: `invalid cursor: <cursor>`, or its anchor turn is gone; a thread without turns takes any
                cursor.
        """
        raise Unsupported("list_turns")

    def list_items(self, query: ItemQuery) -> ItemPage:  # noqa: ARG002 - for those who offer it
        """Return a page of items. Optional: a store may leave it out, and both stores here do, as 0.142.5 does.

        Raises:
            Unsupported: this store does not offer it (`list_items`).
        """
        raise Unsupported("list_items")

    def search_threads(self, query: ThreadQuery) -> ThreadPage:  # noqa: ARG002 - for those who offer it
        """Search the threads' contents. Optional: a store may leave it out, and both stores here do.

        Raises:
            Unsupported: this store does not offer it (`thread/search`).
        """
        raise Unsupported("thread/search")

    @abstractmethod
    def update_metadata(self, thread_id: str, change: ThreadChange) -> StoredThread:
        """Change what is known of a thread and return it as it is then.

        A name is recorded for an archived thread too, and for one that was created and not yet stored; the last one
        counts. The caller decides whether it may be set.

        Raises:
            ThreadNotFound: the thread was neither created nor stored.
            InvalidRequest: the name is empty.
        """

    @abstractmethod
    def archive(self, thread_id: str) -> StoredThread:
        """Put a thread away and return it as it is then.

        Raises:
            ThreadNotFound: no stored thread that is not archived has the id.
        """

    @abstractmethod
    def unarchive(self, thread_id: str) -> StoredThread:
        """Bring an archived thread back, as updated now, and return it.

        Raises:
            ThreadNotFound: no archived thread has the id.
        """

    def rollback(self, thread_id: str, num_turns: int) -> None:
        """Drop the last turns from every later reading of the thread, by appending a marker.

        Args:
            thread_id: the thread.
            num_turns: how many, stored as asked for; more than there are drops all.

        Raises:
            InvalidRequest: `num_turns` is less than 1.
        """
        if num_turns < 1:
            raise InvalidRequest("num_turns must be >= 1")
        self.append(thread_id, [recording.rolled_back(num_turns)])

    def close(self) -> None:  # noqa: B027 - a store may have nothing to let go of
        """Let go of files and locks; the store is not used afterwards."""
