"""Faults of names: the items list that is not supported yet, and what was never a method."""

from __future__ import annotations

from hive_gate.faults.edits import EMPTY_PAGE, for_error, refusal
from hive_gate.faults.fault import ITEMS, Fault, Message, ReplyHook, by
from hive_gate.faults.wire import Wire

_ACTION = "load-older-conversation-history-page"
_UNSUPPORTED = "is not supported yet"
_UNKNOWN = "unknown variant"


def _answering(message: str, code: int) -> ReplyHook:
    """Answer with another error, in which `{method}` stands for the method that was asked."""

    def reply(body: Message, asked: Message, wire: Wire) -> Message:
        return refusal(body, message.format(method=asked["method"]), code)

    return reply


def _check_thread(reply: Message, asked: Message, wire: Wire) -> Message:
    if asked["params"]["threadId"] == asked["params"]["turnId"]:
        return refusal(reply, f"thread not loaded: {asked['params']['threadId']}")
    return reply


FAULTS = (
    Fault(
        "items-list-other-code",
        "The items list is not supported, under the code of an invalid request.",
        by("error", "items-list.unsupported", at="/error"),
        of=(ITEMS,),
        reply=for_error(_UNSUPPORTED, code=-32600),
    ),
    Fault(
        "items-list-other-text",
        "The items list is not found, not unsupported.",
        by("error", "items-list.unsupported", at="/error"),
        of=(ITEMS,),
        reply=for_error(_UNSUPPORTED, message="Method not found"),
    ),
    Fault(
        "items-list-unknown",
        "The items list is answered as a made-up method is.",
        by("error", "items-list.unsupported") + by("other-error-than", "items-list.known"),
        of=(ITEMS, "thread/made-up/by-hive-gate"),
        reply=_answering("Invalid request: unknown variant `{method}`, expected one of `thread/read`", -32600),
    ),
    Fault(
        "items-list-answered",
        "The items list gives a page.",
        by("error", "items-list.unsupported") + by("other-error-than", "items-list.known"),
        of=(ITEMS,),
        reply=for_error(_UNSUPPORTED, result=EMPTY_PAGE),
    ),
    Fault(
        "items-list-looks-thread-up",
        "The items list refuses an unknown thread before it says that it is not supported.",
        by("error", "items-list.unsupported/unknown-thread"),
        of=(ITEMS,),
        reply=_check_thread,
    ),
    Fault(
        "renderer-action-answered",
        "The renderer's action is answered as a method.",
        by("same-error-as", "not-a-method.renderer-action"),
        of=(_ACTION,),
        reply=for_error(_UNKNOWN, result={}),
    ),
    Fault(
        "renderer-action-unsupported",
        "The renderer's action is known and not supported yet.",
        by("same-error-as", "not-a-method.renderer-action"),
        of=(_ACTION,),
        reply=_answering("{method} is not supported yet", -32601),
    ),
    Fault(
        "renderer-action-other-code",
        "The renderer's action is refused with another code than a made-up method.",
        by("same-error-as", "not-a-method.renderer-action"),
        of=(_ACTION,),
        reply=for_error(_UNKNOWN, code=-32602),
    ),
    Fault(
        "unknown-methods-other-code",
        "Every unknown method is refused with the code that JSON-RPC has for it, and not with this server's.",
        by("error", "not-a-method.renderer-action", at="/error"),
        of=(),
        reply=for_error(_UNKNOWN, code=-32601),
    ),
)
