"""The judge alone: a clause, a record and a transcript; no server. Verdicts and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.contract.model import Contract
from hive_gate.probe.judge import Judge
from hive_gate.probe.question import question
from hive_gate.probe.record import ClauseRecord, StepRecord
from hive_gate.report.model import CarriedOut, ClauseResult, Finding

LIST = "thread/turns/list"
Ask = Callable[..., ClauseResult]


def call(method: str = LIST, **more: Any) -> dict[str, Any]:
    return {"call": method, "params": {}, **more}


def error(code: Any, message: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def test_a_clause_that_holds_passes_and_says_what_was_seen(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any, contract: Contract
) -> None:
    exchange = wire.exchange({"result": made.page(main, [5, 4], more="c")})
    asked = clause(call())
    assert judged(asked, exchange) == ClauseResult(
        id="read.mine", suite="read", level="required", verdict="pass", why="Hive reads it.", source="#942",
        expected="A read is so.", actual="a page of 2 turns, nextCursor set", seconds=0.013, scene="five-turns",
        findings=(), exchanges=(exchange,), steps=(CarriedOut(0),), asked=question(contract, asked),
    )  # fmt: skip


def test_a_walk_that_holds_says_how_many_exchanges_there_were(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    pages = [
        wire.exchange({"result": made.page(main, turns, more=cursor)}) for turns, cursor in (([5, 4], "c"), ([3], "c"))
    ]
    pages.append(wire.exchange({"result": made.page(main, [2])}))
    assert judged(clause({"walk": LIST, "params": {}}), pages).actual == "3 pages with 4 entries"


def test_a_broken_required_clause_fails_and_a_broken_advisory_one_warns(judged: Ask, clause: Any, wire: Any) -> None:
    exchange = wire.exchange(error(-32600, "no"))
    for level, verdict in (("required", "fail"), ("advisory", "warn")):
        result = judged(clause(call(), level=level), exchange)
        assert (result.level, result.verdict, result.actual) == (level, verdict, "error -32600: no")


def test_the_first_finding_is_what_came_and_the_others_are_counted(judged: Ask, clause: Any, wire: Any) -> None:
    steps = [call(), call(), call()]
    exchanges = [wire.exchange(error(-1, text)) for text in ("one", "two", "three")]
    result = judged(clause(*steps), *exchanges)
    assert result.actual == "error -1: one (and 2 more)"
    assert [(finding.actual, finding.step) for finding in result.findings] == [
        ("error -1: one", 0), ("error -1: two", 1), ("error -1: three", 2),
    ]  # fmt: skip


def test_what_blocked_a_clause_is_its_verdict(contract: Contract, clause: Any, wire: Any) -> None:
    record = ClauseRecord("read.mine", {}, {}, (), "its scene could not be made: no")
    for level in ("required", "advisory"):
        result = Judge(contract, wire.messages, None).judge(clause(call(), level=level), record)
        assert (result.verdict, result.actual, result.findings) == ("blocked", "its scene could not be made: no", ())
        assert result.scene is None


def test_a_clause_of_which_nothing_was_asked_does_not_pass(judged: Ask, clause: Any) -> None:
    assert judged(clause(call())).findings == (
        Finding("step", "step 1 to be carried out", "the clause stopped before it", 0),
    )


def test_a_clause_that_stopped_without_a_fault_does_not_pass(judged: Ask, clause: Any, wire: Any) -> None:
    steps = [call(expect={"any-answer": True}, capture={"x": "/y"}), call()]
    result = judged(clause(*steps), wire.exchange(error(-1, "no")))
    assert result.verdict == "fail"
    assert result.findings == (Finding("step", "step 2 to be carried out", "the clause stopped before it", 1),)


def test_a_clause_that_stopped_at_a_fault_tells_the_fault_alone(judged: Ask, clause: Any, wire: Any) -> None:
    result = judged(clause(call(), call(), call()), wire.exchange(error(-1, "no")))
    assert [finding.actual for finding in result.findings] == ["error -1: no"]


def test_why_a_step_could_not_be_carried_out_is_told(judged: Ask, clause: Any) -> None:
    result = judged(clause(call()), StepRecord(0, trouble="${next} was never captured"))
    assert result.findings == (Finding("step", "step 1 to be carried out", "${next} was never captured", 0),)


def test_no_reply_is_told_with_its_reason_at_the_request(judged: Ask, clause: Any, wire: Any) -> None:
    exchange = wire.exchange(None, failure="no answer within 10 s, though the server is alive")
    assert judged(clause(call()), exchange).findings == (
        Finding("answer", f"an answer to {LIST}", "no answer within 10 s, though the server is alive", 0, None, 0),
    )


def test_an_answer_that_came_although_the_turn_never_ended_is_no_answer(
    judged: Ask, clause: Any, wire: Any, main: Any, made: Any
) -> None:
    reply = {"result": {"turn": made.turn(main.turns[0])}}
    exchange = wire.exchange(reply, "turn/start", failure="the turn did not end within 10 s")
    result = judged(clause({"turn": {"thread": "main", "user": "u"}}), exchange)
    assert [finding.actual for finding in result.findings] == ["the turn did not end within 10 s"]


ERRORS: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "another code": ({"code": -32601}, error(-32600, "x"), "error -32601", "error -32600: x"),
    "another text": (
        {"code": -32600, "message": "^thread not loaded: "}, error(-32600, "no thread not loaded: x"),
        'error -32600 matching "^thread not loaded: "', "error -32600: no thread not loaded: x"),
    "a result": (
        {"code": -32600}, {"result": {"data": [], "nextCursor": None}},
        "error -32600", "no error: a page of 0 turns, nextCursor null"),
    "an empty result": ({"message": "x"}, {"result": {}}, 'an error matching "x"', "no error: result {}"),
    "an error that is null": ({"code": -1}, {"error": None}, "error -1", "no error: error null"),
    "an error that is a text": ({"code": -1}, {"error": "no"}, "error -1", 'no error: error "no"'),
    "a code that is a text": ({"message": "x"}, error("-1", "x"), 'an error matching "x"', "error -1: x"),
    "a code that is true": ({"message": "x"}, error(True, "x"), 'an error matching "x"', "error True: x"),
    "no code": ({"message": "x"}, {"error": {"message": "x"}}, 'an error matching "x"', "error None: x"),
    "no text": ({"code": -1}, {"error": {"code": -1}}, "error -1", "error -1: None"),
    "a text that is none": ({"code": -1, "message": "x"}, error(-1, ["x"]), 'error -1 matching "x"', "error -1: ['x']"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_an_answer_that_is_not_the_expected_error_is_told(name: str, judged: Ask, clause: Any, wire: Any) -> None:
    wanted, body, expected, actual = ERRORS[name]
    (found,) = judged(clause(call(expect={"error": wanted})), wire.exchange(body)).findings
    assert (found.check, found.expected, found.actual, found.step, found.message) == ("error", expected, actual, 0, 1)
    assert found.pointer == ("/error" if isinstance(body.get("error"), dict) else None)


@pytest.mark.parametrize("wanted", [{"code": -32600}, {"message": "load"}, {"code": -32600, "message": "^not loaded$"}])
def test_the_expected_error_passes(wanted: Any, judged: Ask, clause: Any, wire: Any) -> None:
    result = judged(clause(call(expect={"error": wanted})), wire.exchange(error(-32600, "not loaded")))
    assert (result.verdict, result.actual) == ("pass", "error -32600: not loaded")


def test_a_name_in_the_pattern_stands_for_its_own_text(judged: Ask, clause: Any, wire: Any) -> None:
    expecting = clause(call(expect={"error": {"message": "^gone: ${cursor}$"}}))
    cursor = '{"turnId":"(","a":true}'
    assert judged(expecting, wire.exchange(error(-1, f"gone: {cursor}")), names={"cursor": cursor}).verdict == "pass"
    (found,) = judged(expecting, wire.exchange(error(-1, "gone: xyz")), names={"cursor": "..."}).findings
    assert found.expected == 'an error matching "^gone: ...$"'


def test_an_error_where_a_result_is_expected_is_told_without_its_kilobytes(judged: Ask, clause: Any, wire: Any) -> None:
    known = ", ".join(f"`method/{n}`" for n in range(80)) + ", `thread/items/list`"
    text = f"Invalid request: unknown variant `thread/turns/items/list`, expected one of {known}"
    (found,) = judged(clause(call()), wire.exchange(error(-32600, text))).findings
    assert (found.check, found.expected) == ("result", "a result")
    assert found.actual == (
        "error -32600: Invalid request: unknown variant `thread/turns/items/list`, not one of 81 it knows; "
        "nearest: `thread/items/list`"
    )


@pytest.mark.parametrize("body", [error(-1, "x"), {"result": None}, {"error": "broken"}])
def test_any_answer_is_one(body: Any, judged: Ask, clause: Any, wire: Any) -> None:
    assert (
        judged(clause(call("made/up", expect={"any-answer": True})), wire.exchange(body, "made/up")).verdict == "pass"
    )


def test_no_answer_is_not_any_answer(judged: Ask, clause: Any, wire: Any) -> None:
    assert judged(clause(call(expect={"any-answer": True})), wire.exchange(None)).verdict == "fail"
