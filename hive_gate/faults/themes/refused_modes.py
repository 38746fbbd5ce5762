"""Faults of history modes where a server has to refuse, and of one that knows of no modes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hive_gate.faults.edits import EMPTY_PAGE, for_error, refusal, rollouts, setting, threads_in
from hive_gate.faults.fault import (
    FORK,
    LIST,
    READ,
    RESUME,
    START,
    THREADS,
    Fault,
    HomeHook,
    Message,
    Pretense,
    ReplyHook,
    by,
)
from hive_gate.faults.themes.modes import modes_unsaid, saying
from hive_gate.faults.wire import Wire

_NEW, _FUTURE = "history-mode.unknown-start", "history-mode.unknown-stored"
_VISIBLE, _REFUSED, _OPEN = "history-mode.refused-visible", "history-mode.refused", "history-mode.fails-open"
_WAYS = tuple(
    f"{_REFUSED}/{way}" for way in ("read-with-turns", "turns-list", "resume", "resume-without-turns", "fork")
)
_UNSUPPORTED, _NO_VARIANT = "paginated_threads is not supported yet", "unknown variant `holographic`"
_REQUESTS = (READ, LIST, RESUME, FORK, START)


def _legacy_at_start(*modes: str) -> HomeHook:
    """Rewrite stored threads of some modes, so that the server takes them for legacy ones."""

    def home(codex_home: Path) -> None:
        for path in rollouts(codex_home):
            text = path.read_text("utf-8")
            for mode in modes:
                text = text.replace(f'"history_mode":"{mode}"', '"history_mode":"legacy"')
            path.write_text(text, "utf-8")

    return home


def _of_mode(codex_home: Path, thread: str, mode: str) -> list[Path]:
    """Return the stored files of a thread, if it has the mode."""
    named = f'"history_mode":"{mode}"'
    return [path for path in rollouts(codex_home, thread) if named in path.read_text("utf-8")]


def _touched(mode: str) -> ReplyHook:
    """Add an empty line to the file of a thread that is asked for, if it has the mode."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        for path in _of_mode(wire.codex_home, asked["params"].get("threadId", ""), mode):
            with path.open("ab") as file:
                file.write(b"\n")
        return message

    return reply


def _future_listed(reply: Message, asked: Message, wire: Wire) -> Message:
    """Show the threads of an unknown mode in the list, as legacy ones."""
    threads = reply["result"]["data"]
    for path in _of_mode(wire.codex_home, "", "holographic"):
        thread = {**threads[0], "id": path.stem[-36:], "historyMode": "legacy"}
        threads[:] = [thread, *(known for known in threads if known["id"] != thread["id"])]
    return reply


def _paginated_unlisted(reply: Message, asked: Message, wire: Wire) -> Message:
    threads = reply["result"]["data"]
    threads[:] = [thread for thread in threads if thread["historyMode"] != "paginated"]
    return reply


def _metadata_refused(reply: Message, asked: Message, wire: Wire) -> Message:
    modes = [thread["historyMode"] for thread in threads_in(reply, asked)]
    return refusal(reply, _UNSUPPORTED, -32601) if "paginated" in modes else reply


def _start_accepted(request: Message, wire: Wire) -> Message:
    """Start a legacy thread for a paginated one, in a home that has paginated threads already."""
    if request["params"].get("historyMode") == "paginated" and _of_mode(wire.codex_home, "", "paginated"):
        del request["params"]["historyMode"]
    return request


def _unknown_accepted(request: Message, wire: Wire) -> Message:
    if request["params"].get("historyMode") not in (None, "legacy", "paginated"):
        del request["params"]["historyMode"]
    return request


def _unaware(request: Message, wire: Wire) -> Message:
    if request["method"] == START:
        request["params"].pop("historyMode", None)
    return request


UNAWARE = Pretense(
    "knows-no-modes",
    "The server knows no history modes, and refuses the stored threads that name one all the same.",
    (_OPEN,),
    Fault("knows-no-modes", "Modes are neither read nor said.", (), of=(START, THREADS, READ, RESUME),
          request=_unaware, reply=saying(modes_unsaid)),
    "reference",
)  # fmt: skip

