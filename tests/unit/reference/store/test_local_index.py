"""The database of heads: brought up to date from the files, migrated, rebuilt, and never trusted over a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hive_gate.reference.store import recording
from hive_gate.reference.store.local import catalog
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.queries import ThreadQuery
from hive_gate.reference.store.records import NewThread, StoredThread
from hive_gate.reference.store.summary import Summary

from .conftest import Bench, line, session_meta, thread_id, turn

OLD_TABLE = """\
CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT NOT NULL, size INTEGER NOT NULL,
mtime_ns INTEGER NOT NULL, archived INTEGER NOT NULL, preview TEXT NOT NULL, meta TEXT NOT NULL)"""


def listed(bench: Bench, **asked: Any) -> tuple[StoredThread, ...]:
    store = bench.another()
    threads = store.list_threads(ThreadQuery(**asked)).threads
    store.close()
    return threads


def database(bench: Bench) -> Path:
    assert bench.home is not None
    return bench.home / "thread_store.sqlite"


@contextmanager
def opened(bench: Bench) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(database(bench), isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def modes(bench: Bench) -> dict[str, str | None]:
    with opened(bench) as connection:
        return dict(connection.execute("SELECT id, history_mode FROM threads").fetchall())


@pytest.fixture
def heads_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the ids of the threads whose rollouts were opened to read their heads."""
    read: list[str] = []
    real = catalog.head

    def head(ident: str, path: Path) -> Summary | None:
        read.append(ident)
        return real(ident, path)

    monkeypatch.setattr(catalog, "head", head)
    return read


def test_a_file_is_read_once_and_again_only_when_it_changed(local: Bench, heads_read: list[str]) -> None:
    for number in (1, 2):
        local.plant(number)
    first = listed(local)
    assert sorted(heads_read) == [thread_id(1), thread_id(2)]
    assert listed(local) == first
    assert len(heads_read) == 2

    local.another().append(thread_id(2), [recording.user_message("more")])
    assert listed(local)[0].updated_at > first[0].updated_at
    assert heads_read[2:] == [thread_id(2)]


def test_the_mode_is_a_column(local: Bench) -> None:
    local.plant(1)
    local.plant(2, history_mode="paginated")
    local.plant(3, history_mode="bogus")
    listed(local)
    assert modes(local) == {thread_id(1): "legacy", thread_id(2): "paginated", thread_id(3): "bogus"}


def test_what_left_its_side_leaves_the_table(local: Bench) -> None:
    for number in (1, 2, 3):
        local.plant(number)
    listed(local)
    local.store.archive(thread_id(1))
    assert local.home is not None
    next(local.home.rglob(f"rollout-*{thread_id(2)}.jsonl")).unlink()

    assert [thread.thread_id for thread in listed(local)] == [thread_id(3)]
    assert [thread.thread_id for thread in listed(local, archived=True)] == [thread_id(1)]
    assert set(modes(local)) == {thread_id(1), thread_id(3)}


def test_a_database_without_the_mode_gets_the_column_in_place_and_takes_no_thread_for_legacy(local: Bench) -> None:
    local.plant(1)
    local.plant(2, history_mode="paginated")
    truth = listed(local)
    with opened(local) as connection:
        connection.execute("ALTER TABLE threads RENAME TO newer")
        connection.execute(OLD_TABLE)
        connection.execute(
            "INSERT INTO threads SELECT id, rollout_path, size, mtime_ns, archived, preview, meta FROM newer"
        )
        connection.execute("DROP TABLE newer")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("CREATE TABLE kept (x)")

    assert listed(local) == truth
    assert modes(local) == {thread_id(1): "legacy", thread_id(2): "paginated"}
    with opened(local) as connection:  # the same database, not a new one
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'kept'").fetchone() == (1,)
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.unlink(), id="lost"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(b"not a database" * 1000), id="another file"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:5000]), id="cut off"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192), id="overwritten"),
    ],
)
def test_a_lost_or_broken_database_is_made_again_from_the_rollouts(local: Bench, damage: Any) -> None:
    for number in range(1, 4):
        local.plant(number, history_mode="paginated" if number == 2 else "legacy")
    truth = listed(local)
    damage(database(local))

    assert listed(local) == truth
    assert set(modes(local).values()) == {"legacy", "paginated"}


@pytest.mark.parametrize("column", ["meta", "preview", "size"])
def test_a_row_that_cannot_be_read_is_no_obstacle(local: Bench, column: str) -> None:
    local.plant(1)
    truth = listed(local)
    with opened(local) as connection:
        connection.execute(f"UPDATE threads SET {column} = x'ff'")
    assert listed(local) == truth


def test_a_database_of_a_newer_version_is_left_alone(local: Bench) -> None:
    local.plant(1)
    truth = listed(local)
    with opened(local) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("UPDATE threads SET preview = 'theirs'")
    assert listed(local) == truth
    with opened(local) as connection:
        assert connection.execute("SELECT preview FROM threads").fetchall() == [("theirs",)]


def test_a_folder_in_the_databases_place_only_costs_time(local: Bench) -> None:
    local.plant(1)
    database(local).mkdir()
    assert [thread.preview for thread in listed(local)] == ["question 1"]


def test_a_row_that_contradicts_its_file_is_corrected_when_the_file_changes(local: Bench) -> None:
    path = local.write(1, line(session_meta(1)) + line(turn(1)[1]))
    listed(local)
    path.write_bytes(line(session_meta(1, history_mode="paginated")) + line(turn(2)[1]))
    (thread,) = listed(local)
    assert (thread.preview, thread.history_mode.text) == ("question 2", "paginated")


def test_a_moved_home_takes_its_table_along(local: Bench, heads_read: list[str]) -> None:
    local.plant(1)
    truth = listed(local)
    assert local.home is not None
    moved = local.home.rename(local.home.with_name("moved"))
    store = LocalThreadStore(moved)
    (thread,) = store.list_threads(ThreadQuery()).threads
    store.close()
    assert thread.preview == truth[0].preview
    assert len(heads_read) == 1


@pytest.mark.parametrize("bench", ["local"], indirect=True)
def test_a_new_thread_is_in_the_table_with_its_mode_before_anybody_lists(bench: Bench) -> None:
    bench.store.create(NewThread(thread_id(1), cwd="/w", model_provider="p"))
    bench.store.append(thread_id(1), [recording.user_message("one")])
    with opened(bench) as connection:
        assert connection.execute("SELECT id, history_mode FROM threads").fetchall() == [(thread_id(1), "legacy")]
