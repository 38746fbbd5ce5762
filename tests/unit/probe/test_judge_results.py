"""Results as the judge sees them: their form, the scene, captured values, notifications."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.report.model import ClauseResult, Finding

LIST = "thread/turns/list"
Ask = Callable[..., ClauseResult]


def call(method: str = LIST, **more: Any) -> dict[str, Any]:
    return {"call": method, "params": {}, **more}


def error(code: Any, message: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


@pytest.mark.parametrize(
    ("change", "pointer", "actual"),
    [
        ({"nextCursor": 5}, "/nextCursor", "5: "),
        ({"data": None}, "/data", "null: "),
    ],
)
def test_what_hive_reads_is_checked_on_every_result(
    change: Any, pointer: str, actual: str, judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    (found,) = judged(clause(call()), wire.exchange({"result": made.page(main, [1]) | change})).findings
    assert (found.check, found.expected, found.pointer) == ("result", f"what Hive reads from {LIST}", pointer)
    assert found.actual.startswith(actual)


def test_a_missing_member_that_hive_reads_is_told(judged: Ask, clause: Any, wire: Any, made: Any, main: Any) -> None:
    page = made.page(main, [1])
    del page["nextCursor"]
    (found,) = judged(clause(call()), wire.exchange({"result": page})).findings
    assert "nextCursor" in found.actual


@pytest.mark.parametrize("result", [None, [], "x", 5])
def test_a_result_that_is_no_object_is_a_fault_for_every_invariant(
    result: Any, judged: Ask, clause: Any, wire: Any
) -> None:
    invariants = [
        {"turns-match-scene": {"of": "main", "order": "desc"}}, {"items-match-view": {"of": "main", "view": "full"}},
        {"page-sizes": 2}, {"cursor-advances": True}, {"equals": {"at": "/x", "value": 1}},
    ]  # fmt: skip
    step = {"walk": LIST, "params": {}, "expect": {"invariants": invariants}}
    result = judged(clause(step), wire.exchange({"result": result}))
    assert result.verdict == "fail"
    assert result.findings[0].expected == f"what Hive reads from {LIST}"


def test_what_the_clause_expects_is_checked_beside_it(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    schema = {"properties": {"data": {"maxItems": 1}, "nextCursor": {"$ref": "#/$defs/SortDirection"}}}
    exchange = wire.exchange({"result": made.page(main, [5, 4], more="asc")})
    (found,) = judged(clause(call(expect={"result": schema})), exchange).findings
    assert (found.check, found.expected, found.pointer, found.message) == (
        "result",
        "what the clause expects",
        "/data",
        1,
    )


def test_names_are_filled_into_the_expected_result(judged: Ask, clause: Any, wire: Any, main: Any) -> None:
    expecting = clause(
        call("thread/read", expect={"result": {"properties": {"thread": {"properties": {"id": {"const": "${main}"}}}}}})
    )

    def answered(ident: str) -> ClauseResult:
        return judged(
            expecting,
            wire.exchange(
                {"result": {"thread": {"id": ident, "turns": [], "status": {"type": "idle"}}}}, "thread/read"
            ),
        )

    assert answered(main.id).verdict == "pass"
    assert answered("other").findings[0].pointer == "/thread/id"


def test_invariants_are_held_against_the_scene(judged: Ask, clause: Any, wire: Any, made: Any, main: Any) -> None:
    value = {"of": "main", "order": "desc", "take": 2}
    step = call(expect={"invariants": [{"turns-match-scene": value}]})
    assert judged(clause(step), wire.exchange({"result": made.page(main, [5, 4])})).verdict == "pass"
    exchange = wire.exchange({"result": made.page(main, [5, 3])})
    assert judged(clause(step), exchange).findings == (
        Finding(
            "turns-match-scene",
            "turns 5, 4 of 5",
            "turns 5, 3: missing 4; not asked for 3",
            0,
            "/data/1",
            exchange.reply,
        ),
    )


def test_an_error_is_told_once_and_not_again_by_every_invariant(judged: Ask, clause: Any, wire: Any) -> None:
    invariants = [
        {"turns-match-scene": {"of": "main", "order": "desc"}},
        {"items-match-view": {"of": "main", "view": "full"}},
    ]
    for body, check in ((error(-1, "no"), "result"), (None, "answer")):
        result = judged(clause(call(expect={"invariants": invariants})), wire.exchange(body))
        assert [finding.check for finding in result.findings] == [check]


def test_a_result_of_the_wrong_form_is_still_held_against_the_scene(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    invariants = [{"turns-match-scene": {"of": "main", "order": "desc"}}]
    page = made.page(main, [5, 4]) | {"nextCursor": 5}
    result = judged(clause(call(expect={"invariants": invariants})), wire.exchange({"result": page}))
    assert [finding.check for finding in result.findings] == ["result", "turns-match-scene"]


def test_a_comparison_of_errors_refers_to_the_earlier_step(judged: Ask, clause: Any, wire: Any) -> None:
    steps = [
        call("a", **{"as": "control"}, expect={"error": {"code": -1}}),
        call("b", expect={"invariants": [{"same-error-as": "control"}]}),
    ]
    control = wire.exchange(error(-1, "no `a`"), "a")
    assert judged(clause(*steps), control, wire.exchange(error(-1, "no `b`"), "b")).verdict == "pass"
    (found,) = judged(clause(*steps), control, wire.exchange({"result": {}}, "b")).findings[1:]
    assert (found.check, found.actual) == ("same-error-as", "result {}")


def test_a_captured_value_is_known_to_later_steps(judged: Ask, clause: Any, wire: Any, made: Any, main: Any) -> None:
    steps = [call(capture={"page": ""}), call(expect={"invariants": [{"equals": {"at": "", "value": "${page}"}}]})]
    page = made.page(main, [5], more="c")
    first = wire.exchange({"result": page})
    assert judged(clause(*steps), first, wire.exchange({"result": dict(page)})).verdict == "pass"
    (found,) = judged(clause(*steps), first, wire.exchange({"result": page | {"nextCursor": None}})).findings
    assert (found.pointer, found.expected, found.actual) == ("/nextCursor", '"c"', "null")


def test_a_value_that_was_to_be_captured_and_is_missing_is_told(judged: Ask, clause: Any, wire: Any, main: Any) -> None:
    reply = {"result": {"thread": {"id": main.id, "turns": [], "status": {"type": "idle"}}}}
    result = judged(
        clause(call("thread/read", capture={"name": "/thread/name"}), call()), wire.exchange(reply, "thread/read")
    )
    assert result.findings == (
        Finding("capture", "a value for ${name} at /thread/name", "nothing at /thread/name", 0, "/thread/name"),
    )


def notification(method: Any, **params: Any) -> dict[str, Any]:
    return {"method": method, "params": params}


CAME = (notification("a", n=1), notification("b"), notification("a", n=2), notification("c"))


@pytest.mark.parametrize(
    "wanted",
    [
        [],
        [{"method": "a"}],
        [{"method": "a"}, {"method": "c"}],
        [{"method": "a"}, {"method": "a"}],
        [{"method": "a", "params": {"properties": {"n": {"const": 2}}}}, {"method": "c"}],
    ],
)
def test_notifications_may_come_among_others(
    wanted: Any, judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    exchange = wire.exchange({"result": made.page(main, [1])}, notifications=CAME)
    assert judged(clause(call(expect={"notifications": wanted})), exchange).verdict == "pass"


@pytest.mark.parametrize(
    ("wanted", "missing"),
    [
        ([{"method": "d"}], "d"),
        ([{"method": "b"}, {"method": "b"}], "b"),
        ([{"method": "c"}, {"method": "a"}], "a"),
        ([{"method": "a", "params": {"properties": {"n": {"const": 2}}}}, {"method": "b"}], "b"),
        ([{"method": "a", "params": {"required": ["m"]}}], "a"),
    ],
)
def test_a_notification_that_does_not_come_in_its_place_is_told(
    wanted: Any, missing: str, judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    exchange = wire.exchange({"result": made.page(main, [1])}, notifications=CAME)
    assert judged(clause(call(expect={"notifications": wanted})), exchange).findings == (
        Finding("notifications", f"then {missing}", "came: a, b, a, c", 0),
    )


def test_a_notification_whose_method_is_no_text_is_no_crash(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    exchange = wire.exchange({"result": made.page(main, [1])}, notifications=[notification({"x": 1}), notification(5)])
    (found,) = judged(clause(call(expect={"notifications": [{"method": "d"}]})), exchange).findings
    assert found.actual == "came: {'x': 1}, 5"
