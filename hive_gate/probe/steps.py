"""Carry out one step: send what it says, keep what came. Nothing here judges."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hive_gate.contract.model import Step
from hive_gate.contract.names import UnknownName, fill, resolve
from hive_gate.drift.validate import Validator
from hive_gate.probe.look import look_at_database, look_at_file, look_at_model
from hive_gate.probe.record import StepRecord, added_by, after_store, turn_recipe
from hive_gate.probe.server import LaneServer
from hive_gate.scene import rollout
from hive_gate.scene.home import Home
from hive_gate.scene.standin import StandIn
from hive_gate.scene.truth import ThreadTruth
from hive_gate.wire.connection import Connection
from hive_gate.wire.transcript import Exchange, Message

NOTHING = object()
"""What :func:`captured` returns where there is no such value."""


class Stopped(Exception):
    """The clause goes no further, and its judge says why: the record holds what came until then."""

    def __init__(self, record: StepRecord) -> None:
        super().__init__(record.trouble)
        self.record = record


@dataclass(slots=True)
class Stage:
    """What the steps of one clause work with; `names` and `truth` change as they go."""

    server: LaneServer
    home: Home
    stand_in: StandIn
    key: str
    """The home's key at the stand-in."""
    names: dict[str, Any]
    truth: dict[str, ThreadTruth]
    timeout: float
    """Seconds for one request."""
    looks: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Facts of earlier looks by the name of their step."""
    heard: int = 0
    """Notifications of this connection that came before the clause, or that an `await` has passed."""
    second: LaneServer | None = None
    """Another server on the same home, for the steps that ask it; not started yet."""

    @property
    def connection(self) -> Connection:
        """The wire to the server; another one after a restart."""
        return self.server.connection

    async def asked(self, step: Step) -> Connection:
        """Return the wire to the server that a step asks.

        Raises:
            TargetError: if it is the second one, and that could not be started.
        """
        if not step.options.get("second"):
            return self.connection
        if self.second is None:
            raise RuntimeError("no second server can be started here")
        if not self.second.running:
            await self.second.start()
        connection = self.second.connection
        connection.clause, connection.step = self.connection.clause, self.connection.step
        return connection

    @property
    def messages(self) -> Sequence[Message]:
        """The run's transcript so far."""
        return self.server.transcript.messages


async def perform(stage: Stage, index: int, step: Step) -> StepRecord:
    """Carry out a step and return its record.

    Raises:
        Stopped: if the clause cannot go on: no answer, or nothing where a value was to be captured.
    """
    stage.connection.step = index
    try:
        if step.kind == "await":
            return StepRecord(index, awaited=await _await(stage, step))
        if step.kind in _LOOKS:
            return _looked(stage, index, step)
        exchanges = await _PERFORMERS[step.kind](stage, step)
    except UnknownName as error:
        trouble = f"${{{error.args[0]}}} was never captured"
        raise Stopped(StepRecord(index, trouble=trouble)) from error
    record = StepRecord(index, tuple(exchanges))
    if any(exchange.failure for exchange in exchanges) or not capture(stage, step, exchanges):
        raise Stopped(record)
    return record


def capture(stage: Stage, step: Step, exchanges: list[Exchange]) -> bool:
    """Put what the step captures into the names; False if it is not there."""
    for name, pointer in step.capture.items():
        value = captured(stage.messages, exchanges, pointer)
        if value is NOTHING:
            return False
        stage.names[name] = value
    return True


def captured(messages: Sequence[Message], exchanges: Sequence[Exchange], pointer: str) -> Any:
    """Return the value at a pointer into the last exchange's result, or :data:`NOTHING`."""
    reply = exchanges[-1].reply if exchanges else None
    if reply is None:
        return NOTHING
    try:
        return resolve(messages[reply].body.get("result"), pointer)
    except LookupError:
        return NOTHING


async def _call(stage: Stage, step: Step) -> list[Exchange]:
    method = fill(step.value, stage.names)
    timeout = step.options.get("within", stage.timeout)
    params = () if step.params is None else (fill(step.params, stage.names),)
    exchange = await (await stage.asked(step)).call(method, *params, timeout=timeout)
    if captured(stage.messages, [exchange], "") is not NOTHING:
        apply_changes(step, stage.names, stage.truth)
    return [exchange]


def apply_changes(step: Step, names: Mapping[str, Any], truth: dict[str, ThreadTruth]) -> None:
    """Bring the truth to where a call that succeeded has brought the stored thread."""
    if "changes" in step.options:
        change = fill(dict(step.options["changes"]), names)
        truth[change["thread"]] = after_store(truth[change["thread"]], change)


def _looked(stage: Stage, index: int, step: Step) -> StepRecord:
    where = fill(step.value, stage.names)
    if step.kind == "file":
        files = {n: rollout.path_of(stage.home.codex, t.id, archived=t.archived) for n, t in stage.truth.items()}
        facts = look_at_file(stage.home, where, files, stage.looks.get(where.get("since", "")))
    elif step.kind == "database":
        facts = look_at_database(stage.home, where)
    else:
        texts = [*where.get("has", ()), *where.get("lacks", ())]
        facts = look_at_model(stage.stand_in.requests(stage.key), texts)
    if step.name:
        stage.looks[step.name] = facts
    return StepRecord(index, facts=facts)


async def _notify(stage: Stage, step: Step) -> list[Exchange]:
    params = () if step.params is None else (fill(step.params, stage.names),)
    await stage.connection.notify(fill(step.value, stage.names), *params)
    return []