_HERE: tuple[Fault, ...] = (
    Fault(
        "unknown-mode-started",
        "A thread of an unknown mode is started as a legacy one.",
        by("error", _NEW),
        of=(START,),
        request=_unknown_accepted,
    ),
    Fault(
        "unknown-mode-other-code",
        "An unknown mode is refused with another code.",
        by("error", _NEW, at="/error"),
        of=(START,),
        reply=for_error(_NO_VARIANT, code=-32601),
    ),
    Fault(
        "unknown-mode-other-text",
        "The refusal of an unknown mode does not say which there are.",
        by("error", _NEW, at="/error"),
        of=(START,),
        reply=for_error(_NO_VARIANT, message="Invalid request: unknown variant `holographic`"),
    ),
    Fault(
        "unknown-stored-opened",
        "A stored thread of an unknown mode is taken for a legacy one.",
        by("error", _FUTURE) + by("result", _FUTURE, at="/data"),
        home=_legacy_at_start("holographic"),
    ),
    Fault(
        "unknown-stored-as-empty",
        "A stored thread of an unknown mode is an empty page.",
        by("error", f"{_FUTURE}/turns-list"),
        reply=for_error("", result=EMPTY_PAGE),
    ),
    Fault(
        "unknown-stored-listed-as-legacy",
        "The list shows a stored thread of an unknown mode as a legacy one.",
        by("result", _FUTURE, at="/data"),
        of=(THREADS,),
        reply=_future_listed,
    ),
    Fault(
        "unknown-stored-touched",
        "A stored thread of an unknown mode is written to.",
        by("facts", _FUTURE, at="/unchanged"),
        of=(READ, LIST, RESUME),
        reply=_touched("holographic"),
    ),
    Fault(
        "paginated-unlisted",
        "Paginated threads are not in the list.",
        by("result", _VISIBLE, at="/data"),
        of=(THREADS,),
        reply=_paginated_unlisted,
    ),
    Fault(
        "paginated-metadata-refused",
        "The metadata of a paginated thread is refused as well.",
        by("result", _VISIBLE),
        of=(READ,),
        reply=_metadata_refused,
    ),
    Fault(
        "paginated-opened",
        "A stored paginated thread is taken for a legacy one.",
        by("error", *_WAYS) + by("result", _VISIBLE),
        home=_legacy_at_start("paginated"),
    ),
    Fault(
        "paginated-started-as-legacy",
        "A legacy thread is started where a paginated one is asked for.",
        by("error", f"{_REFUSED}/start"),
        of=(START,),
        request=_start_accepted,
    ),
    Fault(
        "paginated-as-empty",
        "A paginated thread is an empty page.",
        by("error", f"{_REFUSED}/turns-list"),
        reply=for_error(_UNSUPPORTED, result=EMPTY_PAGE),
    ),
    Fault(
        "paginated-read-as-empty",
        "A paginated thread is read without its turns.",
        by("error", f"{_REFUSED}/read-with-turns"),
        of=(READ,),
        request=setting(includeTurns=False),
    ),
    Fault(
        "paginated-other-code",
        "Paginated threads are refused with the code of a bad request.",
        by("error", *_WAYS, at="/error"),
        of=(READ, LIST, RESUME, FORK),
        reply=for_error(_UNSUPPORTED, code=-32600),
    ),
    Fault(
        "paginated-other-text",
        "Paginated threads are refused without saying what is not supported.",
        by("error", _REFUSED, at="/error"),
        of=_REQUESTS,
        reply=for_error(_UNSUPPORTED, message="not supported"),
    ),
    Fault(
        "paginated-touched",
        "A stored paginated thread is written to.",
        by("facts", *_WAYS, at="/unchanged"),
        of=_REQUESTS,
        reply=_touched("paginated"),
    ),
    Fault(
        "paginated-touched-by-start",
        "A stored paginated thread is written to when another is to be started.",
        by("facts", f"{_REFUSED}/start", at="/unchanged"),
        of=(START,),
        reply=_touched("paginated"),
    ),
    Fault(
        "fails-open",
        "A server that knows no modes opens every stored thread as a legacy one.",
        by("error", _OPEN),
        of=(START, THREADS, READ, RESUME),
        request=_unaware,
        reply=saying(modes_unsaid),
        home=_legacy_at_start("paginated", "holographic"),
        pretends=UNAWARE.name,
    ),
)

FAULTS = tuple(replace(fault, target="reference") for fault in _HERE)
