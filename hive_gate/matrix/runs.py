"""Runs of contracts against versions, a few at a time, each once for the same program and contract."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.errors import TargetError
from hive_gate.matrix.results import Results
from hive_gate.probe.cores import available
from hive_gate.probe.pool import Died, Pool, interrupted_once
from hive_gate.report.codec import decode
from hive_gate.report.jsonfile import read_report
from hive_gate.report.model import ClauseResult, Report
from hive_gate.scene.scratch import scratch_folder
from hive_gate.target.cache import Cache
from hive_gate.target.hashing import program_sha256
from hive_gate.target.platforms import this_platform
from hive_gate.target.spec import parse_version

State = Literal["judged", "not-fetched", "not-started", "not-judged", "interrupted"]
"""How far a run came: `not-fetched` there is no program; `not-started` it does not start or never greets; `not-judged`
some clauses of a started one could not be judged and none was broken by what the server said."""


@dataclass(frozen=True, slots=True)
class Task:
    """One contract against one version."""

    version: str
    """A codex version, such as `0.142.5`."""
    contract: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task."""

    task: Task
    state: State
    report: Report | None
    """As judged, before any baseline; None where there was nothing to start."""
    problem: str | None
    """Why it was not judged, in one sentence; None if it was."""
    from_cache: bool
    seconds: float
    """Time of the task, with fetching; of a cached one the time that its run took then."""
    hint: str | None = None
    """What to do about the problem, with which its sentence ends in brackets; None if it says nothing of that."""


class Observer(Protocol):
    """Is told how far the runs are; called from several threads."""

    def stage(self, task: Task, text: str) -> None:
        """A task does something else now, such as fetching."""

    def plan(self, task: Task, total: int) -> None:
        """A task has so many clauses to judge."""

    def judged(self, task: Task, result: ClauseResult) -> None:
        """A task has judged a clause."""

    def done(self, outcome: Outcome) -> None:
        """A task is done."""


SERVERS = 2
"""Servers at a time in a run that has others beside it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How runs go about it."""

    jobs: int = 2
    """Runs at a time."""
    fresh: bool = False
    """Run again what is in the cache."""
    request_timeout: float = 10.0
    """Seconds for one request."""
    start_timeout: float = 30.0
    """Seconds for the start of a server."""


def outcomes(
    tasks: Sequence[Task], settings: Settings, observer: Observer, contracts: Iterable[Contract] = ()
) -> Generator[Outcome, None, None]:
    """Do the tasks and yield each outcome as it comes, cached ones first, then those whose program is there already.

    Whoever does not take all of them closes the generator, or an interruption may leave workers running for as long as
    its traceback lives.

    Args:
        tasks: what to do, in the order in which it is begun.
        settings: how to go about it.
        observer: told how far it is.
        contracts: those of the tasks that are loaded already; others are.

    Raises:
        UsageError: a version is not one, or a contract is not valid (before anything runs).
    """
    for task in tasks:
        parse_version(task.version)
    loaded = {contract.path: contract for contract in contracts}
    for task in tasks:
        if task.contract not in loaded:
            loaded[task.contract] = load_contract(task.contract)
    return _outcomes(tasks, loaded, settings, observer)


def _outcomes(
    tasks: Sequence[Task], contracts: Mapping[Path, Contract], settings: Settings, observer: Observer
) -> Generator[Outcome, None, None]:
    cache = Cache.default()
    there: list[Task] = []
    missing: list[Task] = []
    for task in tasks:
        program = installed_sha256(task.version, cache)
        kept = None
        if program is not None and not settings.fresh:
            kept = Results.of(cache).find(program, contracts[task.contract])
        if kept is not None:
            outcome = Outcome(task, "judged", kept, None, True, kept.run.seconds)
            observer.done(outcome)
            yield outcome
        else:
            (missing if program is None else there).append(task)
    # While one version is fetched, another is judged.
    todo = [*there, *missing]
    if not todo:
        return
    told = {
        "fresh": settings.fresh,
        "request_timeout": settings.request_timeout,
        "start_timeout": settings.start_timeout,
    }

    def on_event(number: int, event: Any) -> None:
        _pass_on(observer, todo[number], event)

    with (
        interrupted_once(),
        scratch_folder(keep=False) as folder,
        Pool("hive_gate.matrix.worker", told, settings.jobs, folder, on_event) as pool,
    ):
        lines = [
            {"version": task.version, "contract": str(task.contract.absolute()), **room}
            for task, room in zip(todo, rooms(len(todo), settings.jobs), strict=True)
        ]
        for number, answer in pool.answers(lines):
            outcome = _outcome(todo[number], answer)
            observer.done(outcome)
            yield outcome


def rooms(runs: int, jobs: int) -> list[dict[str, Any]]:
    """Return for each of `runs`, begun in this order, how many servers it may have at a time, and on which cores.

    Those of the last round that have fewer beside them get what is left free: a run of its own keeps two cores busy no
    more than by two thirds. No cores: those that the worker has already.
    """
    last = runs % jobs
    room = {"servers": SERVERS, "cores": ()}
    wide = {"servers": SERVERS * jobs // last, "cores": available()} if last else room
    return [room] * (runs - last) + [wide] * last


def installed_sha256(version: str, cache: Cache) -> str | None:
    """Return the SHA-256 of a program that is in the cache; None if it is not there as it was installed."""
    try:
        found = cache.find(parse_version(version).version, this_platform())
        digest = None if found is None else program_sha256(found.program, cache)
    except (TargetError, OSError):
        return None
    return digest if found is not None and digest == found.sha256 else None


def _pass_on(observer: Observer, task: Task, event: Mapping[str, Any]) -> None:
    """Tell the observer what a worker tells of a task."""
    if "stage" in event:
        observer.stage(task, event["stage"])
    elif "plan" in event:
        observer.plan(task, event["plan"])
    else:
        observer.judged(task, decode(ClauseResult, event["judged"], ""))


def _outcome(task: Task, answer: Any) -> Outcome:
    if isinstance(answer, Died):
        return Outcome(task, "not-judged", None, f"the run was lost: {answer.why}", False, 0.0)
    report = None
    if answer["report"] is not None:
        path = Path(answer["report"])
        report = read_report(path)
        path.unlink()
    told = (answer["problem"], answer["from_cache"], answer["seconds"], answer["hint"])
    return Outcome(task, answer["state"], report, *told)
