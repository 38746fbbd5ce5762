"""Items from the payloads of kept events."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hive_gate.reference.store.items import ReviewMode, StoredItem
from hive_gate.reference.store.messages import AgentMessage, HookFragment, HookPrompt, Image, UserMessage
from hive_gate.reference.store.tools import ChangedFile, FileChange, ImageGeneration, McpToolCall, WebSearch

_NO_HINT = "Review requested."
_NO_OUTCOME = "Reviewer failed to output a response."
_HOOK = re.compile(r'\A<hook_prompt hook_run_id="([^"]*)">(.*)</hook_prompt>\Z', re.DOTALL)


def user_message(ident: str, event: Mapping[str, Any]) -> UserMessage:
    """Return the item of a `user_message`."""
    return UserMessage(
        ident,
        event["message"],
        tuple(event.get("text_elements", ())),
        _images(event.get("images") or (), event.get("image_details", ())),
        _images(event.get("local_images", ()), event.get("local_image_details", ())),
        event.get("client_id"),
    )


def _images(sources: Sequence[str], details: Sequence[str | None]) -> tuple[Image, ...]:
    known = [*details, *[None] * len(sources)]
    return tuple(Image(source, detail) for source, detail in zip(sources, known, strict=False))


def agent_message(ident: str, event: Mapping[str, Any]) -> AgentMessage:
    """Return the item of an `agent_message`."""
    return AgentMessage(ident, event["message"], event.get("phase"), event.get("memory_citation"))


def review(ident: str, event: Mapping[str, Any]) -> ReviewMode:
    """Return the item of an `entered_review_mode` or `exited_review_mode`."""
    if event["type"] == "entered_review_mode":
        hint = event.get("user_facing_hint")
        return ReviewMode(ident, entered=True, review=_NO_HINT if hint is None else hint)
    outcome = event.get("review_output") or {}
    return ReviewMode(ident, entered=False, review=outcome.get("overall_explanation", "").strip() or _NO_OUTCOME)


def hook_prompt(ident: str, message: Mapping[str, Any]) -> HookPrompt | None:
    """Return the item of a user `message` that is made of nothing but hooks' words, else None.

    Args:
        ident: the id for a message that has none.
        message: the payload of a `response_item`.
    """
    if message.get("type") != "message" or message["role"] != "user" or not message["content"]:
        return None
    parts = [_HOOK.match(part.get("text", "")) for part in message["content"]]
    fragments = tuple(HookFragment(html.unescape(part[1]), html.unescape(part[2])) for part in parts if part)
    if len(fragments) != len(parts):
        return None
    return HookPrompt(message.get("id") or ident, fragments)


def tool(event: Mapping[str, Any]) -> StoredItem:
    """Return the item of a tool's ending."""
    match event["type"]:
        case "web_search_end":
            return WebSearch(event["call_id"], event["query"], event["action"])
        case "image_generation_end":
            return ImageGeneration(
                event["call_id"],
                event["status"],
                event["result"],
                event.get("revised_prompt"),
                event.get("saved_path"),
            )
        case "patch_apply_end":
            changes = tuple(_changed(path, change) for path, change in sorted(event["changes"].items()))
            return FileChange(event["call_id"], changes, event["status"])
        case _:
            return _mcp(event)


def _changed(path: str, change: Mapping[str, Any]) -> ChangedFile:
    kind = change.get("type", "update")
    diff = change.get("unified_diff" if kind == "update" else "content", "")
    return ChangedFile(path, kind, diff, change.get("move_path"))


def _mcp(event: Mapping[str, Any]) -> McpToolCall:
    invocation, outcome, took = event["invocation"], event["result"], event["duration"]
    result = outcome.get("Ok")
    failed = result is None or bool(result.get("isError"))
    return McpToolCall(
        event["call_id"],
        invocation["server"],
        invocation["tool"],
        invocation.get("arguments"),
        succeeded=not failed,
        result=result,
        error=outcome.get("Err"),
        duration_ms=took.get("secs", 0) * 1000 + took.get("nanos", 0) // 1_000_000,
    )
