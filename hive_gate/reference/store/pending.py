"""A turn while it is being replayed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hive_gate.reference.store.items import Reasoning, StoredItem
from hive_gate.reference.store.records import StoredTurn, StoredTurnStatus


@dataclass(slots=True)
class PendingTurn:
    """The one thing in a replay that changes; :meth:`stored` freezes it."""

    turn_id: str
    explicit: bool
    """Opened by a turn's own record, so that it is kept even without items."""
    status: StoredTurnStatus
    started_at: int | None = None
    completed_at: int | None = None
    duration_ms: int | None = None
    compacted: bool = False
    """Holds a `compacted` record, so that it is kept even without items."""
    items: list[StoredItem] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Whether closing it leaves a turn behind."""
        return bool(self.items) or self.explicit or self.compacted

    @property
    def joins_user(self) -> bool:
        """Whether a user message goes on with this turn: steering, or the first words after a compaction."""
        return self.explicit or (self.compacted and not self.items)

    def ended(self, payload: Any) -> None:
        """Take over when a turn's ending says it ended."""
        self.completed_at = payload.get("completed_at")
        self.duration_ms = payload.get("duration_ms")

    def complete(self, payload: Any) -> None:
        """Take a `task_complete`: an interrupted turn stays interrupted."""
        if self.status is StoredTurnStatus.IN_PROGRESS:
            self.status = StoredTurnStatus.COMPLETED
        self.ended(payload)

    def abort(self, payload: Any) -> None:
        """Take a `turn_aborted`."""
        self.status = StoredTurnStatus.INTERRUPTED
        self.ended(payload)

    def think(self, item: Reasoning) -> bool:
        """Add to the reasoning that the turn ends with; return whether there was one."""
        last = self.items[-1] if self.items else None
        if not isinstance(last, Reasoning):
            return False
        self.items[-1] = Reasoning(last.id, last.summary + item.summary, last.content + item.content)
        return True

    def put(self, item: StoredItem) -> None:
        """Put an item in the place of the one with its id, or at the end."""
        for index, existing in enumerate(self.items):
            if existing.id == item.id:
                self.items[index] = item
                return
        self.items.append(item)

    def stored(self) -> StoredTurn:
        """Return the turn as it is now."""
        return StoredTurn(
            self.turn_id,
            self.status,
            tuple(self.items),
            started_at=self.started_at,
            completed_at=self.completed_at,
            duration_ms=self.duration_ms,
        )
