"""Which records a replay counts, shown by the ids of implicit turns. Every expectation is what codex 0.142.5 did."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.reference.store import recording
from hive_gate.reference.store.admitted import admitted
from hive_gate.reference.store.rebuild import turns_of
from hive_gate.reference.store.records import HistoryRecord

from .conftest import session_meta

_event = recording.event


def user(text: str = "u", **members: Any) -> HistoryRecord:
    return _event("user_message", message=text, **members)


def agent(text: str = "a", **members: Any) -> HistoryRecord:
    return _event("agent_message", message=text, **members)


def ids(records: list[HistoryRecord]) -> list[str]:
    return [turn.turn_id for turn in turns_of([session_meta(1), *records])]


PLAN = {"type": "Plan", "id": "p", "text": "p"}
META = {"id": "x", "timestamp": "x", "cwd": "/", "originator": "x", "cli_version": "x"}
CONTEXT = {"cwd": "/", "approval_policy": "never", "sandbox_policy": {"type": "read-only"}, "model": "m"}


@pytest.mark.parametrize(
    "record",
    [
        HistoryRecord("session_meta", META),
        HistoryRecord("turn_context", {**CONTEXT, "summary": "auto"}),
        recording.turn_context("t", "/", "m"),
        recording.token_count(None),
        _event("token_count"),
        HistoryRecord("compacted", {"message": "m"}),
        recording.message("developer", "x"),
        HistoryRecord("response_item", {"type": "function_call", "name": "x", "arguments": "{}", "call_id": "c"}),
        HistoryRecord("response_item", {"type": "reasoning", "summary": []}),
        _event("task_complete", turn_id="z"),
        _event("thread_rolled_back", num_turns=0, more=1),
        _event("item_completed", turn_id="nowhere", item=PLAN),
    ],
)
def test_what_is_kept_is_counted(record: HistoryRecord) -> None:
    assert admitted(record)
    assert ids([user(), record, user()])[-1] == "rollout-3"


@pytest.mark.parametrize(
    "record",
    [
        HistoryRecord("of_a_newer_version", {}),
        HistoryRecord("session_meta", {**META, "cwd": None}),
        HistoryRecord("turn_context", CONTEXT),
        HistoryRecord("turn_context", {**CONTEXT, "summary": "auto", "sandbox_policy": {"mode": "x"}}),
        HistoryRecord("compacted", {}),
        HistoryRecord("response_item", {"type": "zzz"}),
        HistoryRecord("response_item", {"type": "message", "content": []}),
        HistoryRecord("response_item", {"type": "message", "role": "user", "content": [{"type": "zzz"}]}),
        HistoryRecord("event_msg", {}),
        HistoryRecord("event_msg", {"type": ["user_message"]}),
        _event("warning", message="x"),
        _event("exec_command_end", call_id="c", exit_code=0),
        _event("thread_name_updated", thread_id="x", thread_name="n"),
        _event("user_message"),
        user(local_images=None),
        user(text_elements=[{}]),
        agent(phase="zzz"),
        agent(memory_citation={"x": 1}),
        _event("token_count", info={"x": 1}),
        _event("task_started", turn_id=5),
        _event("task_started", turn_id="t", started_at=1.5),
        _event("task_started", turn_id="t", collaboration_mode_kind="zzz"),
        _event("turn_aborted", turn_id="t"),
        _event("thread_rolled_back", num_turns=-1),
        _event("thread_rolled_back", num_turns=True),
        _event("thread_rolled_back", num_turns=2**32),
        _event("item_completed", turn_id="t", item={"type": "UserMessage", "id": "i", "content": []}),
    ],
)
def test_what_is_not_kept_is_as_if_it_were_not_there(record: HistoryRecord) -> None:
    assert not admitted(record)
    assert ids([user(), record, user()]) == ["rollout-1", "rollout-2"]
