"""The typed records that a thread store hands out: threads, turns, pages, and the raw records they are replayed from.

They borrow nothing from the wire's types, so that the store's words do not change when the protocol's do. Moments are
aware datetimes in UTC; a turn's are whole seconds since the epoch, as stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from hive_gate.reference.store.items import StoredItem
from hive_gate.reference.store.modes import LEGACY, HistoryMode


class ItemsView(StrEnum):
    """How much of each turn a page holds."""

    NOT_LOADED = "not_loaded"
    """No items."""
    SUMMARY = "summary"
    """The first user message and the last agent message (one entry if a turn has only one of them)."""
    FULL = "full"
    """Every stored item."""


class SortDirection(StrEnum):
    """Order of a list by time."""

    ASC = "asc"
    DESC = "desc"


class StoredTurnStatus(StrEnum):
    """How a turn ended, or that it did not."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    IN_PROGRESS = "in_progress"


@dataclass(frozen=True, slots=True)
class StoredTurnError:
    """Why a turn failed."""

    message: str
    additional_details: str | None = None
    code: Any = None
    """The stored `codex_error_info`: a name or a name with values; None if there is none."""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One turn of a thread."""

    turn_id: str
    """As stored, or `rollout-<index>` (zero-based index of the record that opened it) for a turn without one."""
    status: StoredTurnStatus
    items: tuple[StoredItem, ...] = ()
    items_view: ItemsView = ItemsView.FULL
    error: StoredTurnError | None = None
    started_at: int | None = None
    """Seconds since the epoch."""
    completed_at: int | None = None
    """Seconds since the epoch."""
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class HistoryRecord:
    """One raw record of a thread's history: a line of its rollout."""

    kind: str
    """`session_meta`, `turn_context`, `event_msg`, `response_item`, `compacted`, or one of a newer writer's."""
    payload: Mapping[str, Any]
    timestamp: str | None = None
    """RFC 3339 with milliseconds and `Z`; None on a record to append means now."""


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """Everything stored of a thread, oldest first, its `session_meta` included; broken lines are left out."""

    thread_id: str
    records: tuple[HistoryRecord, ...]


@dataclass(frozen=True, slots=True)
class GitInfo:
    """The state of the working folder's repository when the thread began."""

    sha: str | None = None
    branch: str | None = None
    origin_url: str | None = None


@dataclass(frozen=True, slots=True)
class StoredThread:
    """What is known of a thread without its history."""

    thread_id: str
    created_at: datetime
    updated_at: datetime
    """When something was last stored of it; it is also what lists by recency go by."""
    cwd: str
    model_provider: str
    """Empty where the thread does not say."""
    source: Any
    """As stored: `cli`, `vscode`, `exec`, `mcp`, or an object for a subagent."""
    cli_version: str
    originator: str
    history_mode: HistoryMode = LEGACY
    path: Path | None = None
    """The rollout, which need not exist before the first append; None in a store without files."""
    preview: str = ""
    """The first user message."""
    name: str | None = None
    """The last name set, also where it only repeats the preview."""
    archived: bool = False
    session_id: str | None = None
    """The session that a tree of threads shares; None means the thread's own id."""
    thread_source: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    git: GitInfo | None = None
    history: StoredHistory | None = None
    """Only where it was asked for."""


@dataclass(frozen=True, slots=True)
class NewThread:
    """What `create` needs to know."""

    thread_id: str
    """A UUID in lower case; new threads of the real server have version 7."""
    cwd: str
    model_provider: str
    source: Any = "vscode"
    cli_version: str = "0.0.0"
    originator: str = "hive-gate"
    history_mode: HistoryMode = LEGACY
    session_id: str | None = None
    thread_source: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    git: GitInfo | None = None
    created_at: datetime | None = None
    """None means now."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further members of `session_meta`."""


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """What `update_metadata` changes; None leaves a member as it is."""

    name: str | None = None
    """The new name, trimmed and not empty."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """A page of turns in the order asked for."""

    turns: tuple[StoredTurn, ...]
    next_cursor: str | None
    """After the last turn of the page (exclusive); None when nothing remains in this direction."""
    backwards_cursor: str | None
    """At the first turn of the page (inclusive), for the opposite direction; None only for an empty page."""


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page of items in the order asked for; cursors as in :class:`TurnPage`."""

    items: tuple[StoredItem, ...]
    next_cursor: str | None
    backwards_cursor: str | None


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """A page of threads in the order asked for; none carries its history."""

    threads: tuple[StoredThread, ...]
    next_cursor: str | None
    """The last thread's time (exclusive); None when nothing remains."""
    backwards_cursor: str | None
    """Just before the first thread's time in the opposite direction; None only for an empty page."""
