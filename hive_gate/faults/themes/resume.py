"""Faults of `thread/resume`: the turns it leaves out, the first page it gives, and the thread it is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import cursor, for_error, forgetting, setting, with_params, with_result
from hive_gate.faults.fault import RESUME, START, Fault, Message, ReplyHook, RequestHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_PAGE = "resume.initial-page"
_PAGED = "resume.paged-initial-page"
_DEFAULTS = "resume.initial-page-defaults"
_OTHER = "01970000-0000-7000-8000-000000000000"


def _asking_page(change: Callable[[dict[str, Any]], None]) -> RequestHook:
    """Ask the server for another first page."""

    def params_change(params: dict[str, Any]) -> None:
        if params.get("initialTurnsPage") is not None:
            change(params["initialTurnsPage"])

    return with_params(params_change)


def _giving_page(change: Callable[[dict[str, Any]], None]) -> ReplyHook:
    """Change the first page that the server gives."""

    def result_change(result: Any, params: dict[str, Any]) -> None:
        if result["initialTurnsPage"] is not None:
            change(result["initialTurnsPage"])

    return with_result(result_change)


def _page_one_more(page: dict[str, Any]) -> None:
    if "limit" in page:
        page["limit"] += 1


def _keep_last(result: Any, params: dict[str, Any]) -> None:
    if params.get("excludeTurns"):
        result["thread"]["turns"] = result["thread"]["turns"][-1:]


def _grow(result: Any, params: dict[str, Any]) -> None:
    """Give ten bytes for each turn that is left out."""
    if params.get("excludeTurns"):
        thread = result["thread"]
        thread["preview"] += "." * 10 * len(thread["turns"])
        thread["turns"] = []


def _page_only(result: Any, params: dict[str, Any]) -> None:
    if params.get("initialTurnsPage") is not None:
        result["thread"]["turns"] = []


def _unasked_page(params: dict[str, Any]) -> None:
    if params.get("initialTurnsPage") is None:
        params["initialTurnsPage"] = {"limit": 1}


def _start_instead(reply: Message, asked: Message, wire: Wire) -> Message | None:
    """Start a new thread where there is none to resume."""
    if "no rollout found" not in reply.get("error", {}).get("message", ""):
        return reply
    wire.to_server({"id": reply["id"], "method": START, "params": {}})
    return None


def _without_items(result: Any, params: dict[str, Any]) -> None:
    for turn in result["thread"]["turns"]:
        turn["items"] = [item for item in turn["items"] if item["type"] != "reasoning"]


def _exclude_if_named(params: dict[str, Any]) -> None:
    if "excludeTurns" in params:
        params["excludeTurns"] = True


FAULTS = tuple(
    Fault(name, breaks, noticed, (RESUME,), request, reply)
    for name, breaks, noticed, request, reply in (
        (
            "exclude-turns-ignored",
            "`excludeTurns` is ignored.",
            by("result", "resume.exclude-turns", _PAGE, _PAGED, "resume.anchors", at="/thread/turns")
            + by("reply-size-like", "resume.size"),
            forgetting("excludeTurns"),
            None,
        ),
        (
            "exclude-turns-keeps-last",
            "`excludeTurns` leaves the last turn in.",
            by("result", "resume.exclude-turns", at="/thread/turns"),
            forgetting("excludeTurns"),
            with_result(_keep_last),
        ),
        (
            "resume-grows",
            "The turns are left out, and the reply still grows by ten bytes for each.",
            by("reply-size-like", "resume.size"),
            forgetting("excludeTurns"),
            with_result(_grow),
        ),
        (
            "initial-page-ignored",
            "`initialTurnsPage` is ignored.",
            by(TURNS, _PAGE, _DEFAULTS, "resume.page-alone", _PAGED),
            forgetting("initialTurnsPage"),
            None,
        ),
        (
            "initial-page-omitted",
            "The first page is left out of the reply.",
            by(TURNS, _PAGE, _DEFAULTS, "resume.page-alone", _PAGED),
            None,
            with_result(lambda result, _: result.pop("initialTurnsPage")),
        ),
        (
            "initial-page-empty",
            "The first page is empty.",
            by(TURNS, _PAGE, _DEFAULTS, "resume.page-alone", _PAGED),
            None,
            _giving_page(lambda page: page.update(data=[])),
        ),
        (
            "initial-page-always-full",
            "The first page is always in the view `full`.",
            by(ITEMS_MATCH, f"{_PAGE}/notLoaded", f"{_PAGE}/summary", _DEFAULTS),
            _asking_page(lambda page: page.update(itemsView="full")),
            None,
        ),
        (
            "initial-page-always-summary",
            "The first page is always in the view `summary`.",
            by(ITEMS_MATCH, f"{_PAGE}/notLoaded", f"{_PAGE}/full"),
            _asking_page(lambda page: page.update(itemsView="summary")),
            None,
        ),
        (
            "initial-page-always-newest-first",
            "The first page is always from the newest turn on.",
            by(TURNS, f"{_PAGE}/*/asc", f"{_PAGED}/asc", at="/initialTurnsPage/data/*"),
            _asking_page(lambda page: page.update(sortDirection="desc")),
            None,
        ),
        (
            "initial-page-always-oldest-first",
            "The first page is always from the oldest turn on.",
            by(
                TURNS,
                f"{_PAGE}/*/desc",
                f"{_PAGED}/desc",
                _DEFAULTS,
                "resume.page-alone",
                at="/initialTurnsPage/data/*",
            ),
            _asking_page(lambda page: page.update(sortDirection="asc")),
            None,
        ),
        (
            "initial-page-limit-ignored",
            "The first page always has the default size.",
            by(TURNS, _PAGE, "resume.page-alone", at="/initialTurnsPage/data/*"),
            _asking_page(lambda page: page.pop("limit", None)),
            None,
        ),
        (
            "initial-page-off-by-one",
            "The first page has one turn more than asked for.",
            by(TURNS, _PAGE, "resume.page-alone", at="/initialTurnsPage/data/*"),
            _asking_page(_page_one_more),
            None,
        ),
        (
            "initial-page-default-view-full",
            "Without a view the first page is `full`.",
            by(ITEMS_MATCH, _DEFAULTS),
            _asking_page(lambda page: page.setdefault("itemsView", "full")),
            None,
        ),
        (
            "initial-page-default-direction-asc",
            "Without a direction the first page starts with the oldest turn.",
            by(TURNS, _DEFAULTS),
            _asking_page(lambda page: page.setdefault("sortDirection", "asc")),
            None,
        ),
        (
            "initial-page-default-limit-50",
            "Without a limit the first page has 50 turns.",
            by(TURNS, "resume.initial-page-default-size", at="/initialTurnsPage/data/*"),
            _asking_page(lambda page: page.setdefault("limit", 50)),
            None,
        ),
        (
            "initial-page-is-the-last",
            "The first page has no `nextCursor`.",
            by("result", _PAGE, _PAGED, at="/initialTurnsPage/nextCursor"),
            None,
            _giving_page(lambda page: page.update(nextCursor=None)),
        ),
        (
            "initial-page-cursor-unusable",
            "The `nextCursor` of the first page is refused by `thread/turns/list`.",
            by("result", _PAGE),
            None,
            _giving_page(lambda page: page.update(nextCursor="resume:3")),
        ),
        (
            "initial-page-cursor-at-first-turn",
            "The `nextCursor` of the first page leads back into it.",
            by(TURNS, _PAGE, at="/data/*"),
            None,
            _giving_page(lambda page: page.update(nextCursor=cursor(page["data"][0], inclusive=False))),
        ),
        (
            "initial-page-without-way-back",
            "The first page has no `backwardsCursor`.",
            by("result", _PAGE, _PAGED, at="/initialTurnsPage/backwardsCursor"),
            None,
            _giving_page(lambda page: page.update(backwardsCursor=None)),
        ),
        (
            "initial-page-way-back-elsewhere",
            "The `backwardsCursor` of the first page leads to its last turn.",
            by(TURNS, _PAGE, at="/data*"),
            None,
            _giving_page(lambda page: page.update(backwardsCursor=cursor(page["data"][-1], inclusive=True))),
        ),
        (
            "initial-page-unasked",
            "There is a first page though none was asked for.",
            by("result", "resume.exclude-turns", "resume.full", at="/initialTurnsPage"),
            with_params(_unasked_page),
            None,
        ),
        (
            "initial-page-leaves-turns-out",
            "With `initialTurnsPage` the turns are left out as with `excludeTurns`.",
            by(TURNS, "resume.page-alone", at="/thread/turns"),
            None,
            with_result(_page_only),
        ),
        (
            "resume-of-another-thread",
            "The resumed thread is not the one that was asked for.",
            by("result", "resume.exclude-turns", "resume.full", _PAGE, at="/thread/id"),
            None,
            with_result(lambda result, _: result["thread"].update(id=_OTHER)),
        ),
        (
            "turns-always-excluded",
            "A full resume has no turns.",
            by(TURNS, "resume.full", "resume.page-alone", "resume.paged-full", at="/thread/turns"),
            setting(excludeTurns=True),
            None,
        ),
        (
            "full-resume-newest-first",
            "A full resume has the newest turn first.",
            by(TURNS, "resume.full", "resume.page-alone", "resume.paged-full", at="/thread/turns/*"),
            None,
            with_result(lambda result, _: result["thread"]["turns"].reverse()),
        ),
        (
            "full-resume-without-reasoning",
            "A full resume leaves the reasoning out.",
            by(ITEMS_MATCH, "resume.full", at="/thread/turns/*/items/*"),
            None,
            with_result(_without_items),
        ),
        (
            "exclude-turns-false-as-true",
            "`excludeTurns: false` leaves the turns out.",
            by(TURNS, "resume.exclude-turns-false", at="/thread/turns"),
            with_params(_exclude_if_named),
            None,
        ),
        (
            "resume-of-unknown-starts-new",
            "Resuming a thread that was never stored starts a new one.",
            by("error", "resume.unknown-thread"),
            None,
            _start_instead,
        ),
        (
            "resume-of-unknown-other-code",
            "Resuming a thread that was never stored is refused with another code.",
            by("error", "resume.unknown-thread", at="/error"),
            None,
            for_error("no rollout found", code=-32603),
        ),
        (
            "resume-of-unknown-not-loaded",
            "Resuming a thread that was never stored says that it is not loaded.",
            by("error", "resume.unknown-thread", at="/error"),
            None,
            for_error("no rollout found", message="thread not loaded: {threadId}"),
        ),
    )
)
