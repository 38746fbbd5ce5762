"""The vocabulary for what a JSON Schema cannot say: each name a pure function over replies and the scene's truth.

Each function yields :class:`Broken` for what does not hold, and nothing where all does. Expected and actual are
phrases for a person; turns are called by their number in the stored thread, from 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hive_gate.probe.seen import Seen, SeenTurn, error_phrase, items_of, preview, reply_phrase
from hive_gate.scene.truth import ItemTruth, ThreadTruth, Truth


@dataclass(frozen=True, slots=True)
class Broken:
    """One invariant that does not hold, and where."""

    expected: str
    actual: str
    pointer: str | None = None
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """What an invariant is judged on."""

    seen: Seen
    truth: Truth
    earlier: Mapping[str, Seen]
    """The steps before this one, by their `as`."""


Invariant = Callable[[Any, Case], Iterator[Broken]]


def turns_match_scene(value: Any, case: Case) -> Iterator[Broken]:
    """Exactly these turns of a stored thread, in this order, each with a status that its store allows."""
    thread = case.truth[value["of"]]
    ordered = thread.turns if value["order"] == "asc" else thread.turns[::-1]
    skip = value.get("skip", 0)
    expected = ordered[skip : skip + value["take"] if "take" in value else None]
    numbers = _numbers(thread)
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
        actual = _difference(got, wanted, numbers, len(thread.turns))
        yield Broken(
            _turns_phrase(wanted, thread),
            actual,
            where.pointer if where else value.get("at", "/data"),
            where.message if where else _last_reply(case.seen),
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
    numbers = _numbers(thread)
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
    """Every page of a walk but the last holds exactly so many turns, the last at least one and no more."""
    for index, exchange in enumerate(case.seen.exchanges):
        body = case.seen.body(exchange)
        data = (body or {}).get("result", {}).get("data")
        if not isinstance(data, list):
            continue  # said by the check of the result
        last = index == len(case.seen.exchanges) - 1
        if len(data) > value or (len(data) < value and not last) or not data:
            yield Broken(
                f"page {index + 1} with {'1 to ' if last else ''}{value} turns",
                f"{len(data)} turns",
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
        _last_reply(case.seen),
    )


def same_turns_as(value: Any, case: Case) -> Iterator[Broken]:
    """The same turns with the same status and items as another step's, in the same order unless `reversed`."""
    try:
        here = case.seen.turns(value.get("at", "/data"))
        there = case.earlier[value["step"]].turns(value.get("there", "/data"))
    except LookupError as error:
        yield Broken(f"the turns of step {value['step']!r}", str(error))
        return
    there = there[::-1] if value.get("reversed") else there
    if len(here) != len(there):
        yield Broken(
            f"{len(there)} turns, as in step {value['step']!r}", f"{len(here)} turns", None, _last_reply(case.seen)
        )
        return
    for mine, other in zip(here, there, strict=True):
        a, b = _core(mine.body), _core(other.body)
        if a != b:
            yield Broken(f"as in step {value['step']!r}: {preview(b)}", preview(a), mine.pointer, mine.message)
            return


def equals(value: Any, case: Case) -> Iterator[Broken]:
    """The value at a pointer of the result equals another value, member by member."""
    from hive_gate.contract.names import resolve

    try:
        here = resolve(case.seen.result(), value["at"])
    except LookupError:
        yield Broken(preview(value["value"]), f"nothing at {value['at']}", value["at"], _last_reply(case.seen))
        return
    difference = first_difference(here, value["value"], value["at"])
    if difference is not None:
        pointer, actual, expected = difference
        yield Broken(expected, actual, pointer, _last_reply(case.seen))


def same_error_as(value: Any, case: Case) -> Iterator[Broken]:
    """The same code and text as another step's error, once each's own method is taken out."""
    mine, other = _error_core(case.seen), _error_core(case.earlier[value])
    if mine is None or mine != other:
        yield Broken(
            f"an error like that of step {value!r}: {_answer(case.earlier[value])}",
            _answer(case.seen),
            None,
            _last_reply(case.seen),
        )


def other_error_than(value: Any, case: Case) -> Iterator[Broken]:
    """An error that differs from another step's by more than the method's name."""
    mine, other = _error_core(case.seen), _error_core(case.earlier[value])
    if mine is None or mine == other:
        yield Broken(
            f"an error unlike that of step {value!r}: {_answer(case.earlier[value])}",
            _answer(case.seen),
            None,
            _last_reply(case.seen),
        )


