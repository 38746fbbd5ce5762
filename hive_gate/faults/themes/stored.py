"""Faults of what is stored: the text of a message, the status of a turn, a turn that is different from the others."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from hive_gate.faults.edits import Turn, items_of, with_each_turn, with_turns
from hive_gate.faults.fault import ITEMS_OF_THREAD, LIST, Fault, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH

_MEGABYTE = 1 << 20


def _each_text(change: Callable[[str], str]) -> Callable[[Turn], None]:
    """Change the text of every message of a turn."""

    def turn_change(turn: Turn) -> None:
        for item in items_of(turn, "agentMessage"):
            item["text"] = change(item["text"])
        for item in items_of(turn, "userMessage"):
            for part in item["content"]:
                part["text"] = change(part["text"])

    return turn_change


def _text(name: str, breaks: str, change: Callable[[str], str]) -> Fault:
    noticed = by(ITEMS_MATCH, "turns-list.texts", "paged-turns.texts", at="/data/*/items/*")
    noticed += by("items-match-scene", "items-list.texts", at="/data/*")
    return Fault(name, breaks, noticed, (LIST, ITEMS_OF_THREAD), reply=with_each_turn(_each_text(change)))


def _status(name: str, breaks: str, change: Callable[[Turn], str]) -> Fault:
    noticed = by(TURNS, "turns-list.statuses", at="/data/*/status")
    return Fault(name, breaks, noticed, reply=with_each_turn(lambda turn: turn.update(status=change(turn))))


def _answered(turn: Turn) -> bool:
    """Tell whether a turn has more than a question; one that failed has not."""
    return len(turn["items"]) > 1


FAULTS = (
    _text("changed-character", "One character of a Korean text is another.", lambda text: text.replace("록", "룩")),
    _text(
        "decomposed-text",
        "Texts come in another Unicode normal form, which looks the same.",
        lambda text: unicodedata.normalize("NFD", text),
    ),
    _text("u2028-as-newline", "U+2028 inside a text becomes a newline.", lambda text: text.replace("\u2028", "\n")),
    _text(
        "no-control-characters",
        "Control characters are taken out of texts.",
        lambda text: "".join(c for c in text if unicodedata.category(c) != "Cc" or c in "\t\n"),
    ),
    _text(
        "emoji-lost",
        "Characters beyond the first plane become replacement characters.",
        lambda text: "".join(c if ord(c) < 0x10000 else "\ufffd" for c in text),
    ),
    _text("long-text-cut", "A text ends after a megabyte.", lambda text: text[:_MEGABYTE]),
    _text("space-trimmed", "The last character of a long text is gone.", lambda t: t[:-1] if len(t) > _MEGABYTE else t),
    _status(
        "interrupted-as-completed",
        "An interrupted turn is completed.",
        lambda turn: "completed" if turn["status"] == "interrupted" and turn["completedAt"] else turn["status"],
    ),
    _status(
        "unfinished-in-progress",
        "A turn without an end is in progress, though nobody runs the thread.",
        lambda turn: "inProgress" if turn["completedAt"] is None else turn["status"],
    ),
    _status(
        "completed-as-interrupted",
        "A completed turn is interrupted.",
        lambda turn: "interrupted" if turn["status"] == "completed" else turn["status"],
    ),
    _status("all-in-progress", "Every turn is in progress.", lambda turn: "inProgress"),
    Fault(
        "unanswered-turn-lost",
        "A turn without any answer is not listed.",
        by(TURNS, "turns-list.view/summary", "turns-list.view/full", "turns-list.failed-live"),
        reply=with_turns(lambda turns, _: [turn for turn in turns if turn["items"] == [] or _answered(turn)]),
    ),
    Fault(
        "interrupted-turn-lost",
        "Interrupted turns are not listed.",
        by(TURNS, "turns-list.statuses", "turns-list.view", "turns-list.default-view"),
        reply=with_turns(lambda turns, _: [turn for turn in turns if turn["status"] != "interrupted"]),
    ),
)
