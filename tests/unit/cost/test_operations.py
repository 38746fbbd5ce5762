"""A reply counts only if it holds what the operation asks for: a false empty would be cheap."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.cost.model import StoredThread
from hive_gate.cost.operations import (
    CONTROL,
    HOST,
    OPERATIONS,
    STEP,
    UNKNOWN,
    WALK,
    operations_of,
    problem_of,
    request_of,
)

THREAD = StoredThread(0, "plain", 100, 100, 1601, 700_000, 7)
SHORT = StoredThread(0, "plain", 5, 5, 81, 35_000, 7)


def turns(count: int, items: int) -> list[dict[str, Any]]:
    return [{"id": str(n), "items": [{}] * items} for n in range(count)]


GOOD: list[tuple[str, Any]] = [
    ("list", {"data": []}),
    ("read", {"thread": {"turns": []}}),
    ("read/turns", {"thread": {"turns": turns(100, 7)}}),
    ("restore/full", {"thread": {"turns": turns(100, 7)}}),
    ("restore/bare", {"thread": {"turns": []}}),
    (HOST, {"thread": {"turns": []}, "initialTurnsPage": {"data": turns(20, 7)}}),
    ("restore/page-summary", {"thread": {"turns": []}, "initialTurnsPage": {"data": turns(20, 2)}}),
    ("page/notLoaded/20", {"data": turns(20, 0)}),
    ("page/summary/20", {"data": turns(20, 2)}),
    (STEP, {"data": turns(20, 7)}),
    ("page/full/100", {"data": turns(100, 7)}),
]


@pytest.mark.parametrize(("name", "result"), GOOD)
def test_what_is_asked_for_counts(name: str, result: Any) -> None:
    assert problem_of(OPERATIONS[name], THREAD, {"result": result}) is None


@pytest.mark.parametrize(
    ("name", "result", "told"),
    [
        ("list", {}, "no list of threads"),
        ("read", {"thread": {"turns": turns(100, 7)}}, "0 turns were expected, 100 came"),
        ("read/turns", {"thread": {"turns": []}}, "100 turns were expected, 0 came"),
        ("read/turns", {"thread": None}, "100 turns were expected, no list of them came"),
        ("restore/full", {}, "100 turns were expected, no list of them came"),
        ("restore/bare", {"thread": {"turns": turns(100, 7)}}, "0 turns were expected, 100 came"),
        (HOST, {"thread": {"turns": []}}, "no initial page came"),
        (HOST, {"thread": {"turns": []}, "initialTurnsPage": {"data": []}}, "a page of 20 was expected, 0 came"),
        (STEP, {"data": []}, "a page of 20 was expected, 0 came"),
        (STEP, {"data": None}, "a page of 20 was expected, none came"),
        (STEP, {"data": turns(20, 2)}, "turns of 7 items were expected, they hold [2]"),
        ("page/notLoaded/20", {"data": turns(20, 7)}, "turns of 0 items were expected, they hold [7]"),
        ("page/summary/20", {"data": turns(20, 7)}, "turns of 2 items were expected, they hold [7]"),
        ("list", [], "the result is no object"),
    ],
)
def test_what_is_not_asked_for_does_not(name: str, result: Any, told: str) -> None:
    assert problem_of(OPERATIONS[name], THREAD, {"result": result}) == told


def test_a_page_of_a_short_thread_is_all_of_it() -> None:
    assert problem_of(OPERATIONS[STEP], SHORT, {"result": {"data": turns(5, 7)}}) is None


def test_a_refusal_counts_only_where_one_is_asked_for() -> None:
    refusal = {"error": {"code": -32600, "message": "no"}}
    assert problem_of(OPERATIONS[STEP], THREAD, refusal) == "refused: -32600 no"
    assert problem_of(OPERATIONS["refused/thread"], THREAD, refusal) is None
    assert problem_of(OPERATIONS[CONTROL], THREAD, refusal) is None
    assert problem_of(OPERATIONS[CONTROL], THREAD, {"result": {}}) == "answered, though it should be refused"


@pytest.mark.parametrize(
    ("name", "cursor", "params"),
    [
        ("list", None, {}),
        (CONTROL, None, {}),
        ("refused/thread", None, {"threadId": UNKNOWN}),
        ("read/turns", None, {"threadId": "t", "includeTurns": True}),
        (STEP, None, {"threadId": "t", "limit": 20, "sortDirection": "desc", "itemsView": "full"}),
        ("page/summary/20", None, {"threadId": "t", "limit": 20, "sortDirection": "desc", "itemsView": "summary"}),
        (HOST, None, {"threadId": "t", "excludeTurns": True,
                      "initialTurnsPage": {"limit": 20, "sortDirection": "desc", "itemsView": "full"}}),
        ("page/full/20/deep", "c", {"threadId": "t", "limit": 20, "sortDirection": "desc", "itemsView": "full",
                                    "cursor": "c"}),
    ],
)  # fmt: skip
def test_requests_are_those_that_hive_sends(name: str, cursor: str | None, params: dict[str, Any]) -> None:
    assert request_of(OPERATIONS[name], "t", cursor) == params


def test_what_sentences_speak_of_is_asked_as_hive_asks_for_it() -> None:
    spoken = (STEP, f"{STEP}/deep", f"{STEP}/cold", f"{STEP}/4-at-once", "page/full/100", HOST, WALK)
    params = [OPERATIONS[name].params for name in spoken]
    assert {each.get("initialTurnsPage", each)["itemsView"] for each in params} == {"full"}


def test_a_deep_page_needs_a_long_thread() -> None:
    deep = OPERATIONS[f"{STEP}/deep"]
    assert deep.applies(THREAD)
    assert not deep.applies(SHORT)


def test_databases_are_not_taken_from_threads_that_are_lost_with_them() -> None:
    assert OPERATIONS["start/first"] in operations_of(thorough=True, longest=True, databases_matter=False)
    assert OPERATIONS["start/first"] not in operations_of(thorough=True, longest=True, databases_matter=True)


def test_what_is_compared_between_shapes_has_every_view_and_both_restores() -> None:
    every = {"start", "page/notLoaded/20", "page/summary/20", STEP, HOST, "read/turns", CONTROL}
    for longest, more in ((False, set()), (True, {"restore/full"})):
        asked = operations_of(thorough=False, longest=longest, databases_matter=False)
        assert {operation.name for operation in asked} == every | more
