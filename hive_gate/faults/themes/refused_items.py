"""Faults of `thread/items/list` where it has to refuse, and of cursors that belong elsewhere, to items or to turns."""

from __future__ import annotations

import json

from hive_gate.faults.edits import EMPTY_PAGE, for_error
from hive_gate.faults.fault import ITEMS_OF_THREAD, LIST, READ, Fault, Message, ReplyHook, by
from hive_gate.faults.wire import Wire

_UNSUPPORTED = "is not supported yet"
_CURSORS = ("paged-turns.cursor-refused", "items-list.cursor-refused")
_NOT_PAGED = ("items-list.not-paginated", "items-list.before-first-message")
_NEW = "read.before-first-message"

_SCOPES = {LIST: "turns", ITEMS_OF_THREAD: "itemsByCreatedAtOrdinal"}


def _kind(asked: Message) -> str:
    """Return what is wrong with the cursor of a request that was refused for it."""
    params = asked["params"]
    try:
        cursor = json.loads(params["cursor"])
    except ValueError:
        return "junk"
    if "requestedThreadId" not in cursor:
        return "legacy"
    return "thread" if cursor["requestedThreadId"] != params["threadId"] else "scope"


def _first_page_for(kind: str) -> ReplyHook:
    """Give the first page where a cursor of one kind is refused."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message | None:
        if "invalid cursor" not in message.get("error", {}).get("message", "") or _kind(asked) != kind:
            return message
        params = {name: value for name, value in asked["params"].items() if name != "cursor"}
        wire.to_server({**asked, "params": params})
        return None

    return reply


def _refused(
    name: str, breaks: str, reply: ReplyHook, *clauses: str, of: tuple[str, ...] = (ITEMS_OF_THREAD,)
) -> Fault:
    return Fault(name, breaks, by("error", *clauses), of, reply=reply)


_NO_THREAD = {"id": "", "turns": [], "status": {"type": "idle"}}

FAULTS = (
    *(
        _refused(
            f"cursor-of-{kind}-accepted",
            f"A cursor {what} is taken for none.",
            _first_page_for(kind),
            *clauses,
            of=(LIST, ITEMS_OF_THREAD),
        )
        for kind, what, clauses in (
            ("junk", "that the server never gave", _CURSORS),
            ("thread", "of another thread", _CURSORS),
            ("scope", "of the other list", _CURSORS),
            ("legacy", "of a legacy thread", _CURSORS[:1]),
        )
    ),
    _refused(
        "items-bad-parameters-as-empty",
        "Bad parameters give an empty page of items.",
        for_error("Invalid request: ", result=EMPTY_PAGE),
        "items-list.refuses",
    ),
    _refused(
        "items-bad-parameters-other-code",
        "Bad parameters are refused with the code that JSON-RPC has for them, and not with this server's.",
        for_error("Invalid request: ", code=-32602),
        "items-list.refuses",
    ),
    _refused(
        "items-malformed-id-as-unsupported",
        "A thread id that is no UUID is a thread without items to list.",
        for_error("invalid thread id: ", code=-32601, message=f"{ITEMS_OF_THREAD} {_UNSUPPORTED}"),
        "items-list.malformed-thread-id",
    ),
    Fault(
        "items-unknown-turn-refused",
        "A turn that the thread does not have is refused.",
        by("result", "items-list.unknown-turn"),
        (ITEMS_OF_THREAD,),
        reply=lambda reply, asked, wire: (
            {"id": reply["id"], "error": {"code": -32600, "message": "turn not found"}}
            if reply.get("result", {}).get("data") == []
            else reply
        ),
    ),
    _refused(
        "items-unsupported-as-empty",
        "A thread without items to list gives an empty page of them.",
        for_error(_UNSUPPORTED, result=EMPTY_PAGE),
        *_NOT_PAGED,
    ),
    _refused(
        "items-unsupported-other-code",
        "A thread without items to list is refused with another code.",
        for_error(_UNSUPPORTED, code=-32600),
        *_NOT_PAGED,
    ),
    _refused(
        "new-thread-read-as-empty",
        "A thread before its first message is read as one without turns.",
        for_error(_UNSUPPORTED, result={"thread": _NO_THREAD}),
        _NEW,
        of=(READ,),
    ),
    _refused(
        "new-thread-read-other-code",
        "To read a thread with turns before its first message is refused with another code.",
        for_error(_UNSUPPORTED, code=-32600),
        _NEW,
        of=(READ,),
    ),
)
