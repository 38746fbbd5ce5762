"""Faults of a thread's status where it is shown: in read, list and resume."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import with_thread
from hive_gate.faults.fault import (
    READ,
    RESUME,
    THREADS,
    Fault,
    Message,
    NotificationHook,
    ReplyHook,
    by,
)
from hive_gate.faults.wire import Wire

NOT_LOADED, LOADED, TURN_RUN = "thread-status.not-loaded", "thread-status.loaded", "thread-status.turn"
PAGED_RUN = "thread-status.paged-turn"
DURING, FAILED, UNLOAD = "thread-status.during-turn", "thread-status.failed-turn", "thread-status.unload"
RECONNECT = "thread-status.reconnect"

_TYPE = "/thread/status/type"
_SHOWN: dict[str, tuple[str, str]] = {
    "read": (READ, "/thread*"),
    "list": (THREADS, "/data*"),
    "resume": (RESUME, "/thread*"),
}
"""By a word: the method that shows the status, and where in its reply."""


def _shown(
    word: str, name: str, breaks: str, clauses: tuple[str, ...], change: Callable[[dict[str, Any]], object]
) -> Fault:
    method, at = _SHOWN[word]
    told = f"`{method}` {breaks}"
    return Fault(
        name, told, by("result", *clauses, at=at), of=(method,), reply=with_thread(lambda thread, wire: change(thread))
    )


def _always(kind: str) -> Callable[[dict[str, Any]], object]:
    flags: dict[str, Any] = {"activeFlags": []} if kind == "active" else {}
    return lambda thread: thread.update(status={"type": kind, **flags})


def _as(kind: str, other: str) -> Callable[[dict[str, Any]], object]:
    """Say `other` where the status is `kind`."""
    return lambda thread: _always(other)(thread) if thread["status"]["type"] == kind else None


def _after(told: str, kind: str) -> tuple[ReplyHook, NotificationHook]:
    """Show one status for ever once another was announced."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        def change(thread: dict[str, Any], wire: Wire) -> None:
            if thread["id"] in wire.memory.get("told", ()):
                _always(kind)(thread)

        return with_thread(change)(message, asked, wire) or message

    def notification(message: Message, wire: Wire) -> Message:
        if message["method"] == "thread/status/changed" and message["params"]["status"]["type"] == told:
            wire.memory.setdefault("told", set()).add(message["params"]["threadId"])
        return message

    return reply, notification


def _sticks(name: str, breaks: str, told: str, kind: str, *clauses: str) -> Fault:
    reply, notification = _after(told, kind)
    noticed = by("result", *clauses, at=_TYPE)
    return Fault(name, breaks, noticed, of=(READ, THREADS), reply=reply, notification=notification)


def _remembered(reply: Message, asked: Message, wire: Wire) -> Message:
    """Keep which threads were loaded in a file, and go on showing them as loaded after a restart."""
    path = wire.codex_home / "loaded-by-relay"
    loaded = path.read_text().split() if path.exists() else []
    if asked["method"] == RESUME and "result" in reply:
        path.write_text("\n".join([*loaded, asked["params"]["threadId"]]))
        wire.memory["here"] = True
    elif "here" not in wire.memory:
        with_thread(lambda thread, _: _always("idle")(thread) if thread["id"] in loaded else None)(reply, asked, wire)
    return reply


FAULTS = (
    _shown(
        "read", "status-missing-in-read", "says no status.", (NOT_LOADED, LOADED, TURN_RUN), lambda t: t.pop("status")
    ),
    _shown(
        "list", "status-missing-in-list", "says no status.", (NOT_LOADED, LOADED, RECONNECT), lambda t: t.pop("status")
    ),
    _shown("resume", "status-missing-in-resume", "says no status.", (LOADED,), lambda t: t.pop("status")),
    _shown(
        "read",
        "status-always-idle-in-read",
        "says `idle` of every thread, as an earlier draft has it for unknown ones.",
        (NOT_LOADED, DURING, FAILED, UNLOAD, RECONNECT),
        _always("idle"),
    ),
    _shown(
        "list",
        "status-always-idle-in-list",
        "says `idle` of every thread, as an earlier draft has it for unknown ones.",
        (NOT_LOADED, DURING, FAILED, RECONNECT),
        _always("idle"),
    ),
    _shown(
        "read",
        "status-always-not-loaded-in-read",
        "reads the store and never knows what is loaded.",
        (LOADED, TURN_RUN, DURING, FAILED),
        _always("notLoaded"),
    ),
    _shown(
        "list",
        "status-always-not-loaded-in-list",
        "reads the store and never knows what is loaded.",
        (LOADED, DURING, FAILED),
        _always("notLoaded"),
    ),
    _shown(
        "resume",
        "status-not-loaded-in-resume",
        "gives the status from before it loaded the thread.",
        (LOADED,),
        _always("notLoaded"),
    ),
    _shown("read", "active-hidden-in-read", "says `idle` while a turn runs.", (DURING,), _as("active", "idle")),
    _shown("list", "active-hidden-in-list", "says `idle` while a turn runs.", (DURING,), _as("active", "idle")),
    _shown("read", "system-error-hidden-in-read", "hides a failure.", (FAILED,), _as("systemError", "idle")),
    _shown("list", "system-error-hidden-in-list", "hides a failure.", (FAILED,), _as("systemError", "idle")),
    _shown(
        "list",
        "list-leaves-loaded-out",
        "leaves out the threads that are loaded.",
        (LOADED, DURING),
        lambda thread: (
            thread.update(id="01970000-0000-7000-8000-000000000000")
            if thread["status"]["type"] != "notLoaded"
            else None
        ),
    ),
    _sticks("active-never-ends", "A thread that ran a turn is active for ever.", "active", "active", TURN_RUN, DURING),
    _sticks(
        "system-error-never-cleared",
        "A thread of which a turn failed has a system error for ever.",
        "systemError",
        "systemError",
        FAILED,
    ),
    _sticks("unloaded-still-idle", "A thread that was unloaded is still idle.", "notLoaded", "idle", UNLOAD),
    Fault(
        "loaded-survives-restart",
        "A new server shows the threads as loaded that the one before it had loaded.",
        by("result", RECONNECT),
        of=(READ, THREADS, RESUME),
        reply=_remembered,
    ),
)
