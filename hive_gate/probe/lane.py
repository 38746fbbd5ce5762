"""Ask the clauses of one lane: one scratch home, one server after another, each clause once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hive_gate.contract.model import Clause, Contract
from hive_gate.errors import TargetError
from hive_gate.probe.plan import Lane, speaks_of
from hive_gate.probe.record import ClauseRecord, StepRecord
from hive_gate.probe.server import LaneServer, Servers
from hive_gate.probe.steps import Stage, Stopped, captured, perform, run_turn
from hive_gate.scene.home import Home
from hive_gate.scene.standin import StandIn
from hive_gate.scene.truth import ThreadTruth, as_json, turn_recipes

GIVE_UP = 2
"""Servers in a row that die or fall silent before a lane stops trying: the next would do the same."""


@dataclass(slots=True)
class Ground:
    """What all lanes of a run share."""

    contract: Contract
    servers: Servers
    stand_in: StandIn
    root: Path
    """Scratch folder of the run; each lane has a folder in it."""
    request_timeout: float
    on_record: Callable[[Clause, ClauseRecord], None]
    scenes: dict[str, Any] = field(default_factory=dict)
    """For the report: by :func:`lane_key`, the threads as they were written and the names of the home's folders."""
    problem: str | None = None
    """Why a lane gave up."""


@dataclass(slots=True)
class Scratch:
    """A lane's home and what is stored in it."""

    home: Home
    key: str
    shared: dict[str, ThreadTruth]
    own: dict[str, dict[str, ThreadTruth]]
    """The private copies by clause id."""


def lane_key(lane: Lane) -> str:
    """Return the name of a lane's scene in the report: the scene's, unless connection or clause set it apart."""
    if lane.clauses[0].own == "home":
        return f"{lane.scene}#{lane.clauses[0].id}"
    return lane.scene if lane.connection == "hive" else f"{lane.scene}@{lane.connection}"


async def run_lane(ground: Ground, lane: Lane) -> None:
    """Ask every clause of a lane; each ends with a record, whatever the server does."""
    left = list(lane.clauses)
    try:
        scratch = await _prepare(ground, lane)
    except TargetError as error:
        for clause in left:
            _block(ground, clause, f"its scene could not be made: {error.message}")
        return
    server = LaneServer(ground.servers, scratch.home, lane_key(lane), lane.connection, lane.purpose)
    failures = 0
    try:
        while left:
            clause = left.pop(0)
            try:
                failed = await _one(ground, scratch, server, clause)
            except TargetError as error:
                failed = error.message
                _block(ground, clause, error.message)
            failures = failures + 1 if failed else 0
            if failures == GIVE_UP and left:
                ground.problem = ground.problem or f"the server failed {failures} times in a row, last: {failed}"
                for clause in left:
                    _block(ground, clause, f"not asked: {ground.problem}")
                return
    finally:
        await server.stop()


async def _one(ground: Ground, scratch: Scratch, server: LaneServer, clause: Clause) -> str | None:
    """Ask one clause and hand its record on; return how the server failed, if it did, in which case it is ended.

    Raises:
        TargetError: if no server could be started for it.
    """
    if not server.running:
        await server.start()
    record = await _ask(ground, scratch, server, clause)
    failures = [exchange.failure for step in record.steps for exchange in step.exchanges if exchange.failure]
    if server.connection.ended is not None:
        await server.stop()
        record = replace(record, blocked=f"the server ended while this was asked: {server.epitaph}")
    elif failures:
        await server.stop()  # the next clause gets a fresh one
    ground.on_record(clause, record)
    return record.blocked or next(iter(failures), None)


async def _ask(ground: Ground, scratch: Scratch, server: LaneServer, clause: Clause) -> ClauseRecord:
    began = time.monotonic()
    truth = scratch.own.get(clause.id, scratch.shared)
    names = {
        **ground.contract.values,
        **scratch.home.names(),
        **{name: thread.id for name, thread in truth.items()},
    }
    server.connection.clause = clause.id
    stage = Stage(server, scratch.home, ground.stand_in, scratch.key, dict(names), dict(truth), ground.request_timeout)
    stage.heard = len(server.connection.notifications)
    stage.second = second = server.beside()
    steps: list[StepRecord] = []
    blocked: str | None = None
    try:
        for index, step in enumerate(clause.steps):
            steps.append(await perform(stage, index, step))
    except Stopped as stopped:
        steps.append(stopped.record)
    finally:
        gone = second.running and second.connection.ended is not None
        await second.stop()
    if gone:
        blocked = f"the second server ended while this was asked: {second.epitaph}"
    server.connection.clause = server.connection.step = None
    return ClauseRecord(clause.id, names, truth, tuple(steps), blocked, time.monotonic() - began)


async def _prepare(ground: Ground, lane: Lane) -> Scratch:
    """Make the lane's home with its stored threads, those that real turns make included."""
    recipe = ground.contract.scenes[lane.scene]
    key = lane_key(lane)
    folder = "".join(c if c.isalnum() else "-" for c in key)
    home = Home(ground.root / folder)
    home.prepare(ground.stand_in.base_url(folder))
    shared = home.write(recipe, lane.scene)
    own = {c.id: home.write(recipe, lane.scene, c.id) for c in lane.clauses if c.own == "thread"}
    sharing = [c for c in lane.clauses if c.id not in own]
    copies = [(shared, sharing), *((own[c.id], [c]) for c in lane.clauses if c.id in own)]
    await _make_by_turns(ground, lane, home, folder, copies)
    scratch = Scratch(home, folder, shared, own)
    for name, truth in ((key, shared), *((f"{lane.scene}#{clause}", truth) for clause, truth in own.items())):
        ground.scenes[name] = {"threads": as_json(truth), "names": home.names()}
    return scratch


async def _make_by_turns(
    ground: Ground, lane: Lane, home: Home, key: str, copies: Sequence[tuple[dict[str, ThreadTruth], Sequence[Clause]]]
) -> None:
    """Run real turns on a server of their own, which has ended before the clauses' server starts.

    Each copy gets those threads that are made so and that one of its clauses speaks of.
    """
    threads = {
        name: turn_recipes(thread["turns"])
        for name, thread in ground.contract.scenes[lane.scene]["threads"].items()
        if thread.get("made") == "by-turns"
    }
    extra = {name: thread.get("start", {}) for name, thread in ground.contract.scenes[lane.scene]["threads"].items()}
    todo = [(made, name) for made, clauses in copies for name in threads if any(speaks_of(c, name) for c in clauses)]
    if not todo:
        return
    server = LaneServer(ground.servers, home, lane_key(lane), "hive", "scene")
    messages = ground.servers.transcript.messages
    try:
        await server.start()
        for made, name in todo:
            params = {"cwd": str(home.work), **extra[name]}
            started = await server.connection.call("thread/start", params, timeout=ground.request_timeout)
            thread = captured(messages, [started], "/thread/id")
            if not isinstance(thread, str):
                raise TargetError(f"no thread could be started: {started.failure or 'refused'}")
            truth = ThreadTruth(thread, ())
            for turn in threads[name]:
                told = {"user": turn.user, "model": [text for _, text in turn.then]}
                exchange, ident = await run_turn(server, ground.stand_in, key, thread, told, ground.request_timeout)
                if ident is None or exchange.failure:
                    raise TargetError(f"a turn could not be run: {exchange.failure or 'refused'}")
                truth = truth.with_turns([turn.truth(ident)])
            made[name] = truth
    finally:
        await server.stop()


def _block(ground: Ground, clause: Clause, why: str) -> None:
    ground.on_record(clause, ClauseRecord(clause.id, {}, {}, (), why))
