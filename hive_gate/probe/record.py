"""What was asked of a clause and what came back: all that a judge needs beside the transcript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hive_gate.scene.rollout import turn_id
from hive_gate.scene.truth import ThreadTruth, Truth, TurnRecipe, turn_recipes
from hive_gate.wire.transcript import Exchange


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step that was carried out."""

    step: int
    exchanges: tuple[Exchange, ...] = ()
    awaited: int | None = None
    """Of an `await` step, the number of the notification that came; None: it did not come in time."""
    facts: Mapping[str, Any] | None = None
    """What a look found; see `hive_gate.probe.look`."""
    trouble: str | None = None
    """Why the clause stopped here, where that is not the server's fault to be judged."""


@dataclass(frozen=True, slots=True)
class ClauseRecord:
    """One clause that was asked."""

    clause: str
    names: Mapping[str, Any]
    """The run's names as the steps began: threads, contract values, folders."""
    truth: Truth
    """The stored threads as the steps began."""
    steps: tuple[StepRecord, ...] = ()
    blocked: str | None = None
    """Why it could not be asked or finished; None if it was."""
    seconds: float = 0.0
    scene: str | None = field(default=None)


def added_by(before: ThreadTruth, change: Mapping[str, Any]) -> list[TurnRecipe]:
    """Return the turns that a `store` step adds to a thread."""
    return turn_recipes(change.get("append", ()), first=len(before.turns) + 1)


def after_store(before: ThreadTruth, change: Mapping[str, Any]) -> ThreadTruth:
    """Return a thread's truth after a `store` step."""
    if "rollback" in change:
        return before.rolled_back(change["rollback"])
    first = len(before.turns)
    added = enumerate(added_by(before, change), first)
    return before.with_turns([turn.truth(turn_id(before.id, index)) for index, turn in added])


def turn_recipe(turn: Mapping[str, Any]) -> TurnRecipe:
    """Return what a `turn` step adds to a thread.

    A failed turn may be listed as completed: 0.142.5 writes no record of the failure (seen in runs).
    """
    model = turn.get("model", ["OK."])
    if model == "waits":
        return TurnRecipe(turn["user"], (("agent", "OK."),), "completed", ("completed", "inProgress"))
    if model == "fails":
        return TurnRecipe(turn["user"], (), "failed", ("failed", "completed"))
    return TurnRecipe(turn["user"], tuple(("agent", text) for text in model))