async def _raw(stage: Stage, step: Step) -> list[Exchange]:
    await stage.connection.send_line(str(fill(step.value, stage.names)).encode())
    return []


async def _walk(stage: Stage, step: Step) -> list[Exchange]:
    """Follow `nextCursor` until it is null, comes again, or the bound is reached; what that means is judged later."""
    params = fill(step.params, stage.names)
    exchanges: list[Exchange] = []
    seen: set[str] = set()
    connection = await stage.asked(step)
    for _ in range(step.options.get("max-pages", 1000)):
        exchange = await connection.call(step.value, params, timeout=stage.timeout)
        exchanges.append(exchange)
        cursor = captured(stage.messages, exchanges, "/nextCursor")
        if not isinstance(cursor, str) or cursor in seen:
            break
        seen.add(cursor)
        params = params | {"cursor": cursor}
    return exchanges


async def _together(stage: Stage, step: Step) -> list[Exchange]:
    calls = [(call["call"], fill(call.get("params", {}), stage.names)) for call in step.value]
    pending = await stage.connection.start_together(calls)
    return [await stage.connection.finish(each, stage.timeout) for each in pending]


async def _restart(stage: Stage, step: Step) -> list[Exchange]:
    clause = stage.connection.clause
    second = stage.second if step.options.get("second") else None
    server = second or stage.server
    await server.stop()
    for glob in step.value["deleting"] if isinstance(step.value, Mapping) else ():
        for path in stage.home.codex.glob(glob):
            path.unlink()
    await server.start()
    server.connection.clause = clause
    stage.heard = stage.heard if second else 0
    return []


async def _store(stage: Stage, step: Step) -> list[Exchange]:
    name = step.value["thread"]
    before = stage.truth[name]
    if "rollback" in step.value:
        rollout.append_rollback(stage.home.codex, before, step.value["rollback"])
    else:
        rollout.append_turns(stage.home.codex, before, added_by(before, step.value))
    stage.truth[name] = after_store(before, step.value)
    return []


async def _turn(stage: Stage, step: Step) -> list[Exchange]:
    turn = fill(step.value, stage.names)
    thread = turn["id"] if "id" in turn else stage.truth[turn["thread"]].id
    exchange, turn_id = await run_turn(stage.server, stage.stand_in, stage.key, thread, turn, stage.timeout)
    if turn_id is not None and "thread" in turn:
        name = turn["thread"]
        stage.truth[name] = stage.truth[name].with_turns([turn_recipe(turn).truth(turn_id)])
    return [exchange]


async def _await(stage: Stage, step: Step) -> int | None:
    """Wait for a notification that came since the clause began and was not awaited before; return its number."""
    where = Validator({"allOf": [fill(step.options.get("where", True), stage.names)]}, "where", dialect="2020-12")

    def wanted(message: Message) -> bool:
        return message.body["method"] == step.value and not where.errors(message.body.get("params"))

    timeout = step.options.get("within", stage.timeout)
    found = await stage.connection.wait_for(wanted, stage.heard, timeout)
    if found is None:
        return None
    stage.heard = next(i for i, m in enumerate(stage.connection.notifications) if m.n == found.n) + 1
    return found.n


async def _release(stage: Stage, step: Step) -> list[Exchange]:
    del step
    stage.stand_in.release(stage.key)
    return []


async def _nothing(stage: Stage, step: Step) -> list[Exchange]:
    del stage, step  # judged without asking
    return []


async def run_turn(
    server: LaneServer, stand_in: StandIn, key: str, thread: str, turn: dict[str, Any], timeout: float
) -> tuple[Exchange, str | None]:
    """Run one turn against the stand-in and wait for its end; where the model waits, for its start.

    Returns:
        The exchange of `turn/start`, with the notifications up to `turn/completed` in it, and the turn's id; None in
        place of the id if the server refused the turn, the exchange's `failure` set if it never ended.
    """
    connection = server.connection
    model = turn.get("model", ["OK."])
    stand_in.script(key, None if model == "fails" else model if model == "waits" else tuple(model))
    since = len(connection.notifications)
    params = {"threadId": thread, "input": [{"type": "text", "text": turn["user"]}]}
    exchange = await connection.call("turn/start", params, timeout=timeout)
    if exchange.reply is None:
        return exchange, None
    turn_id = captured(server.transcript.messages, [exchange], "/turn/id")
    if not isinstance(turn_id, str):
        return exchange, None

    last = "turn/started" if model == "waits" else "turn/completed"

    def ended(message: Message) -> bool:
        body = message.body
        if body["method"] != last or not isinstance(body.get("params"), dict):
            return False
        turn = body["params"].get("turn")
        return body["params"].get("threadId") == thread and isinstance(turn, dict) and turn.get("id") == turn_id

    done = await connection.wait_for(ended, since, timeout)
    failure = None if done else connection.ended or f"the turn did not end within {timeout:g} s"
    between = tuple(message.n for message in connection.notifications[since:])
    return replace(exchange, notifications=between, failure=failure), turn_id


_LOOKS = ("file", "database", "model-input")

_PERFORMERS: dict[str, Callable[[Stage, Step], Awaitable[list[Exchange]]]] = {
    "call": _call,
    "notify": _notify,
    "raw": _raw,
    "walk": _walk,
    "together": _together,
    "restart": _restart,
    "store": _store,
    "turn": _turn,
    "release": _release,
    "schema": _nothing,
    "traffic": _nothing,
}
