"""What the scene holds, as the judge knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hive_gate.contract.texts import repeated
from hive_gate.wire.elide import elide_text


@dataclass(frozen=True, slots=True)
class ItemTruth:
    """One item of a turn, reduced to what every view and version must agree on."""

    type: str
    """Codex's item type: `userMessage`, `agentMessage`, `reasoning`."""
    text: str
    """Its text, elided as in the transcript (`hive_gate.wire.elide`)."""


@dataclass(frozen=True, slots=True)
class TurnTruth:
    """One stored turn."""

    id: str
    statuses: tuple[str, ...]
    """The statuses under which a server may show it: one, unless the stored history does not settle it."""
    items: tuple[ItemTruth, ...]

    def in_view(self, view: str) -> tuple[ItemTruth, ...]:
        """Return the items that a view promises.

        `notLoaded`: none. `summary`: the first user message and the last agent message. `full`: all.
        (openai/codex#21566)
        """
        if view == "notLoaded":
            return ()
        if view == "full":
            return self.items
        first = next((item for item in self.items if item.type == "userMessage"), None)
        last = next((item for item in reversed(self.items) if item.type == "agentMessage"), None)
        return tuple(item for item in (first, last) if item is not None)


@dataclass(frozen=True, slots=True)
class ThreadTruth:
    """One stored thread; its turns from the oldest on."""

    id: str
    turns: tuple[TurnTruth, ...]
    archived: bool = False

    def rolled_back(self, turns: int) -> ThreadTruth:
        """Return the thread without its last `turns` turns; more than there are clears it."""
        return replace(self, turns=self.turns[: max(0, len(self.turns) - turns)])

    def with_turns(self, turns: Sequence[TurnTruth]) -> ThreadTruth:
        """Return the thread with more turns at its end."""
        return replace(self, turns=(*self.turns, *turns))


Truth = Mapping[str, ThreadTruth]
"""A scene's threads by name."""


@dataclass(frozen=True, slots=True)
class TurnRecipe:
    """One turn of a recipe, its texts made and its number filled in."""

    user: str
    then: tuple[tuple[str, str], ...] = ()
    """(`agent` or `reasoning`, text) in order."""
    ends: str = "completed"
    shown_as: tuple[str, ...] = field(default=())
    images: tuple[str, ...] = ()
    """Data URLs that the user sent along; the truth is about texts and does not have them."""

    def truth(self, turn_id: str) -> TurnTruth:
        """Return what a server must show for it under this id."""
        kinds = {"agent": "agentMessage", "reasoning": "reasoning"}
        items = [ItemTruth("userMessage", elide_text(self.user))]
        items += [ItemTruth(kinds[kind], elide_text(text)) for kind, text in self.then]
        return TurnTruth(turn_id, self.shown_as or (self.ends,), tuple(items))


def turn_recipes(entries: Sequence[Mapping[str, Any]], first: int = 1) -> list[TurnRecipe]:
    """Return the turns that a recipe's `turns` describe; `first` is the number of the first."""
    turns: list[TurnRecipe] = []
    for entry in entries:
        for _ in range(entry.get("times", 1)):
            number = first + len(turns)
            then = tuple((kind, _text(text, number)) for item in entry.get("then", ()) for kind, text in item.items())
            turns.append(
                TurnRecipe(
                    _text(entry["user"], number), then, entry.get("ends", "completed"), tuple(entry.get("shown-as", ()))
                )
            )
    return turns


def _text(recipe: str | Mapping[str, Any], number: int) -> str:
    if isinstance(recipe, str):
        return recipe.replace("{n}", str(number))
    return repeated(recipe)


def as_json(truth: Truth) -> dict[str, Any]:
    """Return the truth as JSON, as the report carries it."""
    return {
        name: {
            "id": thread.id,
            "archived": thread.archived,
            "turns": [
                {
                    "id": turn.id,
                    "statuses": list(turn.statuses),
                    "items": [{"type": item.type, "text": item.text} for item in turn.items],
                }
                for turn in thread.turns
            ],
        }
        for name, thread in truth.items()
    }


def from_json(value: Mapping[str, Any]) -> dict[str, ThreadTruth]:
    """Return the truth that :func:`as_json` wrote."""
    return {
        name: ThreadTruth(
            thread["id"],
            tuple(
                TurnTruth(
                    turn["id"],
                    tuple(turn["statuses"]),
                    tuple(ItemTruth(item["type"], item["text"]) for item in turn["items"]),
                )
                for turn in thread["turns"]
            ),
            thread["archived"],
        )
        for name, thread in value.items()
    }
