"""What a thread store can refuse, by kind; the server turns the kinds into error codes.

`ThreadNotFound`, `InvalidRequest` and `Conflict` are the caller's to mend, `Unsupported` says that this store does not
offer the operation, and `Internal` that the store itself failed. `str(error)` is one sentence without a trailing stop.
"""

from __future__ import annotations


class ThreadStoreError(Exception):
    """Base of everything that a store raises on purpose."""


class ThreadNotFound(ThreadStoreError):
    """No stored thread has this id.

    Args:
        thread_id: the id that was asked for.
        archived: whether an archived thread was asked for.
    """

    def __init__(self, thread_id: str, *, archived: bool = False) -> None:
        super().__init__(f"no {'archived ' if archived else ''}rollout found for thread id {thread_id}")
        self.thread_id = thread_id
        self.archived = archived


class InvalidRequest(ThreadStoreError):
    """The request cannot be met as it is: a bad cursor, a path outside the store, an archived thread to resume."""


class Conflict(ThreadStoreError):
    """The request collides with what is stored: a thread that exists already, a file in the way of a move."""


class Unsupported(ThreadStoreError):
    """This store does not offer the operation, or not for this thread.

    Args:
        operation: the name that the server puts before `is not supported yet`, such as `list_items`.
    """

    def __init__(self, operation: str) -> None:
        super().__init__(f"{operation} is not supported yet")
        self.operation = operation


class Internal(ThreadStoreError):
    """The store failed: the disk is full, a file cannot be read, a record says something the store does not know."""


class UnknownHistoryMode(Internal):
    """The thread is stored in a way that this store has never heard of, so its history must not be guessed at.

    Args:
        thread_id: the thread.
        mode: the value as stored.
    """

    def __init__(self, thread_id: str, mode: str) -> None:
        super().__init__(f"thread {thread_id} has the unknown history mode `{mode}`, expected `legacy` or `paginated`")
        self.thread_id = thread_id
        self.mode = mode


PAGINATED_THREADS = "paginated_threads"
"""Operation named when the history of a paginated thread is asked for."""
