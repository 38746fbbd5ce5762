"""The records of a turn, as the real server writes them.

A turn of the server is, in this order: `turn_started`, `turn_context`, `message` (user) and `user_message`, for each
answer `agent_message` and `message` (assistant), `token_count`, and one of `turn_completed` and `turn_aborted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hive_gate.reference.store.records import HistoryRecord


def event(kind: str, **members: Any) -> HistoryRecord:
    """Return a record of what happened: the source of the turns that clients see."""
    return HistoryRecord("event_msg", {"type": kind, **members})


def turn_started(turn_id: str, started_at: int) -> HistoryRecord:
    """Return the record that opens a turn; `started_at` is in seconds since the epoch."""
    return event(
        "task_started",
        turn_id=turn_id,
        started_at=started_at,
        model_context_window=200_000,
        collaboration_mode_kind="default",
    )


def turn_context(turn_id: str, cwd: str, model: str) -> HistoryRecord:
    """Return the settings that a turn ran under: never asking, reading only."""
    return HistoryRecord(
        "turn_context",
        {
            "turn_id": turn_id,
            "cwd": cwd,
            "approval_policy": "never",
            "sandbox_policy": {"type": "read-only"},
            "model": model,
            "summary": "auto",
        },
    )


def user_message(
    text: str,
    *,
    images: Sequence[str] = (),
    local_images: Sequence[str] = (),
    text_elements: Sequence[Any] = (),
    client_id: str | None = None,
) -> HistoryRecord:
    """Return the record of what the user sent."""
    members = {"message": text, "images": list(images), "local_images": list(local_images)}
    given = {} if client_id is None else {"client_id": client_id}
    return event("user_message", **given, **members, text_elements=list(text_elements))


def agent_message(text: str, phase: str | None = None) -> HistoryRecord:
    """Return the record of what the model said."""
    return event("agent_message", message=text, phase=phase, memory_citation=None)


def reasoning(text: str) -> HistoryRecord:
    """Return the record of one part of a reasoning's summary."""
    return event("agent_reasoning", text=text)


def message(role: str, text: str) -> HistoryRecord:
    """Return a message as the model saw it (`user`, `developer`) or gave it (`assistant`)."""
    kind = "output_text" if role == "assistant" else "input_text"
    return HistoryRecord("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]})


def token_count(info: Mapping[str, Any] | None) -> HistoryRecord:
    """Return the record of the tokens used so far, as the wire-independent object the server keeps."""
    return event("token_count", info=info, rate_limits=None)


def turn_completed(
    turn_id: str, *, last_agent_message: str | None, completed_at: int, duration_ms: int
) -> HistoryRecord:
    """Return the record that ends a turn, a failed one too; `completed_at` is in seconds since the epoch."""
    return event(
        "task_complete",
        turn_id=turn_id,
        last_agent_message=last_agent_message,
        completed_at=completed_at,
        duration_ms=duration_ms,
    )


def turn_aborted(turn_id: str, *, completed_at: int, duration_ms: int, reason: str = "interrupted") -> HistoryRecord:
    """Return the record that ends an interrupted turn; `completed_at` is in seconds since the epoch."""
    return event("turn_aborted", turn_id=turn_id, reason=reason, completed_at=completed_at, duration_ms=duration_ms)


def rolled_back(num_turns: int) -> HistoryRecord:
    """Return the marker that drops the last turns."""
    return event("thread_rolled_back", num_turns=num_turns)
