"""A made-up wire: exchanges and their messages without a server, and a stored thread to judge them against."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from hive_gate.contract.expand import expand
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause, Contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.probe.case import Broken, Case
from hive_gate.probe.invariants import INVARIANTS
from hive_gate.probe.judge import Judge
from hive_gate.probe.record import ClauseRecord, StepRecord
from hive_gate.probe.seen import Seen
from hive_gate.report.model import ClauseResult
from hive_gate.scene.truth import ItemTruth, ThreadTruth, TurnTruth
from hive_gate.wire.transcript import Exchange, Message

LIST = "thread/turns/list"
Body = dict[str, Any]


class Wire:
    """Keeps messages as a transcript does."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def add(self, direction: str, body: Any) -> Message:
        size = len(json.dumps(body))
        message = Message(len(self.messages), 0, 0.0, direction, size, body)  # type: ignore[arg-type]
        self.messages.append(message)
        return message

    def exchange(
        self, body: Body | None, method: str = LIST, notifications: Sequence[Body] = (), failure: str | None = None
    ) -> Exchange:
        """One request; `body` None: no reply came."""
        request = self.add("sent", {"id": 1, "method": method, "params": {}})
        heard = tuple(self.add("received", each).n for each in notifications)
        reply = None if body is None else self.add("received", {"id": 1, **body})
        failure = failure or ("the server ended" if body is None else None)
        number, size = (None, 0) if reply is None else (reply.n, reply.bytes)
        return Exchange(method, request.n, number, 1.0, request.bytes, size, 0, heard, failure)

    def results(self, *results: Any, method: str = LIST) -> Seen:
        """A step whose requests were each answered with a result."""
        return Seen(tuple(self.exchange({"result": result}, method) for result in results), self.messages)

    def error(self, code: Any, message: Any, method: str = LIST) -> Seen:
        """A step that was answered with an error."""
        return Seen((self.exchange({"error": {"code": code, "message": message}}, method),), self.messages)


def make_thread(turns: int, ident: str = "thread") -> ThreadTruth:
    """A thread whose turns have a user message, a thought and two answers each."""
    kinds = ("userMessage", "reasoning", "agentMessage", "agentMessage")
    return ThreadTruth(
        ident,
        tuple(
            TurnTruth(f"{ident}-{n}", ("completed",), tuple(ItemTruth(k, f"{k} {n}.{i}") for i, k in enumerate(kinds)))
            for n in range(1, turns + 1)
        ),
    )


def shown_item(item: ItemTruth) -> Body:
    if item.type == "userMessage":
        return {"id": "i", "type": item.type, "content": [{"type": "text", "text": item.text}]}
    if item.type == "reasoning":
        return {"id": "i", "type": item.type, "summary": [item.text], "content": []}
    return {"id": "i", "type": item.type, "text": item.text}


def shown_turn(turn: TurnTruth, view: str = "full", **more: Any) -> Body:
    """A turn as a right server shows it."""
    items = [shown_item(item) for item in turn.in_view(view)]
    return {"id": turn.id, "status": turn.statuses[0], "items": items, "itemsView": view, **more}


def page(
    thread: ThreadTruth, numbers: Sequence[int], view: str = "full", more: str | None = None, back: str | None = "b"
) -> Body:
    """A page with these turns of a thread, by their numbers from 1."""
    data = [shown_turn(thread.turns[number - 1], view) for number in numbers]
    return {"data": data, "nextCursor": more, "backwardsCursor": back}


class Made:
    """What the tests make things of; one object, since a conftest cannot be imported."""

    wire_type = Wire
    thread = staticmethod(make_thread)
    turn = staticmethod(shown_turn)
    item = staticmethod(shown_item)
    page = staticmethod(page)


@pytest.fixture
def made() -> type[Made]:
    return Made


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def main() -> ThreadTruth:
    """Five turns."""
    return make_thread(5, "main")


@pytest.fixture
def broken(main: ThreadTruth) -> Callable[..., list[Broken]]:
    """Hold an invariant against a step."""

    def ask(name: str, value: Any, seen: Seen, earlier: Mapping[str, Seen] | None = None) -> list[Broken]:
        return list(INVARIANTS[name](value, Case(seen, {"main": main}, earlier or {})))

    return ask


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The shipped contract."""
    return load_contract(DEFAULT_CONTRACT)


@pytest.fixture
def clause() -> Callable[..., Clause]:
    """Make a clause of these steps."""

    def make(*steps: Body, **more: Any) -> Clause:
        entry = {
            "id": "read.mine", "promise": "A read is so.", "why": "Hive reads it.", "source": "#942",
            "scene": "five-turns", "steps": list(steps), **more,
        }  # fmt: skip
        (made,) = expand(entry)
        return made

    return make


@pytest.fixture
def judged(contract: Contract, wire: Wire, main: ThreadTruth) -> Callable[..., ClauseResult]:
    """Judge a clause of which each step came back with these exchanges."""

    def ask(
        clause: Clause, *steps: Exchange | list[Exchange] | StepRecord, names: Mapping[str, Any] | None = None
    ) -> ClauseResult:
        records = [
            step
            if isinstance(step, StepRecord)
            else StepRecord(index, tuple(step) if isinstance(step, list) else (step,))
            for index, step in enumerate(steps)
        ]
        known = {"main": main.id, "unknown": "gone", **(names or {})}
        record = ClauseRecord(clause.id, known, {"main": main}, tuple(records), None, 0.0126)
        return Judge(contract, wire.messages, None).judge(clause, record)

    return ask
