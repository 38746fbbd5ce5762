"""Faults of what is stored and read back: texts, statuses of turns, whole threads."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import always, in_memory, result
from hive_gate.reference.faults.fault import Fault, Swap, by
from hive_gate.reference.server import reading, running
from hive_gate.reference.store import eventitems
from hive_gate.reference.store.local import shelf
from hive_gate.reference.store.local import store as local
from hive_gate.reference.store.local.layout import Layout
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.pending import PendingTurn
from hive_gate.reference.store.records import HistoryRecord, StoredTurn, StoredTurnStatus

_TEXTS, _REAL = "turns-list.texts", "turns-list.real-turns"


def _texts(edit: Callable[[str], str]) -> tuple[Swap, ...]:
    """Return the swaps after which the words of users and of the model come back changed."""
    changed = result(lambda item: replace(item, text=edit(item.text)))
    return Swap(eventitems, "user_message", changed), Swap(eventitems, "agent_message", changed)


_kept: dict[str, list[HistoryRecord]] = {}


def _appending(old: Any) -> Any:
    def new(self: LocalThreadStore, thread_id: str, records: Any) -> None:
        if thread_id in self._created:
            old(self, thread_id, records)
        else:
            _kept.setdefault(thread_id, []).extend(records)

    return new


def _at_once(old: Any) -> Any:
    """Keep what a turn adds until it ends, and store it in another order."""

    def new(self: LocalThreadStore, thread_id: str, records: Any) -> None:
        waiting = _kept.setdefault(thread_id, [])
        waiting.extend(records)
        if thread_id in self._created or any(one.payload.get("type") == "task_complete" for one in records):
            old(self, thread_id, sorted(waiting, key=lambda one: one.payload.get("type") == "user_message"))
            waiting.clear()

    return new


def _aborted_is_completed(self: PendingTurn, payload: Any) -> None:
    self.complete(payload)


def _unended(turns: Any, active: StoredTurn | None) -> tuple[StoredTurn, ...]:
    others = tuple(turn for turn in turns if active is None or turn.turn_id != active.turn_id)
    return others if active is None else (*others, active)


def _forget_failed(old: Any) -> Any:
    def new(core: Any, loaded: Any, turn: Any, status: Any, error: Any = None) -> Any:
        ended = old(core, loaded, turn, status, error)
        if status is StoredTurnStatus.FAILED:
            core.store.rollback(loaded.thread_id, 1)
        return ended

    return new


def _numbered(old: Any) -> Any:
    return lambda records: tuple(replace(turn, turn_id=f"turn-{n}") for n, turn in enumerate(old(records)))


def _not_archived(old: Any) -> Any:
    return lambda self, thread_id, *, archived: None if archived else old(self, thread_id, archived=archived)


def _torn(content: bytes) -> bytes:
    return "\n".join(content.decode("utf-8", "replace").splitlines()).encode()


FAULTS = (
    Fault(
        "text-cut",
        "A message is cut after a megabyte.",
        by("items-match-view", f"{_TEXTS}/*"),
        _texts(lambda text: text[: 1 << 20]),
    ),
    Fault(
        "text-taken-apart",
        "Texts come back with their syllables and accents taken apart.",
        by("items-match-view", f"{_TEXTS}/*"),
        _texts(lambda text: unicodedata.normalize("NFD", text)),
    ),
    Fault(
        "text-without-controls",
        "Control characters are left out of texts.",
        by("items-match-view", f"{_TEXTS}/*"),
        _texts(lambda text: "".join(one for one in text if one >= " " or one in "\t\n")),
    ),
    Fault(
        "text-basic-plane-only",
        "Characters beyond the basic plane become question marks.",
        by("items-match-view", f"{_TEXTS}/*"),
        _texts(lambda text: "".join(one if ord(one) < 0x10000 else "?" for one in text)),
    ),
    Fault(
        "text-tears-lines",
        "Stored lines are also divided at U+2028 and the like, so that messages with them are lost.",
        by("items-match-view", f"{_TEXTS}/*"),
        (Swap(shelf, "_content", result(_torn)),),
    ),
    Fault(
        "turns-lost-by-restart",
        "What is added to a stored thread is kept in memory only.",
        by("turns-match-scene", f"{_REAL}/*", "read.real-turns"),
        (Swap(LocalThreadStore, "append", _appending), in_memory(_kept)),
    ),
    Fault(
        "turns-stored-in-disorder",
        "A turn is stored at its end, its question last.",
        by("items-match-view", f"{_REAL}/full", "read.real-turns"),
        (Swap(LocalThreadStore, "append", _at_once),),
    ),
    Fault(
        "turn-interrupted-is-completed",
        "An interrupted turn comes back as completed.",
        by("turns-match-scene", "turns-list.statuses", "turns-list.view", "read.with-turns"),
        (Swap(PendingTurn, "abort", always(_aborted_is_completed)),),
    ),
    Fault(
        "turn-without-end-runs",
        "A stored turn without an end comes back as in progress, although nobody runs it.",
        by("turns-match-scene", "turns-list.statuses"),
        (Swap(local, "merge_active", always(_unended)), Swap(reading, "merge_active", always(_unended))),
    ),
    Fault(
        "turn-failed-is-dropped",
        "A turn that failed is taken out of the history, the user's question with it.",
        by("turns-match-scene", "turns-list.failed-live"),
        (Swap(running, "_end", _forget_failed),),
    ),
    Fault(
        "turn-ids-are-positions",
        "Turns are known by their number, not by their id.",
        by("turns-match-scene", "turns-list.page", "turns-list.default-direction"),
        (Swap(local, "turns_of", _numbered),),
    ),
    Fault(
        "archived-not-found",
        "An archived thread cannot be found any more.",
        by("result", "turns-list.archived", "thread-name.archive", "thread-status.unload"),
        (Swap(Layout, "find", _not_archived),),
    ),
)
