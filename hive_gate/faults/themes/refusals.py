"""Faults of `thread/turns/list` where it has to refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import EMPTY_PAGE, for_error, with_params
from hive_gate.faults.fault import LIST, Fault, Message, Notice, ReplyHook, RequestHook, by
from hive_gate.faults.wire import Wire

_NOT_LOADED, _BAD_ID = "thread not loaded: ", "invalid thread id: "
_NEW, _EPHEMERAL = "is not materialized yet", "ephemeral threads do not support"
_GONE = "anchor turn is no longer present"

_BAD: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "cursor-number": ("cursor", lambda value: isinstance(value, int)),
    "limit-text": ("limit", lambda value: isinstance(value, str)),
    "limit-negative": ("limit", lambda value: isinstance(value, int) and value < 0),
    "limit-fraction": ("limit", lambda value: isinstance(value, float)),
    "limit-too-large": ("limit", lambda value: isinstance(value, int) and value >= 2**32),
    "sort-direction": ("sortDirection", lambda value: value not in ("asc", "desc")),
    "items-view": ("itemsView", lambda value: value not in ("notLoaded", "summary", "full")),
}
"""By the contract's label: the parameter, and what is wrong with it. The server is not sent it then."""


def _ignoring(name: str, is_bad: Callable[[Any], bool]) -> RequestHook:
    return with_params(lambda params: params.pop(name) if name in params and is_bad(params[name]) else None)


def _first_page_instead(reply: Message, asked: Message, wire: Wire) -> Message | None:
    if _GONE not in reply.get("error", {}).get("message", ""):
        return reply
    del asked["params"]["cursor"]
    wire.to_server(asked)
    return None


def _end_from_inclusive(reply: Message, asked: Message, wire: Wire) -> Message:
    if _GONE not in reply.get("error", {}).get("message", "") or '"includeAnchor":false' in asked["params"]["cursor"]:
        return reply
    return {"id": reply["id"], "result": EMPTY_PAGE}


def _refused(name: str, breaks: str, clause: str, reply: ReplyHook) -> Fault:
    return Fault(name, breaks, by("error", clause), of=(LIST,), reply=reply)


_UNKNOWN_VARIANT = f"Invalid request: unknown variant `{LIST}`, expected one of `thread/read`, `thread/start`"

FAULTS = (
    _refused(
        "unknown-thread-as-unknown-method",
        "An unknown thread is refused as an unknown method.",
        "turns-list.unknown-thread",
        for_error(_NOT_LOADED, message=_UNKNOWN_VARIANT),
    ),
    _refused(
        "unknown-thread-other-code",
        "An unknown thread is refused with another code.",
        "turns-list.unknown-thread",
        for_error(_NOT_LOADED, code=-32602),
    ),
    _refused(
        "unknown-thread-other-id",
        "The refusal of an unknown thread names another one.",
        "turns-list.unknown-thread",
        for_error(_NOT_LOADED, message="thread not loaded: 01970000-0000-7000-8000-000000000000"),
    ),
    _refused(
        "unknown-thread-as-empty",
        "An unknown thread is an empty page.",
        "turns-list.unknown-thread",
        for_error(_NOT_LOADED, result=EMPTY_PAGE),
    ),
    _refused(
        "malformed-id-as-unknown",
        "A thread id that is no UUID is a thread that is not loaded.",
        "turns-list.malformed-thread-id",
        for_error(_BAD_ID, message="thread not loaded: {threadId}"),
    ),
    _refused(
        "malformed-id-as-empty",
        "A thread id that is no UUID is an empty page.",
        "turns-list.malformed-thread-id",
        for_error(_BAD_ID, result=EMPTY_PAGE),
    ),
    *(
        Fault(
            f"accepts-{label}",
            f"A request is answered whose `{name}` is not valid ({label}).",
            by("error", f"turns-list.refuses/{label}"),
            request=_ignoring(name, is_bad),
        )
        for label, (name, is_bad) in _BAD.items()
    ),
    _refused(
        "accepts-no-thread-id",
        "A request without a thread id is an empty page.",
        "turns-list.refuses/no-thread-id",
        for_error("missing field `threadId`", result=EMPTY_PAGE),
    ),
    _refused(
        "accepts-thread-id-number",
        "A number for a thread id is an empty page.",
        "turns-list.refuses/thread-id-number",
        for_error("invalid type: integer `5`", result=EMPTY_PAGE),
    ),
    Fault(
        "allowed-values-not-named",
        "The refusal of an unknown direction or view does not say which there are.",
        by("error", "turns-list.refuses/sort-direction", "turns-list.refuses/items-view"),
        reply=for_error("unknown variant", message="Invalid request: unknown variant"),
    ),
    _refused(
        "bad-parameters-other-code",
        "Bad parameters are refused with the code that JSON-RPC has for them, and not with this server's.",
        "turns-list.refuses",
        for_error("Invalid request: ", code=-32602),
    ),
    _refused(
        "new-thread-as-empty",
        "A thread before its first message is an empty page.",
        "turns-list.before-first-message",
        for_error(_NEW, result=EMPTY_PAGE),
    ),
    _refused(
        "new-thread-as-unknown",
        "A thread before its first message is one that is not loaded.",
        "turns-list.before-first-message",
        for_error(_NEW, message="thread not loaded: {threadId}"),
    ),
    _refused(
        "ephemeral-as-empty",
        "An ephemeral thread is an empty page.",
        "turns-list.ephemeral",
        for_error(_EPHEMERAL, result=EMPTY_PAGE),
    ),
    _refused(
        "ephemeral-as-unknown",
        "An ephemeral thread is one that is not loaded.",
        "turns-list.ephemeral",
        for_error(_EPHEMERAL, message="thread not loaded: {threadId}"),
    ),
    Fault(
        "invalid-cursor-accepted",
        "A cursor that the server never gave is taken for none.",
        by("error", "turns-list.cursor-invalid"),
        request=with_params(
            lambda params: None if str(params.get("cursor", "{")).startswith("{") else params.pop("cursor")
        ),
    ),
    _refused(
        "invalid-cursor-as-end",
        "A cursor that the server never gave is the end of the history.",
        "turns-list.cursor-invalid",
        for_error("invalid cursor: ", result=EMPTY_PAGE),
    ),
    Fault(
        "rolled-back-cursor-starts-over",
        "A cursor whose turn was rolled back gives the first page again.",
        by("error", "turns-list.cursor-rolled-back"),
        reply=_first_page_instead,
    ),
    Fault(
        "rolled-back-backwards-cursor-as-end",
        "A `backwardsCursor` whose turn was rolled back says that nothing is newer.",
        by("error", "turns-list.cursor-rolled-back"),
        reply=_end_from_inclusive,
    ),
    Fault(
        "rolled-back-cursor-as-end",
        "A cursor whose turn was rolled back is the end of the history.",
        (Notice("turns-list.cursor-rolled-back", "error"),),
        reply=for_error(_GONE, result=EMPTY_PAGE),
    ),
)
