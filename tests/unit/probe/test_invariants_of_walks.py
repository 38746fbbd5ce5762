"""Invariants of a whole walk: the sizes of its pages, and where its cursors lead."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.probe.case import Broken


def test_full_pages_and_a_shorter_last_one_are_right(made: Any, wire: Any, main: Any, broken: Any) -> None:
    pages = [made.page(main, [5, 4]), made.page(main, [3, 2]), made.page(main, [1])]
    assert broken("page-sizes", 2, wire.results(*pages)) == []
    assert broken("page-sizes", 2, wire.results(*pages[:2])) == []


@pytest.mark.parametrize(
    ("sizes", "expected", "actual", "number"),
    [
        ([1, 2], "page 1 with 2 turns", "1 turns", 0),
        ([3, 2], "page 1 with 2 turns", "3 turns", 0),
        ([2, 3], "page 2 with 1 to 2 turns", "3 turns", 1),
        ([2, 2, 0], "page 3 with 1 to 2 turns", "0 turns", 2),
        ([2, 0, 2], "page 2 with 2 turns", "0 turns", 1),
    ],
)
def test_a_page_of_another_size_is_told(
    sizes: list[int], expected: str, actual: str, number: int, made: Any, wire: Any, main: Any, broken: Any
) -> None:
    seen = wire.results(*(made.page(main, range(1, size + 1)) for size in sizes))
    assert broken("page-sizes", 2, seen) == [Broken(expected, actual, "/data", seen.exchanges[number].reply)]


@pytest.mark.parametrize("result", [None, [], "x", {"data": 5}, {}])
def test_sizes_say_nothing_about_what_is_no_page(result: Any, wire: Any, broken: Any) -> None:
    assert broken("page-sizes", 2, wire.results(result)) == []


def cursors(wire: Any, *values: Any) -> Any:
    return wire.results(*({"data": [], "nextCursor": value} for value in values))


def test_cursors_that_lead_to_null_advance(wire: Any, broken: Any) -> None:
    assert broken("cursor-advances", True, cursors(wire, "a", "b", None)) == []
    assert broken("cursor-advances", True, cursors(wire, None)) == []


def test_a_cursor_that_comes_again_is_told_with_both_pages(wire: Any, broken: Any) -> None:
    assert broken("cursor-advances", True, cursors(wire, "a", "b", "a")) == [
        Broken("after page 3 a cursor that leads on", 'the cursor of page 1 again: "a"', "/nextCursor", 5)
    ]


def test_a_walk_that_never_ends_is_told(wire: Any, broken: Any) -> None:
    assert broken("cursor-advances", True, cursors(wire, "a", "b", "c")) == [
        Broken("`nextCursor: null` at the end", "still a cursor after 3 pages", "/nextCursor", 5)
    ]


@pytest.mark.parametrize("cursor", [{"turnId": "x"}, ["x"], 5, False])
def test_a_cursor_that_is_no_text_is_a_fault_and_not_a_crash(cursor: Any, wire: Any, broken: Any) -> None:
    (found,) = broken("cursor-advances", True, cursors(wire, cursor))
    assert (found.expected, found.pointer) == ("`nextCursor` as a text or null", "/nextCursor")
