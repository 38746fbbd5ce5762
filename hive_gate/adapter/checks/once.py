"""Check of reads of a whole thread, which are for threads whose pages do not come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.checks.pages import is_as_asked, page_in
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent


class Once(Check):
    """A request instead of a thread's pages: not while they come as they should, and once until it begins anew."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._meant = Draft202012Validator(self.params["when"])
        self._answered: Recent[int] = Recent()
        self._open: Recent[int] = Recent()
        self._paged: Recent[int] = Recent()
        """By thread, the message with a page as it should be; those whose last page was another are not there."""
        self._refused = False
        """The last answer to a request for an older page, of whatever thread, was an error: they may be missing."""

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        asked, about = event.answers(), event.about
        if asked is not None and about is not None:
            self._follow_pages(event, asked, about)
            self._answer(event, asked, about)
        if event.is_request() and event.thread is not None and self._means(event):
            before, flying = self._answered.get(event.thread), self._open.get(event.thread)
            paged = None if self._refused else self._paged.get(event.thread)
            if before is not None:
                yield Breach(event.n, f"{quoted(event.method)} is sent again", (before,))
            elif flying is not None:
                yield Breach(event.n, f"{quoted(event.method)} is sent again before it was answered", (flying,))
            elif paged is not None:
                text = f"{quoted(event.method)} is sent for all turns of a thread whose pages come as they should"
                yield Breach(event.n, text, (paged,))
            self._open.put(event.thread, event.n)

    def _follow_pages(self, event: Event, asked: Event, thread: str) -> None:
        pages, came = self.params["pages"], page_in(self.params, event)
        if came is not None and is_as_asked(*came):
            self._paged.put(thread, event.n)
            self._refused &= asked.method != pages
        elif came is not None or (event.error is not None and asked.method in (pages, self.params["restore"])):
            self._paged.pop(thread)
            self._refused |= event.error is not None and asked.method == pages

    def _answer(self, event: Event, asked: Event, thread: str) -> None:
        if self._means(asked):
            if self._open.get(thread) == asked.n:
                self._open.pop(thread)
            if event.succeeded:
                self.seen += 1
                self._answered.put(thread, event.n)
        elif event.succeeded and asked.method in self.params["until"]:
            self._answered.pop(thread)

    def _means(self, event: Event) -> bool:
        return event.method == self.params["method"] and self._meant.is_valid(event.params)
