"""What was asked and answered in two runs, side by side, with the lines marked in which they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import Literal

from hive_gate.report.excerpt import shorten
from hive_gate.report.fingerprint import steady
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import ClauseResult, Exchange, Json, Message, Report
from hive_gate.report.plain import cut

EXCHANGES = 6
"""Exchanges of a clause that are shown: the first and the last ones."""

_LINES = 40
"""Lines of one message; beside it stands another one."""

_NOTIFICATION = 200
"""Characters of a notification."""

_CONTEXT = 3
"""Equal lines that are shown before and after one that differs."""

_FOLDED = 3
"""Equal lines that are shown although they are far from any difference: to fold them saves nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line on both sides; None where a side has none."""

    left: str | None
    right: str | None
    differs: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """One request, its reply or the notifications between, on both sides."""

    part: Literal["request", "notifications", "reply"]
    method: str
    step: int | None
    rows: tuple[Row, ...]
    """Equal lines far from a difference are left out, and how many is said in their place."""
    left_out: int = 0
    """Exchanges of the clause that are left out before this one."""


def pairs(before: Report, old: ClauseResult, after: Report, new: ClauseResult) -> tuple[Pair, ...]:
    """Return the exchanges of a clause in two runs, paired by their step and their number in it."""
    left, right = _placed(old.exchanges), _placed(new.exchanges)
    places = sorted({**left, **right})
    half = EXCHANGES // 2
    more = len(places) - EXCHANGES
    shown = places if more <= 0 else places[:half] + places[-half:]
    found: list[Pair] = []
    for number, place in enumerate(shown):
        left_out = more if more > 0 and number == half else 0
        found += _pair(before, left.get(place), after, right.get(place), left_out)
    return tuple(found)


def _placed(exchanges: tuple[Exchange, ...]) -> dict[tuple[int, int], Exchange]:
    placed: dict[tuple[int, int], Exchange] = {}
    for exchange in exchanges:
        step = -1 if exchange.step is None else exchange.step
        placed[step, sum(at == step for at, _ in placed)] = exchange
    return placed


def _pair(before: Report, old: Exchange | None, after: Report, new: Exchange | None, left_out: int) -> Iterator[Pair]:
    either = old or new
    assert either is not None  # noqa: S101 - a place is there because one of them has it
    old_parts = _parts(before, old) if old else {}
    new_parts = _parts(after, new) if new else {}
    for part in ("request", "notifications", "reply"):
        if part in old_parts or part in new_parts:
            rows = tuple(_folded(list(_rows(old_parts.get(part, []), new_parts.get(part, [])))))
            yield Pair(part, either.method, either.step, rows, left_out if part == "request" else 0)


def _parts(report: Report, exchange: Exchange) -> dict[str, list[str]]:
    parts = {"request": _lines(report.message(exchange.request), ("method", "params"))}
    told = [line for n in exchange.notifications for line in _announced(report.message(n))]
    if told:
        parts["notifications"] = _cut(told)
    if exchange.reply is None:
        parts["reply"] = [f"no reply: {cut(exchange.failure or 'the reason is not known', 200)}"]
    else:
        parts["reply"] = _lines(report.message(exchange.reply), ("result", "error"))
    return parts


def _lines(message: Message, members: tuple[str, ...]) -> list[str]:
    """Return the lines of a message without what only counts it."""
    body: Json = message.body
    if not isinstance(body, dict):
        return [dumps(cut(message.text or "", 200))]
    shown = {name: body[name] for name in members if name in body} or body
    return _cut(dumps(shorten(shown), indent=1).split("\n"))


def _announced(message: Message) -> list[str]:
    """Return a notification as one line, if it is about a thread; what comes at a start comes when it likes."""
    body: Json = message.body
    params = body.get("params") if isinstance(body, dict) else None
    if not isinstance(params, dict) or not {"threadId", "thread"} & params.keys():
        return []
    return [cut(f"{body.get('method')} {dumps(shorten(params), compact=True)}", _NOTIFICATION)]


def _cut(lines: list[str]) -> list[str]:
    return lines if len(lines) <= _LINES else [*lines[:_LINES], f"… {len(lines) - _LINES} more lines"]


def _rows(left: list[str], right: list[str]) -> Iterator[Row]:
    # Ids of new threads, times and scratch folders differ between any two runs, though nothing changed.
    one_side, other_side = ([steady(line).rstrip(",") for line in side] for side in (left, right))
    for tag, a, b, c, d in SequenceMatcher(None, one_side, other_side, autojunk=False).get_opcodes():
        for one, other in zip_longest(left[a:b], right[c:d]):
            yield Row(one, other, tag != "equal")


def _folded(rows: list[Row]) -> Iterator[Row]:
    """Yield the rows with stretches of equal ones folded, where they are far from any difference."""
    differing = [index for index, row in enumerate(rows) if row.differs]
    near = {at + step for at in differing for step in range(-_CONTEXT, _CONTEXT + 1)}
    if not differing:  # nothing to look for: its beginning says what it is
        near = set(range(2 * _CONTEXT))
    for is_near, group in groupby(enumerate(rows), key=lambda one: one[0] in near):
        stretch = [row for _, row in group]
        if is_near or len(stretch) <= _FOLDED:
            yield from stretch
        else:
            text = f"… {len(stretch)} equal lines"
            yield Row(text, text, differs=False)
