"""The pages of one thread, each checked against those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hive_gate.pager.errors import BrokenHistory

Turn = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """Some turns, the newest first."""

    turns: tuple[Turn, ...]
    cursor: str | None
    """Where older turns are; None: there are none."""
    view: str = "full"
    """The `itemsView` in which it came: in `summary` its turns are shortened."""


@dataclass(slots=True)
class Pages:
    """What was loaded of a thread, the newest page first."""

    preview: str = ""
    """The beginning of the thread, as the thread itself says it."""
    kept: list[Page] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)
    _cursors: set[str] = field(default_factory=set)
    _oldest: int | None = None
    """When the oldest turn started that says it."""

    @property
    def complete(self) -> bool:
        """Whether the oldest turn is there."""
        return bool(self.kept) and self.kept[-1].cursor is None

    def add(self, result: Any, view: str) -> Page:
        """Check the next page, which was asked for in a view, and keep it.

        Raises:
            BrokenHistory: if it is no page, or does not go on where the last one ended.
        """
        found = as_object(result, "a page")
        turns, cursor = turns_of(found.get("data")), found.get("nextCursor", "")
        ids = [turn["id"] for turn in turns]
        if not (cursor is None or (isinstance(cursor, str) and cursor)):
            raise BrokenHistory("a page without a nextCursor")
        if len(set(ids)) < len(ids) or not self._ids.isdisjoint(ids):
            raise BrokenHistory("a turn came twice")
        if cursor is not None and (not turns or cursor in self._cursors):
            raise BrokenHistory("the pages do not advance")
        page = Page(turns, cursor, view)
        self.kept.append(page)
        self._ids.update(ids)
        self._cursors.update(() if cursor is None else (cursor,))
        self._doubt(page)
        return page

    def _doubt(self, page: Page) -> None:
        """Note what a right server does not show, though it may not be its fault: a clock that was set, for example."""
        for turn in page.turns:
            started = turn.get("startedAt")
            if isinstance(started, int):
                if self._oldest is not None and started > self._oldest and _OUT_OF_ORDER not in self.doubts:
                    self.doubts.append(_OUT_OF_ORDER)
                self._oldest = started
        if self.complete and self.preview:
            last = next((page.turns[-1] for page in reversed(self.kept) if page.turns), None)
            if last is None:
                self.doubts.append("the thread has a beginning, and no turns")
            elif self.preview not in (user_text(last) or self.preview):
                self.doubts.append("the oldest turn is not the thread's beginning")


_OUT_OF_ORDER = "the turns are not in order"


def turns_of(value: Any) -> tuple[Turn, ...]:
    """Return a list of turns.

    Raises:
        BrokenHistory: if it is none.
    """
    if not isinstance(value, list) or not all(isinstance(t, dict) and isinstance(t.get("id"), str) for t in value):
        raise BrokenHistory("no list of turns with ids where one belongs")
    return tuple(value)


def as_object(value: Any, what: str) -> Mapping[str, Any]:
    """Return an object.

    Raises:
        BrokenHistory: if it is none.
    """
    if not isinstance(value, dict):
        raise BrokenHistory(f"{what} that is no object")
    return value


def user_text(turn: Turn) -> str:
    """Return what the user wrote to begin a turn; empty where the view leaves it out."""
    items = turn.get("items")
    first = items[0] if isinstance(items, list) and items else None
    content = first.get("content") if isinstance(first, dict) and first.get("type") == "userMessage" else None
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
