"""Faults of `thread/revert` where it has to refuse, in what it announces and in what it leaves on disk."""

from __future__ import annotations

from collections.abc import Callable

from hive_gate.faults.edits import for_error, read_instead, refusal
from hive_gate.faults.fault import LIST, READ, REVERT, TURN, Fault, Message, NotificationHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.refused_rollback import also_drops, append, in_work, overwrite, to_file
from hive_gate.faults.wire import Wire

_REFUSES, _LEGACY, _EPHEMERAL = "revert.refuses", "revert.legacy", "revert.ephemeral"
_ACTIVE, _CURSORS, _FILES, _ANNOUNCED = "revert.active-turn", "revert.cursors", "revert.files", "revert.announced"

_REFUSALS = {
    "unknown-turn": ("turn not found", _REFUSES, "A revert to a turn that the thread does not have"),
    "not-loaded": ("thread not found", _REFUSES, "A revert of a thread that is not loaded"),
    "legacy": ("only supports paginated threads", _LEGACY, "A revert of a legacy thread"),
}
"""By a word: the refusal's text, the clause that asks for it, and what is refused."""


def _lost(wanted: Callable[[Message], bool]) -> NotificationHook:
    return lambda message, wire: None if wanted(message) else message


def _is_not_loaded(message: Message) -> bool:
    return bool(message["method"] == "thread/status/changed" and message["params"]["status"]["type"] == "notLoaded")


def _noted(request: Message, wire: Wire) -> Message:
    wire.memory["reverting"] = True
    return request


def _end_lost(message: Message, wire: Wire) -> Message | None:
    return None if message["method"] == "turn/completed" and "reverting" in wire.memory else message


def _busy(request: Message, wire: Wire) -> Message | None:
    """Refuse a revert while a turn that was asked for has not ended."""
    if request["method"] == TURN:
        wire.memory["running"] = True
    elif request["method"] == REVERT and wire.memory.get("running"):
        wire.to_client(refusal(request, "Cannot revert while a turn is in progress."))
        return None
    return request


def _starts_over(reply: Message, asked: Message, wire: Wire) -> Message | None:
    if "outside thread lineage" not in reply.get("error", {}).get("message", ""):
        return reply
    params = {name: value for name, value in asked["params"].items() if name != "cursor"}
    wire.to_server({**asked, "params": params})
    return None


def _forgets_cursors(reply: Message, asked: Message, wire: Wire) -> Message:
    """Refuse every cursor of a thread that was given before it was reverted."""
    if asked["method"] == REVERT and "result" in reply:
        wire.memory[asked["params"]["threadId"]] = True
    elif asked["method"] == LIST and asked["params"].get("cursor") and asked["params"]["threadId"] in wire.memory:
        return refusal(reply, "invalid cursor: position outside thread lineage")
    return reply


def _nameless(reply: Message, asked: Message, wire: Wire) -> Message:
    if asked["method"] == REVERT:
        wire.memory["reverted"] = True
    elif wire.memory.get("reverted") and "result" in reply:
        reply["result"]["thread"]["name"] = None
    return reply


FAULTS = (
    *(
        Fault(
            f"revert-{word}-accepted",
            f"{what} is answered like any other.",
            by("error", clause),
            (REVERT,),
            reply=read_instead(text),
        )
        for word, (text, clause, what) in _REFUSALS.items()
    ),
    *(
        Fault(
            f"revert-{word}-other-text",
            f"{what} is refused without saying why.",
            by("error", clause, at="/error"),
            (REVERT,),
            reply=for_error(text, message="revert failed"),
        )
        for word, (text, clause, what) in _REFUSALS.items()
    ),
    *(
        Fault(
            f"revert-{word}-drops-all-the-same",
            f"{what} is refused, and a turn is gone all the same.",
            by(TURNS, clause, at="/data*"),
            (REVERT, LIST),
            reply=also_drops(text, REVERT),
        )
        for word, (text, clause, what) in _REFUSALS.items()
        if word != "not-loaded"
    ),
    Fault(
        "revert-without-turn-accepted",
        "A revert that names no turn is answered like any other.",
        by("error", _REFUSES),
        (REVERT,),
        reply=read_instead("missing field"),
    ),
    Fault(
        "revert-ephemeral-accepted",
        "A revert of an ephemeral thread is answered like any other.",
        by("error", _EPHEMERAL),
        (REVERT,),
        reply=for_error("", result={"thread": {"id": "", "turns": [], "status": {"type": "idle"}}}),
    ),
    Fault(
        "revert-legacy-writes",
        "A revert of a legacy thread is refused, and its file has grown all the same.",
        by("facts", _LEGACY, at="/unchanged"),
        (REVERT,),
        reply=to_file(append(b'{"timestamp":"2026-06-01T11:00:00.000Z","type":"reverted","payload":{}}\n'), "error"),
    ),
    Fault(
        "revert-of-active-refused",
        "A revert while a turn runs is refused.",
        by("result", _ACTIVE),
        (REVERT, TURN),
        _busy,
    ),
    Fault(
        "revert-leaves-turn-unended",
        "The turn that a revert interrupts is never said to have ended.",
        by("await", _ACTIVE),
        (REVERT,),
        _noted,
        notification=_end_lost,
        silent=True,
    ),
    Fault(
        "revert-unannounced",
        "A revert is not announced.",
        by("await", _ANNOUNCED),
        (REVERT,),
        notification=_lost(lambda message: message["method"] == "thread/reverted"),
        silent=True,
    ),
    Fault(
        "revert-without-unload",
        "A revert does not announce that the thread is not loaded for a moment.",
        by("await", _ANNOUNCED),
        (REVERT,),
        notification=_lost(_is_not_loaded),
        silent=True,
    ),
    Fault(
        "reverted-cursor-starts-over",
        "A cursor whose turn was cut away gives the first page.",
        by("error", _CURSORS),
        reply=_starts_over,
    ),
    Fault(
        "revert-forgets-cursors",
        "After a revert every cursor of before is refused.",
        by("result", _CURSORS),
        (LIST, REVERT),
        reply=_forgets_cursors,
    ),
    Fault(
        "revert-rewrites-file",
        "What was stored before is changed.",
        by("facts", _FILES, at="/unchanged"),
        (REVERT,),
        reply=to_file(overwrite(b"First paged question", b"First paged questiom"), "result"),
    ),
    Fault(
        "revert-restores-files",
        "A file in the working folder is changed.",
        by("facts", _FILES, at="/unchanged"),
        (REVERT,),
        reply=in_work(lambda path: path.write_text("As it was before the turns.\n", "utf-8")),
    ),
    Fault(
        "name-lost-on-revert",
        "A thread that was reverted has no name any more.",
        by("result", "thread-name.revert", at="/thread/name"),
        (REVERT, READ),
        reply=_nameless,
    ),
)
