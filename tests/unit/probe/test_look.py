"""Facts from files, databases and the model's input."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hive_gate.probe.look import look_at_database, look_at_file, look_at_model
from hive_gate.scene.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    for folder in (made.home, made.codex, made.work):
        folder.mkdir()
    return made


INDEX = {"codexHome": "index.jsonl"}


def test_a_file_that_only_grew_shows_what_was_added(home: Home) -> None:
    path = home.codex / "index.jsonl"
    path.write_bytes(b'{"a":1}\n')
    before = look_at_file(home, INDEX, {}, None)
    path.write_bytes(b'{"a":1}\n{"b":2}\nnot json\n')
    after = look_at_file(home, INDEX, {}, before)
    assert (before["exists"], before["first"]) == (True, {"a": 1})
    assert (after["unchanged"], after["grew"], after["added"]) == (False, True, [{"b": 2}, None])


def test_a_file_that_was_rewritten_did_not_grow(home: Home) -> None:
    path = home.codex / "index.jsonl"
    path.write_bytes(b'{"a":1}\n')
    before = look_at_file(home, INDEX, {}, None)
    path.write_bytes(b'{"a":2}\n{"b":2}\n')
    after = look_at_file(home, INDEX, {}, before)
    assert (after["unchanged"], after["grew"], after["added"]) == (False, False, [])


def test_a_file_that_nobody_touched_is_unchanged_and_one_that_is_gone_is_not(home: Home) -> None:
    path = home.work / "notes.txt"
    path.write_text("theirs", encoding="utf-8")
    before = look_at_file(home, {"work": "notes.txt"}, {}, None)
    assert look_at_file(home, {"work": "notes.txt"}, {}, before)["unchanged"] is True
    path.unlink()
    assert look_at_file(home, {"work": "notes.txt"}, {}, before) == {"exists": False, "unchanged": False, "grew": False}


def test_a_column_is_read_from_every_database_that_has_it(home: Home) -> None:
    for name, columns in (("state_5.sqlite", "id TEXT, history_mode TEXT"), ("other.sqlite", "id TEXT")):
        with closing(sqlite3.connect(home.codex / name)) as database, database:
            database.execute(f"CREATE TABLE threads ({columns})")
            if "history_mode" in columns:
                database.execute("INSERT INTO threads VALUES ('t', 'legacy')")
    where = {"file": "*.sqlite", "table": "threads", "column": "history_mode", "id": "t"}
    assert look_at_database(home, where) == {"values": ["legacy"]}
    assert look_at_database(home, {**where, "id": "unknown"}) == {"values": []}


def test_only_the_last_request_to_the_model_counts() -> None:
    def said(*texts: str) -> dict[str, object]:
        return {"input": [{"content": [{"text": text}]} for text in texts]}

    facts = look_at_model([said("dropped", "kept"), said("kept", "new one")], ["kept", "new", "dropped"])
    assert facts == {"requests": 2, "found": {"kept": True, "new": True, "dropped": False}}
    assert look_at_model([], ["x"]) == {"requests": 0, "found": {"x": False}}
