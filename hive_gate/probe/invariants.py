"""The vocabulary for what a JSON Schema cannot say: each name a pure function over replies and the scene's truth.

Each function yields :class:`Broken` for what does not hold, and nothing where all does. Expected and actual are
phrases for a person; turns are called by their number in the stored thread, from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hive_gate.probe.case import Broken, Case
from hive_gate.probe.comparisons import equals, other_error_than, reply_size_like, same_error_as, same_turns_as
from hive_gate.probe.items import items_match_scene
from hive_gate.probe.numbers import difference, numbers_of, ranges
from hive_gate.probe.seen import SeenTurn, items_of, preview
from hive_gate.scene.truth import ItemTruth, ThreadTruth

Invariant = Callable[[Any, Case], Iterator[Broken]]

_ITEMS = "thread/items/list"


def turns_match_scene(value: Any, case: Case) -> Iterator[Broken]:
    """Exactly these turns of a stored thread, in this order, each with a status that its store allows."""
    thread = case.truth[value["of"]]
    ordered = thread.turns if value["order"] == "asc" else thread.turns[::-1]
    skip = value.get("skip", 0)
    expected = ordered[skip : skip + value["take"] if "take" in value else None]
    numbers = numbers_of(thread)
    try:
        turns = case.seen.turns(value.get("at", "/data"))
    except LookupError as error:
        yield Broken(_turns_phrase([t.id for t in expected], thread), str(error))
        return
    got = [str(turn.body.get("id")) for turn in turns]
    wanted = [turn.id for turn in expected]
    if got != wanted:
        at = next((i for i, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b), min(len(got), len(wanted)))
        where = turns[at] if at < len(turns) else turns[-1] if turns else None
        actual = difference(got, wanted, numbers, len(thread.turns))
        yield Broken(
            _turns_phrase(wanted, thread),
            actual,
            where.pointer if where else value.get("at", "/data"),
            where.message if where else case.seen.last_reply,
        )
        return
    for turn, true in zip(turns, expected, strict=True):
        status = turn.body.get("status")
        if status not in true.statuses:
            yield Broken(
                f"turn {numbers[true.id]} with the status {' or '.join(true.statuses)}",
                f"status {preview(status)}",
                f"{turn.pointer}/status",
                turn.message,
            )


def items_match_view(value: Any, case: Case) -> Iterator[Broken]:
    """Each turn holds the items that its view promises, and says which view it is, where it says one."""
    thread, view = case.truth[value["of"]], value["view"]
    truth = {turn.id: turn for turn in thread.turns}
    numbers = numbers_of(thread)
    try:
        turns = case.seen.turns(value.get("at", "/data"))
    except LookupError as error:
        yield Broken(f"turns in the view {view}", str(error))
        return
    for turn in turns:
        true = truth.get(str(turn.body.get("id")))
        if true is None:
            continue  # `turns-match-scene` speaks of turns that should not be there
        yield from _items(turn, true.in_view(view), f"turn {numbers[true.id]} in the view {view}")
        if turn.body.get("itemsView", view) != view:
            yield Broken(
                f"itemsView {view}",
                f"itemsView {preview(turn.body['itemsView'])}",
                f"{turn.pointer}/itemsView",
                turn.message,
            )


def page_sizes(value: Any, case: Case) -> Iterator[Broken]:
    """Every page of a walk but the last holds exactly so many entries, the last at least one and no more."""
    for index, exchange in enumerate(case.seen.exchanges):
        what = "items" if exchange.method == _ITEMS else "turns"
        result = (case.seen.body(exchange) or {}).get("result")
        data = result.get("data") if isinstance(result, dict) else None
        if not isinstance(data, list):
            continue  # said by the check of the result
        last = index == len(case.seen.exchanges) - 1
        if len(data) > value or (len(data) < value and not last) or not data:
            yield Broken(
                f"page {index + 1} with {'1 to ' if last else ''}{value} {what}",
                f"{len(data)} {what}",
                "/data",
                exchange.reply,
            )


def cursor_advances(value: Any, case: Case) -> Iterator[Broken]:
    """No cursor comes twice in a walk, and the walk ends with `nextCursor: null`."""
    del value
    seen: dict[str, int] = {}
    for index, exchange in enumerate(case.seen.exchanges):
        body = case.seen.body(exchange) or {}
        if not isinstance(body.get("result"), dict):
            return
        cursor = body["result"].get("nextCursor")
        if cursor is None:
            return
        if not isinstance(cursor, str):
            yield Broken("`nextCursor` as a text or null", preview(cursor), "/nextCursor", exchange.reply)
            return
        if cursor in seen:
            yield Broken(
                f"after page {index + 1} a cursor that leads on",
                f"the cursor of page {seen[cursor] + 1} again: {preview(cursor)}",
                "/nextCursor",
                exchange.reply,
            )
            return
        seen[cursor] = index
    yield Broken(
        "`nextCursor: null` at the end",
        f"still a cursor after {len(seen)} pages",
        "/nextCursor",
        case.seen.last_reply,
    )


INVARIANTS: dict[str, Invariant] = {
    "turns-match-scene": turns_match_scene,
    "items-match-view": items_match_view,
    "items-match-scene": items_match_scene,
    "page-sizes": page_sizes,
    "cursor-advances": cursor_advances,
    "same-turns-as": same_turns_as,
    "equals": equals,
    "same-error-as": same_error_as,
    "other-error-than": other_error_than,
    "reply-size-like": reply_size_like,
}
"""Every invariant by the name that a contract uses."""

OF_ERRORS = frozenset({"same-error-as", "other-error-than"})
"""The invariants that speak of an error: a step with one of them expects no result."""


def _items(turn: SeenTurn, expected: tuple[ItemTruth, ...], what: str) -> Iterator[Broken]:
    got = items_of(turn.body)
    wanted = [(item.type, item.text) for item in expected]
    if got == wanted:
        return
    at = next((i for i, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b), min(len(got), len(wanted)))
    if [kind for kind, _ in got] == [kind for kind, _ in wanted]:
        expected_text, actual = preview(wanted[at][1], 80), preview(got[at][1], 80)
        yield Broken(
            f"{what}: item {at + 1} {wanted[at][0]} {expected_text}", actual, f"{turn.pointer}/items/{at}", turn.message
        )
    else:
        yield Broken(
            f"{what}: {_kinds(wanted)}",
            _kinds(got),
            f"{turn.pointer}/items" + (f"/{at}" if at < len(got) else ""),
            turn.message,
        )


def _kinds(items: list[tuple[str, str]]) -> str:
    return ", ".join(kind for kind, _ in items) if items else "no items"


def _turns_phrase(ids: list[str], thread: ThreadTruth) -> str:
    numbers = numbers_of(thread)
    if not ids:
        return f"no turns (of {len(thread.turns)})"
    return f"turns {ranges([numbers[i] for i in ids])} of {len(thread.turns)}"
