"""The requests: which, when, and never more than one at a time for a thread."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import anyio

from hive_gate.pager.errors import (
    BrokenHistory,
    CursorLost,
    NoAnswer,
    Overloaded,
    PagingError,
    Refused,
    RequestRefused,
    Unsupported,
    is_of_the_server,
    typed,
)
from hive_gate.pager.pages import Page, Pages, Turn, as_object, turns_of

RESUME, LIST, READ = "thread/resume", "thread/turns/list", "thread/read"


class Call(Protocol):
    """Sends a request and returns the result; raises :class:`Refused`, or anything else where no answer comes."""

    def __call__(self, method: str, params: dict[str, Any], /) -> Awaitable[Any]:
        """Send one request."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How pages are asked for."""

    limit: int = 20
    """Turns of a page: 1 to 100."""
    view: Literal["summary", "full", "notLoaded"] = "full"
    large: int = 2_000_000
    """Bytes of a page above which the next ones of its thread are asked for in `summary`."""
    size: Callable[[Any], int] | None = None
    """Returns the bytes of a result that `call` returned, which whoever read its line knows; None: every page comes in
    `view`, however large they are."""
    pace: float = 2.0
    """How many times what a request took passes from its start to the start of the thread's next one."""
    least_pace: float = 0.1
    """Seconds that pass at least."""
    retries: int = 5
    """How often one call sends a request again that the server was too busy for."""
    first_wait: float = 0.1
    """Seconds before the first time; each further wait is twice as long, up to `longest_wait`."""
    longest_wait: float = 5.0
    in_a_row: int = 8
    """How often a request is sent again that is refused each time, by however many calls."""
    rest: float = 50.0
    """Seconds after that until it is sent once more, and everything begins anew."""
    most_pages: int = 10_000
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random
    """Returns what part of a wait is added to it, from 0 to 1, so that many clients do not come back together."""


class History:
    """The histories of all threads of one connection.

    Args:
        call: sends requests on it.
        settings: how pages are asked for.
    """

    def __init__(self, call: Call, settings: Settings | None = None) -> None:
        self.call = call
        self.settings = settings or Settings()
        self.missing: dict[str, Unsupported] = {}
        """Methods that this server does not have: they are not asked for again, for whatever thread."""
        self._threads: dict[str, ThreadHistory] = {}

    def thread(self, thread_id: str) -> ThreadHistory:
        """Return the history of a thread: the same object each time, or two could ask at once."""
        if thread_id not in self._threads:
            self._threads[thread_id] = ThreadHistory(self, thread_id)
        return self._threads[thread_id]


@dataclass(slots=True)
class _Flight:
    """Requests of one kind: how many came to an end, and what came of the last."""

    ended: int = 0
    page: Page | None = None
    error: PagingError | None = None


