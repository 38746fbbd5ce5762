"""What each kind of step sends, and when a clause stops; the connection is made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from hive_gate.contract.model import Step
from hive_gate.probe.record import StepRecord
from hive_gate.probe.steps import NOTHING, Stage, Stopped, captured, perform
from hive_gate.scene.home import Home
from hive_gate.scene.rollout import path_of
from hive_gate.scene.standin import StandIn

LIST = "thread/turns/list"


class Scripted:
    """A connection that gives the next answer, whatever it is asked."""

    def __init__(self, wire: Any, answers: list[Any]) -> None:
        self.wire = wire
        self.answers = answers
        self.sent: list[Any] = []
        self.clause: str | None = None
        self.step: int | None = None
        self.notifications: list[Any] = []
        self.ended: str | None = None

    async def call(self, method: str, *params: Any, timeout: float) -> Any:
        self.sent.append((method, *params, timeout))
        answer = self.answers.pop(0)
        return self.wire.exchange(answer if answer is None or "error" in answer else {"result": answer}, method)

    async def start_together(self, calls: list[tuple[str, Any]]) -> list[str]:
        self.sent.append(("start", *calls))
        return [method for method, _ in calls]

    async def finish(self, pending: str, timeout: float) -> Any:
        self.sent.append(("finish", pending))
        return self.wire.exchange({"result": self.answers.pop(0)}, pending)

    async def notify(self, method: str, *params: Any) -> None:
        self.sent.append(("notify", method, *params))

    async def send_line(self, line: bytes) -> None:
        self.sent.append(line)

    async def wait_for(self, wanted: Callable[[Any], bool], since: int, timeout: float) -> Any:
        return next((message for message in self.notifications[since:] if wanted(message)), None)


@pytest.fixture
def carry_out(wire: Any, main: Any, tmp_path: Path) -> Callable[..., tuple[StepRecord, Scripted, Stage]]:
    """Perform one step against these answers."""

    def run(step: Step, *answers: Any, told: Any = ()) -> tuple[StepRecord, Scripted, Stage]:
        connection = Scripted(wire, list(answers))
        connection.notifications = [wire.add("received", body) for body in told]
        server: Any = SimpleNamespace(connection=connection, transcript=SimpleNamespace(messages=wire.messages))
        names = {"main": main.id, "size": 2}
        stage = Stage(server, Home(tmp_path), StandIn(), "key", names, {"main": main}, 10.0)
        return anyio.run(perform, stage, 3, step), connection, stage

    return run


Carry = Callable[..., tuple[StepRecord, Scripted, Stage]]


def test_a_call_sends_its_params_with_the_names_filled_in(carry_out: Carry) -> None:
    record, connection, _ = carry_out(Step("call", LIST, {"threadId": "${main}", "limit": "${size}"}), {})
    assert connection.sent == [(LIST, {"threadId": "main", "limit": 2}, 10.0)]
    assert (record.step, len(record.exchanges), connection.step) == (3, 1, 3)


def test_a_call_without_params_sends_none_and_may_have_its_own_time(carry_out: Carry) -> None:
    _, connection, _ = carry_out(Step("call", "ping", options={"within": 0.5}), {})
    assert connection.sent == [("ping", 0.5)]


def test_notifications_and_raw_lines_are_sent_as_they_are(carry_out: Carry) -> None:
    assert carry_out(Step("notify", "hello", {"to": "${main}"}))[1].sent == [("notify", "hello", {"to": "main"})]
    assert carry_out(Step("notify", "hello"))[1].sent == [("notify", "hello")]
    assert carry_out(Step("raw", '{"세": ${size}'))[1].sent == ['{"세": 2'.encode()]


def test_requests_together_are_all_sent_before_a_reply_is_awaited(carry_out: Carry) -> None:
    step = Step("together", [{"call": "a", "params": {"x": "${size}"}}, {"call": "b"}])
    record, connection, _ = carry_out(step, {}, {})
    assert connection.sent == [("start", ("a", {"x": 2}), ("b", {})), ("finish", "a"), ("finish", "b")]
    assert [exchange.method for exchange in record.exchanges] == ["a", "b"]


def pages(*cursors: Any) -> list[dict[str, Any]]:
    return [{"data": [], "nextCursor": cursor} for cursor in cursors]


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        (pages(None), [None]),
        (pages("a", "b", None, "never"), [None, "a", "b"]),
        (pages("a", "b", "a", "never"), [None, "a", "b"]),
        (pages("a", "b", "c", "d", "never"), [None, "a", "b", "c"]),
        (pages("a", 5, "never"), [None, "a"]),
        ([*pages("a"), {"error": {"code": -1, "message": "no"}}, {}], [None, "a"]),
        ([{"data": []}, {}], [None]),
    ],
)
def test_a_walk_follows_cursors_to_null_a_repetition_or_its_bound(
    answers: list[Any], asked: list[str | None], carry_out: Carry
) -> None:
    record, connection, _ = carry_out(Step("walk", LIST, {"limit": "${size}"}, options={"max-pages": 4}), *answers)
    assert [params.get("cursor") for _, params, _ in connection.sent] == asked
    assert all(params["limit"] == 2 for _, params, _ in connection.sent)
    assert len(record.exchanges) == len(asked)


def test_captured_values_become_names(carry_out: Carry) -> None:
    step = Step("call", LIST, {}, capture={"next": "/nextCursor", "whole": "", "first": "/data/0"})
    _, _, stage = carry_out(step, {"nextCursor": None, "data": [{"id": 1}]})
    assert stage.names["next"] is None
    assert stage.names["first"] == {"id": 1}
    assert stage.names["whole"] == {"nextCursor": None, "data": [{"id": 1}]}


@pytest.mark.parametrize("answer", [{}, {"error": {"code": -1, "message": "no"}}, None])
def test_a_clause_stops_where_there_is_nothing_to_capture_or_no_answer(answer: Any, carry_out: Carry) -> None:
    with pytest.raises(Stopped) as caught:
        carry_out(Step("call", LIST, {}, capture={"next": "/nextCursor"}), answer)
    assert len(caught.value.record.exchanges) == 1
    assert caught.value.record.trouble is None


def test_an_error_alone_does_not_stop_a_clause(carry_out: Carry) -> None:
    record, _, _ = carry_out(Step("call", LIST, {}), {"error": {"code": -1, "message": "no"}})
    assert len(record.exchanges) == 1


def test_a_name_that_was_never_captured_stops_the_clause_before_anything_is_sent(carry_out: Carry) -> None:
    with pytest.raises(Stopped) as caught:
        carry_out(Step("call", LIST, {"cursor": "${next}"}))
    assert caught.value.record == StepRecord(3, trouble="${next} was never captured")


def test_a_store_step_changes_the_file_and_the_truth(carry_out: Carry, main: Any, tmp_path: Path) -> None:
    path = path_of(Home(tmp_path).codex, main.id, archived=False)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"before\n")
    _, _, stage = carry_out(Step("store", {"thread": "main", "append": [{"user": "Question {n}"}]}))
    assert len(stage.truth["main"].turns) == 6
    assert path.read_bytes().startswith(b"before\n")
    assert b"Question 6" in path.read_bytes()
    _, _, stage = carry_out(Step("store", {"thread": "main", "rollback": 2}))
    assert stage.truth["main"].turns == main.turns[:3]
    assert b'"num_turns":2' in path.read_bytes()


@pytest.mark.parametrize(
    ("where", "number"),
    [(None, 0), ({"properties": {"n": {"const": 2}}}, 1), ({"required": ["m"]}, None)],
)
def test_an_awaited_notification_is_the_first_that_fits(where: Any, number: int | None, carry_out: Carry) -> None:
    told = [{"method": "turn/x", "params": {"n": n}} for n in (1, 2)]
    options = {} if where is None else {"where": where}
    record, _, stage = carry_out(Step("await", "turn/x", options=options), told=[*told, {"method": "turn/y"}])
    assert record.awaited == number
    assert stage.heard == (0 if number is None else number + 1)


def test_steps_that_are_judged_afterwards_ask_nothing(carry_out: Carry) -> None:
    for step in (Step("schema", LIST), Step("traffic", "lines")):
        record, connection, _ = carry_out(step)
        assert (record.exchanges, connection.sent) == ((), [])


@pytest.mark.parametrize(
    ("pointer", "value"), [("/a", 1), ("", {"a": 1, "n": None}), ("/n", None), ("/b", NOTHING), ("/a/0", NOTHING)]
)
def test_a_value_is_captured_from_the_last_reply(pointer: str, value: Any, wire: Any) -> None:
    exchanges = [wire.exchange({"result": {"a": 0, "b": 0}}), wire.exchange({"result": {"a": 1, "n": None}})]
    found = captured(wire.messages, exchanges, pointer)
    assert found is NOTHING if value is NOTHING else found == value


def test_nothing_is_captured_without_a_reply(wire: Any) -> None:
    assert captured(wire.messages, [], "") is NOTHING
    assert captured(wire.messages, [wire.exchange(None)], "") is NOTHING


class Second:
    """A second server that is started when it is asked."""

    def __init__(self, connection: Scripted) -> None:
        self.connection = connection
        self.running = False
        self.starts = 0

    async def start(self) -> None:
        self.running = True
        self.starts += 1

    async def stop(self) -> None:
        self.running = False


@pytest.fixture
def beside(wire: Any, main: Any, tmp_path: Path) -> Callable[..., tuple[Stage, Scripted, Scripted]]:
    """A stage with a second server, each of the two with the answers it will give."""

    def make(first: list[Any], second: list[Any]) -> tuple[Stage, Scripted, Scripted]:
        one, two = Scripted(wire, first), Scripted(wire, second)
        server: Any = SimpleNamespace(connection=one, transcript=SimpleNamespace(messages=wire.messages))
        stage = Stage(server, Home(tmp_path), StandIn(), "key", {"main": main.id}, {"main": main}, 10.0)
        stage.second = Second(two)  # type: ignore[assignment]
        return stage, one, two

    return make


def test_a_step_of_the_second_server_starts_it_once_and_asks_it(beside: Any) -> None:
    stage, first, second = beside([{}], [{}, {"nextCursor": "a"}, {}])
    first.clause = "mine"
    asking = {"second": True}
    anyio.run(perform, stage, 0, Step("call", LIST, {}, options=asking))
    assert (second.sent, second.clause, second.step) == ([(LIST, {}, 10.0)], "mine", 0)
    anyio.run(perform, stage, 1, Step("walk", LIST, {}, options=asking))
    anyio.run(perform, stage, 2, Step("call", LIST, {}))
    assert (len(first.sent), len(second.sent), second.step) == (1, 3, 1)
    assert stage.second.starts == 1


def test_a_restart_of_the_second_server_leaves_the_first_alone(beside: Any) -> None:
    stage, first, second = beside([], [{}])
    stage.heard, first.clause = 7, "mine"
    anyio.run(perform, stage, 0, Step("call", LIST, {}, options={"second": True}))
    anyio.run(perform, stage, 1, Step("restart", True, options={"second": True}))
    assert (stage.second.starts, stage.heard, second.clause) == (2, 7, "mine")


def test_no_second_server_can_be_asked_where_there_is_none(carry_out: Carry) -> None:
    with pytest.raises(RuntimeError, match="no second server"):
        carry_out(Step("call", LIST, {}, options={"second": True}), {})
