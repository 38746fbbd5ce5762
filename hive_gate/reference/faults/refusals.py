"""Faults of refusals: what is let through, and names that are methods or are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import EMPTY_PAGE, always
from hive_gate.reference.faults.fault import ITEMS, LIST, Fault, Handler, Json, Swap, by, handling
from hive_gate.reference.server import dispatch
from hive_gate.reference.server.core import Asked, Core, thread_id_of
from hive_gate.reference.server.errors import RpcError

_REFUSES = "turns-list.refuses"
_ACTION = "load-older-conversation-history-page"


def _let_through(edit: Callable[[Json], Json]) -> Swap:
    """Return the swap after which params of the turns list are put right before they are judged."""

    def make(old: Any) -> Any:
        def new(request: Any) -> Any:
            if request.method == LIST and isinstance(request.params, dict):
                request = replace(request, params=edit(dict(request.params)))
            return old(request)

        return new

    return Swap(dispatch, "_decoded", make)


def _whole_limit(params: Json) -> Json:
    limit = params.get("limit")
    if isinstance(limit, float):
        return params | {"limit": int(limit)}
    return params | {"limit": None} if isinstance(limit, str) else params


def _bounded_limit(params: Json) -> Json:
    limit = params.get("limit")
    return params | {"limit": min(max(limit, 0), 100)} if isinstance(limit, int) else params


def _known_words(params: Json) -> Json:
    known = {"sortDirection": ("asc", "desc"), "itemsView": ("notLoaded", "summary", "full")}
    return {name: None if name in known and value not in known[name] else value for name, value in params.items()}


def _text_cursor(params: Json) -> Json:
    return {name: None if name == "cursor" and not isinstance(value, str) else value for name, value in params.items()}


def _text_id(params: Json) -> Json:
    return params | {"threadId": str(params.get("threadId", ""))}


def _unknown_by_name(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name != ITEMS)


def _look_first(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        if core.read(thread_id_of(asked.params)) is None:
            raise RpcError(f"thread not loaded: {asked.params['threadId']}")
        handle(core, asked)

    return new


FAULTS = (
    Fault(
        "params-limit-coerced",
        "A limit that is no whole number is made one, or dropped.",
        by("error", f"{_REFUSES}/limit-text", f"{_REFUSES}/limit-fraction"),
        (_let_through(_whole_limit),),
    ),
    Fault(
        "params-limit-bounded",
        "A limit out of range is brought into it.",
        by("error", f"{_REFUSES}/limit-negative", f"{_REFUSES}/limit-too-large"),
        (_let_through(_bounded_limit),),
    ),
    Fault(
        "params-unknown-words-ignored",
        "A direction or view that is not known is ignored.",
        by("error", f"{_REFUSES}/sort-direction", f"{_REFUSES}/items-view"),
        (_let_through(_known_words),),
    ),
    Fault(
        "params-cursor-ignored",
        "A cursor that is no text is ignored.",
        by("error", f"{_REFUSES}/cursor-number"),
        (_let_through(_text_cursor),),
    ),
    Fault(
        "params-thread-id-coerced",
        "A thread id that is missing or no text is made one.",
        by("error", f"{_REFUSES}/no-thread-id", f"{_REFUSES}/thread-id-number"),
        (_let_through(_text_id),),
    ),
    Fault(
        "items-list-empty",
        "thread/turns/items/list answers with an empty page.",
        by("error", "items-list.unsupported"),
        (handling(ITEMS, always(lambda _core, asked: asked.reply(EMPTY_PAGE))),),
    ),
    Fault(
        "items-list-looks-first",
        "thread/turns/items/list looks for the thread before it says that it is not supported.",
        by("error", "items-list.unsupported/unknown-thread"),
        (handling(ITEMS, _look_first),),
    ),
    Fault(
        "items-list-unknown",
        "thread/turns/items/list is not a method.",
        by("other-error-than", "items-list.known") + by("error", "items-list.unsupported"),
        (Swap(dispatch, "METHODS", _unknown_by_name),),
    ),
    Fault(
        "action-is-a-method",
        "An action of the renderer is a method, though not a supported one.",
        by("same-error-as", "not-a-method.renderer-action"),
        (Swap(dispatch, "METHODS", lambda names: (*names, _ACTION)),),
    ),
)
