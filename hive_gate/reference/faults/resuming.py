"""Faults of thread/resume: what it leaves out, and the page that it carries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import result, returning
from hive_gate.reference.faults.fault import RESUME, Fault, Handler, Json, Swap, answering, asking, by, handling
from hive_gate.reference.server import dispatch, resuming
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import RpcError

_PAGE, _FULL = "resume.initial-page", "resume.full"


def _paged(**members: str) -> Swap:
    """Return the swap after which the page is asked for in another way."""

    def make(old: Any) -> Any:
        return lambda turns, wanted: old(turns, {**wanted, **members})

    return Swap(resuming, "first_page", make)


def _exclude_with_page(params: Json) -> Json:
    return params | {"excludeTurns": params["excludeTurns"] or params["initialTurnsPage"] is not None}


def _begin_instead(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        try:
            handle(core, asked)
        except RpcError as error:
            if "no rollout found" not in error.message:
                raise
            params = dict.fromkeys(("ephemeral", "historyMode", "threadSource"), None)
            dispatch.HANDLERS["thread/start"](core, replace(asked, params={**asked.params, **params}))

    return new


def _turned(answer: Json) -> Json:
    thread = answer["thread"]
    return {**answer, "thread": {**thread, "turns": thread["turns"][::-1]}}


def _without_items(answer: Json) -> Json:
    thread = answer["thread"]
    return {**answer, "thread": {**thread, "turns": [{**turn, "items": []} for turn in thread["turns"]]}}


FAULTS = (
    Fault(
        "resume-exclude-ignored",
        "`excludeTurns` is ignored: every turn comes.",
        by("result", "resume.exclude-turns", at="/thread/turns") + by("reply-size-like", "resume.size"),
        (asking(RESUME, lambda params: params | {"excludeTurns": False}),),
    ),
    Fault(
        "resume-excludes-always",
        "A resume never brings turns.",
        by("turns-match-scene", _FULL, "resume.exclude-turns-false", "resume.page-alone"),
        (asking(RESUME, lambda params: params | {"excludeTurns": True}),),
    ),
    Fault(
        "resume-page-excludes",
        "A resume with a page leaves the turns out unasked.",
        by("turns-match-scene", "resume.page-alone"),
        (asking(RESUME, _exclude_with_page),),
    ),
    Fault(
        "resume-page-ignored",
        "`initialTurnsPage` is ignored.",
        by("turns-match-scene", "resume.initial-page-defaults", "resume.page-alone"),
        (asking(RESUME, lambda params: params | {"initialTurnsPage": None}),),
    ),
    Fault(
        "resume-page-unasked",
        "A resume carries a page that nobody asked for.",
        by("result", "resume.exclude-turns", _FULL, at="/initialTurnsPage"),
        (
            asking(
                RESUME,
                lambda params: (
                    params
                    | {
                        "initialTurnsPage": params["initialTurnsPage"]
                        or dict.fromkeys(("limit", "sortDirection", "itemsView"))
                    }
                ),
            ),
        ),
    ),
    Fault(
        "resume-page-is-all",
        "The page ends the history: it has no cursor to go on from.",
        by("result", _PAGE),
        (Swap(resuming, "first_page", result(lambda page: replace(page, next_cursor=None))),),
    ),
    Fault(
        "resume-page-oldest-first",
        "The page begins with the oldest turn.",
        by("turns-match-scene", "resume.initial-page-defaults", f"{_PAGE}/*/desc"),
        (_paged(sortDirection="asc"),),
    ),
    Fault(
        "resume-page-full",
        "The page holds all items whatever it is asked for.",
        by("items-match-view", "resume.initial-page-defaults", f"{_PAGE}/summary/*", f"{_PAGE}/notLoaded/*"),
        (_paged(itemsView="full"),),
    ),
    Fault(
        "resume-newest-first",
        "The thread's turns come newest first.",
        by("turns-match-scene", _FULL, "resume.exclude-turns-false", "resume.page-alone"),
        (answering(RESUME, _turned),),
    ),
    Fault(
        "resume-turns-without-items",
        "The thread's turns come without their items.",
        by("items-match-view", _FULL),
        (answering(RESUME, _without_items),),
    ),
    Fault(
        "resume-unknown-begins",
        "A thread that was never stored is begun anew in its place.",
        by("error", "resume.unknown-thread"),
        (handling(RESUME, _begin_instead),),
    ),
    Fault(
        "resume-forgets-the-last-turn",
        "Of a loaded thread the last turn is not seen any more.",
        by("turns-match-scene", _FULL, "resume.exclude-turns-false"),
        (Swap(resuming, "turns_joined", result(lambda turns: turns[:-1])),),
    ),
    Fault(
        "resume-false-empty",
        "A stored thread is resumed as if it had no turns.",
        by("turns-match-scene", _FULL, "resume.initial-page-defaults"),
        (Swap(resuming, "turns_joined", returning(())),),
    ),
)
