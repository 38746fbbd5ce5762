"""Turns, pages and threads in the protocol's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from hive_gate.reference.server.wireitems import Json, item
from hive_gate.reference.store.records import (
    ItemsView,
    StoredThread,
    StoredTurn,
    StoredTurnError,
    StoredTurnStatus,
    ThreadPage,
    TurnPage,
)

VIEWS = {"notLoaded": ItemsView.NOT_LOADED, "summary": ItemsView.SUMMARY, "full": ItemsView.FULL}
_VIEW_NAMES = {view: name for name, view in VIEWS.items()}
_STATUSES = {
    StoredTurnStatus.COMPLETED: "completed",
    StoredTurnStatus.INTERRUPTED: "interrupted",
    StoredTurnStatus.FAILED: "failed",
    StoredTurnStatus.IN_PROGRESS: "inProgress",
}

NOT_LOADED: Mapping[str, Any] = {"type": "notLoaded"}
IDLE: Mapping[str, Any] = {"type": "idle"}
SYSTEM_ERROR: Mapping[str, Any] = {"type": "systemError"}
ACTIVE: Mapping[str, Any] = {"type": "active", "activeFlags": []}


def turn(stored: StoredTurn) -> Json:
    """Return a turn with the items that it holds."""
    return {
        "id": stored.turn_id,
        "items": [item(one) for one in stored.items],
        "itemsView": _VIEW_NAMES[stored.items_view],
        "status": _STATUSES[stored.status],
        "error": None if stored.error is None else turn_error(stored.error),
        "startedAt": stored.started_at,
        "completedAt": stored.completed_at,
        "durationMs": stored.duration_ms,
    }


def turn_error(stored: StoredTurnError) -> Json:
    """Return why a turn failed."""
    return {
        "message": stored.message,
        "codexErrorInfo": stored.code,
        "additionalDetails": stored.additional_details,
    }


def turn_page(page: TurnPage) -> Json:
    """Return a page of turns."""
    return {
        "data": [turn(one) for one in page.turns],
        "nextCursor": page.next_cursor,
        "backwardsCursor": page.backwards_cursor,
    }


def thread(
    stored: StoredThread,
    status: Mapping[str, Any],
    turns: Sequence[StoredTurn] = (),
    *,
    ephemeral: bool = False,
) -> Json:
    """Return a thread.

    Args:
        stored: what is known of it.
        status: its runtime status.
        turns: oldest first; most replies leave them out.
        ephemeral: it is kept in memory only.
    """
    git = stored.git
    updated = _seconds(stored.updated_at)
    return {
        "id": stored.thread_id,
        "sessionId": stored.session_id or stored.thread_id,
        "forkedFromId": stored.forked_from_id,
        "parentThreadId": stored.parent_thread_id,
        "preview": stored.preview,
        "ephemeral": ephemeral,
        "historyMode": stored.history_mode.text,
        "modelProvider": stored.model_provider,
        "createdAt": _seconds(stored.created_at),
        "updatedAt": updated,
        "recencyAt": updated,
        "status": dict(status),
        "path": None if stored.path is None or ephemeral else str(stored.path),
        "cwd": stored.cwd,
        "cliVersion": stored.cli_version,
        "source": _source(stored.source),
        "threadSource": stored.thread_source,
        "agentNickname": None,
        "agentRole": None,
        "gitInfo": None if git is None else {"sha": git.sha, "branch": git.branch, "originUrl": git.origin_url},
        "name": stored.name,
        "turns": [turn(one) for one in turns],
    }


def thread_page(page: ThreadPage, threads: Sequence[Json]) -> Json:
    """Return a page of threads that were put into words already."""
    return {
        "data": list(threads),
        "nextCursor": page.next_cursor,
        "backwardsCursor": page.backwards_cursor if threads else None,
    }


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def _source(stored: Any) -> Any:
    if isinstance(stored, dict) and "subagent" in stored:
        return {"subAgent": stored["subagent"]}
    if isinstance(stored, dict):
        return stored
    return {"mcp": "appServer"}.get(stored, stored) if isinstance(stored, str) else "unknown"
