"""Faults of `thread/rollback` where it has to refuse, and in what it leaves on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hive_gate.faults.edits import for_error, read_instead, refusal, rollouts
from hive_gate.faults.fault import LIST, ROLLBACK, Fault, Message, ReplyHook, RequestHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.wire import Wire

_NOT_LOADED, _APPENDS, _FILES = "rollback.not-loaded", "rollback.appends", "rollback.files"

_BUSY = "rollback already in progress for this thread"

_REFUSALS: dict[str, tuple[str, str, str]] = {
    "zero": ("numTurns must be", "rollback.zero", "A rollback of no turns"),
    "in-flight": (_BUSY, "rollback.in-flight", "A second rollback while one goes on"),
    "active": ("Cannot rollback while a turn is in progress", "rollback.active-turn", "A rollback during a turn"),
    "not-loaded": ("thread not found", _NOT_LOADED, "A rollback of a thread that is not loaded"),
}
"""By a word: the refusal's text, the clause that asks for it, and what is refused."""


def _second_refused(message: str, code: int = -32600) -> RequestHook:
    """Refuse the second rollback of a thread: a quick server may be done with the first before the second is there."""

    def request(asked: Message, wire: Wire) -> Message | None:
        thread = asked["params"]["threadId"]
        if thread in wire.memory:
            wire.to_client(refusal(asked, message, code))
            return None
        wire.memory[thread] = True
        return asked

    return request


def also_drops(text: str, method: str = ROLLBACK) -> ReplyHook:
    """Refuse, and show one turn less from then on."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        refused = wire.memory.setdefault("refused", set())
        if asked["method"] == method and text in message.get("error", {}).get("message", ""):
            refused.add(asked["params"]["threadId"])
        elif asked["method"] == LIST and asked["params"]["threadId"] in refused:
            del message["result"]["data"][:1]
        return message

    return reply


def to_file(change: Callable[[Path], object], when: str) -> ReplyHook:
    """Change the thread's stored file once it was rolled back (`when` is `result`) or refused (`error`)."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        if when in message:
            for path in rollouts(wire.codex_home, asked["params"]["threadId"]):
                change(path)
        return message

    return reply


def append(line: bytes) -> Callable[[Path], object]:
    """Add a line to a file."""

    def change(path: Path) -> None:
        with path.open("ab") as file:
            file.write(line)

    return change


def overwrite(old: bytes, new: bytes) -> Callable[[Path], object]:
    """Change bytes in place; the server may have the file open."""

    def change(path: Path) -> None:
        with path.open("r+b") as file:
            at = file.read().rfind(old)
            if at >= 0:
                file.seek(at)
                file.write(new)

    return change


def in_work(change: Callable[[Path], object]) -> ReplyHook:
    """Change the file in the folder that the thread works in, which is this process's too."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        path = Path("notes.txt")
        if "result" in message and path.exists():
            change(path)
        return message

    return reply


_MARKER = b"".join(
    (
        b'{"timestamp":"2026-06-01T11:00:00.000Z","type":"event_msg",',
        b'"payload":{"type":"thread_rolled_back","num_turns":1}}\n',
    )
)

FAULTS = (
    *(
        Fault(
            f"rollback-{word}-accepted",
            f"{what} is answered like any other.",
            by("error", clause),
            of=(ROLLBACK,),
            reply=read_instead(text),
        )
        for word, (text, clause, what) in _REFUSALS.items()
    ),
    *(
        Fault(
            f"rollback-{word}-other-code",
            f"{what} is refused with another code.",
            by("error", clause, at="/error"),
            of=(ROLLBACK,),
            reply=for_error(text, code=-32603),
        )
        for word, (text, clause, what) in _REFUSALS.items()
        if word != "in-flight"
    ),
    *(
        Fault(
            f"rollback-{word}-other-text",
            f"{what} is refused without saying why.",
            by("error", clause, at="/error"),
            of=(ROLLBACK,),
            reply=for_error(text, message="rollback failed"),
        )
        for word, (text, clause, what) in _REFUSALS.items()
        if word != "in-flight"
    ),
    Fault(
        "rollback-in-flight-other-code",
        "A second rollback while one goes on is refused with another code.",
        by("error", "rollback.in-flight", at="/error"),
        of=(ROLLBACK,),
        request=_second_refused(_BUSY, -32603),
    ),
    Fault(
        "rollback-in-flight-other-text",
        "A second rollback while one goes on is refused without saying why.",
        by("error", "rollback.in-flight", at="/error"),
        of=(ROLLBACK,),
        request=_second_refused("rollback failed"),
    ),
    *(
        Fault(
            f"rollback-{word}-drops-all-the-same",
            f"{what} is refused, and a turn is gone all the same.",
            by(check, clause, at="/data*"),
            of=(ROLLBACK, LIST),
            reply=also_drops(text),
        )
        for word, (text, clause, what) in _REFUSALS.items()
        if word != "not-loaded"
        for check in ("result" if word == "in-flight" else TURNS,)
    ),
    Fault(
        "rollback-not-loaded-writes",
        "A rollback of a thread that is not loaded is refused, and its file has the marker all the same.",
        by("facts", _NOT_LOADED, at="/unchanged"),
        of=(ROLLBACK,),
        reply=to_file(append(_MARKER), "error"),
    ),
    Fault(
        "rollback-rewrites-file",
        "What was stored before is changed.",
        by("facts", _APPENDS, at="/grew"),
        of=(ROLLBACK,),
        reply=to_file(overwrite(b"Question 1", b"Question 0"), "result"),
    ),
    Fault(
        "rollback-other-marker",
        "The record that is stored is not the rollback marker.",
        by("facts", _APPENDS, at="/added"),
        of=(ROLLBACK,),
        reply=to_file(overwrite(b"thread_rolled_back", b"thread_rolled_bakk"), "result"),
    ),
    Fault(
        "rollback-restores-files",
        "A file in the working folder is changed.",
        by("facts", _FILES, at="/unchanged"),
        of=(ROLLBACK,),
        reply=in_work(lambda path: path.write_text("As it was before the turns.\n", "utf-8")),
    ),
    Fault(
        "rollback-deletes-files",
        "A file in the working folder is gone.",
        by("facts", _FILES, at="/unchanged"),
        of=(ROLLBACK,),
        reply=in_work(Path.unlink),
    ),
)
