"""What the store over files leaves on the disk, and what it finds there."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hive_gate.reference.store.errors import Conflict, Internal, InvalidRequest, ThreadNotFound
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.queries import ThreadQuery, TurnQuery
from hive_gate.reference.store.records import NewThread, ThreadChange

from .conftest import LATER, Bench, line, session_meta, thread_id, turn


@pytest.fixture
def seoul(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be in a place nine hours ahead, where it may be tomorrow."""
    monkeypatch.setenv("TZ", "Asia/Seoul")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("seoul")
def test_a_rollout_is_named_by_the_local_time_of_its_thread(local: Bench) -> None:
    began = datetime(2026, 12, 31, 20, 30, 5, 678_000, tzinfo=UTC)
    thread = local.store.create(NewThread(thread_id(1), "/work", "mock", created_at=began))
    local.store.append(thread_id(1), turn(1))

    assert local.home is not None
    expected = local.home / f"sessions/2027/01/01/rollout-2027-01-01T05-30-05-{thread_id(1)}.jsonl"
    assert thread.path == expected == local.store.read(thread_id(1)).path
    assert [path for path in (local.home / "sessions").rglob("*") if path.is_file()] == [expected]
    first = json.loads(expected.read_bytes().split(b"\n")[0])
    assert (first["timestamp"], first["payload"]["timestamp"]) == ("2026-12-31T20:30:05.678Z",) * 2


def test_every_line_is_compact_json_in_the_order_that_the_real_server_writes(local: Bench) -> None:
    local.new(1)
    content = _rollout(local).read_text(encoding="utf-8")
    assert content.endswith("\n")
    lines = content.splitlines()
    assert all(re.match(r'\{"timestamp":"[^"]{24}","type":"[a-z_]+","payload":\{', text) for text in lines)
    assert lines[2].endswith('"message":"question 1","images":[],"local_images":[],"text_elements":[]}}')


def test_reading_a_home_that_is_not_there_makes_nothing(local: Bench) -> None:
    assert local.store.list_threads(ThreadQuery()).threads == ()
    with pytest.raises(ThreadNotFound):
        local.store.read(thread_id(1))
    with pytest.raises(ThreadNotFound):
        local.store.unarchive(thread_id(1))
    assert local.home is not None
    assert not local.home.exists()


def test_archiving_moves_the_file_flat_and_back_to_the_day_in_its_name(local: Bench) -> None:
    ident = local.plant(1)
    before = _rollout(local)
    content = before.read_bytes()
    assert local.home is not None

    put_away = local.store.archive(ident).path
    assert put_away == local.home / "archived_sessions" / before.name
    assert not before.exists()
    assert local.store.unarchive(ident).path == before
    assert before.read_bytes() == content
    assert not put_away.exists()


@pytest.mark.parametrize("archived", [False, True])
def test_a_file_in_the_way_of_a_move_is_left_alone(local: Bench, archived: bool) -> None:
    ident = local.plant(1, archived=archived)
    other = local.write(1, b"something else", archived=not archived)
    with pytest.raises(Conflict, match="in the way"):
        (local.store.unarchive if archived else local.store.archive)(ident)
    assert other.read_bytes() == b"something else"


def test_a_rollout_is_read_by_its_path_from_wherever_it_is_named(local: Bench) -> None:
    local.plant(1)
    local.plant(2, archived=True)
    assert local.home is not None
    path, archived = _rollout(local, 1), _rollout(local, 2)
    for way in (path, path.relative_to(local.home), path.parent / "." / ".." / path.parent.name / path.name):
        assert local.store.read_by_path(way, include_history=True).thread_id == thread_id(1)
        assert local.store.resume("ignored", path=way).thread_id == thread_id(1)
    assert local.store.read_by_path(archived).archived
    with pytest.raises(ThreadNotFound):
        local.store.read_by_path(archived, include_archived=False)
    with pytest.raises(InvalidRequest, match="is archived"):
        local.store.resume("ignored", path=archived)
    with pytest.raises(ThreadNotFound):
        local.store.read_by_path(path.with_name(path.name.replace("T10-01-", "T10-02-")))
    for outside in ("../" + path.name, "sessions/../../x", path.parent / "notes.jsonl"):
        with pytest.raises(InvalidRequest):
            local.store.read_by_path(Path(outside))


