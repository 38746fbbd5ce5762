"""What several checks know of pages: how one is asked for, what came, and which turns came shortened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of


def paging_in(rule: Mapping[str, Any], request: Event) -> dict[str, Any] | None:
    """Return how a request asks for a page; None if it asks for none.

    Args:
        rule: params of a rule, with `pages` and `restore`.
        request: any request of the client.
    """
    paging = request.params
    if request.method == rule["restore"]:
        paging = paging.get("initialTurnsPage") if isinstance(paging, dict) else None
    elif request.method != rule["pages"]:
        return None
    return paging if isinstance(paging, dict) else None


def page_in(rule: Mapping[str, Any], event: Event) -> tuple[dict[str, Any], Any] | None:
    """Return how a page was asked for and the page, where a reply brings one."""
    asked = event.answers(rule["pages"], rule["restore"])
    if asked is None or not event.succeeded:
        return None
    page = event.body["result"]
    if asked.method == rule["restore"]:
        page = page.get("initialTurnsPage") if isinstance(page, dict) else None
        if not isinstance(page, dict):
            return None
    return paging_in(rule, asked) or {}, page


def is_as_asked(paging: Mapping[str, Any], page: Any) -> bool:
    """Whether a page has what was asked for: turns with ids, in the view, and no more of them than the limit."""
    data = page.get("data") if isinstance(page, dict) else None
    if not isinstance(data, list) or not data or not isinstance(page.get("nextCursor", 0), str | None):
        return False
    limit, view = paging.get("limit"), paging.get("itemsView")
    return not (isinstance(limit, int) and len(data) > limit) and all(
        isinstance(turn, dict) and isinstance(turn.get("id"), str) and turn.get("itemsView", view) == view
        for turn in data
    )


class Shortened:
    """The turns of a thread that came in a shorter view, and so may be opened in full.

    Args:
        full: the `itemsView` that shortens nothing.
    """

    def __init__(self, full: str) -> None:
        self._full = full
        self._turns: Recent[int] = Recent()
        """By cursor, how many turns from there on came shortened, at most."""

    def take(self, paging: Mapping[str, Any], page: Any) -> None:
        """Take a page that came, asked for with `paging`."""
        cursor, limit = key_of(paging.get("cursor")), paging.get("limit")
        if paging.get("itemsView") != self._full:
            self._turns.put(cursor, limit if isinstance(limit, int) else 1)
        elif self.opens_alone(paging):
            # The turn after one that was opened alone may be opened next, if it is of those that came shortened.
            left = (self._turns.get(cursor) or 1) - 1
            following = page.get("nextCursor") if isinstance(page, dict) else None
            if left > 0 and isinstance(following, str) and key_of(following) not in self._turns:
                self._turns.put(key_of(following), left)

    def opens(self, paging: Mapping[str, Any]) -> bool:
        """Whether to ask so is to see in full what came shortened."""
        return paging.get("itemsView") == self._full and key_of(paging.get("cursor")) in self._turns

    def opens_alone(self, paging: Mapping[str, Any]) -> bool:
        """Whether it is to see a single turn of that."""
        return paging.get("limit") == 1 and self.opens(paging)
