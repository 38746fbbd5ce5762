"""Several writers on one home: whatever was answered to one of them is there, whole and in its order."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.local import durable
from hive_gate.reference.store.local.lines import decode
from hive_gate.reference.store.queries import ThreadQuery

from .conftest import Bench, thread_id, turn

WRITER = Path(__file__).with_name("writer.py")


def run(bench: Bench, *commands: tuple[str, ...]) -> dict[str, list[str]]:
    """Run writers at the same time and return what was answered to each, by its name."""
    running = [
        (
            command,
            subprocess.Popen(
                [sys.executable, str(WRITER), command[0], str(bench.home), thread_id(1), *command[1:]],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ),
        )
        for command in commands
    ]
    answered = {}
    try:
        for command, process in running:
            stdout, stderr = process.communicate(timeout=60)
            assert process.returncode == 0, stderr
            answered[command[1]] = stdout.split()
    finally:
        for _, process in running:
            process.kill()
            process.communicate()
    return answered


def messages(bench: Bench) -> list[str]:
    records = bench.another().load_history(thread_id(1)).records
    return [r.payload["message"] for r in records if r.payload.get("type") == "user_message"]


def test_two_processes_append_to_one_thread(local: Bench) -> None:
    local.plant(1)
    answered = run(local, ("append", "left", "60"), ("append", "right", "60"))
    stored = messages(local)
    for name, expected in answered.items():
        assert len(expected) == 60
        assert [text for text in stored if text.startswith(name)] == expected
    assert local.store.read(thread_id(1)).name in {"left-59", "right-59"}
    assert local.home is not None
    names = (local.home / "session_index.jsonl").read_bytes()
    assert names.count(b"\n") == names.count(b'{"id":') == 120


def test_a_writer_without_locks_beside_ours_loses_nothing_either(local: Bench) -> None:
    local.plant(1)
    answered = run(local, ("append", "ours", "60"), ("foreign", "theirs", "400"))
    stored = messages(local)
    for name, expected in answered.items():
        assert [text for text in stored if text.startswith(name)] == expected


def test_a_thread_that_is_archived_and_brought_back_all_the_time_loses_no_answered_append(local: Bench) -> None:
    local.plant(1)
    answered = run(local, ("append", "left", "40"), ("shuttle", "60"))
    stored = messages(local)
    assert [text for text in stored if text.startswith("left")] == answered["left"]
    assert len(local.another().list_threads(ThreadQuery()).threads) == 1
    assert local.store.list_threads(ThreadQuery(archived=True)).threads == ()


def test_every_line_of_concurrent_writers_is_whole(local: Bench) -> None:
    local.plant(1)
    run(local, ("append", "left", "30"), ("append", "right", "30"))
    assert local.home is not None
    (path,) = local.home.rglob("rollout-*.jsonl")
    lines = path.read_bytes().splitlines()
    assert len(list(decode(lines))) == len(lines)


def test_a_thread_that_is_archived_between_finding_and_locking_it_is_not_added_to(
    local: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = local.plant(1)
    other = local.another()
    real, content = fcntl.flock, [b""]

    def flock(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", real)
        path = other.archive(ident).path
        assert path is not None
        content[0] = path.read_bytes()
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(InvalidRequest, match="is archived"):
        local.store.append(ident, turn(2))
    path = other.read(ident).path
    assert path is not None
    assert path.read_bytes() == content[0]


def test_a_thread_that_keeps_moving_is_held_still_in_the_end(local: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = local.plant(1)
    assert local.home is not None
    lock = local.home / "thread_store.lock"
    real, tries = durable.append, []

    def append(path: Path, data: bytes, now: datetime) -> None:
        tries.append(lock.exists() and _is_held(lock))
        if not tries[-1]:
            raise durable.Moved
        real(path, data, now)

    monkeypatch.setattr(durable, "append", append)
    local.store.append(ident, turn(2))
    assert tries == [False, False, False, True]
    assert not _is_held(lock)


def _is_held(lock: Path) -> bool:
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
