"""Invariants that compare with another step or a captured value, kept and broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hive_gate.probe.case import Broken
from hive_gate.probe.comparisons import first_difference
from hive_gate.probe.invariants import OF_ERRORS

# -- same-turns-as ----------------------------------------------------------------------------------------------------

SAME = {"step": "cold"}


def test_the_same_turns_are_the_same(made: Any, wire: Any, main: Any, broken: Any) -> None:
    cold = {"cold": wire.results(made.page(main, [5, 4]), made.page(main, [3]))}
    assert broken("same-turns-as", SAME, wire.results(made.page(main, [5, 4, 3])), cold) == []
    assert broken("same-turns-as", SAME | {"reversed": True}, wire.results(made.page(main, [3, 4, 5])), cold) == []
    elsewhere = wire.results({"thread": {"turns": made.page(main, [5, 4, 3])["data"]}})
    assert broken("same-turns-as", SAME | {"at": "/thread/turns", "there": "/data"}, elsewhere, cold) == []


def test_another_number_of_turns_is_told(made: Any, wire: Any, main: Any, broken: Any) -> None:
    cold = {"cold": wire.results(made.page(main, [5, 4]))}
    assert broken("same-turns-as", SAME, wire.results(made.page(main, [5])), cold) == [
        Broken("2 turns, as in step 'cold'", "1 turns", None, 3)
    ]


@pytest.mark.parametrize("change", [{"status": "failed"}, {"items": []}, {"id": "main-1"}])
def test_a_turn_that_differs_is_told(change: Any, made: Any, wire: Any, main: Any, broken: Any) -> None:
    cold = {"cold": wire.results(made.page(main, [5, 4]))}
    here = made.page(main, [5, 4])
    here["data"][1] |= change
    (found,) = broken("same-turns-as", SAME, wire.results(here), cold)
    assert found.pointer == "/data/1"
    assert found.expected.startswith('as in step \'cold\': {"id":"main-4"')
    assert found.actual != found.expected


def test_what_a_turn_costs_may_differ(made: Any, wire: Any, main: Any, broken: Any) -> None:
    cold = {"cold": wire.results(made.page(main, [5]))}
    here = made.page(main, [5])
    here["data"][0] |= {"durationMs": 5, "itemsView": "summary"}
    assert broken("same-turns-as", SAME, wire.results(here), cold) == []


def test_an_earlier_step_without_turns_is_told(made: Any, wire: Any, main: Any, broken: Any) -> None:
    cold = {"cold": wire.error(-1, "no")}
    assert broken("same-turns-as", SAME, wire.results(made.page(main, [5])), cold) == [
        Broken("the turns of step 'cold'", "no result")
    ]


# -- equals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, 1, 1.0, "x", [], {}, {"a": [1, {"b": None}]}])
def test_a_value_equals_itself(value: Any, wire: Any, broken: Any) -> None:
    assert broken("equals", {"at": "/page", "value": value}, wire.results({"page": value})) == []


@pytest.mark.parametrize(
    ("came", "value", "pointer", "expected", "actual"),
    [
        (True, 1, "/p", "1", "true"),
        (1, True, "/p", "true", "1"),
        (0, False, "/p", "false", "0"),
        ([True], [1], "/p/0", "1", "true"),
        (None, {}, "/p", "{}", "null"),
        ({"a": 1}, {"a": 1, "b/c": None}, "/p/b~1c", "null", "nothing"),
        ({"a": 1, "b": 2}, {"a": 1}, "/p/b", "nothing", "2"),
        ([1, 2], [1], "/p", "1 entries", "2 entries"),
        ([1, 2], [1, 3], "/p/1", "3", "2"),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}, "/p/a/0/b", '"y"', '"x"'),
        ([], {}, "/p", "{}", "[]"),
    ],
)
def test_the_first_difference_is_told(
    came: Any, value: Any, pointer: str, expected: str, actual: str, wire: Any, broken: Any
) -> None:
    assert broken("equals", {"at": "/p", "value": value}, wire.results({"p": came})) == [
        Broken(expected, actual, pointer, 1)
    ]


def test_a_member_that_is_not_there_equals_nothing(wire: Any, broken: Any) -> None:
    assert broken("equals", {"at": "/p", "value": None}, wire.results({})) == [Broken("null", "nothing at /p", "/p", 1)]


def test_members_may_come_in_any_order() -> None:
    assert first_difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is None


# -- same-error-as, other-error-than ----------------------------------------------------------------------------------


def test_errors_are_the_same_apart_from_their_methods(wire: Any, broken: Any) -> None:
    control = {"control": wire.error(-32600, "unknown variant `made-up`", "made-up")}
    same = wire.error(-32600, "unknown variant `real.one`", "real.one")
    assert broken("same-error-as", "control", same, control) == []
    assert broken("other-error-than", "control", same, control) == [
        Broken(
            "an error unlike that of step 'control': error -32600: unknown variant `made-up`",
            "error -32600: unknown variant `real.one`",
            None,
            same.exchanges[0].reply,
        )
    ]


@pytest.mark.parametrize(("code", "message"), [(-32601, "unknown variant `real`"), (-32600, "no: `real`"), (-1, None)])
def test_errors_that_differ_in_code_or_text_are_not_the_same(code: int, message: Any, wire: Any, broken: Any) -> None:
    control = {"control": wire.error(-32600, "unknown variant `made-up`", "made-up")}
    other = wire.error(code, message, "real")
    assert broken("other-error-than", "control", other, control) == []
    (found,) = broken("same-error-as", "control", other, control)
    assert found.actual == f"error {code}: {message}"


def test_a_result_is_neither_the_same_error_nor_another(wire: Any, broken: Any) -> None:
    control = {"control": wire.error(-32600, "no", "made-up")}
    answered = wire.results({"data": [], "nextCursor": None})
    for name in OF_ERRORS:
        (found,) = broken(name, "control", answered, control)
        assert found.actual == "a page of 0 turns, nextCursor null"


def test_two_results_are_not_the_same_error(wire: Any, broken: Any) -> None:
    assert len(broken("same-error-as", "control", wire.results({}), {"control": wire.results({})})) == 1


# -- reply-size-like --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "kept"), [(0, True), (64, True), (-64, True), (65, False), (-65, False)])
def test_a_reply_may_differ_by_the_slack_and_no_more(more: int, kept: bool, wire: Any, broken: Any) -> None:
    small = wire.results({"x": 1})
    here = wire.results({"x": 1})
    exchange = replace(here.exchanges[0], bytes_in=small.exchanges[0].bytes_in + more)
    found = broken(
        "reply-size-like", {"step": "small", "slack": 64}, replace(here, exchanges=(exchange,)), {"small": small}
    )
    size = small.exchanges[0].bytes_in
    told = Broken(f"about {size} bytes, as in step 'small' (± 64)", f"{size + more} bytes", None, exchange.reply)
    assert found == ([] if kept else [told])
