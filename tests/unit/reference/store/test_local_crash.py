"""SIGKILL at random points of appending: nothing that was answered is ever lost, and the store opens again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hive_gate.reference.store.errors import ThreadNotFound
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.queries import ThreadQuery, TurnQuery

from .conftest import thread_id

WRITER = Path(__file__).with_name("writer.py")
KILLS = 55
"""In each of the four parts, so that two workers share them: 220 in all."""
LIVES = 11
"""Lives that one thread goes through; each thread's first life is killed while the thread is being made."""
LONGEST = 0.004
"""Seconds between the last answer that is waited for and the kill, at most: about two appends."""


class Nursery:
    """A process that forks writers; each of them is killed."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(WRITER), "nursery", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def life(self, ident: str, first: int, chance: random.Random) -> int:
        """Let a writer live for a while and return the last number that was answered, or `first - 1`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{ident} {first} {chance.randrange(10**9)}\n")
        awaited, answered, child = chance.randint(0, 3), first - 1, 0
        for text in self._process.stdout:
            said, *number = text.split()
            if said == "gone":
                return answered
            if said == "born":
                child = int(number[0])
            else:
                answered = int(number[0])
                awaited -= 1
            if child and awaited <= 0:
                time.sleep(chance.uniform(0, LONGEST))  # not a wait for anything: the random point itself
                os.kill(child, signal.SIGKILL)
                awaited, child = 10**9, 0
        pytest.fail("the nursery ended")

    def close(self) -> None:
        """Let it end and take what it still said."""
        self._process.communicate(timeout=30)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def nursery(home: Path) -> Iterator[Nursery]:
    started = Nursery(home)
    yield started
    started.close()


@pytest.mark.parametrize("part", range(4))
def test_a_killed_writer_loses_nothing_that_was_answered(home: Path, nursery: Nursery, part: int) -> None:
    chance = random.Random(part)
    answered: dict[str, int] = {}
    for life in range(KILLS):
        ident = thread_id(life // LIVES + 1)
        first = answered.get(ident, -1) + 1
        last = nursery.life(ident, first, chance)
        stored = _stored(home, ident)
        # What was answered is there; the one append that was under way may be, in part or as a whole.
        assert stored[: last + 1] == list(range(last + 1)), f"life {life} lost an answered append"
        assert stored == list(range(len(stored)))
        assert len(stored) - (last + 1) <= 3
        if stored:
            answered[ident] = len(stored) - 1
    assert len(answered) == KILLS // LIVES
    assert sum(answered.values()) > KILLS
    _usable(home, answered)


def _stored(home: Path, ident: str) -> list[int]:
    """Return the numbers that a program started after the kill finds."""
    store = LocalThreadStore(home)
    try:
        records = store.load_history(ident).records
    except ThreadNotFound:
        return []
    finally:
        store.list_threads(ThreadQuery())
        store.close()
    return [int(record.payload["message"]) for record in records if record.payload.get("type") == "user_message"]


def _usable(home: Path, answered: dict[str, int]) -> None:
    """Every thread is listed, has its turns, and can be gone on with."""
    store = LocalThreadStore(home)
    assert {thread.thread_id for thread in store.list_threads(ThreadQuery()).threads} == set(answered)
    for ident, last in answered.items():
        store.rollback(store.resume(ident).thread_id, 1)
        newest = store.list_turns(TurnQuery(ident, page_size=1)).turns
        assert [item.text for turn in newest for item in turn.items if hasattr(item, "text")] == [str(last - 1)]
        store.archive(ident)
    store.close()
