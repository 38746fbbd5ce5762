"""A thread that is loaded, and the turn that may be running in it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hive_gate.reference.model import Call
from hive_gate.reference.server import ids, tokens, wire
from hive_gate.reference.server.inputs import Inputs
from hive_gate.reference.server.settings import Settings
from hive_gate.reference.store.items import StoredItem
from hive_gate.reference.store.records import HistoryRecord, StoredThread, StoredTurn, StoredTurnStatus


@dataclass(slots=True)
class RunningTurn:
    """A turn that has not ended."""

    turn_id: str = field(default_factory=ids.new)
    started_at: int = field(default_factory=lambda: int(time.time()))
    """Seconds since the epoch."""
    began: float = field(default_factory=time.monotonic)
    items: list[StoredItem] = field(default_factory=list)
    """What clients see of it, with ids counted within the turn."""
    steered: list[Inputs] = field(default_factory=list)
    """What the user said meanwhile; the model gets it with the next call."""
    answering: str | None = None
    """The answer that began and is not whole."""
    last_answer: str | None = None
    call: Call = field(default_factory=Call)
    over: bool = False
    """It has ended; whatever its model still says is dropped."""

    def duration_ms(self) -> int:
        """Return how long it has been running."""
        return int((time.monotonic() - self.began) * 1000)

    def next_item(self) -> str:
        """Return the id of the item that is added next."""
        return f"item-{len(self.items) + 1}"

    def seen(self) -> StoredTurn:
        """Return the turn as clients see it now."""
        return StoredTurn(self.turn_id, StoredTurnStatus.IN_PROGRESS, tuple(self.items), started_at=self.started_at)


@dataclass(slots=True)
class Loaded:
    """A loaded thread. Everything but the first three members changes, under the core's lock."""

    begun: StoredThread
    """The thread as it was when it was loaded; all there is of an ephemeral or not yet stored one."""
    settings: Settings
    ephemeral: bool = False
    status: Mapping[str, Any] = field(default_factory=lambda: wire.IDLE)
    subscribed: bool = True
    """Whether the client hears of its turns; changes of status it hears of in any case."""
    running: RunningTurn | None = None
    stale: StoredTurn | None = None
    """The turn that was interrupted last: until the next turn or rollback the server takes it for the active one."""
    unanswered: list[int | str] = field(default_factory=list)
    """Interrupts of the stale turn; they are answered when the next turn ends."""
    tokens: tokens.Info | None = None
    memory: list[HistoryRecord] = field(default_factory=list)
    """The history of an ephemeral thread."""

    def active(self) -> StoredTurn | None:
        """Return the turn that is running, or that is still taken to be, as clients see it."""
        return self.running.seen() if self.running is not None else self.stale

    @property
    def thread_id(self) -> str:
        """The thread's id."""
        return self.begun.thread_id
