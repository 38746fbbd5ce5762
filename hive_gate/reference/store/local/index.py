"""The SQLite table `threads`: the heads of rollouts, so that a list need not read every file.

It is made from the rollouts and never the only copy of anything: whatever is wrong with it, it is thrown away and made
again, and while it cannot be used (locked too long, a full disk, made by a newer version) lists are made from the files
alone. Paths in it are relative to the home, so a home can be copied or moved.

Schema 1 had no `history_mode`. Such a table gets the column in place, empty: a row without a mode counts as unread and
is made again from its rollout, so that no thread is ever taken for `legacy` by default.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hive_gate.reference.store.admitted import admitted
from hive_gate.reference.store.local.layout import Stamp
from hive_gate.reference.store.records import HistoryRecord
from hive_gate.reference.store.summary import Summary

SCHEMA = 2
_BUSY_SECONDS = 1.0
_TABLE = """\
CREATE TABLE IF NOT EXISTS threads (
    id TEXT PRIMARY KEY,
    rollout_path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    preview TEXT NOT NULL,
    meta TEXT NOT NULL,
    history_mode TEXT
)"""
_PUT = """\
INSERT OR REPLACE INTO threads (id, rollout_path, size, mtime_ns, archived, preview, meta, history_mode)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""


@dataclass(frozen=True, slots=True)
class Row:
    """The head of one rollout, and which content of the file it was read from."""

    thread_id: str
    path: str
    """Relative to the home."""
    archived: bool
    stamp: Stamp
    summary: Summary


class Index:
    """The table of one home; opened when it is first needed. Not safe for several threads at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def rows(self, *, archived: bool) -> Mapping[str, Row]:
        """Return the rows of one side by thread id; empty if the database cannot be used."""
        for _ in range(2):
            try:
                found = self._open().execute("SELECT * FROM threads WHERE archived = ?", (archived,)).fetchall()
                return {row["id"]: _row(row) for row in found if row["history_mode"] is not None}
            except (sqlite3.DatabaseError, ValueError, TypeError) as error:
                if not self._mend(error):
                    break
        return {}

    def put(self, rows: Iterable[Row]) -> None:
        """Store rows, each in the place of its thread's former one; nothing happens if the database cannot be used."""
        values = [_values(row) for row in rows]
        self._write(_PUT, values)

    def drop(self, thread_ids: Iterable[str], *, archived: bool) -> None:
        """Forget rows of one side; nothing happens if the database cannot be used."""
        self._write("DELETE FROM threads WHERE id = ? AND archived = ?", [(ident, archived) for ident in thread_ids])

    def close(self) -> None:
        """Let go of the database."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _write(self, statement: str, values: list[tuple[object, ...]]) -> None:
        if not values:
            return
        for _ in range(2):
            try:
                connection = self._open()
                with connection:  # one transaction
                    connection.execute("BEGIN IMMEDIATE")
                    connection.executemany(statement, values)
            except sqlite3.DatabaseError as error:
                if not self._mend(error):
                    return
            else:
                return

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                _prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _mend(self, error: Exception) -> bool:
        """Throw the database away if it is broken; return whether to try again."""
        self.close()
        if isinstance(error, sqlite3.OperationalError | _Newer):
            return False
        try:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        except OSError:
            return False
        return True


class _Newer(sqlite3.DatabaseError):
    """The database was made by a newer version: it is left alone."""


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise _Newer(f"schema {version} is newer than {SCHEMA}")
    connection.execute("PRAGMA journal_mode = WAL")
    # The rollouts are what is synced; a row lost in a crash is made again.
    connection.execute("PRAGMA synchronous = NORMAL")
    if version == SCHEMA:
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLE)
        if "history_mode" not in {column["name"] for column in connection.execute("PRAGMA table_info(threads)")}:
            connection.execute("ALTER TABLE threads ADD COLUMN history_mode TEXT")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _values(row: Row) -> tuple[object, ...]:
    meta = {name: value for name, value in row.summary.meta.items() if name != "base_instructions"}
    return (
        row.thread_id,
        row.path,
        row.stamp.size,
        row.stamp.mtime_ns,
        row.archived,
        row.summary.preview,
        json.dumps(meta),
        row.summary.mode.text,
    )


def _row(row: sqlite3.Row) -> Row:
    stamp = Stamp(row["size"], row["mtime_ns"])
    meta = HistoryRecord("session_meta", json.loads(row["meta"]))
    if not admitted(meta) or not isinstance(row["preview"], str):
        raise ValueError(f"the row of {row['id']} is not one that we wrote")
    summary = Summary({**meta.payload, "history_mode": row["history_mode"]}, row["preview"])
    return Row(row["id"], row["rollout_path"], bool(row["archived"]), stamp, summary)
