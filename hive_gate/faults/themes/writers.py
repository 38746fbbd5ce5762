"""Faults of a thread that two processes want, and of notices that something is deprecated."""

from __future__ import annotations

from hive_gate.faults.edits import for_error, refusal
from hive_gate.faults.fault import ARCHIVE, ITEMS_OF_THREAD, LIST, READ, RESUME, REVERT, TURN, Fault, Message, by
from hive_gate.faults.themes.items import ITEMS
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.wire import Wire

_REFUSED, _READS, _RELEASED = ("writer.refused", "writer.refused-legacy"), "writer.reads", "writer.released"
_NONE, _OLD, _FULL = "deprecation.none", "deprecation.legacy", "deprecation.full-history"

_WRITER = "already has an active writer"
_RESUMED = {
    "thread": {"id": "", "turns": [], "status": {"type": "idle"}},
    "turnsBackwardsCursor": None,
    "itemsBackwardsCursor": None,
}


def _elsewhere(request: Message, wire: Wire) -> bool:
    """Tell whether a thread is open in another process than this one."""
    thread = (request.get("params") or {}).get("threadId")
    if request["method"] in (RESUME, TURN):
        wire.memory[thread] = True
    lock = wire.codex_home / "thread-writer-locks" / f"{thread}.lock"
    return thread not in wire.memory and lock.exists()


def _reader_refused(request: Message, wire: Wire) -> Message | None:
    if not _elsewhere(request, wire) or request["method"] in (RESUME, TURN):
        return request
    wire.to_client(refusal(request, f"thread {request['params']['threadId']} {_WRITER}"))
    return None


def _note(request: Message, wire: Wire) -> Message:
    if _elsewhere(request, wire):
        wire.memory["stale"] = True
    return request


def _stale(reply: Message, asked: Message, wire: Wire) -> Message:
    """Show a thread that is open elsewhere without what was added last."""
    result = reply.get("result") or {}
    if wire.memory.get("stale") and not (asked["params"] or {}).get("cursor"):
        if asked["method"] == LIST:
            del result["data"][:1]
        elif asked["method"] == ITEMS_OF_THREAD:
            del result["data"][-2:]
        elif asked["method"] == READ:
            del result["thread"]["turns"][-1:]
    return reply


def _locked_for_good(reply: Message, asked: Message, wire: Wire) -> Message:
    """Go on refusing a resume that was refused once."""
    refused = wire.memory.setdefault("refused", {})
    thread = asked["params"]["threadId"]
    if _WRITER in reply.get("error", {}).get("message", ""):
        refused[thread] = reply["error"]
    return {"id": reply["id"], "error": refused[thread]} if thread in refused else reply


def _loses_thread(reply: Message, asked: Message, wire: Wire) -> Message:
    """Let the first process lose a thread once another has asked for it: that one leaves a sign in the home."""
    sign = wire.codex_home / "asked-for"
    if asked["method"] == RESUME and _WRITER in reply.get("error", {}).get("message", ""):
        sign.touch()
    elif asked["method"] == TURN and sign.exists() and "result" in reply:
        return refusal(reply, f"thread not found: {asked['params']['threadId']}")
    return reply


def _noticed(reply: Message, asked: Message, wire: Wire) -> Message:
    wire.to_client(
        {"method": "deprecationNotice", "params": {"summary": f"{asked['method']} is deprecated", "details": None}}
    )
    return reply


def _unnoticed(message: Message, wire: Wire) -> Message | None:
    return None if message["method"] == "deprecationNotice" else message


def _saying_little(message: Message, wire: Wire) -> Message:
    if message["method"] == "deprecationNotice":
        message["params"]["summary"] = "Full-history hydration is deprecated."
    return message


FAULTS = (
    Fault(
        "second-writer-accepted",
        "A second process may resume a thread that is open elsewhere.",
        by("error", *_REFUSED, _RELEASED),
        of=(RESUME,),
        reply=for_error(_WRITER, result=_RESUMED),
    ),
    Fault(
        "second-writer-archives",
        "A second process may archive a thread that is open elsewhere.",
        by("error", *_REFUSED),
        of=(ARCHIVE,),
        reply=for_error(_WRITER, result={}),
    ),
    Fault(
        "second-writer-continues",
        "A second process may start a turn in a thread that is open elsewhere.",
        by("error", *_REFUSED),
        of=(TURN,),
        reply=for_error("thread not found", result={"turn": {"id": "", "items": [], "status": "inProgress"}}),
    ),
    Fault(
        "second-writer-not-told",
        "A second process is refused without saying why.",
        by("error", *_REFUSED, _RELEASED, at="/error"),
        of=(RESUME,),
        reply=for_error(_WRITER, message="thread cannot be resumed"),
    ),
    Fault(
        "first-writer-loses-thread",
        "The first process loses a thread once a second one has asked for it.",
        by("result", *_REFUSED),
        of=(RESUME, TURN),
        reply=_loses_thread,
    ),
    Fault(
        "second-reader-refused",
        "A second process may not read a thread that is open elsewhere.",
        by("result", _READS),
        of=(LIST, ITEMS_OF_THREAD, READ, RESUME, TURN),
        request=_reader_refused,
    ),
    Fault(
        "second-reader-behind",
        "A second process does not see what the first has just added.",
        by(TURNS, _READS, at="/data*") + by(TURNS, _READS, at="/thread/turns*") + by(ITEMS, _READS, at="/data*"),
        of=(LIST, ITEMS_OF_THREAD, READ, RESUME, TURN),
        request=_note,
        reply=_stale,
    ),
    Fault(
        "writer-never-released",
        "A thread that was open elsewhere stays refused.",
        by("result", _RELEASED),
        of=(RESUME,),
        reply=_locked_for_good,
    ),
    Fault(
        "everything-deprecated",
        "What Hive uses is said to be deprecated.",
        by("exactly", _NONE, _OLD),
        of=(RESUME, LIST, ITEMS_OF_THREAD, READ, REVERT),
        reply=_noticed,
    ),
    Fault(
        "deprecation-unannounced",
        "That the whole history at once is deprecated is not said.",
        by("await", _FULL),
        of=(RESUME, READ),
        notification=_unnoticed,
        silent=True,
    ),
    Fault(
        "deprecation-without-successor",
        "That the whole history at once is deprecated is said, and not what to use instead.",
        by("await", _FULL),
        of=(RESUME, READ),
        notification=_saying_little,
        silent=True,
    ),
)
