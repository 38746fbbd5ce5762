"""Faults of paginated threads on a server that has them: what is stored of them, and what a lost database leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hive_gate.faults.edits import refusal, threads_in, with_each_turn
from hive_gate.faults.fault import (
    ITEMS,
    ITEMS_OF_THREAD,
    LIST,
    READ,
    RESUME,
    ROLLBACK,
    START,
    Fault,
    Message,
    ReplyHook,
    by,
)
from hive_gate.faults.themes.items import ITEMS as ITEMS_MATCH
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.wire import Wire

_LOST, _FAILED = "history-mode.projection-lost", "paged-turns.failed-stored"
_SIGN = "projection-was-lost"


def _look(codex_home: Path) -> None:
    """Leave a sign in the home where a server starts without the database that it had before."""
    sign, there = codex_home / _SIGN, any(codex_home.glob("thread_history_*.sqlite"))
    if there:
        sign.unlink(missing_ok=True)
    elif (codex_home / "sessions").is_dir():
        sign.touch()


def _empty_in(method: str) -> ReplyHook:
    """Empty the replies to a method for as long as a server runs that started without its database."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        result: dict[str, Any] = message.get("result") or {}
        if asked["method"] == method and (wire.codex_home / _SIGN).exists():
            for holder in (result, result.get("initialTurnsPage") or {}):
                if "data" in holder:
                    holder["data"] = []
            if method == READ:
                result["thread"]["turns"] = []
        return message

    return reply


def _lost(word: str, method: str, breaks: str, check: str, at: str) -> Fault:
    name = f"projection-lost-for-{word}"
    return Fault(name, breaks, by(check, _LOST, at=at), (method,), reply=_empty_in(method), home=_look)


def _legacy(reply: Message, asked: Message, wire: Wire) -> Message:
    for thread in threads_in(reply, asked):
        thread["historyMode"] = "legacy"
    return reply


def _completed(turn: dict[str, Any]) -> None:
    if turn["status"] == "failed":
        turn["status"] = "completed"


def _back(method: str, message: str, code: int) -> Fault:
    """Answer a method that is gone as it was answered when it was there."""

    def request(asked: Message, wire: Wire) -> None:
        wire.to_client(refusal(asked, message, code))

    word = "rollback" if method == ROLLBACK else "items-list-stub"
    return Fault(
        f"{word}-is-back",
        f"`{method}` is known again.",
        by("same-error-as", f"not-a-method.gone/{word}"),
        (method,),
        request,
    )


FAULTS = (
    _lost(
        "first-page",
        RESUME,
        "The first page of a resume is empty without the database.",
        TURNS,
        "/initialTurnsPage/data",
    ),
    _lost("pages", LIST, "The pages stay empty without the database, after a resume as well.", TURNS, "/data"),
    _lost(
        "items",
        ITEMS_OF_THREAD,
        "The items stay lost without the database, after a resume as well.",
        ITEMS_MATCH,
        "/data",
    ),
    _lost("read", READ, "A read stays empty without the database, after a resume as well.", TURNS, "/thread/turns"),
    Fault(
        "failed-turn-stored-as-completed",
        "A turn that failed is completed.",
        by("result", _FAILED, at="/data/0/status"),
        reply=with_each_turn(_completed),
    ),
    Fault(
        "failed-turn-stored-without-error",
        "A turn that failed does not say why.",
        by("result", _FAILED, at="/data/0/error"),
        reply=with_each_turn(lambda turn: turn.update(error=None)),
    ),
    Fault(
        "mode-legacy-by-default",
        "A new thread is legacy unless it is asked for otherwise.",
        by("result", "history-mode.default-paginated", at="/thread/historyMode"),
        (START,),
        reply=_legacy,
    ),
    _back(ITEMS, f"{ITEMS} is not supported yet", -32601),
    _back(ROLLBACK, "Invalid request: missing field `numTurns`", -32600),
)