def test_names_are_added_to_the_file_that_the_real_server_keeps_them_in(local: Bench) -> None:
    ident = local.plant(1)
    assert local.home is not None
    index = local.home / "session_index.jsonl"
    index.write_text(f'{{"id":"{ident}","thread_name":"theirs","updated_at":"x"}}\nnot json\n[]\n{{"id":5}}\n{{"torn')
    assert local.store.read(ident).name == "theirs"

    local.store.update_metadata(ident, ThreadChange(name="ours 이름"))
    lines = index.read_text(encoding="utf-8").splitlines()
    assert lines[4] == '{"torn'
    assert json.loads(lines[5]) == {
        "id": ident,
        "thread_name": "ours 이름",
        "updated_at": LATER.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    with index.open("a") as file:
        file.write(f'{{"id":"{ident}","thread_name":"theirs again"}}\n')
    assert local.store.list_threads(ThreadQuery()).threads[0].name == "theirs again"


def test_files_that_are_no_rollouts_are_not_threads(local: Bench) -> None:
    path = local.write(1, line(session_meta(1)) + line(turn(1)[1]))
    for name in ("notes.jsonl", path.name + ".bak", f".{path.name}.half", path.name.replace("rollout", "other")):
        (path.parent / name).write_bytes(path.read_bytes())
    (path.parent / path.name.replace("1.jsonl", "2.jsonl")).mkdir()
    assert local.home is not None
    shutil.copy(path, local.home / "sessions" / path.name)  # not in a day's folder
    assert [thread.path for thread in local.store.list_threads(ThreadQuery()).threads] == [path]


def test_of_two_files_of_one_thread_the_later_counts(local: Bench) -> None:
    old = local.write(1, line(session_meta(1)) + line(turn(1)[1]))
    new = old.with_name(old.name.replace("T10-01", "T10-02"))
    new.write_bytes(line(session_meta(1)) + line(turn(2)[1]))
    (listed,) = local.store.list_threads(ThreadQuery()).threads
    assert (listed.path, listed.preview) == (new, "question 2")
    assert local.store.read(thread_id(1)) == listed


def test_a_home_can_be_moved(local: Bench, tmp_path: Path) -> None:
    ident = local.new(1)
    local.store.list_threads(ThreadQuery())  # so that the index is there
    local.store.close()
    assert local.home is not None
    moved = LocalThreadStore(local.home.rename(tmp_path / "moved"))
    (listed,) = moved.list_threads(ThreadQuery()).threads
    assert listed == moved.read(ident)
    assert listed.path is not None
    assert listed.path.is_relative_to(tmp_path / "moved")
    moved.close()


def test_the_real_servers_database_is_never_opened(local: Bench) -> None:
    ident = local.plant(1)
    assert local.home is not None
    theirs = local.home / "state_5.sqlite"
    theirs.write_bytes(b"not a database at all")
    before = theirs.stat().st_mtime_ns, theirs.read_bytes()
    local.store.list_threads(ThreadQuery())
    local.store.archive(ident)
    assert (theirs.stat().st_mtime_ns, theirs.read_bytes()) == before
    assert _journal_mode(local.home / "thread_store.sqlite") == "wal"


def test_what_the_system_refuses_is_an_error_of_the_store(local: Bench) -> None:
    assert local.home is not None
    local.home.mkdir()
    (local.home / "sessions").write_text("a file where a folder belongs")
    local.store.create(NewThread(thread_id(1), "/work", "mock"))
    with pytest.raises(Internal, match=f"^failed to append to {thread_id(1)}: "):
        local.store.append(thread_id(1), turn(1))
    (local.home / "sessions").unlink()
    local.store.append(thread_id(1), turn(1))  # the thread is still the one that was created
    assert len(local.store.list_turns(TurnQuery(thread_id(1))).turns) == 1


def test_an_append_is_on_the_disk_before_it_is_answered(local: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = local.new(1)
    synced: list[bytes] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(_rollout(local).read_bytes())
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    local.store.append(ident, turn(2))
    assert synced[-1] == _rollout(local).read_bytes()
    assert b"question 2" in synced[-1]


def _rollout(bench: Bench, number: int = 1) -> Path:
    assert bench.home is not None
    (path,) = bench.home.rglob(f"rollout-*-{thread_id(number)}.jsonl")
    return path


def _journal_mode(database: Path) -> str:
    connection = sqlite3.connect(database)
    try:
        return str(connection.execute("PRAGMA journal_mode").fetchone()[0])
    finally:
        connection.close()
