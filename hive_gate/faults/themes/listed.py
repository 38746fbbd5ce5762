"""Faults of what a list of threads says of all of them, and of what is announced about a turn."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import turns_of, with_result, with_thread
from hive_gate.faults.fault import (
    LIST,
    NAME,
    READ,
    RESUME,
    REVERT,
    ROLLBACK,
    THREADS,
    UNARCHIVE,
    Fault,
    Message,
    NotificationHook,
    RequestHook,
    by,
)
from hive_gate.faults.themes.status import DURING, FAILED, LOADED, NOT_LOADED, TURN_RUN
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_TEXTS = "thread-name.texts"


def _stale_copies(result: Any, params: dict[str, Any]) -> None:
    result["data"] = [
        row for thread in result["data"] for row in (thread, {**thread, "name": None, "status": {"type": "notLoaded"}})
    ]


def _all_active(result: Any, params: dict[str, Any]) -> None:
    if any(thread["status"]["type"] == "active" for thread in result["data"]):
        for thread in result["data"]:
            thread["status"] = {"type": "active", "activeFlags": []}


def _touched_only(result: Any, params: dict[str, Any]) -> None:
    del result["data"][1:]


def _archived_nameless(result: Any, params: dict[str, Any]) -> None:
    for thread in result["data"] if params.get("archived") else ():
        thread["name"] = None


def _twice(method: str, *, first: bool = False) -> NotificationHook:
    """Announce something twice; `first`: only the first time for a thread."""

    def notification(message: Message, wire: Wire) -> Message:
        if message["method"] == method:
            thread, told = message["params"]["threadId"], wire.memory.setdefault("told", set())
            if not first or thread not in told:
                wire.to_client(message)
            told.add(thread)
        return message

    return notification


def _completed_as(status: str, **members: Any) -> NotificationHook:
    def notification(message: Message, wire: Wire) -> Message:
        if message["method"] == "turn/completed":
            message["params"]["turn"].update(status=status, **members)
        return message

    return notification


def _cut_name(change: Callable[[str], str]) -> NotificationHook:
    def notification(message: Message, wire: Wire) -> Message:
        if message["method"] == "thread/name/updated" and message["params"].get("threadName"):
            message["params"]["threadName"] = change(message["params"]["threadName"])
        return message

    return notification


def _short_ascii(name: str) -> str:
    return name.encode("ascii", "ignore").decode()[:40]


def _composed(request: Message, wire: Wire) -> Message:
    request["params"]["name"] = unicodedata.normalize("NFC", request["params"]["name"])
    return request


def _numbered(request: Message, wire: Wire) -> Message:
    """Give a name that another thread has with a number behind it."""
    names, params = wire.memory.setdefault("names", {}), request["params"]
    if any(name == params["name"] for thread, name in names.items() if thread != params["threadId"]):
        params["name"] += " (2)"
    names[params["threadId"]] = params["name"]
    return request


def _noting(method: str) -> RequestHook:
    def request(message: Message, wire: Wire) -> Message:
        if message["method"] == method:
            wire.memory.setdefault("undone", set()).add(message["params"]["threadId"])
        return message

    return request


def _without_answers(reply: Message, asked: Message, wire: Wire) -> Message:
    """Lose the answers of a thread whose last turns were taken back."""
    if asked["method"] in (LIST, READ, RESUME) and asked["params"]["threadId"] in wire.memory.get("undone", ()):
        for turn in turns_of(reply.get("result") or {}):
            turn["items"] = [item for item in turn["items"] if item["type"] != "agentMessage"]
    return reply


FAULTS = (
    Fault(
        "list-doubles-threads",
        "Each thread is listed twice, the second time without its name and as not loaded.",
        by("result", "thread-name.stored", "thread-name.loaded", NOT_LOADED, at="/data*"),
        of=(THREADS,),
        reply=with_result(_stale_copies),
    ),
    Fault(
        "list-all-active",
        "While one thread is active, all are listed as active.",
        by("result", DURING, at="/data*"),
        of=(THREADS,),
        reply=with_result(_all_active),
    ),
    Fault(
        "list-of-one",
        "Only the thread is listed that was touched last.",
        by("result", DURING, at="/data*"),
        of=(THREADS,),
        reply=with_result(_touched_only),
    ),
    Fault(
        "archived-list-without-names",
        "The list of archived threads has no names.",
        by("result", "thread-name.archive", at="/data*"),
        of=(THREADS,),
        reply=with_result(_archived_nameless),
    ),
    Fault(
        "idle-announced-twice",
        "That a thread was loaded is announced twice.",
        by("exactly", LOADED),
        notification=_twice("thread/status/changed", first=True),
    ),
    Fault(
        "turn-started-twice",
        "`turn/started` comes twice.",
        by("exactly", TURN_RUN),
        notification=_twice("turn/started"),
    ),
    Fault(
        "turn-completed-twice",
        "`turn/completed` comes twice.",
        by("exactly", TURN_RUN, FAILED),
        notification=_twice("turn/completed"),
    ),
    Fault(
        "turn-completed-as-interrupted",
        "`turn/completed` says of every turn that it was interrupted.",
        by("exactly", TURN_RUN, FAILED),
        notification=_completed_as("interrupted"),
    ),
    Fault(
        "turn-failed-as-completed",
        "`turn/completed` says of a failed turn that it is completed.",
        by("exactly", FAILED),
        notification=_completed_as("completed", error=None),
    ),
    Fault(
        "name-cut-in-resume",
        "A resume gives 40 ASCII characters of a name.",
        by("result", _TEXTS, at="/thread/name"),
        of=(RESUME, UNARCHIVE, ROLLBACK),
        reply=with_thread(lambda thread, wire: thread.update(name=_short_ascii(thread.get("name") or ""))),
    ),
    Fault(
        "name-cut-in-announcement",
        "The announcement of a name has 40 ASCII characters of it.",
        by("await", _TEXTS),
        notification=_cut_name(_short_ascii),
        silent=True,
    ),
    Fault(
        "name-composed",
        "A name is kept in the composed normal form.",
        by("result", f"{_TEXTS}/decomposed"),
        of=(NAME,),
        request=_composed,
    ),
    Fault(
        "shared-name-numbered",
        "A name that another thread has gets a number.",
        by("result", "thread-name.shared", at="/thread/name"),
        of=(NAME,),
        request=_numbered,
    ),
    Fault(
        "rolled-back-without-answers",
        "After a rollback the turns that are left have no answers.",
        by(ITEMS_MATCH, "rollback.last", at="/thread/turns*") + by(ITEMS_MATCH, "rollback.last", at="/data*"),
        of=(LIST, READ, RESUME, ROLLBACK),
        request=_noting(ROLLBACK),
        reply=_without_answers,
    ),
    Fault(
        "reverted-without-answers",
        "After a revert the turns that are left have no answers.",
        by(ITEMS_MATCH, "revert.last", at="/thread/turns*") + by(ITEMS_MATCH, "revert.last", at="/data*"),
        of=(LIST, READ, RESUME, REVERT),
        request=_noting(REVERT),
        reply=_without_answers,
    ),
)
