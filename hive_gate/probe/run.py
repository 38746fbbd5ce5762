"""One contract against one target: the whole run, from the plan to the report."""

from __future__ import annotations

import platform
import secrets
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio

from hive_gate import __version__
from hive_gate.contract.model import Clause, Contract
from hive_gate.errors import TargetError
from hive_gate.probe.assemble import as_it_ran, contract_facts, notes
from hive_gate.probe.interruption import handlers_kept, within
from hive_gate.probe.judge import Judge
from hive_gate.probe.lane import Ground, run_lane
from hive_gate.probe.news import news
from hive_gate.probe.observe import Observer
from hive_gate.probe.plan import Lane, Selection, lanes, looks_at_traffic, missing_need, needs_server, select
from hive_gate.probe.record import ClauseRecord
from hive_gate.probe.server import LaneServer, Servers
from hive_gate.probe.steps import Stage, Stopped, perform
from hive_gate.probe.subject import Subject
from hive_gate.probe.whole import answered, judge_whole
from hive_gate.report import model
from hive_gate.scene.home import Home
from hive_gate.scene.scratch import scratch_folder
from hive_gate.scene.standin import StandIn
from hive_gate.wire.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run goes about it. Times in seconds; generous, since a loaded machine is not a broken server."""

    request_timeout: float = 10.0
    start_timeout: float = 30.0
    run_timeout: float = 120.0
    jobs: int = 2
    """Servers at a time."""
    keep_home: bool = False
    """Leave the scratch folder in place."""


@dataclass(slots=True)
class _Run:
    """A run as it goes on."""

    contract: Contract
    subject: Subject
    settings: Settings
    observer: Observer
    chosen: tuple[Clause, ...]
    root: Path
    measurement: model.Measurement | None
    transcript: Transcript = field(default_factory=Transcript)
    results: dict[str, model.ClauseResult] = field(default_factory=dict)
    problem: str | None = None
    interrupted: bool = False
    user_agent: str | None = None
    lacking: dict[str, str] = field(default_factory=dict)
    """Capabilities that the target was asked for and does not have, with what came instead."""


def run(
    contract: Contract,
    subject: Subject,
    selection: Selection,
    settings: Settings,
    observer: Observer,
    measurement: model.Measurement | None = None,
) -> model.Report:
    """Probe a subject and return the report.

    Args:
        contract: what is promised.
        subject: the target.
        selection: which clauses are asked.
        settings: how to go about it.
        observer: told what is being done.
        measurement: what `hive-gate cost` found of the same program, for the constraints and decisions.

    A target that does not start is reported, not raised: every clause is `blocked` and `run.problem` says why. The
    same goes for Ctrl-C and SIGTERM: what was judged until then is in the report, and `run.interrupted` is set.

    Raises:
        UsageError: if the selection names nothing.
    """
    chosen = select(contract, selection)
    started = datetime.now(UTC)
    began = time.monotonic()
    with scratch_folder(settings.keep_home) as root, StandIn() as stand_in:
        state = _Run(contract, subject, settings, observer, chosen, root, measurement)
        judge = Judge(contract, state.transcript.messages, subject.bundle)
        servers = Servers(contract, subject.argv, state.transcript, settings.start_timeout)

        def on_record(clause: Clause, record: ClauseRecord) -> None:
            _keep(state, judge.judge(clause, record))

        ground = Ground(contract, servers, stand_in, root, settings.request_timeout, on_record)
        observer.stage("starting the server")
        observer.plan(len(chosen))
        with handlers_kept():
            anyio.run(_ask, state, ground)
        state.problem = state.problem or ground.problem
        _judge_the_rest(state, judge)
        return _report(state, ground, selection, started, time.monotonic() - began)


def _keep(state: _Run, result: model.ClauseResult) -> None:
    state.results[result.id] = result
    state.observer.judged(result)


async def _ask(state: _Run, ground: Ground) -> None:
    """Run all lanes, a few at a time, until they are done, the time is up, or the user has had enough."""
    async with within(state.settings.run_timeout, state) as limit:
        try:
            await _preflight(state, ground)
        except TargetError as error:
            state.problem = error.message
        else:
            await _ask_lanes(state, ground)
    if limit.cancelled_caught and not state.interrupted:
        state.problem = f"the run's time of {state.settings.run_timeout:g} s was up"


async def _ask_lanes(state: _Run, ground: Ground) -> None:
    offered = [c for c in state.chosen if missing_need(c, state.subject.bundle, state.lacking) is None]
    seats = anyio.CapacityLimiter(state.settings.jobs)

    async def seated(lane: Lane) -> None:
        async with seats:
            await run_lane(ground, lane)

    async with anyio.create_task_group() as group:
        for lane in lanes(offered):
            group.start_soon(seated, lane)


async def _preflight(state: _Run, ground: Ground) -> None:
    """Start one server on an empty home: whether it starts at all, and what it says it is.

    Raises:
        TargetError: if it cannot be started or does not answer `initialize`.
    """
    home = Home(state.root / "preflight")
    home.prepare(ground.stand_in.base_url("preflight"))
    server = LaneServer(ground.servers, home, "preflight", "hive", "preflight")
    try:
        await server.start()
        reply = server.greeted.reply if server.greeted else None
        result = state.transcript.messages[reply].body.get("result") if reply is not None else None
        agent = result.get("userAgent") if isinstance(result, dict) else None
        state.user_agent = agent if isinstance(agent, str) else None
        state.lacking = await _lacking(state, ground, server, home)
    finally:
        await server.stop()


async def _lacking(state: _Run, ground: Ground, server: LaneServer, home: Home) -> dict[str, str]:
    """Ask for each capability that a chosen clause needs, and return those that are not there."""
    needed = dict.fromkeys(n.partition(":")[2] for c in state.chosen for n in c.needs if n.startswith("capability:"))
    judge = Judge(state.contract, state.transcript.messages, state.subject.bundle)
    names = {**state.contract.values, **home.names()}
    lacking: dict[str, str] = {}
    for name in needed:
        step = state.contract.capabilities[name].step
        stage = Stage(server, home, ground.stand_in, "preflight", dict(names), {}, ground.request_timeout)
        server.connection.clause = f"capability:{name}"
        try:
            record = await perform(stage, 0, step)
        except Stopped as stopped:
            record = stopped.record
        instead = judge.lacks(step, record, names)
        if instead is not None:
            lacking[name] = f"{state.contract.capabilities[name].why.rstrip('.')}; here: {instead}"
    server.connection.clause = server.connection.step = None
    return lacking


def _judge_the_rest(state: _Run, judge: Judge) -> None:
    """Judge what no lane asked: clauses that were cut off, and those that look at the schema or at all traffic."""
    messages = state.transcript.messages
    for clause in state.chosen:
        record = ClauseRecord(clause.id, {}, {})
        if clause.id in state.results:
            continue
        missing = missing_need(clause, state.subject.bundle, state.lacking)
        if missing is not None:
            _keep(state, judge.result(clause, record, "not-offered", (), missing))
        elif state.problem and (needs_server(clause) or looks_at_traffic(clause)):
            _keep(state, judge.judge(clause, replace(record, blocked=f"not judged: {state.problem}")))
        else:
            exchanges = answered(messages)
            findings, looked = judge_whole(
                clause, state.contract, state.subject.bundle, exchanges, messages, state.transcript.oddities
            )
            _keep(state, judge.of_findings(clause, record, tuple(findings), looked))


def _report(state: _Run, ground: Ground, selection: Selection, started: datetime, seconds: float) -> model.Report:
    contract = state.contract
    clauses = tuple(state.results[clause.id] for clause in state.chosen)
    exchanges = [exchange for result in clauses for exchange in result.exchanges]
    run_id = f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    return model.Report(
        gate=model.gate_of(clauses),
        run=model.Run(
            id=run_id,
            started=started.isoformat(timespec="seconds"),
            seconds=round(seconds, 3),
            hive_gate=__version__,
            python=platform.python_version(),
            partial=not selection.is_all or state.interrupted,
            selection={"suites": list(selection.suites), "clauses": list(selection.clauses), "level": selection.level},
            interrupted=state.interrupted,
            problem=state.problem,
        ),
        target=as_it_ran(state.subject.target, state.user_agent),
        contract=contract_facts(contract),
        clauses=clauses,
        constraints=notes(contract.constraints, clauses, state.measurement),
        decisions=notes(contract.decisions, clauses, state.measurement),
        suites=dict(contract.suites),
        news=news(contract, exchanges, state.transcript.messages, state.transcript.oddities, ground.servers.account),
        servers=tuple(ground.servers.account),
        messages=tuple(state.transcript.messages),
        scenes=ground.scenes,
        oddities=tuple(state.transcript.oddities),
        lacking=dict(state.lacking),
        measurement=state.measurement,
    )
