"""A store to test, of either kind, and stored threads as another writer would have left them."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hive_gate.reference.store import recording
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.memory import MemoryThreadStore
from hive_gate.reference.store.records import HistoryRecord, NewThread

BEGAN = datetime(2026, 6, 1, 10, 0, 0, tzinfo=UTC)
LATER = datetime(2026, 6, 2, 10, 0, 0, tzinfo=UTC)
"""When the stores under test begin; each look at their clock is a second later."""


def thread_id(number: int) -> str:
    """Return the id of a numbered thread."""
    return f"01970000-0000-7000-8000-{number:012d}"


def turn(number: int, *, ends: bool = True) -> list[HistoryRecord]:
    """Return the records of a numbered turn: one question, a comment, a final answer."""
    ident, began = f"turn-{number}", int(BEGAN.timestamp()) + number
    records = [
        recording.turn_started(ident, began),
        recording.user_message(f"question {number}"),
        recording.agent_message(f"comment {number}", "commentary"),
        recording.agent_message(f"answer {number}", "final_answer"),
    ]
    if ends:
        done = recording.turn_completed(ident, last_agent_message=None, completed_at=began + 5, duration_ms=5000)
        records.append(done)
    return records


def turns(count: int) -> list[HistoryRecord]:
    """Return the records of the turns 1..count."""
    return [record for number in range(1, count + 1) for record in turn(number)]


def session_meta(number: int, **members: Any) -> HistoryRecord:
    """Return the first record of a numbered thread, each a minute younger than the one before."""
    meta = {
        "id": thread_id(number),
        "timestamp": (BEGAN + timedelta(minutes=number)).isoformat().replace("+00:00", "Z"),
        "cwd": "/work",
        "originator": "somebody",
        "cli_version": "0.142.5",
        "source": "vscode",
        "model_provider": "mock",
    }
    return HistoryRecord("session_meta", meta | members)


@dataclass
class Bench:
    """A store under test; `home` is None for the one in memory."""

    store: ThreadStore
    home: Path | None
    _open: Callable[[], ThreadStore] = field(repr=False)

    def another(self) -> ThreadStore:
        """Return the store as a restarted program sees it; the one in memory is still the same."""
        return self._open()

    def new(self, number: int, records: Sequence[HistoryRecord] = (), **members: Any) -> str:
        """Store a thread through the store itself and return its id."""
        new = NewThread(thread_id(number), cwd="/work", model_provider="mock", created_at=BEGAN, **members)
        self.store.create(new)
        self.store.append(new.thread_id, records or turn(1))
        return new.thread_id

    def plant(self, number: int, records: Sequence[HistoryRecord] = (), *, archived: bool = False, **meta: Any) -> str:
        """Put a thread where another writer would have left it and return its id."""
        whole = [session_meta(number, **meta), *(records or turn(1))]
        if isinstance(self.store, MemoryThreadStore):
            self.store.adopt(thread_id(number), whole, archived=archived)
        else:
            self.write(number, b"".join(map(line, whole)), archived=archived)
        return thread_id(number)

    def write(self, number: int, content: bytes, *, archived: bool = False) -> Path:
        """Write a numbered thread's rollout as it is."""
        assert self.home is not None
        folder = self.home / ("archived_sessions" if archived else "sessions/2026/06/01")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"rollout-2026-06-01T10-{number:02d}-00-{thread_id(number)}.jsonl"
        path.write_bytes(content)
        os.utime(path, (BEGAN.timestamp(), BEGAN.timestamp()))
        return path


def line(record: HistoryRecord) -> bytes:
    """Return the line of a record, written by hand."""
    entry = {"timestamp": "2026-06-01T10:00:00.000Z", "type": record.kind, "payload": record.payload}
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _clock() -> Callable[[], datetime]:
    seconds = itertools.count()
    return lambda: LATER + timedelta(seconds=next(seconds))


@pytest.fixture(params=["local", "memory"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """Return an empty store, once of each kind."""
    if request.param == "memory":
        memory = MemoryThreadStore(clock=_clock())
        yield Bench(memory, None, lambda: memory)
    else:
        yield from _local(tmp_path)


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Bench]:
    """Return an empty store over files."""
    yield from _local(tmp_path)


def _local(tmp_path: Path) -> Iterator[Bench]:
    home = tmp_path / "home"
    opened: list[ThreadStore] = []
    clock = _clock()

    def another() -> ThreadStore:
        opened.append(LocalThreadStore(home, clock=clock))
        return opened[-1]

    yield Bench(another(), home, another)
    for store in opened:
        store.close()
