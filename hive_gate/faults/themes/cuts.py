"""Faults that cut what is long, and lose what is rare in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import refusal, turns_of, with_result
from hive_gate.faults.fault import LIST, READ, RESUME, ROLLBACK, Fault, Message, Notice, ReplyHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_LISTED, _READ, _RESUMED = "turns-list.texts/full", "read.texts", "resume.texts"
_AGAIN = ("turns-list.cursor-again", "paged-turns.cursor-again")

_RARE = re.compile("[\x1b\x7f-\x9f\ufeff]")
"""What a cleaner of terminal output takes away."""


def _texts(change: Callable[[str], str], *, asked: bool = True) -> ReplyHook:
    """Change the text of every item; `asked`: of what the user wrote, too."""

    def all_of_them(result: Any, params: dict[str, Any]) -> None:
        for item in (item for turn in turns_of(result) for item in turn["items"]):
            if item["type"] == "agentMessage":
                item["text"] = change(item["text"])
            elif item["type"] == "reasoning":
                item["summary"] = [change(part) for part in item["summary"]]
            elif item["type"] == "userMessage" and asked:
                for part in item["content"]:
                    part.update({"text": change(part["text"])} if "text" in part else {})

    return with_result(all_of_them)


def _last(count: int) -> ReplyHook:
    return with_result(lambda result, _: result["thread"].update(turns=result["thread"].get("turns", [])[-count:]))


def _first_items_only(result: Any, params: dict[str, Any]) -> None:
    """Leave only the questions of a page of ten turns or more."""
    for page in (result, result.get("initialTurnsPage") or {}):
        if len(page.get("data", ())) >= 10:
            for turn in page["data"]:
                del turn["items"][1:]


def _first_page_of_ten(result: Any, params: dict[str, Any]) -> None:
    page = result.get("initialTurnsPage")
    if page is not None:
        del page["data"][10:]


def _cursor_used_up(request: Message, wire: Wire) -> Message | None:
    used, cursor = wire.memory.setdefault("used", set()), request["params"].get("cursor")
    if cursor is not None and cursor in used:
        wire.to_client(refusal(request, f"invalid cursor: {cursor}"))
        return None
    used.add(cursor)
    return request


def _cursor_of_a_view(reply: Message, asked: Message, wire: Wire) -> Message:
    given, params = wire.memory.setdefault("given", {}), asked["params"]
    view, cursor = params.get("itemsView"), params.get("cursor")
    if given.get(cursor, view) != view:
        return refusal(asked, f"invalid cursor: {cursor}")
    given[(reply.get("result") or {}).get("nextCursor")] = view
    return reply


def _cut(name: str, breaks: str, noticed: tuple[Notice, ...], of: tuple[str, ...], reply: ReplyHook) -> Fault:
    return Fault(name, breaks, noticed, of=of, reply=reply)


FAULTS = (
    _cut("read-last-hundred", "A thread is read with its last 100 turns.", by(TURNS, "read.long"), (READ,), _last(100)),
    _cut(
        "whole-last-twenty",
        "Reads, resumes and rollbacks give the last 20 turns of a thread.",
        by(TURNS, "read.long", "resume.full-long", at="/thread/turns*"),
        (READ, RESUME, ROLLBACK),
        _last(20),
    ),
    _cut(
        "large-pages-lose-items",
        "Pages of ten turns and more have only the questions.",
        by(ITEMS_MATCH, "resume.as-decided", at="/data*")
        + by(ITEMS_MATCH, "resume.as-decided", at="/initialTurnsPage*"),
        (LIST, RESUME),
        with_result(_first_items_only),
    ),
    _cut(
        "first-page-of-ten",
        "A first page has ten turns at most.",
        by(TURNS, "resume.as-decided", at="/initialTurnsPage*"),
        (RESUME,),
        with_result(_first_page_of_ten),
    ),
    _cut(
        "texts-composed",
        "Texts come in the composed normal form.",
        by(ITEMS_MATCH, _LISTED, _READ, _RESUMED),
        (LIST, READ, RESUME),
        _texts(lambda text: unicodedata.normalize("NFC", text)),
    ),
    _cut(
        "texts-with-unix-lines",
        "Line ends come as those of Unix.",
        by(ITEMS_MATCH, _LISTED, _READ, _RESUMED),
        (LIST, READ, RESUME),
        _texts(lambda text: text.replace("\r\n", "\n").replace("\r", "")),
    ),
    _cut(
        "texts-without-controls",
        "Control characters and byte order marks are taken out of texts.",
        by(ITEMS_MATCH, _LISTED, _READ, _RESUMED),
        (LIST, READ, RESUME),
        _texts(lambda text: _RARE.sub("", text)),
    ),
    _cut(
        "answers-cut",
        "Answers and reasoning are cut at 200 characters.",
        by(ITEMS_MATCH, _LISTED, _READ, _RESUMED),
        (LIST, READ, RESUME),
        _texts(lambda text: text[:200], asked=False),
    ),
    _cut(
        "read-cuts-texts",
        "A read cuts texts at 1,000 characters.",
        by(ITEMS_MATCH, _READ),
        (READ,),
        _texts(lambda text: text[:1000]),
    ),
    _cut(
        "resume-cuts-texts",
        "A resume cuts texts at 1,000 characters.",
        by(ITEMS_MATCH, _RESUMED),
        (RESUME,),
        _texts(lambda text: text[:1000]),
    ),
    Fault(
        "cursor-serves-once",
        "A cursor is refused when it is used again.",
        by("result", *_AGAIN),
        request=_cursor_used_up,
    ),
    Fault(
        "cursor-of-one-view",
        "A cursor is refused in another view than that of its page.",
        by("result", *_AGAIN),
        reply=_cursor_of_a_view,
    ),
)
