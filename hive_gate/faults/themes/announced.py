"""Faults of `thread/status/changed`: what is announced of a thread's status, when, and of which thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.fault import RESUME, TURN, Fault, Message, NotificationHook, by
from hive_gate.faults.themes.status import FAILED, LOADED, PAGED_RUN, TURN_RUN, UNLOAD
from hive_gate.faults.wire import Wire

_CHANGED = "thread/status/changed"
_OTHER = "01970000-0000-7000-8000-000000000000"


def _told(change: Callable[[dict[str, Any]], object]) -> NotificationHook:
    """Change the parameters of each announcement; `change` returns False for one that is lost."""

    def notification(message: Message, wire: Wire) -> Message | None:
        if message["method"] == _CHANGED and change(message["params"]) is False:
            return None
        return message

    return notification


def _is(kind: str) -> Callable[[dict[str, Any]], bool]:
    return lambda params: params["status"]["type"] == kind


def _lost(kind: str) -> NotificationHook:
    return _told(lambda params: not _is(kind)(params))


def _as(kind: str, other: str) -> NotificationHook:
    return _told(lambda params: params.update(status={"type": other}) if _is(kind)(params) else None)


def _idle_after_turn_lost(message: Message, wire: Wire) -> Message | None:
    if message["method"] != _CHANGED:
        return message
    thread, kind = message["params"]["threadId"], message["params"]["status"]["type"]
    before = wire.memory.get(thread)
    wire.memory[thread] = kind
    return None if kind == "idle" and before == "active" else message


def _doubled(message: Message, wire: Wire) -> Message:
    if message["method"] == _CHANGED:
        wire.to_client(message)
    return message


def _late(kind: str, until: str) -> NotificationHook:
    """Hold an announcement back until another notification has passed."""

    def notification(message: Message, wire: Wire) -> Message | None:
        held: list[Message] = wire.memory.setdefault("held", [])
        if message["method"] == _CHANGED and _is(kind)(message["params"]) and wire.memory.get("turn"):
            held.append(message)
            return None
        if message["method"] == until and held:
            wire.to_client(message)
            return held.pop()
        return message

    return notification


def _idle_first(message: Message, wire: Wire) -> Message | None:
    """Swap the two announcements of a turn: `active` waits until `idle` is there."""
    if message["method"] != _CHANGED:
        return message
    if _is("active")(message["params"]):
        wire.memory["active"] = message
        return None
    if "active" in wire.memory:
        wire.to_client(message)
        return dict(wire.memory.pop("active"))
    return message


def _turn_asked(message: Message, wire: Wire) -> Message:
    """Note that a turn was asked for: announcements before it pass as they are."""
    wire.memory["turn"] = True
    return message


def _again(reply: Message, asked: Message, wire: Wire) -> Message:
    """Announce a status whenever it is asked for, changed or not."""
    thread = (reply.get("result") or {}).get("thread")
    if thread is not None:
        wire.to_client({"method": _CHANGED, "params": {"threadId": thread["id"], "status": thread["status"]}})
    return reply


def _active_again(message: Message, wire: Wire) -> Message:
    if message["method"] == "turn/started":
        params = {"threadId": message["params"]["threadId"], "status": {"type": "active", "activeFlags": []}}
        wire.to_client({"method": _CHANGED, "params": params})
    return message


FAULTS = (
    Fault(
        "status-changed-lost",
        "No change of a status is announced.",
        by("await", LOADED, UNLOAD) + by("exactly", TURN_RUN, PAGED_RUN, FAILED),
        notification=_told(lambda params: False),
        silent=True,
    ),
    Fault(
        "active-lost",
        "`active` is not announced.",
        by("exactly", TURN_RUN, PAGED_RUN, FAILED),
        notification=_lost("active"),
    ),
    Fault(
        "idle-after-turn-lost",
        "After a turn `idle` is not announced.",
        by("exactly", TURN_RUN, PAGED_RUN, FAILED),
        notification=_idle_after_turn_lost,
    ),
    Fault(
        "idle-on-load-lost",
        "That a thread was loaded is not announced.",
        by("await", LOADED),
        notification=_lost("idle"),
        silent=True,
    ),
    Fault("system-error-lost", "A failure is not announced.", by("exactly", FAILED), notification=_lost("systemError")),
    Fault(
        "system-error-as-idle",
        "A failure is announced as `idle`.",
        by("exactly", FAILED),
        notification=_as("systemError", "idle"),
    ),
    Fault(
        "not-loaded-lost",
        "That a thread was unloaded is not announced.",
        by("await", UNLOAD),
        notification=_lost("notLoaded"),
        silent=True,
    ),
    Fault(
        "not-loaded-as-idle",
        "That a thread was unloaded is announced as `idle`.",
        by("await", UNLOAD),
        notification=_as("notLoaded", "idle"),
        silent=True,
    ),
    Fault(
        "status-changed-doubled",
        "Each change of a status is announced twice.",
        by("exactly", TURN_RUN, PAGED_RUN, FAILED),
        notification=_doubled,
    ),
    Fault(
        "status-announced-unchanged",
        "A status is announced whenever a thread is resumed, changed or not.",
        by("exactly", LOADED),
        of=(RESUME,),
        reply=_again,
    ),
    Fault(
        "active-announced-again",
        "`active` is announced once more when the turn has started.",
        by("exactly", TURN_RUN, PAGED_RUN, FAILED),
        notification=_active_again,
    ),
    Fault(
        "idle-before-active",
        "`idle` is announced before `active`.",
        by("notifications", TURN_RUN, PAGED_RUN) + by("exactly", TURN_RUN, PAGED_RUN),
        notification=_idle_first,
    ),
    Fault(
        "active-after-turn-started",
        "`active` is announced after `turn/started`.",
        by("notifications", TURN_RUN, PAGED_RUN),
        of=(TURN,),
        request=_turn_asked,
        notification=_late("active", "turn/started"),
    ),
    Fault(
        "idle-after-turn-completed",
        "`idle` is announced after `turn/completed`.",
        by("notifications", TURN_RUN, PAGED_RUN),
        of=(TURN,),
        request=_turn_asked,
        notification=_late("idle", "turn/completed"),
    ),
    Fault(
        "status-changed-of-another",
        "A change is announced for another thread.",
        by("await", LOADED, UNLOAD) + by("exactly", TURN_RUN, PAGED_RUN, FAILED),
        notification=_told(lambda params: params.update(threadId=_OTHER)),
        silent=True,
    ),
    Fault(
        "status-changed-without-status",
        "An announcement says that a status changed, and not to what.",
        by("await", LOADED, UNLOAD)
        + by("exactly", TURN_RUN, PAGED_RUN, FAILED)
        + by("own-schema", "schema.notifications-valid"),
        notification=_told(lambda params: params.pop("status") and None),
        silent=True,
    ),
    Fault(
        "status-changed-as-text",
        "The status is a text, as in an early draft, and not an object.",
        by("own-schema", "schema.notifications-valid"),
        notification=_told(lambda params: params.update(status=params["status"]["type"])),
        beside=(LOADED,),
        silent=True,
    ),
    Fault(
        "active-as-running",
        "A thread with a turn is announced as `running`, which the schema does not know.",
        by("exactly", TURN_RUN, PAGED_RUN, FAILED) + by("own-schema", "schema.notifications-valid"),
        notification=_as("active", "running"),
    ),
)
