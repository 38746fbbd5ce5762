"""Items of turns in the protocol's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

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

Json = dict[str, Any]


def item(stored: StoredItem) -> Json:
    """Return an item as clients see it."""
    shape: Callable[[Any], Json] = _SHAPES[type(stored)]
    return shape(stored)


def user_content(message: UserMessage) -> list[Json]:
    """Return what a user sent: its text, then its images; a blank text is left out."""
    text = [text_part(message.text, message.text_elements)] if message.text.strip() else []
    images = [{"type": "image", "detail": one.detail, "url": one.source} for one in message.images]
    local = [{"type": "localImage", "detail": one.detail, "path": one.source} for one in message.local_images]
    return [*text, *images, *local]


def text_part(text: str, elements: Sequence[Mapping[str, Any]]) -> Json:
    """Return a piece of text with its marked ranges, given as stored."""
    marked = [
        {
            "byteRange": {name: one["byte_range"][name] for name in ("start", "end")},
            "placeholder": one.get("placeholder"),
        }
        for one in elements
    ]
    return {"type": "text", "text": text, "text_elements": marked}


def _user(one: UserMessage) -> Json:
    return {"type": "userMessage", "id": one.id, "clientId": one.client_id, "content": user_content(one)}


def _agent(one: AgentMessage) -> Json:
    return {
        "type": "agentMessage",
        "id": one.id,
        "text": one.text,
        "phase": one.phase,
        "memoryCitation": one.memory_citation,
    }


def _reasoning(one: Reasoning) -> Json:
    return {"type": "reasoning", "id": one.id, "summary": list(one.summary), "content": list(one.content)}


def _plan(one: Plan) -> Json:
    return {"type": "plan", "id": one.id, "text": one.text}


def _hook(one: HookPrompt) -> Json:
    fragments = [{"text": part.text, "hookRunId": part.run_id} for part in one.fragments]
    return {"type": "hookPrompt", "id": one.id, "fragments": fragments}


def _compaction(one: ContextCompaction) -> Json:
    return {"type": "contextCompaction", "id": one.id}


def _review(one: ReviewMode) -> Json:
    kind = "enteredReviewMode" if one.entered else "exitedReviewMode"
    return {"type": kind, "id": one.id, "review": one.review}


def _search(one: WebSearch) -> Json:
    return {"type": "webSearch", "id": one.id, "query": one.query, "action": _action(one.action)}


def _action(stored: Any) -> Any:
    if not isinstance(stored, dict):
        return None
    kind = str(stored.get("type"))
    kind = {"open_page": "openPage", "find_in_page": "findInPage"}.get(kind, kind)
    members = {"search": ("query", "queries"), "openPage": ("url",), "findInPage": ("url", "pattern")}.get(kind, ())
    return {"type": kind, **{name: stored.get(name) for name in members}}


def _mcp(one: McpToolCall) -> Json:
    result = one.result
    return {
        "type": "mcpToolCall",
        "id": one.id,
        "server": one.server,
        "tool": one.tool,
        "status": "completed" if one.succeeded else "failed",
        "arguments": one.arguments,
        "appContext": None,
        "pluginId": None,
        "result": None
        if result is None
        else {
            "content": result.get("content", []),
            "structuredContent": result.get("structuredContent"),
            "_meta": result.get("_meta"),
        },
        "error": None if one.error is None else {"message": one.error},
        "durationMs": one.duration_ms,
    }


def _files(one: FileChange) -> Json:
    changes = [
        {
            "path": change.path,
            "kind": {"type": change.kind, **({"move_path": change.move_path} if change.kind == "update" else {})},
            "diff": change.diff,
        }
        for change in one.changes
    ]
    return {"type": "fileChange", "id": one.id, "changes": changes, "status": one.status}


def _image(one: ImageGeneration) -> Json:
    saved = {} if one.saved_path is None else {"savedPath": one.saved_path}
    return {
        "type": "imageGeneration",
        "id": one.id,
        "status": one.status,
        "revisedPrompt": one.revised_prompt,
        "result": one.result,
        **saved,
    }


_SHAPES: Mapping[type, Callable[..., Json]] = {
    UserMessage: _user,
    AgentMessage: _agent,
    Reasoning: _reasoning,
    Plan: _plan,
    HookPrompt: _hook,
    ContextCompaction: _compaction,
    ReviewMode: _review,
    WebSearch: _search,
    McpToolCall: _mcp,
    FileChange: _files,
    ImageGeneration: _image,
}
