"""Each invariant, kept and broken, with the phrases that a person reads."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.probe.case import Broken, Case
from hive_gate.probe.invariants import INVARIANTS, OF_ERRORS
from hive_gate.scene.truth import ThreadTruth, TurnTruth

TURNS, ITEMS = "turns-match-scene", "items-match-view"
DESC, ASC = {"of": "main", "order": "desc"}, {"of": "main", "order": "asc"}


def test_the_vocabulary_is_what_the_contract_s_schema_knows() -> None:
    import json

    from hive_gate.data import CONTRACTS

    schema = json.loads((CONTRACTS / "contract.schema.json").read_bytes())
    named = schema["$defs"]["expect"]["properties"]["invariants"]["items"]["properties"]
    assert set(named) == set(INVARIANTS)
    assert set(INVARIANTS) > OF_ERRORS


# -- turns-match-scene ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (DESC, [5, 4, 3, 2, 1]),
        (ASC, [1, 2, 3, 4, 5]),
        (DESC | {"take": 2}, [5, 4]),
        (DESC | {"skip": 2, "take": 2}, [3, 2]),
        (ASC | {"skip": 4}, [5]),
        (DESC | {"take": 99}, [5, 4, 3, 2, 1]),
        (DESC | {"skip": 5}, []),
    ],
)
def test_the_right_turns_are_kept(value: Any, numbers: list[int], made: Any, wire: Any, main: Any, broken: Any) -> None:
    assert broken(TURNS, value, wire.results(made.page(main, numbers))) == []


@pytest.mark.parametrize(
    ("numbers", "actual", "pointer"),
    [
        ([], "no turns, though the stored thread has 5 (false empty)", "/data"),
        ([5, 4, 2, 1], "turns 5, 4, 2, 1: missing 3", "/data/2"),
        ([5, 4, 3], "turns 5…3: missing 2, 1", "/data/2"),
        ([5, 4, 4, 3, 2, 1], "turns 5, 4, 4…1: repeated 4", "/data/2"),
        ([5, 5, 3, 2, 1], "turns 5, 5, 3…1: repeated 5; missing 4", "/data/1"),
        ([1, 2, 3, 4, 5], "turns 1…5: in another order", "/data/0"),
        ([5, 3, 4, 2, 1], "turns 5, 3, 4, 2, 1: in another order", "/data/1"),
    ],
)
def test_a_wrong_page_is_told_by_the_numbers_of_its_turns(
    numbers: list[int], actual: str, pointer: str, made: Any, wire: Any, main: Any, broken: Any
) -> None:
    assert broken(TURNS, DESC, wire.results(made.page(main, numbers))) == [Broken("turns 5…1 of 5", actual, pointer, 1)]


def test_turns_beyond_the_page_were_not_asked_for(made: Any, wire: Any, main: Any, broken: Any) -> None:
    assert broken(TURNS, DESC | {"take": 2}, wire.results(made.page(main, [5, 4, 3, 2]))) == [
        Broken("turns 5, 4 of 5", "turns 5…2: not asked for 3, 2", "/data/2", 1)
    ]


def test_a_turn_of_another_thread_is_unknown(made: Any, wire: Any, main: Any, broken: Any) -> None:
    page = made.page(main, [5, 4])
    page["data"][1]["id"] = "other-1"
    assert broken(TURNS, DESC | {"take": 2}, wire.results(page)) == [
        Broken("turns 5, 4 of 5", 'turns 5: missing 4; 1 unknown, such as "other-1"', "/data/1", 1)
    ]


def test_turns_where_none_are_expected_are_told(made: Any, wire: Any, main: Any, broken: Any) -> None:
    assert broken(TURNS, DESC | {"skip": 5}, wire.results(made.page(main, [1]))) == [
        Broken("no turns (of 5)", "turns 1: not asked for 1", "/data/0", 1)
    ]


@pytest.mark.parametrize("status", ["interrupted", "inProgress", None, {}])
def test_a_wrong_status_is_told_with_its_turn(status: Any, made: Any, wire: Any, main: Any, broken: Any) -> None:
    page = made.page(main, [5, 4])
    page["data"][1]["status"] = status
    (found,) = broken(TURNS, DESC | {"take": 2}, wire.results(page))
    assert (found.expected, found.pointer, found.message) == ("turn 4 with the status completed", "/data/1/status", 1)
    assert found.actual.startswith("status ")


def test_any_of_the_statuses_that_the_store_allows_is_right(made: Any, wire: Any) -> None:
    thread = ThreadTruth("x", (TurnTruth("x-1", ("failed", "completed"), ()),))
    value = {"of": "x", "order": "asc"}

    def found(status: str) -> list[Broken]:
        page = {"data": [made.turn(thread.turns[0], status=status)]}
        return list(INVARIANTS[TURNS](value, Case(wire.results(page), {"x": thread}, {})))

    assert found("failed") == found("completed") == []
    assert found("interrupted")[0].expected == "turn 1 with the status failed or completed"


def test_a_walk_is_judged_as_one_and_the_fault_found_on_its_page(made: Any, wire: Any, main: Any, broken: Any) -> None:
    whole = wire.results(made.page(main, [5, 4]), made.page(main, [3, 2]), made.page(main, [1]))
    assert broken(TURNS, DESC, whole) == []
    gap = wire.results(made.page(main, [5, 4]), made.page(main, [2]), made.page(main, [1]))
    (found,) = broken(TURNS, DESC, gap)
    assert (found.actual, found.pointer) == ("turns 5, 4, 2, 1: missing 3", "/data/0")
    assert found.message == gap.exchanges[1].reply


@pytest.mark.parametrize(
    ("result", "actual"),
    [
        ({}, "nothing at /data"),
        (None, "nothing at /data"),
        ({"data": None}, "null at /data"),
        ({"data": {"0": {}}}, '{"0":{}} at /data'),
    ],
)
def test_a_result_without_turns_is_told(result: Any, actual: str, wire: Any, broken: Any) -> None:
    assert broken(TURNS, DESC, wire.results(result)) == [Broken("turns 5…1 of 5", actual)]
    assert broken(ITEMS, {"of": "main", "view": "full"}, wire.results(result)) == [
        Broken("turns in the view full", actual)
    ]


def test_turns_elsewhere_in_the_result_are_found_by_pointer(made: Any, wire: Any, main: Any, broken: Any) -> None:
    result = {"initialTurnsPage": made.page(main, [5, 4, 3])}
    at = {"at": "/initialTurnsPage/data"}
    assert broken(TURNS, DESC | at | {"take": 3}, wire.results(result)) == []
    (found,) = broken(TURNS, DESC | at | {"take": 2}, wire.results(result))
    assert found.pointer == "/initialTurnsPage/data/2"


@pytest.mark.parametrize("turn", [None, 5, "main-5", {"id": None}, {"id": ["x"]}])
def test_what_is_no_turn_at_all_is_a_fault_and_not_a_crash(turn: Any, wire: Any, broken: Any) -> None:
    assert len(broken(TURNS, DESC, wire.results({"data": [turn]}))) == 1


# -- items-match-view -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["notLoaded", "summary", "full"])
def test_the_items_of_each_view_are_kept(view: str, made: Any, wire: Any, main: Any, broken: Any) -> None:
    assert broken(ITEMS, {"of": "main", "view": view}, wire.results(made.page(main, [5, 4], view))) == []


@pytest.mark.parametrize(
    ("asked", "came", "expected", "actual", "pointer"),
    [
        ("notLoaded", "summary", "no items", "userMessage, agentMessage", "/data/0/items/0"),
        ("summary", "notLoaded", "userMessage, agentMessage", "no items", "/data/0/items"),
        ("summary", "full", "userMessage, agentMessage", "userMessage, reasoning, agentMessage, agentMessage",
         "/data/0/items/1"),
        ("full", "summary", "userMessage, reasoning, agentMessage, agentMessage", "userMessage, agentMessage",
         "/data/0/items/1"),
    ],
)  # fmt: skip
def test_the_items_of_another_view_are_told(
    asked: str, came: str, expected: str, actual: str, pointer: str, made: Any, wire: Any, main: Any, broken: Any
) -> None:
    result = made.page(main, [5], came)
    result["data"][0]["itemsView"] = asked
    assert broken(ITEMS, {"of": "main", "view": asked}, wire.results(result)) == [
        Broken(f"turn 5 in the view {asked}: {expected}", actual, pointer, 1)
    ]


def test_a_summary_with_the_wrong_answer_is_told(made: Any, wire: Any, main: Any, broken: Any) -> None:
    result = made.page(main, [2], "summary")
    result["data"][0]["items"][1]["text"] = "agentMessage 2.2"  # the first answer, not the last
    assert broken(ITEMS, {"of": "main", "view": "summary"}, wire.results(result)) == [
        Broken(
            'turn 2 in the view summary: item 2 agentMessage "agentMessage 2.3"',
            '"agentMessage 2.2"',
            "/data/0/items/1",
            1,
        )
    ]


def test_items_in_another_order_are_told(made: Any, wire: Any, main: Any, broken: Any) -> None:
    result = made.page(main, [1])
    result["data"][0]["items"][2:] = result["data"][0]["items"][:1:-1]
    (found,) = broken(ITEMS, {"of": "main", "view": "full"}, wire.results(result))
    assert (found.actual, found.pointer) == ('"agentMessage 1.3"', "/data/0/items/2")


def test_a_wrong_label_is_told_even_on_the_right_items(made: Any, wire: Any, main: Any, broken: Any) -> None:
    result = made.page(main, [5, 4], "summary")
    result["data"][1]["itemsView"] = "full"
    assert broken(ITEMS, {"of": "main", "view": "summary"}, wire.results(result)) == [
        Broken("itemsView summary", 'itemsView "full"', "/data/1/itemsView", 1)
    ]


def test_a_server_without_labels_is_judged_by_its_items(made: Any, wire: Any, main: Any, broken: Any) -> None:
    result = made.page(main, [5], "full")
    del result["data"][0]["itemsView"]
    assert broken(ITEMS, {"of": "main", "view": "full"}, wire.results(result)) == []
    assert len(broken(ITEMS, {"of": "main", "view": "summary"}, wire.results(result))) == 1


@pytest.mark.parametrize("items", [None, {}, [None], ["userMessage 5.0"], [{"type": "userMessage", "content": 5}]])
def test_items_that_are_none_are_a_fault_and_not_a_crash(
    items: Any, made: Any, wire: Any, main: Any, broken: Any
) -> None:
    result = made.page(main, [5])
    result["data"][0]["items"] = items
    assert len(broken(ITEMS, {"of": "main", "view": "full"}, wire.results(result))) == 1
