"""Which records take part in a replay.

The server numbers implicit turns by the records that it could read and keeps, so what counts has to be exactly what it
counts. Found by running 0.142.5 on stored threads with one odd record each: a record of an unknown kind, without a
member that it needs, or of a kind that is not kept (errors, warnings, the endings of commands) is passed over as if it
were not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hive_gate.reference.store.records import HistoryRecord
from hive_gate.reference.store.shapes import (
    Check,
    Shape,
    anything,
    every,
    maybe,
    natural,
    one_of,
    table,
    text,
    truth,
    whole,
)

_ELEMENT = Shape({"byte_range": Shape({"start": whole, "end": whole})}, {"placeholder": maybe(text)})
_STARTED = Shape(
    {"turn_id": text},
    {
        "started_at": maybe(whole),
        "model_context_window": maybe(whole),
        "collaboration_mode_kind": one_of("default", "plan", "code", "pair_programming", "execute", "custom"),
    },
)
_COMPLETE = Shape(
    {"turn_id": text},
    {"last_agent_message": maybe(text), "completed_at": maybe(whole), "duration_ms": maybe(whole)},
)

EVENTS: Mapping[str, Check] = {
    "user_message": Shape(
        {"message": text},
        {
            "client_id": maybe(text),
            "images": maybe(every(text)),
            "image_details": every(maybe(text)),
            "local_images": every(text),
            "local_image_details": every(maybe(text)),
            "text_elements": every(_ELEMENT),
        },
    ),
    "agent_message": Shape(
        {"message": text},
        {
            "phase": maybe(one_of("commentary", "final_answer")),
            "memory_citation": maybe(Shape({"entries": every(anything)})),
        },
    ),
    "agent_reasoning": Shape({"text": text}),
    "agent_reasoning_raw_content": Shape({"text": text}),
    "token_count": Shape(
        may={"info": maybe(Shape({"total_token_usage": table, "last_token_usage": table}))},
    ),
    "context_compacted": Shape(),
    "entered_review_mode": Shape({"target": table}, {"user_facing_hint": maybe(text)}),
    "exited_review_mode": Shape(may={"review_output": maybe(Shape({"overall_explanation": text}))}),
    "thread_rolled_back": Shape({"num_turns": natural}),
    "turn_aborted": Shape(
        {"reason": one_of("interrupted", "replaced", "review_ended", "budget_limited")},
        {"turn_id": maybe(text), "completed_at": maybe(whole), "duration_ms": maybe(whole)},
    ),
    "task_started": _STARTED,
    "turn_started": _STARTED,
    "task_complete": _COMPLETE,
    "turn_complete": _COMPLETE,
    "item_completed": Shape(
        {"turn_id": text, "item": Shape({"type": one_of("Plan"), "id": text, "text": text})},
    ),
    "web_search_end": Shape({"call_id": text, "query": text, "action": Shape({"type": text})}),
    "mcp_tool_call_end": Shape(
        {"call_id": text, "invocation": Shape({"server": text, "tool": text}), "duration": table, "result": table},
    ),
    "patch_apply_end": Shape(
        {"call_id": text, "success": truth, "changes": table, "status": one_of("completed", "failed", "declined")},
        {"turn_id": text, "stdout": text, "stderr": text},
    ),
    "image_generation_end": Shape(
        {"call_id": text, "status": text, "result": text},
        {"revised_prompt": maybe(text), "saved_path": maybe(text)},
    ),
}
"""The kept events by their `type`."""

_CONTENT: Mapping[str, Check] = {
    "input_text": Shape({"text": text}),
    "input_image": Shape({"image_url": text}),
    "output_text": Shape({"text": text}),
}

RESPONSE_ITEMS: Mapping[str, Check] = {
    "message": Shape({"role": text, "content": every(lambda value: _tagged(_CONTENT, value))}),
    "reasoning": Shape({"summary": every(table)}),
    "local_shell_call": Shape({"status": text, "action": table}),
    "function_call": Shape({"name": text, "arguments": text, "call_id": text}),
    "function_call_output": Shape({"call_id": text, "output": anything}),
    "custom_tool_call": Shape({"call_id": text, "name": text, "input": text}),
    "custom_tool_call_output": Shape({"call_id": text, "output": anything}),
    "web_search_call": Shape(),
    "image_generation_call": Shape({"status": text, "result": text}),
    "compaction": Shape({"encrypted_content": text}),
}
"""The kept items of the model's input by their `type`."""

_KINDS: Mapping[str, Check] = {
    "session_meta": Shape({"id": text, "timestamp": text, "cwd": text, "originator": text, "cli_version": text}),
    "turn_context": Shape(
        {
            "cwd": text,
            "approval_policy": anything,
            "sandbox_policy": Shape({"type": text}),
            "model": text,
            "summary": text,
        },
    ),
    "compacted": Shape({"message": text}),
    "event_msg": lambda value: _tagged(EVENTS, value),
    "response_item": lambda value: _tagged(RESPONSE_ITEMS, value),
}


def _tagged(kinds: Mapping[str, Check], value: Any) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in kinds and kinds[kind](value)


def admitted(record: HistoryRecord) -> bool:
    """Whether a record takes part in a replay and is counted by it."""
    check = _KINDS.get(record.kind)
    return check is not None and check(record.payload)
