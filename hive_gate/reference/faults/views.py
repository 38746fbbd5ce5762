"""Faults of views: which items a turn is shown with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.fault import Fault, Swap, by
from hive_gate.reference.faults.pages import _paging as left_out
from hive_gate.reference.store import paging
from hive_gate.reference.store.items import AgentMessage, Reasoning, StoredItem, UserMessage
from hive_gate.reference.store.records import ItemsView, StoredTurn

_VIEW = "turns-list.view"
_MATCH = "items-match-view"

Items = Sequence[StoredItem]


def _summary(edit: Callable[[Items], Sequence[StoredItem | None]]) -> Swap:
    """Return the swap of what a summary holds."""

    def new(items: Items) -> tuple[StoredItem, ...]:
        return tuple(item for item in edit(items) if item is not None)

    return Swap(paging, "_summary", lambda _: new)


def _users(items: Items) -> list[StoredItem]:
    return [item for item in items if isinstance(item, UserMessage)]


def _agents(items: Items) -> list[StoredItem]:
    return [item for item in items if isinstance(item, AgentMessage)]


def _viewed(new: Any) -> Swap:
    """Return the swap of how a turn is viewed; `new` gets what is there, the turn and the view."""
    return Swap(paging, "viewed", lambda old: lambda turn, view: new(old, turn, view))


def _keep_items(old: Any, turn: StoredTurn, view: ItemsView) -> Any:
    return replace(turn, items_view=view) if view is ItemsView.NOT_LOADED else old(turn, view)


def _without(*kinds: type) -> Any:
    def new(old: Any, turn: StoredTurn, view: ItemsView) -> Any:
        if view is not ItemsView.FULL:
            return old(turn, view)
        return replace(old(turn, view), items=tuple(one for one in turn.items if not isinstance(one, kinds)))

    return new


def _cut(old: Any, turn: StoredTurn, view: ItemsView) -> Any:
    return replace(old(turn, view), items=turn.items[:2]) if view is ItemsView.FULL else old(turn, view)


FAULTS = (
    Fault(
        "view-default-full",
        "Without `itemsView` all items come.",
        by(_MATCH, "turns-list.default-view", "turns-list.null-parameters", "turns-list.page/none"),
        (left_out(itemsView="full"),),
    ),
    Fault(
        "view-default-none",
        "Without `itemsView` no items come.",
        by(_MATCH, "turns-list.default-view", "turns-list.page/none", "resume.initial-page-defaults"),
        (left_out(itemsView="notLoaded"),),
    ),
    Fault(
        "view-summary-first-answer",
        "A summary holds the first agent message, not the last.",
        by(_MATCH, f"{_VIEW}/summary"),
        (_summary(lambda items: [*_users(items)[:1], *_agents(items)[:1]]),),
    ),
    Fault(
        "view-summary-every-answer",
        "A summary holds every message.",
        by(_MATCH, f"{_VIEW}/summary"),
        (_summary(lambda items: [*_users(items), *_agents(items)]),),
    ),
    Fault(
        "view-summary-without-question",
        "A summary holds the answer only.",
        by(_MATCH, f"{_VIEW}/summary", "turns-list.page/summary"),
        (_summary(lambda items: _agents(items)[-1:]),),
    ),
    Fault(
        "view-summary-without-answer",
        "A summary holds the question only.",
        by(_MATCH, f"{_VIEW}/summary", "turns-list.page/summary"),
        (_summary(lambda items: _users(items)[:1]),),
    ),
    Fault(
        "view-summary-first-and-last",
        "A summary holds the first and the last item, whatever they are.",
        by(_MATCH, f"{_VIEW}/summary"),
        (_summary(lambda items: [*items[:1], *items[1:][-1:]]),),
    ),
    Fault(
        "view-none-holds-items",
        "`notLoaded` gives the items all the same.",
        by(_MATCH, f"{_VIEW}/notLoaded", "turns-list.page/notLoaded"),
        (_viewed(_keep_items),),
    ),
    Fault(
        "view-full-without-reasoning",
        "`full` leaves out what the model thought.",
        by(_MATCH, f"{_VIEW}/full"),
        (_viewed(_without(Reasoning)),),
    ),
    Fault(
        "view-full-cut",
        "`full` holds the first two items of a turn.",
        by(_MATCH, f"{_VIEW}/full"),
        (_viewed(_cut),),
    ),
    Fault(
        "view-says-another",
        "Every turn says that it was loaded in full.",
        by(_MATCH, f"{_VIEW}/summary", f"{_VIEW}/notLoaded"),
        (_viewed(lambda old, turn, view: replace(old(turn, view), items_view=ItemsView.FULL)),),
    ),
    Fault(
        "view-ignored",
        "The view is ignored: every page is a summary.",
        by(_MATCH, f"{_VIEW}/full", f"{_VIEW}/notLoaded"),
        (_viewed(lambda old, turn, _view: old(turn, ItemsView.SUMMARY)),),
    ),
)
