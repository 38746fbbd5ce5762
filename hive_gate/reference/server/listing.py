"""thread/list and thread/loaded/list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hive_gate.reference.server import ids, wire
from hive_gate.reference.server.core import Asked, Core, hide_echo
from hive_gate.reference.server.errors import RpcError, refusal
from hive_gate.reference.server.settings import absolute
from hive_gate.reference.store.errors import ThreadStoreError
from hive_gate.reference.store.queries import INTERACTIVE, SourceKind, ThreadQuery, ThreadSortKey
from hive_gate.reference.store.records import SortDirection

_SOURCES = {
    "cli": SourceKind.CLI,
    "vscode": SourceKind.VSCODE,
    "exec": SourceKind.EXEC,
    "appServer": SourceKind.MCP,
    "subAgent": SourceKind.SUBAGENT,
    "subAgentReview": SourceKind.SUBAGENT_REVIEW,
    "subAgentCompact": SourceKind.SUBAGENT_COMPACT,
    "subAgentThreadSpawn": SourceKind.SUBAGENT_THREAD_SPAWN,
    "subAgentOther": SourceKind.SUBAGENT_OTHER,
    "unknown": SourceKind.UNKNOWN,
}


def threads(core: Core, asked: Asked) -> None:
    """Answer thread/list."""
    try:
        page = core.store.list_threads(_query(core, asked.params))
    except ThreadStoreError as error:
        raise refusal(error, "failed to list threads") from error
    # A thread whose mode is not known is not shown at all: as `legacy` it would be a lie, and clients know two modes.
    # The real server's index of threads does not know what a thread was forked from.
    shown = [replace(hide_echo(one), forked_from_id=None) for one in page.threads if one.history_mode.known]
    asked.reply(wire.thread_page(page, [core.wire_thread(one) for one in shown]))


def loaded_threads(core: Core, asked: Asked) -> None:
    """Answer thread/loaded/list: ids in order; a cursor is the last id of the page before."""
    known, cursor, limit = sorted(core.loaded), asked.params["cursor"], asked.params["limit"]
    if known and cursor is not None:
        try:
            after = ids.parse(cursor)
        except ids.BadId as error:
            raise RpcError(f"invalid cursor: {cursor}") from error
        known = [one for one in known if one > after]
    page = known if limit is None else known[: max(limit, 1)]
    asked.reply({"data": page, "nextCursor": page[-1] if len(page) < len(known) else None})


def _query(core: Core, params: Mapping[str, Any]) -> ThreadQuery:
    providers, cwd = params["modelProviders"], params["cwd"]
    folders = [cwd] if isinstance(cwd, str) else cwd
    return ThreadQuery(
        cursor=params["cursor"],
        page_size=params["limit"],
        sort_key=ThreadSortKey(params["sortKey"] or "created_at"),
        sort_direction=SortDirection(params["sortDirection"] or "desc"),
        archived=bool(params["archived"]),
        sources=tuple(_SOURCES[kind] for kind in params["sourceKinds"] or ()) or INTERACTIVE,
        # Left out means the configured provider only; an empty list means all.
        model_providers=(core.home.provider,) if providers is None else tuple(providers),
        cwds=None if folders is None else tuple(absolute(one, str(core.cwd)) for one in folders),
        search_term=params["searchTerm"],
        parent_thread_id=_parent(params["parentThreadId"]),
    )


def _parent(given: str | None) -> str | None:
    try:
        return None if given is None else ids.parse(given)
    except ids.BadId as error:
        raise RpcError(f"invalid parent thread id: {error}") from error
