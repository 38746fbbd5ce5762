"""Faults of pages: how many turns, in which order, of which thread."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import EMPTY_PAGE, always, pages, returning
from hive_gate.reference.faults.fault import LIST, Fault, Handler, Swap, asking, by, handling
from hive_gate.reference.server import reading
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import RpcError
from hive_gate.reference.store import paging
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.queries import TurnQuery

_LIMIT = "turns-list.limit"


def _size(new: Any) -> Swap:
    """Return the swap of a page's size; `new` gets what is there and what was asked for."""
    return Swap(paging, "clamp", lambda old: lambda asked: new(old, asked))


def _paging(**left_out: str) -> Swap:
    """Return the swap after which params that are left out mean something else."""

    def make(old: Any) -> Any:
        return lambda params: old({**params, **{n: params[n] or value for n, value in left_out.items()}})

    return Swap(reading, "_paging", make)


def _answered_empty(text: str) -> Swap:
    def make(handle: Handler) -> Handler:
        def new(core: Core, asked: Asked) -> None:
            try:
                handle(core, asked)
            except RpcError as error:
                if text not in error.message:
                    raise
                asked.reply(EMPTY_PAGE)

        return new

    return handling(LIST, make)


def _of_the_thread_before(old: Any) -> Any:
    before: list[str] = []

    def new(self: LocalThreadStore, query: TurnQuery) -> Any:
        before.append(query.thread_id)
        return old(self, replace(query, thread_id=before[-2] if len(before) > 1 else query.thread_id))

    return new


FAULTS = (
    Fault(
        "page-of-everything",
        "The limit is ignored.",
        by("turns-match-scene", "turns-list.page", "turns-list.direction"),
        (Swap(paging, "clamp", returning(100)),),
    ),
    Fault(
        "page-one-too-few",
        "A page holds one turn less than was asked for.",
        by("turns-match-scene", "turns-list.page") + by("page-sizes", "turns-list.long-walk/*"),
        (_size(lambda old, asked: max(int(old(asked)) - 1, 1)),),
    ),
    Fault(
        "page-one-too-many",
        "A page holds one turn more than was asked for.",
        by("turns-match-scene", "turns-list.page") + by("page-sizes", "turns-list.walk/*/1", "turns-list.walk/*/2"),
        (_size(lambda old, asked: int(old(asked)) + 1),),
    ),
    Fault(
        "page-default-of-fifty",
        "Without a limit a page holds 50 turns.",
        by("turns-match-scene", f"{_LIMIT}/absent", "resume.initial-page-default-size"),
        (_size(lambda old, asked: 50 if asked is None else int(old(asked))),),
    ),
    Fault(
        "page-of-zero-is-all",
        "A limit of 0 means 100.",
        by("turns-match-scene", f"{_LIMIT}/zero"),
        (_size(lambda old, asked: int(old(asked or 100 if asked is not None else None))),),
    ),
    Fault(
        "page-unbounded",
        "A limit of more than 100 is obeyed.",
        by("turns-match-scene", f"{_LIMIT}/over-one-hundred"),
        (_size(lambda old, asked: max(int(old(asked)), asked or 0)),),
    ),
    Fault(
        "page-bounded-by-fifty",
        "No page holds more than 50 turns.",
        by("turns-match-scene", f"{_LIMIT}/one-hundred", f"{_LIMIT}/over-one-hundred"),
        (_size(lambda old, asked: min(int(old(asked)), 50)),),
    ),
    Fault(
        "page-oldest-first",
        "Without a direction the oldest turn comes first.",
        by("turns-match-scene", "turns-list.default-direction", "turns-list.null-parameters"),
        (_paging(sortDirection="asc"),),
    ),
    Fault(
        "page-always-newest-first",
        "The direction is ignored.",
        by("turns-match-scene", "turns-list.direction/asc", "turns-list.walk/asc/*"),
        (asking(LIST, lambda params: params | {"sortDirection": None}),),
    ),
    Fault(
        "page-turned-around",
        "The turns of a page come in the opposite order.",
        by("turns-match-scene", "turns-list.page", "turns-list.direction"),
        pages(lambda page: replace(page, turns=page.turns[::-1])),
    ),
    Fault(
        "page-of-the-thread-before",
        "A page is of the thread that was asked for before.",
        by("turns-match-scene", "turns-list.side-by-side"),
        (Swap(LocalThreadStore, "list_turns", _of_the_thread_before),),
    ),
    Fault(
        "page-false-empty",
        "A stored thread has an empty page, as if it had no turns.",
        by("turns-match-scene", "turns-list.default-direction", "turns-list.walk", "turns-list.archived"),
        (handling(LIST, always(lambda _core, asked: asked.reply(EMPTY_PAGE))),),
    ),
    Fault(
        "page-of-unknown-thread-empty",
        "An unknown thread has an empty page.",
        by("error", "turns-list.unknown-thread"),
        (_answered_empty("thread not loaded"),),
    ),
    Fault(
        "page-of-new-thread-empty",
        "A thread that is not stored yet has an empty page.",
        by("error", "turns-list.before-first-message"),
        (_answered_empty("not materialized"),),
    ),
    Fault(
        "page-of-ephemeral-thread-empty",
        "An ephemeral thread has an empty page.",
        by("error", "turns-list.ephemeral"),
        (_answered_empty("ephemeral"),),
    ),
    Fault(
        "page-of-malformed-id-empty",
        "A thread id that is no UUID has an empty page.",
        by("error", "turns-list.malformed-thread-id"),
        (_answered_empty("invalid thread id"),),
    ),
)
