"""Checks of how large pages are asked for: how many turns, in full, and shortened where they got too large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.checks.pages import Shortened, page_in, paging_in
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent

_DOUBT = 1.05
"""How many times too large a line has to be until its page is taken for too large by whatever is measured: the line,
the result in it, in megabytes of a thousand or of 1,024."""


class PageSize(Check):
    """Pages have the size that was decided on; a turn that came shortened may be opened alone."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._threads: Recent[Shortened] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        came, about = page_in(self.params, event), event.about
        if came is not None and about is not None:
            shortened = self._shortened(about)
            shortened.take(*came)
            self._threads.put(about, shortened)
        paging = paging_in(self.params, event) if event.is_request() else None
        if paging is not None and "limit" in paging:
            self.seen += 1
            yield from self._judged(event, paging, paging["limit"])

    def _judged(self, event: Event, paging: dict[str, Any], limit: Any) -> Iterator[Breach]:
        decided, (least, most) = self.params["limit"], self.params["bounds"]
        if limit == decided or not (isinstance(limit, int) and least <= limit <= most):
            return  # what lies outside of the bounds is told by another rule
        alone = event.method == self.params["pages"] and self._shortened(event.thread or "").opens_alone(paging)
        if not alone:
            unseen = ", and none there came shortened" if limit == 1 else ""
            turns = "turn" if limit == 1 else "turns"
            yield Breach(event.n, f"a page of {limit} {turns} is asked for, not of {decided}{unseen}")

    def _shortened(self, thread: str) -> Shortened:
        return self._threads.get(thread) or Shortened(self.params["view"])


@dataclass(slots=True)
class _Thread:
    """How large the pages of a thread were, since it was restored."""

    shortened: Shortened
    """What came shortened, before the thread was restored as well."""
    large: int | None = None
    """The message with a page that was too large."""
    unsure: bool = False
    """A page was too large, may have been, or was before the thread was restored anew: the shorter view is right."""


class View(Check):
    """Pages are asked for in full, and after one that was too large in a shorter view."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._full, self._large = self.params["view"], self.params["large"]
        self._threads: Recent[_Thread] = Recent()
        self._unsure = False
        """Something large came, and it is not known for which thread."""

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if event.direction == "received":
            self._take(event)
        elif event.is_request():
            paging = paging_in(self.params, event)
            view = paging.get("itemsView") if paging is not None else None
            if paging is not None and isinstance(view, str):
                self.seen += 1
                yield from self._judged(event, paging, view)

    def _judged(self, event: Event, paging: dict[str, Any], view: str) -> Iterator[Breach]:
        thread = self._thread(event.thread or "")
        short, most = self._large["view"], f"{self._large['bytes'] / 1_000_000:g} MB"
        if view not in (self._full, short):
            yield Breach(event.n, f"a page is asked for in {quoted(view)}")
        elif view == short and not (thread.unsure or self._unsure or event.thread is None):
            yield Breach(
                event.n,
                f"a page is asked for in {quoted(view)}, and no page of the thread in this record was over {most}",
            )
        elif view == self._full and thread.large is not None and not self._may(event, paging, thread):
            text = f"a page is asked for in {quoted(view)} after one of the thread that was over {most}"
            yield Breach(event.n, text, (thread.large,))

    def _may(self, event: Event, paging: dict[str, Any], thread: _Thread) -> bool:
        """Whether this may be to see in full what came shortened, or begins the thread anew."""
        return event.method == self.params["restore"] or thread.shortened.opens(paging)

    def _take(self, event: Event) -> None:
        large, about = event.bytes > self._large["bytes"], event.about
        if about is None:
            self._unsure |= large and not event.method  # a reply that could not be read, or to nobody knows what
        elif event.asked is not None and event.succeeded:
            self._answer(event, event.asked, about, large=large)

    def _answer(self, event: Event, asked: Event, name: str, *, large: bool) -> None:
        thread = self._thread(name)
        if asked.method == self.params["restore"]:
            thread = _Thread(thread.shortened, unsure=thread.unsure or thread.large is not None)
        thread.unsure |= large
        came = page_in(self.params, event)
        if came is not None:
            # A restore that brings the turns as well is not large by its page.
            page_only = asked.method != self.params["restore"] or asked.params.get("excludeTurns") is True
            if page_only and event.bytes > _DOUBT * self._large["bytes"]:
                thread.large = event.n
            thread.shortened.take(*came)
        self._threads.put(name, thread)

    def _thread(self, name: str) -> _Thread:
        return self._threads.get(name) or _Thread(Shortened(self._full))
