from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from hive_gate.scene.rollout import (
    append_rollback,
    append_turns,
    path_of,
    thread_id,
    turn_id,
    write_thread,
)
from hive_gate.scene.truth import ThreadTruth, TurnRecipe

THREAD = thread_id("scene", "main")
PLAIN = TurnRecipe("Question", (("agent", "Answer"),))


def records(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.decode("utf-8").split("\n")[:-1]]


def written(home: Path, *turns: TurnRecipe, archived: bool = False) -> tuple[ThreadTruth, Path]:
    truth = write_thread(home, THREAD, turns, cwd=home / "work", archived=archived)
    return truth, path_of(home, THREAD, archived=archived)


def shape(path: Path) -> list[tuple[str, str | None]]:
    """Each record's type, and within it the payload's."""
    return [(record["type"], record["payload"].get("type")) for record in records(path)]


def test_a_thread_begins_with_what_it_is(tmp_path: Path) -> None:
    _, path = written(tmp_path, PLAIN)
    first = records(path)[0]
    assert first["type"] == "session_meta"
    assert (first["payload"]["id"], first["payload"]["cwd"]) == (THREAD, str(tmp_path / "work"))
    assert first["payload"]["model_provider"] == "stand-in"


def test_every_line_is_one_record_with_the_same_members(tmp_path: Path) -> None:
    _, path = written(tmp_path, TurnRecipe("a\nb \u2028 세 🐝 \u0000", (("agent", "c\r\nd"),)))
    assert {tuple(record) for record in records(path)} == {("timestamp", "type", "payload")}
    assert records(path)[3]["payload"]["message"] == "a\nb \u2028 세 🐝 \u0000"


def test_a_turn_is_its_events_beside_what_the_model_saw(tmp_path: Path) -> None:
    recipe = TurnRecipe("Question", (("reasoning", "Thought"), ("agent", "First"), ("agent", "Last")))
    truth, path = written(tmp_path, recipe)
    assert shape(path)[1:] == [
        ("event_msg", "task_started"),
        ("response_item", "message"),
        ("event_msg", "user_message"),
        ("event_msg", "agent_reasoning"),
        ("event_msg", "agent_message"),
        ("response_item", "message"),
        ("event_msg", "agent_message"),
        ("response_item", "message"),
        ("event_msg", "task_complete"),
    ]
    payloads = [record["payload"] for record in records(path)]
    assert {payloads[1]["turn_id"], payloads[9]["turn_id"]} == {truth.turns[0].id}
    assert (payloads[2]["role"], payloads[2]["content"]) == ("user", [{"type": "input_text", "text": "Question"}])
    assert (payloads[6]["role"], payloads[6]["content"]) == ("assistant", [{"type": "output_text", "text": "First"}])
    assert payloads[9]["last_agent_message"] == "Last"
    assert payloads[9]["completed_at"] > payloads[1]["started_at"]


ENDS = {
    "completed": ["task_complete"],
    "interrupted": ["turn_aborted"],
    "failed": ["error", "task_complete"],
    "open": [],
}


@pytest.mark.parametrize("ends", ENDS)
def test_a_turn_ends_as_its_recipe_says(ends: str, tmp_path: Path) -> None:
    _, path = written(tmp_path, TurnRecipe("Question", (), ends))
    assert [kind for _, kind in shape(path)[4:]] == ENDS[ends]


def test_a_failed_turn_says_so_and_an_interrupted_one_why(tmp_path: Path) -> None:
    _, path = written(tmp_path, TurnRecipe("a", (), "failed"), TurnRecipe("b", (), "interrupted"))
    payloads = {record["payload"].get("type"): record["payload"] for record in records(path)}
    assert payloads["task_complete"]["error"]["message"] == payloads["error"]["message"]
    assert payloads["task_complete"]["last_agent_message"] is None
    assert payloads["turn_aborted"]["reason"] == "interrupted"


def test_ids_are_uuids_the_same_in_every_run_and_different_for_every_owner() -> None:
    assert thread_id("scene", "main") == thread_id("scene", "main")
    ids = [thread_id("scene", "main"), thread_id("scene", "clause", "main"), thread_id("scene", "other")]
    assert len(set(ids)) == 3
    for ident in [*ids, turn_id(ids[0], 0), turn_id(ids[0], 19_999)]:
        assert str(uuid.UUID(ident)) == ident
        assert uuid.UUID(ident).version == 7


def test_turn_ids_grow_with_their_number() -> None:
    ids = [turn_id(THREAD, index) for index in (0, 1, 8, 9, 14, 15, 254, 255, 256, 4095, 19_999)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


def test_the_same_thread_is_written_byte_for_byte_again(tmp_path: Path) -> None:
    first, path = written(tmp_path, PLAIN, PLAIN)
    before = path.read_bytes()
    assert written(tmp_path, PLAIN, PLAIN)[0] == first
    assert path.read_bytes() == before


def test_the_truth_is_what_was_written(tmp_path: Path) -> None:
    truth, _ = written(tmp_path, PLAIN, TurnRecipe("b", (), "interrupted"), archived=True)
    assert (truth.id, truth.archived) == (THREAD, True)
    assert [(turn.id, turn.statuses) for turn in truth.turns] == [
        (turn_id(THREAD, 0), ("completed",)),
        (turn_id(THREAD, 1), ("interrupted",)),
    ]


@pytest.mark.parametrize(("archived", "folder"), [(False, "sessions/2026/06/01"), (True, "archived_sessions")])
def test_a_thread_lies_where_the_server_looks_for_it(archived: bool, folder: str, tmp_path: Path) -> None:
    _, path = written(tmp_path, PLAIN, archived=archived)
    assert path == tmp_path / folder / f"rollout-2026-06-01T10-00-00-{THREAD}.jsonl"
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [path]


@pytest.mark.parametrize("archived", [False, True])
def test_added_turns_only_make_the_file_longer(archived: bool, tmp_path: Path) -> None:
    truth, path = written(tmp_path, PLAIN, PLAIN, archived=archived)
    before = path.read_bytes()
    append_turns(tmp_path, truth, [TurnRecipe("More"), PLAIN])
    after = path.read_bytes()
    assert after.startswith(before)
    started = [r["payload"]["turn_id"] for r in records(path) if r["payload"].get("type") == "task_started"]
    assert started == [turn_id(THREAD, index) for index in range(4)]


def test_a_rollback_is_one_more_record(tmp_path: Path) -> None:
    truth, path = written(tmp_path, PLAIN, PLAIN, PLAIN)
    before = path.read_bytes()
    append_rollback(tmp_path, truth, 2)
    assert path.read_bytes().startswith(before)
    added = records(path)[len(before.splitlines()) :]
    assert [record["payload"] for record in added] == [{"type": "thread_rolled_back", "num_turns": 2}]
