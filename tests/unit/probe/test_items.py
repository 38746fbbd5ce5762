"""The invariant over pages of items: which are there, in which order, and of which turn each is."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.probe.case import Broken

ITEMS = "items-match-scene"
LIST = "thread/items/list"
ALL = {"of": "main", "order": "asc"}


@pytest.fixture
def page(made: Any, main: Any) -> Any:
    """A page with items by their number in the thread, from 1; each turn has four."""
    entries = [{"turnId": turn.id, "item": made.item(item)} for turn in main.turns for item in turn.items]

    def write(*numbers: int) -> dict[str, Any]:
        return {"data": [dict(entries[number - 1]) for number in numbers], "nextCursor": None, "backwardsCursor": None}

    return write


def test_the_items_of_a_thread_are_right_in_order_and_in_part(page: Any, wire: Any, broken: Any) -> None:
    assert broken(ITEMS, ALL, wire.results(page(*range(1, 21)))) == []
    assert broken(ITEMS, {"of": "main", "order": "desc"}, wire.results(page(*range(20, 0, -1)))) == []
    assert broken(ITEMS, ALL | {"skip": 3, "take": 2}, wire.results(page(4, 5))) == []
    assert broken(ITEMS, {"of": "main", "order": "desc", "skip": 3}, wire.results(page(*range(17, 0, -1)))) == []


def test_the_items_of_one_turn_are_its_own(page: Any, wire: Any, broken: Any) -> None:
    second = ALL | {"turn": 2}
    assert broken(ITEMS, second, wire.results(page(5, 6, 7, 8))) == []
    assert broken(ITEMS, second | {"order": "desc", "take": 1}, wire.results(page(8))) == []
    assert broken(ITEMS, second, wire.results(page(5, 6, 7, 9))) == [
        Broken("items 5…8 of 20", "items 5…7, 9: missing 8; not asked for 9", "/data/3", 5)
    ]


def test_a_walk_is_judged_as_one(page: Any, wire: Any, broken: Any) -> None:
    assert broken(ITEMS, ALL, wire.results(page(*range(1, 15)), page(*range(15, 21)))) == []
    seen = wire.results(page(*range(1, 15)), page(*range(14, 21)))
    (found,) = broken(ITEMS, ALL, seen)
    assert (found.actual, found.pointer) == ("items 1…14, 14…20: repeated 14", "/data/0")
    assert found.message == seen.exchanges[1].reply


@pytest.mark.parametrize(
    ("numbers", "actual", "pointer"),
    [
        ((), "no items, though the stored thread has 20 (false empty)", "/data"),
        ((1, 2), "items 1, 2: missing 3, 4", "/data/1"),
        ((1, 3, 2, 4), "items 1, 3, 2, 4: in another order", "/data/1"),
        ((1, 2, 3, 4, 5), "items 1…5: not asked for 5", "/data/4"),
    ],
)
def test_wrong_items_are_told_by_their_numbers(
    numbers: tuple[int, ...], actual: str, pointer: str, page: Any, wire: Any, broken: Any
) -> None:
    assert broken(ITEMS, ALL | {"take": 4}, wire.results(page(*numbers))) == [
        Broken("items 1…4 of 20", actual, pointer, 1)
    ]


def test_items_where_none_are_expected_are_told(page: Any, wire: Any, broken: Any) -> None:
    assert broken(ITEMS, ALL | {"skip": 20}, wire.results(page())) == []
    assert broken(ITEMS, ALL | {"skip": 20}, wire.results(page(1))) == [
        Broken("no items (of 20)", "items 1: not asked for 1", "/data/0", 3)
    ]


def test_an_item_of_another_turn_or_with_another_text_is_unknown(page: Any, wire: Any, broken: Any) -> None:
    elsewhere = page(1, 2)
    elsewhere["data"][1]["turnId"] = "main-2"
    (found,) = broken(ITEMS, ALL | {"take": 2}, wire.results(elsewhere))
    assert found.actual == 'items 1: missing 2; 1 unknown, such as "turn 2, reasoning: reasoning 1.1"'
    elsewhere["data"][1] = {"turnId": "nowhere", "item": {"type": "agentMessage", "text": "x"}}
    (found,) = broken(ITEMS, ALL | {"take": 2}, wire.results(elsewhere))
    assert found.actual.endswith('such as "unknown turn nowhere, agentMessage: x"')
    changed = page(3)
    changed["data"][0]["item"]["text"] += "."
    assert broken(ITEMS, ALL | {"skip": 2, "take": 1}, wire.results(changed))


@pytest.mark.parametrize("entry", [None, 5, {}, {"turnId": 5, "item": None}, {"turnId": "main-1"}])
def test_an_entry_that_is_none_is_a_fault_and_not_a_crash(entry: Any, wire: Any, broken: Any) -> None:
    assert broken(ITEMS, ALL | {"take": 1}, wire.results({"data": [entry]}))


@pytest.mark.parametrize(("result", "actual"), [({}, "nothing at /data"), ({"data": None}, "null at /data")])
def test_a_result_without_items_is_told(result: Any, actual: str, wire: Any, broken: Any) -> None:
    assert broken(ITEMS, ALL, wire.results(result)) == [Broken("items 1…20 of 20", actual)]


def test_a_turn_that_is_no_longer_stored_is_told(page: Any, wire: Any, broken: Any) -> None:
    assert broken(ITEMS, ALL | {"turn": 6}, wire.results(page())) == [
        Broken("items of turn 6", "the stored thread has 5 turns by now")
    ]


def test_the_size_of_a_page_is_told_in_items(page: Any, wire: Any, broken: Any) -> None:
    seen = wire.results(page(1, 2, 3), method=LIST)
    assert broken("page-sizes", 2, seen) == [Broken("page 1 with 1 to 2 items", "3 items", "/data", 1)]
