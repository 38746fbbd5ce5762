"""The invariant over pages of items: entries that each name their turn, apart from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hive_gate.probe.case import Broken, Case
from hive_gate.probe.numbers import difference, numbers_of, ranges
from hive_gate.probe.seen import project


def items_match_scene(value: Any, case: Case) -> Iterator[Broken]:
    """Exactly these items of a stored thread, or of one of its turns, in this order, each with the turn it is of."""
    thread, at = case.truth[value["of"]], value.get("at", "/data")
    by_turn = [[_key(f"turn {n}", i.type, i.text) for i in turn.items] for n, turn in enumerate(thread.turns, 1)]
    stored = [key for keys in by_turn for key in keys]
    if value.get("turn", 0) > len(by_turn):
        yield Broken(f"items of turn {value['turn']}", f"the stored thread has {len(by_turn)} turns by now")
        return
    ours = by_turn[value["turn"] - 1] if "turn" in value else stored
    ordered = ours if value["order"] == "asc" else ours[::-1]
    skip = value.get("skip", 0)
    wanted = ordered[skip : skip + value["take"] if "take" in value else None]
    places = {key: number for number, key in enumerate(stored, 1)}
    shown = ranges([places[key] for key in wanted])
    expected = f"items {shown} of {len(stored)}" if shown else f"no items (of {len(stored)})"
    try:
        entries = case.seen.turns(at)
    except LookupError as error:
        yield Broken(expected, str(error))
        return
    got = [_entry(entry.body, numbers_of(thread)) for entry in entries]
    if got == wanted:
        return
    first = next((i for i, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b), min(len(got), len(wanted)))
    where = entries[min(first, len(entries) - 1)] if entries else None
    yield Broken(
        expected,
        difference(got, wanted, places, len(stored), "items"),
        where.pointer if where else at,
        where.message if where else case.seen.last_reply,
    )


def _key(turn: str, kind: str, text: str) -> str:
    return f"{turn}, {kind}: {text}"


def _entry(entry: Any, numbers: Mapping[str, int]) -> str:
    """Return what an entry of a page is, in the words of :func:`_key`."""
    turn = str(entry.get("turnId"))
    return _key(f"turn {numbers[turn]}" if turn in numbers else f"unknown turn {turn}", *project(entry.get("item")))
