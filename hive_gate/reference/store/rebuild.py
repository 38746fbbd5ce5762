"""Turns from records, as clients see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hive_gate.reference.store.admitted import admitted
from hive_gate.reference.store.records import HistoryRecord, StoredTurn, StoredTurnStatus
from hive_gate.reference.store.replay import Replay


def turns_of(records: Iterable[HistoryRecord]) -> tuple[StoredTurn, ...]:
    """Replay a thread's records and return its turns, oldest first; one without an end stays `IN_PROGRESS`."""
    replay = Replay()
    for record in records:
        if admitted(record):
            replay.take(record)
    return replay.turns()


def merge_active(turns: Sequence[StoredTurn], active: StoredTurn | None) -> tuple[StoredTurn, ...]:
    """Return the turns as clients see them: the active one last, every other one without an end interrupted."""
    others = [
        replace(turn, status=StoredTurnStatus.INTERRUPTED) if turn.status is StoredTurnStatus.IN_PROGRESS else turn
        for turn in turns
        if active is None or turn.turn_id != active.turn_id
    ]
    return (*others, active) if active is not None else tuple(others)
