"""A store never reads, replays or adds to a history that is stored in a way it does not know, whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.reference.store.errors import ThreadStoreError, UnknownHistoryMode, Unsupported
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.modes import LEGACY, PAGINATED, HistoryMode
from hive_gate.reference.store.queries import ThreadQuery, TurnQuery
from hive_gate.reference.store.records import ThreadChange

from .conftest import Bench, turn

NEEDS_HISTORY: dict[str, Callable[[ThreadStore, str], object]] = {
    "append": lambda store, ident: store.append(ident, turn(2)),
    "append nothing": lambda store, ident: store.append(ident, []),
    "resume": lambda store, ident: store.resume(ident),
    "load_history": lambda store, ident: store.load_history(ident),
    "read with history": lambda store, ident: store.read(ident, include_history=True),
    "list_turns": lambda store, ident: store.list_turns(TurnQuery(ident)),
    "rollback": lambda store, ident: store.rollback(ident, 1),
    "update_metadata": lambda store, ident: store.update_metadata(ident, ThreadChange(name="x")),
}
UNKNOWN = ["bogus", "Legacy", "", 5, {"kind": "legacy"}]


@pytest.mark.parametrize("operation", NEEDS_HISTORY)
@pytest.mark.parametrize("archived", [False, True])
def test_a_paginated_history_is_refused_as_unsupported(bench: Bench, operation: str, archived: bool) -> None:
    ident = bench.plant(1, history_mode="paginated", archived=archived)
    before = _files(bench)
    with pytest.raises(Unsupported) as refused:
        NEEDS_HISTORY[operation](bench.store, ident)
    assert refused.value.operation == "paginated_threads"
    assert _files(bench) == before


@pytest.mark.parametrize("operation", NEEDS_HISTORY)
@pytest.mark.parametrize("mode", UNKNOWN)
def test_an_unknown_mode_is_never_read_as_legacy(bench: Bench, operation: str, mode: object) -> None:
    ident = bench.plant(1, history_mode=mode)
    before = _files(bench)
    with pytest.raises(UnknownHistoryMode) as refused:
        NEEDS_HISTORY[operation](bench.store, ident)
    assert refused.value.mode in str(refused.value)
    assert _files(bench) == before


@pytest.mark.parametrize("mode", ["paginated", *UNKNOWN])
def test_such_threads_are_listed_and_described_with_their_mode(bench: Bench, mode: object) -> None:
    ident = bench.plant(1, history_mode=mode)
    expected = HistoryMode.stored(mode)
    assert expected != LEGACY
    for _ in range(2):  # the second list comes from the index
        assert [thread.history_mode for thread in bench.another().list_threads(ThreadQuery()).threads] == [expected]
    assert bench.store.read(ident).history_mode == expected


@pytest.mark.parametrize("member", [{}, {"history_mode": None}, {"history_mode": "legacy"}])
def test_a_thread_without_a_mode_is_legacy(bench: Bench, member: dict[str, Any]) -> None:
    ident = bench.plant(1, **member)
    assert bench.store.read(ident).history_mode == LEGACY
    assert len(bench.store.list_turns(TurnQuery(ident)).turns) == 1


def test_a_new_thread_says_that_it_is_legacy(bench: Bench) -> None:
    ident = bench.new(1)
    meta = bench.store.load_history(ident).records[0]
    assert meta.payload["history_mode"] == "legacy"


def test_a_paginated_thread_can_be_put_away_and_brought_back(bench: Bench) -> None:
    ident = bench.plant(1, history_mode="paginated")
    assert bench.store.archive(ident).history_mode == PAGINATED
    assert bench.store.unarchive(ident).history_mode == PAGINATED


@pytest.mark.parametrize("archived", [False, True])
def test_a_thread_of_an_unknown_mode_is_not_moved(bench: Bench, archived: bool) -> None:
    ident = bench.plant(1, history_mode="bogus", archived=archived)
    before = _files(bench)
    with pytest.raises(ThreadStoreError, match="unknown history mode `bogus`"):
        (bench.store.unarchive if archived else bench.store.archive)(ident)
    assert _files(bench) == before


def _files(bench: Bench) -> dict[Path, bytes]:
    """What is on the disk; nothing for the store in memory, whose refusal is all there is to see."""
    if bench.home is None:
        return {}
    return {path: path.read_bytes() for path in bench.home.rglob("*.jsonl")}
