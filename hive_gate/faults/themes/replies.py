"""Faults that the server's own schema forbids, and the reply that never comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import Turn, items_of, with_each_turn, with_result
from hive_gate.faults.fault import LIST, READ, RESUME, Fault, Message, by
from hive_gate.faults.wire import Wire

_OWN, _VALID, _NOTIFIED = "own-schema", "schema.replies-valid", "schema.notifications-valid"
_PAGE = ("turns-list.page/full",)


def _of_turns(name: str, breaks: str, at: str, change: Callable[[Turn], None]) -> Fault:
    return Fault(name, breaks, by(_OWN, _VALID, at=at), reply=with_each_turn(change), beside=_PAGE)


def _of_thread(name: str, breaks: str, at: str, change: Callable[[dict[str, Any]], Any]) -> Fault:
    def result_change(result: Any, params: dict[str, Any]) -> None:
        change(result["thread"])

    noticed = by(_OWN, _VALID, at=at)
    return Fault(
        name, breaks, noticed, of=(READ,), reply=with_result(result_change), beside=("read.without-turns/nothing",)
    )


def _byte_range(turn: Turn) -> None:
    for item in items_of(turn, "userMessage"):
        item["content"][0]["text_elements"] = [{"byteRange": {"start": 0, "end": 2**64}, "placeholder": None}]


def _strange_item(turn: Turn) -> None:
    turn["items"].append({"type": "hologram", "id": "item-0"})


def _notify_unknown(reply: Message, asked: Message, wire: Wire) -> Message:
    wire.to_client({"method": "thread/madeUp/changed", "params": {"threadId": asked["params"]["threadId"]}})
    return reply


def _nameless_status(notification: Message, wire: Wire) -> Message:
    if notification["method"] == "thread/status/changed":
        del notification["params"]["threadId"]
    return notification


FAULTS = (
    _of_turns(
        "duration-out-of-range",
        "A duration is larger than 64 bits hold.",
        "/data/*/durationMs",
        lambda turn: turn.update(durationMs=2**63),
    ),
    _of_turns(
        "duration-as-text",
        "A duration is a text.",
        "/data/*/durationMs",
        lambda turn: turn.update(durationMs="30000"),
    ),
    _of_turns(
        "started-at-fraction",
        "A time has a fraction of a second.",
        "/data/*/startedAt",
        lambda turn: turn.update(startedAt=1780308000.5),
    ),
    _of_turns(
        "started-at-out-of-range",
        "A time is less than 64 bits hold.",
        "/data/*/startedAt",
        lambda turn: turn.update(startedAt=-(2**63) - 1),
    ),
    _of_turns("byte-range-out-of-range", "An unsigned number is larger than 64 bits hold.", "/data/*", _byte_range),
    _of_turns("unknown-item", "A turn has an item of a kind that the schema does not know.", "/data/*", _strange_item),
    Fault(
        "unknown-status",
        "A turn has a status that the schema does not know.",
        by(_OWN, _VALID, at="/data/*/status") + by("result", "turns-list.page", at="/data/*/status"),
        reply=with_each_turn(lambda turn: turn.update(status="paused")),
    ),
    Fault(
        "turn-without-status",
        "A turn has no status.",
        by(_OWN, _VALID, at="/data/*") + by("result", "turns-list.page", at="/data/*"),
        reply=with_each_turn(lambda turn: turn.pop("status")),
    ),
    _of_thread(
        "created-at-out-of-range",
        "A thread's age is larger than 64 bits hold.",
        "/thread/createdAt",
        lambda thread: thread.update(createdAt=2**64),
    ),
    _of_thread(
        "provider-as-number",
        "A member that Hive does not read has another type.",
        "/thread/modelProvider",
        lambda thread: thread.update(modelProvider=5),
    ),
    _of_thread(
        "member-missing",
        "A member that Hive does not read is missing, though the schema requires it.",
        "/thread",
        lambda thread: thread.pop("cliVersion"),
    ),
    _of_thread(
        "thread-status-unknown",
        "A thread has a status that the schema does not know.",
        "/thread/status*",
        lambda thread: thread.update(status={"type": "dreaming"}),
    ),
    Fault(
        "unknown-notification",
        "A notification comes that the schema does not know.",
        by(_OWN, _NOTIFIED),
        reply=_notify_unknown,
        beside=_PAGE,
    ),
    Fault(
        "invalid-notification",
        "A notification does not say which thread it is about.",
        by(_OWN, _NOTIFIED),
        of=(RESUME,),
        notification=_nameless_status,
        beside=("resume.exclude-turns",),
    ),
    Fault(
        "no-notifications",
        "No notification comes at all.",
        by("traffic", _NOTIFIED),
        notification=lambda notification, wire: None,
        beside=_PAGE,
    ),
    Fault(
        "swallowed-reply",
        "A request is never answered.",
        by("answer", "turns-list.statuses"),
        of=(LIST,),
        reply=lambda reply, asked, wire: None,
        silent=True,
    ),
)
