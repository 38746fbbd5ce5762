"""Token counts, kept in the form in which a history stores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hive_gate.reference.model import Used
from hive_gate.reference.store.records import HistoryRecord

CONTEXT_WINDOW = 258_400
"""What the real server assumes of a model that it does not know."""

_NAMES = {
    "total_tokens": "totalTokens",
    "input_tokens": "inputTokens",
    "cached_input_tokens": "cachedInputTokens",
    "output_tokens": "outputTokens",
    "reasoning_output_tokens": "reasoningOutputTokens",
}

Info = Mapping[str, Any]


def none_yet() -> Info:
    """Return the counts of a thread that asked its model nothing."""
    nothing = _counts(Used())
    return {"total_token_usage": nothing, "last_token_usage": nothing, "model_context_window": CONTEXT_WINDOW}


def add(before: Info | None, used: Used) -> Info:
    """Return the counts after one more answer."""
    info = before or none_yet()
    last, total = _counts(used), info["total_token_usage"]
    return {**info, "total_token_usage": {name: total[name] + last[name] for name in last}, "last_token_usage": last}


def estimated(before: Info | None, characters: int) -> Info:
    """Return the counts after a rollback: what the shorter conversation takes is an estimate, four bytes a token."""
    last = {**_counts(Used()), "total_tokens": -(-characters // 4)}
    return {**(before or none_yet()), "last_token_usage": last}


def newest(records: Sequence[HistoryRecord]) -> int | None:
    """Return where a history holds its newest counts; None if it holds none."""
    for index in range(len(records) - 1, -1, -1):
        payload = records[index].payload
        if records[index].kind == "event_msg" and payload.get("type") == "token_count" and payload.get("info"):
            return index
    return None


def last_of(records: Sequence[HistoryRecord]) -> Info | None:
    """Return the newest counts that a history holds, if any."""
    index = newest(records)
    return None if index is None else records[index].payload["info"]


def wire(info: Info) -> dict[str, Any]:
    """Return the counts in the protocol's words."""
    kinds = {"total": "total_token_usage", "last": "last_token_usage"}
    told = {name: {ours: info[kind].get(stored, 0) for stored, ours in _NAMES.items()} for name, kind in kinds.items()}
    return {**told, "modelContextWindow": info.get("model_context_window")}


def _counts(used: Used) -> dict[str, int]:
    return {
        "input_tokens": used.input,
        "cached_input_tokens": used.cached,
        "output_tokens": used.output,
        "reasoning_output_tokens": used.reasoning,
        "total_tokens": used.total,
    }