@dataclass(slots=True)
class ThreadHistory:
    """One thread's history, as far as it was loaded; get it from :meth:`History.thread`."""

    history: History
    thread_id: str
    _pages: Pages = field(default_factory=Pages)
    _error: PagingError | None = None
    _lost: NoAnswer | None = None
    _refused: dict[tuple[str, str | None], int] = field(default_factory=dict)
    """By method and cursor, how often in a row; 0: so often that it has to rest."""
    _final: dict[tuple[str, str | None], PagingError] = field(default_factory=dict)
    """By method and cursor, what is answered in the same way each time."""
    _not_before: float = 0.0
    """When the next request may be sent."""
    _large: bool = False
    """Whether a page was too large."""
    _alone: anyio.Lock = field(default_factory=anyio.Lock)
    _restoring: _Flight = field(default_factory=_Flight)
    _loading: _Flight = field(default_factory=_Flight)

    @property
    def pages(self) -> tuple[Page, ...]:
        """What was loaded, the newest page first. It is kept, and not asked for again."""
        return tuple(self._pages.kept)

    @property
    def turns(self) -> list[Turn]:
        """Every turn that was loaded, the newest first."""
        return [turn for page in self._pages.kept for turn in page.turns]

    @property
    def complete(self) -> bool:
        """Whether the oldest turn is there."""
        return self._pages.complete

    @property
    def doubts(self) -> tuple[str, ...]:
        """What a right server never shows: tell the log, and show the history all the same."""
        return tuple(self._pages.doubts)

    async def restore(self) -> Page:
        """Load the thread into the server and return its newest turns; what was known before is forgotten.

        Raises:
            PagingError: with the kind of it as its class.
        """
        page = await self._shared(self._restoring, self._restore)
        assert page is not None  # noqa: S101 - of a restore there is always one
        return page

    async def older(self) -> Page | None:
        """Return the next older turns; None: there are none. Calls at the same time get the same page.

        Raises:
            PagingError: with the kind of it as its class.
        """
        return await self._shared(self._loading, self._load)

    async def verify(self) -> None:
        """Compare what was loaded with the whole thread, for tests and diagnosis: it costs as much as that.

        An app that calls it breaks the advisory rule `adapter.whole-read-once`.
        That a turn is missing between two others cannot be seen from pages alone. It is for a thread to which nothing
        happened since it was restored: a turn that is new or was taken back is a difference, too.

        Raises:
            PagingError: `BrokenHistory` if they differ.
        """
        async with self._alone:
            result = as_object(await self._ask(READ, {"threadId": self.thread_id, "includeTurns": True}), "an answer")
            whole = [turn["id"] for turn in turns_of(as_object(result.get("thread"), "a thread").get("turns"))]
            mine = [turn["id"] for turn in reversed(self.turns)]
            if mine != (whole if self.complete else whole[len(whole) - len(mine) :]):
                raise BrokenHistory(f"the pages have {len(mine)} turns, the thread has {len(whole)}, not the same ones")

    async def _shared(self, flight: _Flight, load: Callable[[], Awaitable[Page | None]]) -> Page | None:
        """Load, alone; whoever waited for the same meanwhile gets what came of it."""
        before = flight.ended
        async with self._alone:
            if flight.ended == before:
                flight.page = flight.error = None
                try:
                    flight.page = await load()
                except PagingError as error:
                    flight.error = error
                    if not isinstance(error, Overloaded):
                        self._error = error
                flight.ended += 1  # not reached where the wait was cancelled: then the next one loads
            if flight.error is not None:
                raise flight.error
            return flight.page

    async def _restore(self) -> Page:
        paging = self._paging()
        params = {"threadId": self.thread_id, "excludeTurns": True, "initialTurnsPage": paging}
        result = as_object(await self._ask(RESUME, params), "an answer")
        thread = as_object(result.get("thread"), "a thread")
        if thread.get("id") != self.thread_id:
            raise BrokenHistory(f"another thread was resumed: {thread.get('id')}")
        self._pages, self._error = Pages(str(thread.get("preview") or "").strip()), None
        # A cursor that was lost stays so; what this one thread could not do it may be able to do now.
        self._final = {key: error for key, error in self._final.items() if isinstance(error, CursorLost)}
        page = result.get("initialTurnsPage")
        if page is None:  # a server from before 0.136 does not know it
            return await self._page(None)
        return self._pages.add(page, paging["itemsView"])

    async def _load(self) -> Page | None:
        if self._error is not None:
            raise self._error
        if not self._pages.kept:
            raise RequestRefused("the thread has to be restored first")
        if len(self._pages.kept) >= self.history.settings.most_pages:
            raise BrokenHistory(f"more than {len(self._pages.kept)} pages")
        cursor = self._pages.kept[-1].cursor
        if cursor is None:
            return None
        return await self._page(cursor)

    async def _page(self, cursor: str | None) -> Page:
        paging = self._paging()
        params = {"threadId": self.thread_id, **({} if cursor is None else {"cursor": cursor}), **paging}
        return self._pages.add(await self._ask(LIST, params), paging["itemsView"])

    def _paging(self) -> dict[str, Any]:
        settings = self.history.settings
        view = "summary" if self._large and settings.view == "full" else settings.view
        return {"limit": settings.limit, "sortDirection": "desc", "itemsView": view}

    async def _ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send a request, again where the server was too busy for it, and return the result."""
        settings, key, tries = self.history.settings, (method, params.get("cursor")), 0
        while True:
            final = self._lost or self.history.missing.get(method) or self._final.get(key)
            if final is not None:
                raise final
            await settings.sleep(max(0.0, self._not_before - settings.clock()))
            began = settings.clock()
            try:
                # What is sent is seen to its end, whoever lost interest meanwhile: only then may the next one go.
                with anyio.CancelScope(shield=True):
                    result = await self.history.call(method, params)
            except Refused as refusal:
                tries += 1
                error = self._note(key, refusal)
                rests = self._refused[key] == 0
                if not isinstance(error, Overloaded) or tries > settings.retries or rests:
                    raise error from refusal
            except Exception as problem:
                self._lost = NoAnswer(f"no answer to {method}: {problem!r}")
                raise self._lost from problem
            else:
                self._refused.pop(key, None)
                self._large = self._large or (settings.size is not None and settings.size(result) > settings.large)
                return result
            finally:
                took = settings.clock() - began
                self._not_before = max(self._not_before, began + max(settings.pace * took, settings.least_pace))

    def _note(self, key: tuple[str, str | None], refusal: Refused) -> PagingError:
        """Note a refusal: whether it is final, and until when nothing is sent. Return it as an error."""
        settings, method = self.history.settings, key[0]
        error, times = typed(method, refusal), self._refused.get(key, 0) + 1
        wait = min(settings.first_wait * 2 ** (times - 1), settings.longest_wait)
        if times > settings.in_a_row:
            times, wait = 0, settings.rest
        self._refused[key] = times
        self._not_before = settings.clock() + wait * (1 + settings.jitter())
        if isinstance(error, Unsupported) and is_of_the_server(method, refusal):
            self.history.missing[method] = error
        elif isinstance(error, (CursorLost, Unsupported)):
            self._final[key] = error
        return error
