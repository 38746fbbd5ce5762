"""Faults of history modes: what a thread says it is, and how that is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

from hive_gate.faults.edits import refusal, rollouts, threads_in, with_thread
from hive_gate.faults.fault import READ, RESUME, START, THREADS, TURN, Fault, Message, ReplyHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.wire import Wire

_STATED, _DEFAULT, _OLD = "history-mode.stated", "history-mode.default-legacy", "history-mode.old-threads"
_SURVIVES, _VISIBLE = "history-mode.survives", "history-mode.refused-visible"
_PAGED, _ANYWHERE = "history-mode.survives-paginated", "history-mode.stated/*"


def saying(change: Callable[[dict[str, Any]], object]) -> ReplyHook:
    """Change every thread of a reply in place."""
    return with_thread(lambda thread, wire: change(thread))


def _said(mode: Any) -> Callable[[dict[str, Any]], object]:
    return lambda thread: thread.update(historyMode=mode)


def _old_refused(reply: Message, asked: Message, wire: Wire) -> Message:
    """Refuse threads whose metadata names no mode."""
    stored = rollouts(wire.codex_home, asked["params"]["threadId"])
    old = any("history_mode" not in path.read_text("utf-8") for path in stored)
    return refusal(reply, "unknown history mode") if old else reply


def _no_turns(thread: dict[str, Any]) -> None:
    thread["turns"] = []


def _unstarted_lack_mode(reply: Message, asked: Message, wire: Wire) -> Message:
    """Say the mode only of threads that this server started."""
    started = wire.memory.setdefault("started", set())
    for thread in threads_in(reply, asked):
        if asked["method"] == START:
            started.add(thread["id"])
        elif thread["id"] not in started:
            thread.pop("historyMode", None)
    return reply


def _metadata_lost(message: Message, wire: Wire) -> Message:
    """Overwrite the mode in the file of a thread whose turn has ended; its length stays."""
    if message["method"] == "turn/completed":
        for path in rollouts(wire.codex_home, message["params"]["threadId"]):
            with path.open("r+b") as file:
                at = file.read().find(b'"history_mode":')
                if at >= 0:
                    file.seek(at)
                    file.write(b'"histori_mode":')
    return message


def _table_lost(reply: Message, asked: Message, wire: Wire) -> Message:
    """Overwrite the mode in the threads table once the server is up, whichever file has it."""
    for path in wire.codex_home.glob("*.sqlite"):
        # Some have no such table.
        with closing(sqlite3.connect(path, timeout=5)) as database, suppress(sqlite3.OperationalError), database:
            database.execute("UPDATE threads SET history_mode = 'unknown'")
    return reply


def modes_unsaid(thread: dict[str, Any]) -> None:
    """Leave the mode out."""
    thread.pop("historyMode", None)


def _read(name: str, breaks: str, change: Callable[[dict[str, Any]], object], *clauses: str, at: str) -> Fault:
    return Fault(name, breaks, by("result", *clauses, at=at), of=(READ,), reply=saying(change), target="reference")


_HERE: tuple[Fault, ...] = (
    Fault(
        "mode-null-in-start",
        "A new thread has no mode.",
        by("result", _STATED, _DEFAULT, "history-mode.default-paginated", at="/thread/historyMode"),
        of=(START,),
        reply=saying(_said(None)),
    ),
    Fault(
        "mode-paginated-by-default",
        "A new thread is paginated unless it is asked for otherwise.",
        by("result", _DEFAULT, at="/thread/historyMode"),
        of=(START,),
        reply=saying(_said("paginated")),
    ),
    _read(
        "mode-missing-in-read",
        "`thread/read` does not say the mode.",
        modes_unsaid,
        _OLD,
        _SURVIVES,
        _PAGED,
        _ANYWHERE,
        _VISIBLE,
        at="/thread",
    ),
    _read(
        "mode-paginated-in-read",
        "`thread/read` says `paginated` of every thread.",
        _said("paginated"),
        _OLD,
        _SURVIVES,
        at="/thread/historyMode",
    ),
    _read(
        "mode-legacy-in-read",
        "`thread/read` says `legacy` of every thread.",
        _said("legacy"),
        _VISIBLE,
        at="/thread/historyMode",
    ),
    Fault(
        "mode-missing-in-list",
        "`thread/list` does not say the mode.",
        by("result", _OLD, _SURVIVES, _PAGED, _ANYWHERE, _VISIBLE, at="/data"),
        of=(THREADS,),
        reply=saying(modes_unsaid),
    ),
    Fault(
        "mode-legacy-in-list",
        "`thread/list` says `legacy` of every thread.",
        by("result", _VISIBLE, at="/data"),
        of=(THREADS,),
        reply=saying(_said("legacy")),
    ),
    Fault(
        "mode-missing-in-resume",
        "`thread/resume` does not say the mode.",
        by("result", _OLD, _ANYWHERE, at="/thread"),
        of=(RESUME,),
        reply=saying(modes_unsaid),
    ),
    Fault(
        "old-thread-refused",
        "A stored thread without a mode is refused.",
        by("result", _OLD),
        of=(READ, RESUME),
        reply=_old_refused,
    ),
    Fault(
        "old-thread-empty-in-read",
        "A stored thread without a mode is read without its turns.",
        by(TURNS, _OLD, at="/thread/turns"),
        of=(READ,),
        reply=saying(_no_turns),
    ),
    Fault(
        "old-thread-empty-in-resume",
        "A stored thread without a mode is resumed without its turns.",
        by(TURNS, _OLD, at="/thread/turns"),
        of=(RESUME,),
        reply=saying(_no_turns),
    ),
    Fault(
        "mode-lost-on-restart",
        "The mode is known only to the server that started the thread.",
        by("result", _SURVIVES, _PAGED),
        of=(START, READ, THREADS),
        reply=_unstarted_lack_mode,
    ),
    Fault(
        "mode-not-in-metadata",
        "The mode is not in the stored thread.",
        by("facts", _SURVIVES, _PAGED, at="/first*"),
        of=(TURN,),
        notification=_metadata_lost,
    ),
    Fault(
        "mode-not-in-table",
        "The mode is not in the threads table.",
        by("facts", _SURVIVES, _PAGED, at="/values*"),
        of=("initialize",),
        reply=_table_lost,
    ),
)

FAULTS = tuple(replace(fault, target="reference") for fault in _HERE)
