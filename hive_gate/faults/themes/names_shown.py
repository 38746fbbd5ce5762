"""Faults of a thread's name where it is shown, and where it is announced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import with_thread
from hive_gate.faults.fault import (
    NAME,
    READ,
    RESUME,
    ROLLBACK,
    THREADS,
    UNARCHIVE,
    Fault,
    Message,
    NotificationHook,
    by,
)
from hive_gate.faults.wire import Wire

_STORED, _LOADED, _RESTART = "thread-name.stored", "thread-name.loaded", "thread-name.restart"
_ARCHIVED, _ROLLBACK, _TRIMMED = "thread-name.archive", "thread-name.rollback", "thread-name.trimmed"
_EMPTY, _LAST, _TEXTS, _SHARED = "thread-name.empty", "thread-name.last-wins", "thread-name.texts", "thread-name.shared"
_PAGED = "thread-name.paged"
_OTHER = "01970000-0000-7000-8000-000000000000"

_SHOWN: dict[str, tuple[str, tuple[str, ...], str]] = {
    "list": (THREADS, (_STORED, _LOADED, _RESTART, _ARCHIVED, _TEXTS, _PAGED), "/data"),
    "read": (
        READ,
        (_STORED, _LOADED, _RESTART, _ARCHIVED, _TRIMMED, _EMPTY, _LAST, _TEXTS, _SHARED, _PAGED),
        "/thread*",
    ),
    "resume": (RESUME, (_STORED, _LOADED, _RESTART, _PAGED), "/thread*"),
    "unarchive": (UNARCHIVE, (_ARCHIVED,), "/thread*"),
    "rollback": (ROLLBACK, (_ROLLBACK,), "/thread*"),
}
"""By a word: the method that shows names, the clauses that look there, and where in the reply."""


def _shown(word: str, name: str, breaks: str, change: Callable[[dict[str, Any], Wire], object]) -> Fault:
    method, clauses, at = _SHOWN[word]
    told = breaks.format(method=f"`{method}`")
    return Fault(name, told, by("result", *clauses, at=at), of=(method,), reply=with_thread(change))


def _updated(change: Callable[[dict[str, Any]], object]) -> NotificationHook:
    def notification(message: Message, wire: Wire) -> Message | None:
        if message["method"] == "thread/name/updated" and change(message["params"]) is False:
            return None
        return message

    return notification


def _announced(name: str, breaks: str, change: Callable[[dict[str, Any]], object]) -> Fault:
    noticed = by("await", _STORED, _LOADED, _PAGED)
    return Fault(name, breaks, noticed, of=(NAME,), notification=_updated(change), silent=True)


FAULTS = (
    *(
        _shown(word, f"name-missing-in-{word}", "{method} gives no name.", lambda thread, wire: thread.pop("name", 0))
        for word in _SHOWN
    ),
    *(
        _shown(word, f"name-null-in-{word}", "{method} says that no name was set.", lambda t, wire: t.update(name=None))
        for word in _SHOWN
    ),
    *(
        _shown(
            word,
            f"name-of-another-in-{word}",
            "{method} gives the name of another thread.",
            lambda thread, wire: thread.update(name="Somebody else's name"),
        )
        for word in _SHOWN
    ),
    _announced("name-updated-lost", "A new name is not announced.", lambda params: False),
    _announced(
        "name-updated-of-another",
        "A new name is announced for another thread.",
        lambda params: params.update(threadId=_OTHER),
    ),
    _announced(
        "name-updated-without-name",
        "The announcement of a new name does not say it.",
        lambda params: params.pop("threadName") and None,
    ),
    _announced(
        "name-updated-with-another",
        "Another name is announced than was set.",
        lambda params: params.update(threadName="Somebody else's name"),
    ),
)
