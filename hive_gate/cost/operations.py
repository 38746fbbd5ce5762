"""What is measured: each operation with its request and what its reply must hold to count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hive_gate.cost.model import StoredThread

UNKNOWN = "01970000-dead-7000-8000-00000000beef"
"""A thread id that no home has."""

VIEWS = ("notLoaded", "summary", "full")

PAGE = 20
"""Turns of a page of Hive: docs/decisions/0001-initial-restore.md."""

VIEW = "full"
"""The `itemsView` that Hive asks for: docs/decisions/0002-items-view.md."""

DEEP = 40
"""Turns that are left, the oldest ones, before a deep page."""

Phase = Literal["start", "first-start", "cold", "warm", "walk"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that a client does.

    Args:
        name: as the results name it.
        title: what it is, for tables.
        phase: when it is done: as the server's start, as its first request, on a server that is at work, or as a walk.
        method: what is called; empty for a start.
        params: of the request, without the thread's id.
        deep: the page lies deep in the history.
        at_once: how many of the same are sent together, before any is answered.
    """

    name: str
    title: str
    phase: Phase
    method: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    deep: bool = False
    at_once: int = 1

    @property
    def page(self) -> int:
        """Turns of the page that it asks for; 0 if it asks for none."""
        asked = self.params.get("initialTurnsPage", self.params)
        return int(asked.get("limit", 0))

    def applies(self, thread: StoredThread) -> bool:
        """Tell whether the thread is long enough for it to mean something."""
        return thread.turns > DEEP + PAGE if self.deep else True


def _page(
    view: str, limit: int = PAGE, *, deep: bool = False, cold: bool = False, walk: bool = False, at_once: int = 1
) -> Operation:
    name = f"{'walk' if walk else 'page'}/{view}/{limit}{'/deep' if deep else ''}{'/cold' if cold else ''}"
    what = "whole walk in pages" if walk else "oldest page" if deep else "page"
    title = f"{what} of {limit}, {view}{', first request of the server' if cold else ''}"
    if at_once > 1:
        name, title = f"{name}/{at_once}-at-once", f"{at_once} requests at once: {title}"
    params = {"limit": limit, "sortDirection": "desc", "itemsView": view}
    return Operation(
        name, title, "walk" if walk else "cold" if cold else "warm", "thread/turns/list", params, deep, at_once
    )


def _restore(name: str, title: str, **params: Any) -> Operation:
    return Operation(f"restore/{name}", title, "cold", "thread/resume", params)


def _first_page(view: str) -> dict[str, Any]:
    return {"excludeTurns": True, "initialTurnsPage": {"limit": PAGE, "sortDirection": "desc", "itemsView": view}}


OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("start", "start of the server on a home it knows", "start"),
        Operation("start/first", "start of the server on a home without its databases", "first-start"),
        Operation("list", "thread/list", "warm", "thread/list"),
        Operation("read", "thread/read without turns", "warm", "thread/read"),
        Operation("read/turns", "thread/read with all turns", "warm", "thread/read", {"includeTurns": True}),
        Operation("read/turns/cold", "thread/read with all turns, first request of the server", "cold",
                  "thread/read", {"includeTurns": True}),
        _restore("full", "thread/resume with all turns"),
        _restore("bare", "thread/resume without turns", excludeTurns=True),
        _restore("page-summary", "thread/resume without turns, first page in summary", **_first_page("summary")),
        _restore("page-full", "thread/resume without turns, first page in full", **_first_page("full")),
        _page(VIEW, cold=True),
        *(_page(view) for view in VIEWS),
        _page(VIEW, 1),
        _page("summary", 100),
        _page("full", 100),
        _page("summary", deep=True),
        _page("full", deep=True),
        _page(VIEW, at_once=4),
        _page(VIEW, 100, walk=True),
        Operation("refused/thread", "page of a thread that is not there, refused", "warm", "thread/turns/list"),
        Operation("refused/method", "method that is not there, refused: the control", "warm", "hive-gate/control"),
    )
}  # fmt: skip
"""All operations by name, in the order of the tables."""

