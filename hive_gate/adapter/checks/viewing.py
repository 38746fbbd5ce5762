"""Check of the view in which pages are asked for: in full, and shortened where they got too large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of

_DOUBT = 1.05
"""How many times too large a line has to be until its page is taken for too large by whatever is measured: the line,
the result in it, in megabytes of a thousand or of 1,024."""


@dataclass(slots=True)
class _Thread:
    """How large the pages of a thread were, since it was restored."""

    large: int | None = None
    """The message with a page that was too large."""
    unsure: bool = False
    """A page was too large, may have been, or was before the thread was restored anew: the shorter view is right."""
    shortened: Recent[None] = field(default_factory=Recent)
    """Cursors, as keys, of the pages that came shortened."""


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
        elif event.is_request(self.params["pages"], self.params["restore"]):
            paging = self._paging(event)
            view = paging.get("itemsView") if paging is not None else None
            if paging is not None and isinstance(view, str):
                self.seen += 1
                yield from self._judged(event, paging, view)

    def _paging(self, asked: Event) -> dict[str, Any] | None:
        """Return how a request asks for a page; None if it does not."""
        params = asked.params if isinstance(asked.params, dict) else {}
        paging = params.get("initialTurnsPage") if asked.method == self.params["restore"] else params
        return paging if isinstance(paging, dict) else None

    def _judged(self, event: Event, paging: dict[str, Any], view: str) -> Iterator[Breach]:
        thread = self._threads.get(event.thread or "") or _Thread()
        short, most = self._large["view"], f"{self._large['bytes'] / 1_000_000:g} MB"
        if view not in (self._full, short):
            yield Breach(event.n, f"a page is asked for in {quoted(view)}")
        elif view == short and not (thread.unsure or self._unsure or event.thread is None):
            yield Breach(
                event.n,
                f"a page is asked for in {quoted(view)}, and no page of the thread in this record was over {most}",
            )
        elif view == self._full and thread.large is not None and not self._opens(event, paging, thread):
            text = f"a page is asked for in {quoted(view)} after one of the thread that was over {most}"
            yield Breach(event.n, text, (thread.large,))

    def _opens(self, event: Event, paging: dict[str, Any], thread: _Thread) -> bool:
        """Whether this may be to see in full what came shortened, or begins the thread anew."""
        return (
            event.method == self.params["restore"]
            or paging.get("limit") == 1
            or key_of(paging.get("cursor")) in thread.shortened
        )

    def _take(self, event: Event) -> None:
        large, about = event.bytes > self._large["bytes"], event.about
        if about is None:
            self._unsure |= large and not event.method  # a reply that could not be read, or to nobody knows what
        elif event.asked is not None and event.succeeded:
            self._answer(event, event.asked, about, large=large)

    def _answer(self, event: Event, asked: Event, name: str, *, large: bool) -> None:
        thread = self._threads.get(name) or _Thread()
        paging = self._paging(asked) if asked.method == self.params["pages"] else None
        if asked.method == self.params["restore"]:
            thread = _Thread(unsure=thread.unsure or thread.large is not None)
            result = event.body["result"]
            if isinstance(result, dict) and isinstance(result.get("initialTurnsPage"), dict):
                paging = self._paging(asked)
        thread.unsure |= large
        if paging is not None:
            # A restore that brings the turns as well is not large by its page.
            page_only = asked.method != self.params["restore"] or asked.params.get("excludeTurns") is True
            if page_only and event.bytes > _DOUBT * self._large["bytes"]:
                thread.large = event.n
            if paging.get("itemsView") != self._full:
                thread.shortened.put(key_of(paging.get("cursor")), None)
        self._threads.put(name, thread)
