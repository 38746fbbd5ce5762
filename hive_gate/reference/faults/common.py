"""Replacements that several faults are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hive_gate.reference.faults.fault import Json, Make, Swap
from hive_gate.reference.server import reading, starting
from hive_gate.reference.server.lines import Outgoing
from hive_gate.reference.store.local import durable
from hive_gate.reference.store.local import store as local
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.moments import now
from hive_gate.reference.store.records import HistoryRecord, StoredThread, TurnPage

EMPTY_PAGE: Json = {"data": [], "nextCursor": None, "backwardsCursor": None}


def always(value: Any) -> Make:
    """Return what puts a value in the place of whatever is there."""
    return lambda _: value


def returning(value: Any) -> Make:
    """Return what makes a function return a value, whatever it is called with."""
    return always(lambda *_args, **_options: value)


def result(edit: Callable[[Any], Any]) -> Make:
    """Return what makes a function return something else."""
    return lambda old: lambda *args, **options: edit(old(*args, **options))


def pages(edit: Callable[[TurnPage], TurnPage]) -> tuple[Swap, ...]:
    """Return the swaps after which every page of turns, also the one in thread/resume, is another."""
    return page_maker(result(edit))


def page_maker(make: Make) -> tuple[Swap, ...]:
    """Return the swaps of what makes pages of turns."""
    return Swap(local, "page_of_turns", make), Swap(reading, "page_of_turns", make)


def turns(make: Make) -> tuple[Swap, ...]:
    """Return the swaps of what makes turns out of a history, wherever it is used."""
    return tuple(Swap(owner, "turns_of", make) for owner in (local, reading, starting))


def unnamed(thread: StoredThread) -> StoredThread:
    """Return a thread as if it had no name."""
    return replace(thread, name=None)


def silence(method: str) -> Swap:
    """Return the swap after which a notification is never sent."""

    def make(notify: Any) -> Any:
        def quiet(self: Outgoing, told: str, params: Any) -> None:
            if told != method:
                notify(self, told, params)

        return quiet

    return Swap(Outgoing, "notify", make)


def scribble(path: Path | None, line: bytes = b"{}\n") -> None:
    """Add a line to a file that nobody should touch."""
    if path is not None:
        durable.append(path, line, now())


def in_memory(kept: dict[str, list[HistoryRecord]]) -> Swap:
    """Return the swap after which a history also has records that were never written."""

    def make(read: Any) -> Any:
        def remembering(self: LocalThreadStore, thread_id: str, **options: Any) -> StoredThread:
            thread: StoredThread = read(self, thread_id, **options)
            if thread.history is None:
                return thread
            records = (*thread.history.records, *kept.get(thread_id, ()))
            return replace(thread, history=replace(thread.history, records=records))

        return remembering

    return Swap(LocalThreadStore, "read", make)
