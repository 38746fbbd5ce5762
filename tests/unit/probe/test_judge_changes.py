"""What the judge replays: requests side by side, stored and real turns, awaited notifications."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hive_gate.probe.record import StepRecord, after_store
from hive_gate.report.model import ClauseResult
from hive_gate.scene.truth import ItemTruth, ThreadTruth, TurnTruth
from hive_gate.wire.transcript import Exchange

LIST = "thread/turns/list"
Ask = Callable[..., ClauseResult]


def call(method: str = LIST, **more: Any) -> dict[str, Any]:
    return {"call": method, "params": {}, **more}


def error(code: Any, message: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def test_each_of_several_requests_is_held_to_its_own_expectation(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    def expecting(order: str) -> dict[str, Any]:
        return call(expect={"invariants": [{"turns-match-scene": {"of": "main", "order": order, "take": 1}}]})

    both = clause({"together": [expecting("desc"), expecting("asc")]})
    newest, oldest = ({"result": made.page(main, [n])} for n in (5, 1))
    assert judged(both, [wire.exchange(newest), wire.exchange(oldest)]).verdict == "pass"
    swapped = [wire.exchange(oldest), wire.exchange(newest)]
    result = judged(both, swapped)
    assert [(finding.expected, finding.message) for finding in result.findings] == [
        ("turns 5 of 5", swapped[0].reply), ("turns 1 of 5", swapped[1].reply),
    ]  # fmt: skip


WHOLE = {"invariants": [{"turns-match-scene": {"of": "main", "order": "asc"}}]}


def test_what_a_store_step_changed_is_the_truth_from_then_on(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    append = {"thread": "main", "append": [{"user": "Question {n}", "then": [{"agent": "Answer {n}"}]}]}
    rollback = {"thread": "main", "rollback": 2}
    steps = [call(expect=WHOLE), {"store": append}, call(expect=WHOLE), {"store": rollback}, call(expect=WHOLE)]
    longer = after_store(main, append)
    assert longer.turns[5].items == (ItemTruth("userMessage", "Question 6"), ItemTruth("agentMessage", "Answer 6"))
    numbers = ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4])

    def pages(shown: Any) -> list[Any]:
        first, second, third = (wire.exchange({"result": made.page(longer, each)}) for each in shown)
        return [first, StepRecord(1), replace_step(2, second), StepRecord(3), replace_step(4, third)]

    assert judged(clause(*steps, own="thread"), *pages(numbers)).verdict == "pass"
    stale = judged(clause(*steps, own="thread"), *pages((numbers[0], numbers[0], numbers[0])))
    assert [(finding.step, finding.actual) for finding in stale.findings] == [
        (2, "turns 1…5: missing 6"), (4, 'turns 1…4: 1 unknown, such as "main-5"'),
    ]  # fmt: skip


def replace_step(index: int, exchange: Exchange) -> StepRecord:
    return StepRecord(index, (replace(exchange, step=index),))


def test_a_real_turn_is_the_truth_from_then_on_under_the_server_s_id(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    turn = {"turn": {"thread": "main", "user": "Live", "model": ["One", "Two"]}}
    steps = [
        turn,
        call(expect={"invariants": [*WHOLE["invariants"], {"items-match-view": {"of": "main", "view": "full"}}]}),
    ]
    items = tuple(
        ItemTruth(*pair) for pair in (("userMessage", "Live"), ("agentMessage", "One"), ("agentMessage", "Two"))
    )
    longer = main.with_turns([TurnTruth("live-1", ("completed",), items)])
    started = wire.exchange({"result": {"turn": {"id": "live-1", "items": [], "status": "inProgress"}}}, "turn/start")

    def answered(truth: ThreadTruth) -> ClauseResult:
        numbers = range(1, len(truth.turns) + 1)
        return judged(clause(*steps, own="thread"), started, wire.exchange({"result": made.page(truth, numbers)}))

    assert answered(longer).verdict == "pass"
    assert [finding.actual for finding in answered(main).findings] == ["turns 1…5: missing 6"]
    emptied = main.with_turns([replace(longer.turns[5], items=items[:2])])
    assert [finding.check for finding in answered(emptied).findings] == ["items-match-view"]


@pytest.mark.parametrize(("status", "verdict"), [("failed", "pass"), ("completed", "pass"), ("inProgress", "fail")])
def test_a_turn_that_failed_is_listed_as_finished(
    status: str, verdict: str, judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    steps = [{"turn": {"thread": "main", "user": "Live", "model": "fails"}}, call(expect=WHOLE)]
    longer = main.with_turns([TurnTruth("live-1", (status,), (ItemTruth("userMessage", "Live"),))])
    started = wire.exchange({"result": {"turn": {"id": "live-1", "items": [], "status": "inProgress"}}}, "turn/start")
    listed = wire.exchange({"result": made.page(longer, range(1, 7))})
    assert judged(clause(*steps, own="thread"), started, listed).verdict == verdict


def test_a_turn_of_a_thread_outside_of_the_scene_changes_nothing(
    judged: Ask, clause: Any, wire: Any, made: Any, main: Any
) -> None:
    steps = [{"turn": {"id": "${new}", "user": "u"}}, call(expect=WHOLE)]
    started = wire.exchange({"result": {"turn": {"id": "live-1", "items": [], "status": "inProgress"}}}, "turn/start")
    listed = wire.exchange({"result": made.page(main, range(1, 6))})
    assert judged(clause(*steps), started, listed, names={"new": "other"}).verdict == "pass"


def test_an_awaited_notification_that_did_not_come_is_told_with_what_came(judged: Ask, clause: Any, wire: Any) -> None:
    waiting = clause({"await": "turn/completed", "where": {"required": ["turn"]}})
    assert judged(waiting, StepRecord(0, awaited=7)).verdict == "pass"
    heard = [
        ("received", {"method": "turn/started"}, "read.mine"),
        ("received", {"method": "turn/aborted"}, "read.other"),
        ("received", {"id": 1, "method": "ask"}, "read.mine"),
        ("received", {"id": 1, "result": {}}, "read.mine"),
        ("received", None, "read.mine"),
        ("sent", {"method": "hello"}, "read.mine"),
    ]
    for direction, body, of_clause in heard:
        wire.messages[-1:] = [replace(wire.add(direction, body), clause=of_clause)]
    (found,) = judged(waiting, StepRecord(0)).findings
    assert (found.check, found.actual) == ("await", "it did not come; came: turn/started")
    assert found.expected == 'turn/completed where {"required":["turn"]}'
