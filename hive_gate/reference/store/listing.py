"""A page of threads out of all there are.

A cursor is the time of the last thread on a page, exclusive. Where the thread after it has the very same time, the
cursor adds that thread's id (`time|id`), so that no thread is skipped.

Times are written as the real server writes them, without a fraction where there is none, and read as it reads them:
with a zone, or in the form of a rollout's name (`2026-06-01T10-00-00`), which is UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from hive_gate.reference.store import moments
from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.paging import clamp
from hive_gate.reference.store.queries import SourceKind, ThreadQuery, ThreadSortKey
from hive_gate.reference.store.records import SortDirection, StoredThread, ThreadPage

_STEP = timedelta(milliseconds=1)
_FIRST_ID, _LAST_ID = "", "~"
_AS_IN_NAMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d")
_ZONE = re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$")

_Key = tuple[datetime, str]


def page_of_threads(threads: Iterable[StoredThread], query: ThreadQuery) -> ThreadPage:
    """Return the page that a query asks for.

    Args:
        threads: every thread of the asked-for side, archived or not, in any order.
        query: the request; its `archived` was obeyed by whoever gathered the threads.

    Raises:
        InvalidRequest: `invalid cursor: <cursor>`.
    """
    down = query.sort_direction is SortDirection.DESC
    after = None if query.cursor is None else _anchor(query.cursor, down=down)
    asked = [(_key(thread, query.sort_key), thread) for thread in threads if _matches(thread, query)]
    asked.sort(key=lambda entry: entry[0], reverse=down)
    if after is not None:
        asked = [entry for entry in asked if (entry[0] < after if down else entry[0] > after)]
    size = clamp(query.page_size)
    page, rest = asked[:size], asked[size:]
    return ThreadPage(
        tuple(thread for _, thread in page),
        _next(page[-1][0], rest[0][0]) if rest else None,
        _written(page[0][0][0] + (-_STEP if down else _STEP)) if page else None,
    )


def source_kind(source: Any) -> SourceKind:
    """Return the kind of a stored source."""
    if isinstance(source, str) and source in ("cli", "vscode", "exec", "mcp"):
        return SourceKind(source)
    agent = source.get("subagent") if isinstance(source, dict) else None
    if agent is None:
        return SourceKind.UNKNOWN
    name = agent if isinstance(agent, str) else next(iter(agent), "") if isinstance(agent, dict) else ""
    known = {
        "review": SourceKind.SUBAGENT_REVIEW,
        "compact": SourceKind.SUBAGENT_COMPACT,
        "thread_spawn": SourceKind.SUBAGENT_THREAD_SPAWN,
    }
    return known.get(name, SourceKind.SUBAGENT_OTHER)


def _matches(thread: StoredThread, query: ThreadQuery) -> bool:
    if not thread.preview:
        return False
    if query.sources:
        kind = source_kind(thread.source)
        agent = SourceKind.SUBAGENT in query.sources and kind.value.startswith(SourceKind.SUBAGENT.value)
        if kind not in query.sources and not agent:
            return False
    if query.model_providers and thread.model_provider not in query.model_providers:
        return False
    if query.cwds is not None and _folder(thread.cwd) not in {_folder(cwd) for cwd in query.cwds}:
        return False
    if query.parent_thread_id is not None and thread.parent_thread_id != query.parent_thread_id:
        return False
    term = query.search_term
    return not term or term in thread.preview or term in (thread.name or "")


def _folder(path: str) -> str:
    return path.rstrip("/") or "/"


def _key(thread: StoredThread, sort_key: ThreadSortKey) -> _Key:
    moment = thread.created_at if sort_key is ThreadSortKey.CREATED_AT else thread.updated_at
    # Cursors carry milliseconds: finer times would make a thread differ from its own cursor.
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000), thread.thread_id


def _next(last: _Key, following: _Key) -> str:
    time = _written(last[0])
    return f"{time}|{last[1]}" if following[0] == last[0] else time


def _anchor(cursor: str, *, down: bool) -> _Key:
    time, with_id, ident = cursor.partition("|")
    moment = _read(time)
    if moment is None:
        raise InvalidRequest(f"invalid cursor: {cursor}")
    # Without an id the whole moment is passed over, as the real server does.
    return moment, ident if with_id else (_FIRST_ID if down else _LAST_ID)


def _written(moment: datetime) -> str:
    return moments.stamp(moment).replace(".000Z", "Z")


def _read(time: str) -> datetime | None:
    if _AS_IN_NAMES.fullmatch(time):
        return moments.parse(time[:11] + time[11:].replace("-", ":"))
    return moments.parse(time) if _ZONE.search(time) else None