STEP = f"page/{VIEW}/{PAGE}"
"""What one scroll step of Hive asks for."""

HOST = f"restore/page-{VIEW}"
"""The first request of a server that is then asked for everything else: how Hive restores a thread."""

CONTROL = "refused/method"
"""The cheapest request: what the wire and the machine do to every other one."""

WALK = f"walk/{VIEW}/100"
"""A whole history, page by page."""

FULL = "restore/full"
"""The dearest request of all; it takes a server of its own."""

_SHARED = ("start", FULL, HOST, *(f"page/{view}/{PAGE}" for view in VIEWS), "read/turns", CONTROL)


def operations_of(*, thorough: bool, longest: bool, databases_matter: bool) -> tuple[Operation, ...]:
    """Return what a thread is asked.

    Args:
        thorough: everything, or only what shapes are compared by and what the longest threads are told by.
        longest: whether the thread is the longest of its shape; of those that are not asked everything, only this one
            is restored in full.
        databases_matter: whether a history is lost with the databases, so that they cannot be taken away for a try.
    """
    if not thorough:
        return tuple(OPERATIONS[name] for name in _SHARED if longest or name != FULL)
    return tuple(o for o in OPERATIONS.values() if not (databases_matter and o.phase == "first-start"))


def request_of(operation: Operation, thread_id: str, cursor: str | None) -> dict[str, Any]:
    """Return the whole params of an operation's request.

    Args:
        operation: what is done.
        thread_id: of the stored thread.
        cursor: where a deep page or the next page of a walk begins.
    """
    params = dict(operation.params)
    if operation.method == "thread/list" or operation.name == CONTROL:
        return params
    params["threadId"] = UNKNOWN if operation.name == "refused/thread" else thread_id
    return params | ({"cursor": cursor} if cursor is not None else {})


def problem_of(operation: Operation, thread: StoredThread, reply: Mapping[str, Any]) -> str | None:
    """Return why a reply is not what the operation asks for, or None: what is not there cannot be measured.

    A page must hold as many turns as it can, each with the items of its view; a false empty would be cheap.
    """
    refused = operation.name.startswith("refused/")
    if "error" in reply:
        error = reply["error"]
        said = f"{error.get('code')} {error.get('message')}" if isinstance(error, dict) else str(error)
        return None if refused else f"refused: {said[:200]}"
    result = reply.get("result")
    if refused:
        return "answered, though it should be refused"
    if not isinstance(result, dict):
        return "the result is no object"
    if operation.method == "thread/turns/list":
        return _page_problem(result, operation.params, thread)
    if operation.method == "thread/list":
        return None if isinstance(result.get("data"), list) else "no list of threads"
    turns = result["thread"].get("turns") if isinstance(result.get("thread"), dict) else None
    wanted = thread.turns if _with_turns(operation) else 0
    if not isinstance(turns, list) or len(turns) != wanted:
        return f"{wanted} turns were expected, {len(turns) if isinstance(turns, list) else 'no list of them'} came"
    if "initialTurnsPage" in operation.params:
        page = result.get("initialTurnsPage")
        if not isinstance(page, dict):
            return "no initial page came"
        return _page_problem(page, operation.params["initialTurnsPage"], thread)
    return None


def _with_turns(operation: Operation) -> bool:
    return operation.name in ("restore/full", "read/turns", "read/turns/cold")


def _page_problem(page: Mapping[str, Any], params: Mapping[str, Any], thread: StoredThread) -> str | None:
    turns = page.get("data")
    wanted = min(params["limit"], thread.turns)
    if not isinstance(turns, list) or len(turns) != wanted:
        return f"a page of {wanted} was expected, {len(turns) if isinstance(turns, list) else 'none'} came"
    most = {"notLoaded": 0, "summary": min(2, thread.items), "full": thread.items}[params["itemsView"]]
    held = {len(turn.get("items", ())) for turn in turns if isinstance(turn, dict)}
    return None if held == {most} else f"turns of {most} items were expected, they hold {sorted(held)}"
