"""What the listing operations of a thread store are asked for.

Page sizes: None means 25, and every other number is brought into 1..100 by the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hive_gate.reference.store.records import ItemsView, SortDirection, StoredTurn


class SourceKind(StrEnum):
    """Where a thread comes from, for filtering; `SUBAGENT` matches every kind of subagent."""

    CLI = "cli"
    VSCODE = "vscode"
    EXEC = "exec"
    MCP = "mcp"
    """An app-server client that is not an editor."""
    SUBAGENT = "subagent"
    SUBAGENT_REVIEW = "subagent_review"
    SUBAGENT_COMPACT = "subagent_compact"
    SUBAGENT_THREAD_SPAWN = "subagent_thread_spawn"
    SUBAGENT_OTHER = "subagent_other"
    UNKNOWN = "unknown"


INTERACTIVE = (SourceKind.CLI, SourceKind.VSCODE)
"""What is listed when no kinds are named."""


class ThreadSortKey(StrEnum):
    """By which time threads are listed."""

    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    RECENCY_AT = "recency_at"
    """As `UPDATED_AT`: this store does not tell the two apart."""


@dataclass(frozen=True, slots=True)
class ThreadQuery:
    """A request for a page of threads. Threads without a user message are not listed."""

    cursor: str | None = None
    page_size: int | None = None
    sort_key: ThreadSortKey = ThreadSortKey.CREATED_AT
    sort_direction: SortDirection = SortDirection.DESC
    archived: bool = False
    """True lists the archived threads only, False the others only."""
    sources: tuple[SourceKind, ...] = INTERACTIVE
    """Empty lists every source."""
    model_providers: tuple[str, ...] = ()
    """Empty lists every provider."""
    cwds: tuple[str, ...] | None = None
    """None lists every folder; paths are compared as written, a trailing slash aside."""
    search_term: str | None = None
    """Part of the name or of the preview, in the same case."""
    parent_thread_id: str | None = None


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """A request for a page of a thread's turns. Archived threads are included."""

    thread_id: str
    cursor: str | None = None
    page_size: int | None = None
    sort_direction: SortDirection = SortDirection.DESC
    items_view: ItemsView = ItemsView.SUMMARY
    active: StoredTurn | None = None
    """The turn that is running now, as its owner sees it: it replaces the stored turn of the same id and comes last.
    With None every stored turn without an end is shown as interrupted."""


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """A request for a page of a turn's items, or of the whole thread's when `turn_id` is None."""

    thread_id: str
    turn_id: str | None = None
    cursor: str | None = None
    page_size: int | None = None
    sort_direction: SortDirection = SortDirection.ASC
