"""What is known of a thread without its history, from the head of its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from hive_gate.reference.store import moments
from hive_gate.reference.store.admitted import admitted
from hive_gate.reference.store.modes import HistoryMode
from hive_gate.reference.store.records import GitInfo, HistoryRecord, NewThread, StoredThread

_REQUEST_HEADING = "## My request for Codex:"
"""Editors put the open files before the user's own words and this between them."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The head of a thread."""

    meta: Mapping[str, Any]
    """The payload of its first `session_meta`."""
    preview: str
    """The first user message that says something, or empty."""

    @property
    def mode(self) -> HistoryMode:
        """How the history is stored."""
        return HistoryMode.stored(self.meta.get("history_mode"))


def summarize(thread_id: str, records: Iterable[HistoryRecord]) -> Summary | None:
    """Return the head of a thread, reading no further than its preview; None without a usable `session_meta`.

    A fork also holds the `session_meta` of the thread it came from: only one with the thread's own id counts, else a
    fork whose first line is broken would take over the other thread's history mode.
    """
    meta: Mapping[str, Any] | None = None
    for record in records:
        if not admitted(record):
            continue
        if record.kind == "session_meta":
            if meta is None and record.payload["id"] == thread_id:
                meta = record.payload
        elif meta is not None and record.kind == "event_msg" and record.payload["type"] == "user_message":
            preview = _preview(record.payload)
            if preview:
                return Summary(meta, preview)
    return None if meta is None else Summary(meta, "")


def _preview(message: Mapping[str, Any]) -> str:
    _, found, request = message["message"].partition(_REQUEST_HEADING)
    text: str = (request if found else message["message"]).strip()
    return text or ("[Image]" if message.get("images") or message.get("local_images") else "")


def meta_of(new: NewThread, created_at: datetime) -> HistoryRecord:
    """Return the `session_meta` that a new thread begins with."""
    optional = {
        "forked_from_id": new.forked_from_id,
        "parent_thread_id": new.parent_thread_id,
        "thread_source": new.thread_source,
    }
    payload: dict[str, Any] = {
        **new.extra,
        "session_id": new.session_id or new.thread_id,
        "id": new.thread_id,
        **{name: value for name, value in optional.items() if value is not None},
        "timestamp": moments.stamp(created_at),
        "cwd": new.cwd,
        "originator": new.originator,
        "cli_version": new.cli_version,
        "source": new.source,
        "model_provider": new.model_provider,
        "history_mode": new.history_mode.text,
    }
    if new.git is not None:
        git = {"commit_hash": new.git.sha, "branch": new.git.branch, "repository_url": new.git.origin_url}
        payload["git"] = {name: value for name, value in git.items() if value is not None}
    return HistoryRecord("session_meta", payload, moments.stamp(created_at))


def thread_of(
    thread_id: str,
    summary: Summary,
    *,
    updated_at: datetime,
    archived: bool,
    name: str | None,
    path: Path | None,
) -> StoredThread:
    """Return a thread from its head and what is known from outside its records."""
    meta = summary.meta
    return StoredThread(
        thread_id,
        created_at=moments.parse(meta["timestamp"]) or updated_at,
        updated_at=updated_at,
        cwd=meta["cwd"],
        model_provider=_text(meta.get("model_provider")) or "",
        source=meta.get("source", "vscode"),
        cli_version=meta["cli_version"],
        originator=meta["originator"],
        history_mode=summary.mode,
        path=path,
        preview=summary.preview,
        name=name,
        archived=archived,
        session_id=_text(meta.get("session_id")),
        thread_source=_text(meta.get("thread_source")),
        forked_from_id=_text(meta.get("forked_from_id")),
        parent_thread_id=_text(meta.get("parent_thread_id")),
        git=_git(meta.get("git")),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _git(value: Any) -> GitInfo | None:
    if not isinstance(value, dict):
        return None
    return GitInfo(_text(value.get("commit_hash")), _text(value.get("branch")), _text(value.get("repository_url")))
