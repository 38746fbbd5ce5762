"""Page through the history of threads as Hive's client has to: the reference for whoever writes one.

It keeps every rule of the adapter contract: a thread is restored with its newest page and without its other turns,
older pages follow by `nextCursor`, one request at a time for each thread, at the pace that was decided on, none
twice, none after the end, and after -32001 only with waits that grow. What the server gets wrong is told as an error
or as a doubt. It needs nothing but a function that sends a request::

    history = History(call)  # one for each connection, once `initialized` was sent
    thread = history.thread(thread_id)
    page = await thread.restore()  # the newest turns
    while (page := await thread.older()) is not None:
        show(page.turns)  # above what is shown; ask again when the user scrolls there

It knows what its pages said and nothing of what happens meanwhile. Turns that begin after the restore come by
notifications and are the caller's to show below. After a rollback or a revert, whoever asked for it, call `restore`
again: until then the turns that were taken back stay in `turns`. `Settings.size` makes it ask for shortened turns
where a thread's pages are large; without it every page comes as `Settings.view` says.
"""

from __future__ import annotations

from hive_gate.pager.errors import (
    BrokenHistory,
    CursorLost,
    NoAnswer,
    Overloaded,
    PagingError,
    Refused,
    RequestRefused,
    ThreadMissing,
    Unsupported,
)
from hive_gate.pager.history import Call, History, Settings, ThreadHistory
from hive_gate.pager.pages import Page, Turn

__all__ = [
    "BrokenHistory",
    "Call",
    "CursorLost",
    "History",
    "NoAnswer",
    "Overloaded",
    "Page",
    "PagingError",
    "Refused",
    "RequestRefused",
    "Settings",
    "ThreadHistory",
    "ThreadMissing",
    "Turn",
    "Unsupported",
]
