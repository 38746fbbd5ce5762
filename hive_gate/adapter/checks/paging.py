"""Checks of paging: where a cursor comes from, how often it is asked for, and where it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of

Wrong = Literal["not-given", "again", "after-end"]

_FIRST = key_of(None)
"""The first page, which is asked for without a cursor."""

_ABSENT = object()


@dataclass(slots=True)
class _Thread:
    """How far a thread was paged; cursors are kept as keys, with the message that gave them or answered them."""

    given: Recent[int] = field(default_factory=Recent)
    answered: Recent[int] = field(default_factory=Recent)
    ended: int | None = None

    def page(self, n: int, cursor: Any, page: Any) -> None:
        """Take a page that came with message `n`, asked for with `cursor`."""
        self.answered.put(key_of(cursor), n)
        following = page.get("nextCursor", _ABSENT) if isinstance(page, dict) else _ABSENT
        if following is None:
            self.ended = n
        elif isinstance(following, str):
            self.given.put(key_of(following), n)


class Paging(Check):
    """Follows the pages of each thread; each subclass tells one kind of wrong request."""

    wrong: Wrong

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._threads: Recent[_Thread] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        pages = self.params["pages"]
        asked = event.answers()
        if asked is not None and asked.thread is not None:
            self._answer(event, asked, asked.thread)
        if event.is_request(pages) and event.thread is not None and isinstance(event.params, dict):
            thread = self._threads.get(event.thread) or _Thread()
            cursor = event.params.get("cursor")
            if self.wrong == "not-given":
                self.seen += cursor is not None
            elif self.wrong == "again":
                self.seen += len(thread.answered) > 0  # only then is there something to ask for again
            for wrong, text, beside in _judged(thread, cursor):
                if wrong == self.wrong:
                    yield Breach(event.n, text, beside)

    def _answer(self, event: Event, asked: Event, name: str) -> None:
        pages, restore = self.params["pages"], self.params["restore"]
        thread = self._threads.get(name) or _Thread()
        if asked.method == pages:
            cursor = asked.params.get("cursor")
            if event.succeeded:
                thread.page(event.n, cursor, event.body["result"])
            elif cursor is not None:
                thread.answered.pop(_FIRST)  # a cursor that leads nowhere any more: the way on is a new first page
        elif event.succeeded and asked.method == restore:
            thread = _Thread()
            page = event.body["result"].get("initialTurnsPage") if isinstance(event.body["result"], dict) else None
            if isinstance(page, dict):
                thread.page(event.n, None, page)
        elif event.succeeded and asked.method in self.params.get("anew", ()):
            thread = _Thread(given=thread.given)
        else:
            return
        self.seen += self.wrong == "after-end" and thread.ended == event.n
        self._threads.put(name, thread)


def _judged(thread: _Thread, cursor: Any) -> Iterator[tuple[Wrong, str, tuple[int, ...]]]:
    """Yield what is wrong with a request for a page; one thing at most, so that each rule speaks for itself."""
    key = key_of(cursor)
    answered, given = thread.answered.get(key), thread.given.get(key)
    if thread.ended is not None:
        yield "after-end", "a page is asked for after the last one", (thread.ended,)
    elif answered is not None:
        what = "the first page" if cursor is None else f"the cursor {quoted(cursor)}"
        yield "again", f"{what} is asked for again", (answered,)
    elif cursor is not None and given is None:
        yield "not-given", f"the cursor {quoted(cursor)} is the `nextCursor` of no page of this thread", ()


class CursorGiven(Paging):
    """A cursor is the `nextCursor` of a page of the same thread."""

    wrong = "not-given"


class CursorOnce(Paging):
    """No page that was answered is asked for again."""

    wrong = "again"


class StopsAtEnd(Paging):
    """After a page whose `nextCursor` is null none is asked for."""

    wrong = "after-end"