def reply_size_like(value: Any, case: Case) -> Iterator[Broken]:
    """The reply is as large as another step's, give or take so many bytes."""
    mine, other = case.seen.last, case.earlier[value["step"]].last
    if mine is None or other is None:
        return
    if abs(mine.bytes_in - other.bytes_in) > value["slack"]:
        yield Broken(
            f"about {other.bytes_in} bytes, as in step {value['step']!r} (± {value['slack']})",
            f"{mine.bytes_in} bytes",
            None,
            mine.reply,
        )


INVARIANTS: dict[str, Invariant] = {
    "turns-match-scene": turns_match_scene,
    "items-match-view": items_match_view,
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


def first_difference(a: Any, b: Any, pointer: str = "") -> tuple[str, str, str] | None:
    """Return (pointer, what `a` has there, what `b` has there) for the first difference; None if they are equal."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*b, *(key for key in a if key not in b)]:
            here = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
            if key not in a or key not in b:
                return here, preview(a[key]) if key in a else "nothing", preview(b[key]) if key in b else "nothing"
            found = first_difference(a[key], b[key], here)
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for index, (mine, other) in enumerate(zip(a, b, strict=False)):
            found = first_difference(mine, other, f"{pointer}/{index}")
            if found:
                return found
        return None if len(a) == len(b) else (pointer, f"{len(a)} entries", f"{len(b)} entries")
    # `True == 1` in Python, and not in JSON.
    return None if a == b and isinstance(a, bool) == isinstance(b, bool) else (pointer, preview(a), preview(b))


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


def _numbers(thread: ThreadTruth) -> dict[str, int]:
    return {turn.id: number for number, turn in enumerate(thread.turns, 1)}


def _turns_phrase(ids: list[str], thread: ThreadTruth) -> str:
    numbers = _numbers(thread)
    if not ids:
        return f"no turns (of {len(thread.turns)})"
    return f"turns {_ranges([numbers[i] for i in ids])} of {len(thread.turns)}"


def _ranges(numbers: list[int]) -> str:
    """Return numbers in order with runs folded: 5, 4, 3 is `5…3`."""
    runs: list[list[int]] = []
    for number in numbers:
        if (
            runs
            and abs(number - runs[-1][-1]) == 1
            and (len(runs[-1]) == 1 or number - runs[-1][-1] == runs[-1][-1] - runs[-1][-2])
        ):
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [f"{run[0]}…{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(shown[:12]) + (", …" if len(shown) > 12 else "")


def _difference(got: list[str], wanted: list[str], numbers: dict[str, int], total: int) -> str:
    if not got:
        return f"no turns, though the stored thread has {total} (false empty)"
    parts = []
    counted = Counter(got)
    repeated = [numbers[i] for i, count in counted.items() if count > 1 and i in numbers]
    missing = [numbers[i] for i in wanted if i not in counted]
    extra = [numbers[i] for i in counted if i in numbers and i not in wanted]
    unknown = [i for i in counted if i not in numbers]
    if repeated:
        parts.append(f"repeated {_ranges(repeated)}")
    if missing:
        parts.append(f"missing {_ranges(missing)}")
    if extra:
        parts.append(f"not asked for {_ranges(extra)}")
    if unknown:
        parts.append(f"{len(unknown)} unknown, such as {preview(unknown[0], 60)}")
    order = _ranges([numbers[i] for i in got if i in numbers])
    return f"turns {order or 'unknown'}: {'; '.join(parts) or 'in another order'}"


def _core(turn: Any) -> dict[str, Any]:
    return {"id": turn.get("id"), "status": turn.get("status"), "items": items_of(turn)}


def _error_core(seen: Seen) -> tuple[Any, str] | None:
    error = seen.error()
    if error is None or seen.last is None:
        return None
    return error.get("code"), re.sub(re.escape(seen.last.method), "‹method›", str(error.get("message")))


def _answer(seen: Seen) -> str:
    error = seen.error()
    return error_phrase(error) if error is not None else reply_phrase(seen.body(seen.last) if seen.last else None)


def _last_reply(seen: Seen) -> int | None:
    return seen.last.reply if seen.last else None
