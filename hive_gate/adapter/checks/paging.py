"""Checks of paging: where a cursor comes from, how often it is asked for, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.checks.pages import Shortened, page_in
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of

Wrong = Literal["not-given", "again", "after-end"]

_ABSENT = object()

_FULL = "full"


@dataclass(slots=True)
class _Thread:
    """How far a thread was paged; cursors are kept as keys, with the message that gave them or answered them."""

    given: Recent[int] = field(default_factory=Recent)
    shortened: Shortened = field(default_factory=lambda: Shortened(_FULL))
    answered: Recent[int] = field(default_factory=Recent)
    """By cursor, whatever the view."""
    whole: Recent[None] = field(default_factory=Recent)
    """Those of them that came in full."""
    alone: Recent[None] = field(default_factory=Recent)
    """Those of which the first turn came in full, alone, after it had come shortened."""
    ended: int | None = None

    def page(self, n: int, paging: dict[str, Any], page: Any) -> None:
        """Take a page that came with message `n`, asked for with `paging`."""
        key = key_of(paging.get("cursor"))
        self.answered.put(key, n)
        if paging.get("itemsView") == _FULL:
            (self.alone if self.shortened.opens_alone(paging) else self.whole).put(key, None)
        self.shortened.take(paging, page)
        following = page.get("nextCursor", _ABSENT) if isinstance(page, dict) else _ABSENT
        if following is None:
            self.ended = n if self.ended is None else self.ended
        elif isinstance(following, str):
            self.given.put(key_of(following), n)

    def anew(self) -> _Thread:
        """Return the thread as it begins anew: the pages that a client has kept still lead on, and can be opened."""
        return _Thread(self.given, self.shortened)

    def opens(self, paging: dict[str, Any]) -> bool:
        """Whether to ask so is to see in full what came shortened, and did not come in full since."""
        key = key_of(paging.get("cursor"))
        again = key in self.whole or (paging.get("limit") == 1 and key in self.alone)
        return self.shortened.opens(paging) and not again


class Paging(Check):
    """Follows the pages of each thread; each subclass tells one kind of wrong request."""

    wrong: Wrong

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._threads: Recent[_Thread] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        pages = self.params["pages"]
        asked, about = event.answers(), event.about
        if asked is not None and about is not None:
            self._answer(event, asked, about)
        if event.is_request(pages) and event.thread is not None and isinstance(event.params, dict):
            thread = self._threads.get(event.thread) or _Thread()
            cursor = event.params.get("cursor")
            if self.wrong == "not-given":
                self.seen += cursor is not None
            elif self.wrong == "again":
                self.seen += len(thread.answered) > 0  # only then is there something to ask for again
            for wrong, text, beside in _judged(thread, event.params):
                if wrong == self.wrong:
                    yield Breach(event.n, text, beside)

    def _answer(self, event: Event, asked: Event, name: str) -> None:
        thread = self._threads.get(name) or _Thread()
        anew = (self.params["restore"], *self.params.get("anew", ()))
        if event.succeeded and asked.method in anew:
            thread = thread.anew()
        elif asked.method == self.params["pages"] and self._lost(event.error):
            thread = thread.anew()  # the turns are others now: the way on is a new first page
        elif asked.method != self.params["pages"]:
            return
        came = page_in(self.params, event)
        if came is not None:
            thread.page(event.n, *came)
        self.seen += self.wrong == "after-end" and thread.ended == event.n
        self._threads.put(name, thread)

    def _lost(self, error: Mapping[str, Any] | None) -> bool:
        """Tell whether an error says that the cursor leads nowhere any more."""
        lost = self.params.get("lost")
        if lost is None or error is None or error.get("code") != lost["code"]:
            return False
        return re.search(lost["message"], str(error.get("message"))) is not None


def _judged(thread: _Thread, paging: dict[str, Any]) -> Iterator[tuple[Wrong, str, tuple[int, ...]]]:
    """Yield what is wrong with a request for a page; one thing at most, so that each rule speaks for itself."""
    cursor = paging.get("cursor")
    key = key_of(cursor)
    answered, given = thread.answered.get(key), thread.given.get(key)
    if thread.opens(paging):
        return
    if thread.ended is not None:
        yield "after-end", "a page is asked for after the last one", (thread.ended,)
    elif answered is not None:
        what = "the first page" if cursor is None else f"the cursor {quoted(cursor)}"
        yield "again", f"{what} is asked for again", (answered,)
    elif cursor is not None and given is None:
        yield (
            "not-given",
            f"the cursor {quoted(cursor)} is the `nextCursor` of no page of this thread in this connection",
            (),
        )


class CursorGiven(Paging):
    """A cursor is the `nextCursor` of a page of the same thread in the same connection."""

    wrong = "not-given"


class CursorOnce(Paging):
    """No page that was answered is asked for again, but in full where it came shortened: its first turn, then all."""

    wrong = "again"


class StopsAtEnd(Paging):
    """After a page whose `nextCursor` is null none is asked for."""

    wrong = "after-end"
