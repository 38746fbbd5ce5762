"""Turns out of records. Every expectation here is what codex 0.142.5 answered for the same records."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.reference.store import recording
from hive_gate.reference.store.items import (
    AgentMessage,
    ContextCompaction,
    FileChange,
    HookPrompt,
    ImageGeneration,
    McpToolCall,
    Plan,
    Reasoning,
    ReviewMode,
    StoredItem,
    UserMessage,
    WebSearch,
)
from hive_gate.reference.store.messages import HookFragment, Image
from hive_gate.reference.store.rebuild import turns_of
from hive_gate.reference.store.records import HistoryRecord, StoredTurn
from hive_gate.reference.store.tools import ChangedFile

from .conftest import session_meta

Records = list[HistoryRecord]
_event = recording.event


def user(text: str = "u", **members: Any) -> HistoryRecord:
    return _event("user_message", message=text, **members)


def agent(text: str = "a", **members: Any) -> HistoryRecord:
    return _event("agent_message", message=text, **members)


def start(ident: str = "t", at: int = 100) -> HistoryRecord:
    return recording.turn_started(ident, at)


def done(ident: str = "t", at: int = 110) -> HistoryRecord:
    return recording.turn_completed(ident, last_agent_message=None, completed_at=at, duration_ms=5)


def abort(ident: str | None = "t", at: int = 120) -> HistoryRecord:
    return _event("turn_aborted", turn_id=ident, reason="interrupted", completed_at=at, duration_ms=7)


def plan(turn: str, text: str = "p", ident: str = "plan-1") -> HistoryRecord:
    return _event("item_completed", thread_id="x", turn_id=turn, item={"type": "Plan", "id": ident, "text": text})


COMPACTED = HistoryRecord("compacted", {"message": "m"})


def replayed(records: Records) -> tuple[StoredTurn, ...]:
    return turns_of([session_meta(1), *records])


def outline(records: Records) -> list[str]:
    """Return each turn as `id status: item ids`."""
    return [f"{turn.turn_id} {turn.status}: {' '.join(item.id for item in turn.items)}" for turn in replayed(records)]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([start(), user(), agent(), done()], ["t completed: item-1 item-2"], id="explicit"),
        pytest.param([start(), user()], ["t in_progress: item-1"], id="never ended"),
        pytest.param([start(), done(), start("u")], ["t completed: ", "u in_progress: "], id="explicit and empty"),
        pytest.param([start(), user(), agent(), user(), done()], ["t completed: item-1 item-2 item-3"], id="steered"),
        pytest.param(
            [user(), agent(), user(), agent()],
            ["rollout-1 completed: item-1 item-2", "rollout-3 completed: item-3 item-4"],
            id="implicit",
        ),
        pytest.param(
            [start(), user(), abort(), agent(), user()],
            ["t interrupted: item-1 item-2 item-3"],
            id="an aborted turn stays open",
        ),
        pytest.param([start(), user(), abort(None)], ["t interrupted: item-1"], id="aborted without an id"),
        pytest.param([start(), user(), abort("z"), done()], ["t interrupted: item-1"], id="aborted by another id"),
        pytest.param([user(), abort()], ["rollout-1 interrupted: item-1"], id="an implicit turn aborted"),
        pytest.param(
            [start(), user(), done("z"), agent()],
            ["t completed: item-1", "rollout-4 completed: item-2"],
            id="ended by another id",
        ),
        pytest.param([done("z"), agent()], ["rollout-2 completed: item-1"], id="an end without a turn"),
        pytest.param(
            [start(), user(), start("u"), user(), done(), done("u")],
            ["t completed: item-1", "u completed: item-2"],
            id="ended after the next began",
        ),
        pytest.param(
            [start(), user(), done(), start(), user()],
            ["t completed: item-1", "t in_progress: item-2"],
            id="one id twice",
        ),
        pytest.param([COMPACTED, user(), COMPACTED], ["rollout-1 completed: item-1"], id="words after a compaction"),
        pytest.param([COMPACTED], ["rollout-1 completed: "], id="only a compaction"),
        pytest.param(
            [_event("context_compacted"), user()],
            ["rollout-1 completed: item-1", "rollout-2 completed: item-2"],
            id="words after a shown compaction",
        ),
        pytest.param(
            [_event("agent_reasoning", text=""), agent(""), user()],
            ["rollout-3 completed: item-1"],
            id="empty items are counted as records and open nothing",
        ),
        pytest.param(
            [_event("turn_started", turn_id="t"), user(), _event("turn_complete", turn_id="t"), user()],
            ["t completed: item-1", "rollout-4 completed: item-2"],
            id="newer names of the events",
        ),
    ],
)
def test_records_come_to_these_turns(records: Records, expected: list[str]) -> None:
    assert outline(records) == expected


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param(
            [user(), agent(), user(), agent(), recording.rolled_back(1), user(), agent()],
            ["rollout-1 completed: item-1 item-2", "rollout-6 completed: item-3 item-4"],
            id="item ids are given again",
        ),
        pytest.param([user(), recording.rolled_back(9), user()], ["rollout-3 completed: item-1"], id="more than all"),
        pytest.param(
            [user(), user(), recording.rolled_back(0), user()],
            ["rollout-1 completed: item-1", "rollout-2 completed: item-2", "rollout-4 completed: item-3"],
            id="none",
        ),
        pytest.param(
            [start(), user(), done(), start("u"), user(), recording.rolled_back(1), agent(), done("u")],
            ["t completed: item-1", "rollout-7 completed: item-2"],
            id="the open turn",
        ),
        pytest.param(
            [start(), user(), plan("t"), done(), user(), recording.rolled_back(1), user()],
            ["t completed: item-1 plan-1", "rollout-7 completed: item-3"],
            id="a plan counts as an item afterwards",
        ),
    ],
)
def test_a_rollback_drops_the_last_turns(records: Records, expected: list[str]) -> None:
    assert outline(records) == expected


def test_a_turn_carries_its_times() -> None:
    ended, aborted = replayed([start(at=1), user(), done(at=2), start("u", at=3), user(), abort("u", at=4)])
    assert (ended.started_at, ended.completed_at, ended.duration_ms) == (1, 2, 5)
    assert (aborted.started_at, aborted.completed_at, aborted.duration_ms) == (3, 4, 7)


def test_an_error_in_the_records_fails_no_turn() -> None:
    boom = _event("error", message="boom", codex_error_info="other")
    (turn,) = replayed([start(), user(), boom, done()])
    assert (turn.status, turn.error) == ("completed", None)


PATCH = {"call_id": "p", "stdout": "", "stderr": "", "success": True, "status": "completed"}
CHANGES = {
    "/b": {"type": "update", "unified_diff": "@@", "move_path": "/c"},
    "/a": {"type": "add", "content": "text"},
}
CALL: dict[str, Any] = {
    "call_id": "m",
    "invocation": {"server": "s", "tool": "t", "arguments": {"x": 1}},
    "duration": {"secs": 2, "nanos": 5_000_000},
}
SEARCH = {"type": "search"}
OUTCOME = {"findings": [], "overall_correctness": "x", "overall_explanation": " fine "}


@pytest.mark.parametrize(
    ("event", "item"),
    [
        (
            user(
                "see",
                client_id="c",
                images=["http://x"],
                image_details=["high"],
                local_images=["/a", "/b"],
                local_image_details=[None],
                text_elements=[{"byte_range": {"start": 0, "end": 1}, "placeholder": "p"}],
            ),
            UserMessage(
                "item-1",
                "see",
                ({"byte_range": {"start": 0, "end": 1}, "placeholder": "p"},),
                (Image("http://x", "high"),),
                (Image("/a"), Image("/b")),
                "c",
            ),
        ),
        (user("", images=None), UserMessage("item-1", "")),
        (agent("x", phase="commentary"), AgentMessage("item-1", "x", "commentary")),
        (_event("agent_reasoning", text="s"), Reasoning("item-1", ("s",))),
        (_event("agent_reasoning_raw_content", text="c"), Reasoning("item-1", (), ("c",))),
        (_event("context_compacted"), ContextCompaction("item-1")),
        (
            _event("entered_review_mode", target={"type": "custom"}, user_facing_hint="hint"),
            ReviewMode("item-1", True, "hint"),
        ),
        (_event("entered_review_mode", target={}), ReviewMode("item-1", True, "Review requested.")),
        (_event("exited_review_mode", review_output=OUTCOME), ReviewMode("item-1", False, "fine")),
        (_event("exited_review_mode"), ReviewMode("item-1", False, "Reviewer failed to output a response.")),
        (_event("web_search_end", call_id="w", query="q", action=SEARCH), WebSearch("w", "q", SEARCH)),
        (
            _event("mcp_tool_call_end", **CALL, result={"Ok": {"content": []}}),
            McpToolCall("m", "s", "t", {"x": 1}, True, {"content": []}, None, 2005),
        ),
        (
            _event("mcp_tool_call_end", **CALL, result={"Err": "no"}),
            McpToolCall("m", "s", "t", {"x": 1}, False, None, "no", 2005),
        ),
        (
            _event("patch_apply_end", **PATCH, turn_id="", changes=CHANGES),
            FileChange("p", (ChangedFile("/a", "add", "text"), ChangedFile("/b", "update", "@@", "/c")), "completed"),
        ),
        (
            _event("image_generation_end", call_id="i", status="completed", result="r", saved_path="/p"),
            ImageGeneration("i", "completed", "r", None, "/p"),
        ),
    ],
)
def test_an_event_comes_to_this_item(event: HistoryRecord, item: StoredItem) -> None:
    assert [turn.items for turn in replayed([event])] == [(item,)]


def test_thoughts_in_a_row_are_one_item() -> None:
    think = [_event("agent_reasoning", text="s1"), _event("agent_reasoning_raw_content", text="c1")]
    (turn,) = replayed([user(), *think, agent(), *think[::-1], _event("agent_reasoning", text="s2")])
    assert turn.items[1:] == (
        Reasoning("item-2", ("s1",), ("c1",)),
        AgentMessage("item-3", "a"),
        Reasoning("item-4", ("s1", "s2"), ("c1",)),
    )


def test_an_item_with_an_id_of_its_own_replaces_its_former_self() -> None:
    patch = _event("patch_apply_end", **PATCH, turn_id="t", changes={})
    (first, second) = replayed(
        [start(), user(), plan("t", "draft"), start("u"), patch, plan("t", "final"), plan("nowhere"), plan("u", "")]
    )
    assert first.items[1:] == (Plan("plan-1", "final"), FileChange("p", (), "completed"))
    assert second.items == ()


def test_a_hooks_words_are_an_item_and_the_users_words_as_the_model_saw_them_are_not() -> None:
    hook = '<hook_prompt hook_run_id="r1">do &amp; check</hook_prompt>'
    prompt = recording.message("user", hook)
    (turn,) = replayed([user(), prompt, recording.message("user", "u"), recording.message("assistant", hook)])
    assert turn.items[1:] == (HookPrompt("hook-2", (HookFragment("r1", "do & check"),)),)
    mixed = {**prompt.payload, "content": [*prompt.payload["content"], {"type": "input_text", "text": "u"}]}
    assert len(replayed([user(), HistoryRecord("response_item", mixed)])[0].items) == 1
