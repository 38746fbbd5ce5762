"""One measurement, of one target or of two side by side: from the making of the threads to the finished model."""

from __future__ import annotations

import os
import platform
import random
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio

from hive_gate import __version__
from hive_gate.contract.model import Contract
from hive_gate.cost.derive import derived
from hive_gate.cost.gather import Gathered
from hive_gate.cost.ground import Ground, NotOffered, Place, make_place
from hive_gate.cost.model import Absent, Cost, Run
from hive_gate.cost.observe import Observer
from hive_gate.cost.operations import FULL, HOST, operations_of
from hive_gate.cost.shapes import (
    DEFAULT_REAL_SIZES,
    DEFAULT_SIZES,
    FLOOR,
    SHAPES,
    Shape,
    has_floor,
    sizes_of,
    within_span,
)
from hive_gate.cost.visit import Measured, Visit, carry_out, visits_of
from hive_gate.errors import HiveGateError, TargetError
from hive_gate.probe.interruption import handlers_kept, within
from hive_gate.probe.subject import Subject
from hive_gate.scene.scratch import scratch_folder
from hive_gate.scene.standin import StandIn

SECONDS = 110.0
"""For each target, unless the user says otherwise: with start and files it is two minutes."""

_SHORTEST = 0.3
"""Seconds below which no visit is worth beginning."""

_GIVE_UP = 3
"""Servers of a target in a row that fail before it is asked no more."""

_MAKERS = 2
"""Threads that are made at a time; making is not measured."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a measurement goes about it."""

    shapes: tuple[str, ...] = tuple(SHAPES)
    sizes: tuple[int, ...] = DEFAULT_SIZES
    real_sizes: tuple[int, ...] = DEFAULT_REAL_SIZES
    rounds: int = 5
    time_limit: float = SECONDS
    """Seconds for all of it."""
    start_timeout: float = 30.0
    request_timeout: float = 60.0


@dataclass(slots=True)
class _State:
    """A measurement as it goes on."""

    settings: Settings
    observer: Observer
    began: float
    gathered: Gathered = field(default_factory=Gathered)
    places: list[Place] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)
    lost: dict[int, str] = field(default_factory=dict)
    """Targets that are asked no more, with the reason."""
    failures: dict[int, int] = field(default_factory=dict)
    interrupted: bool = False
    problem: str | None = None

    @property
    def left(self) -> float:
        """Seconds until nothing new is begun."""
        return self.began + self.settings.time_limit - time.monotonic()


def measure(contract: Contract, subjects: Sequence[Subject], settings: Settings, observer: Observer) -> Cost:
    """Measure one or two targets and return what was found; Ctrl-C and SIGTERM keep what was measured until then.

    Raises:
        TargetError: if nothing could be measured.
    """
    started = datetime.now(UTC)
    load = _load()
    state = _State(settings, observer, time.monotonic())
    with scratch_folder(keep=False) as root, StandIn() as stand_in:
        grounds = [
            Ground(i, subject, contract, stand_in, _folder(root, i), settings.start_timeout, settings.request_timeout)
            for i, subject in enumerate(subjects)
        ]
        with handlers_kept():
            anyio.run(_measure, state, grounds)
    if state.gathered.empty and not state.interrupted:
        raise TargetError(
            f"nothing could be measured: {state.problem or next(iter(state.lost.values()), 'the time was up')}",
            hint="run hive-gate probe on it, or raise --time-limit",
        )
    why = "interrupted" if state.interrupted else "the time was up"
    cells = state.gathered.finished(settings.rounds, why)
    run = Run(
        id=f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        started=started.isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - state.began, 1),
        hive_gate=__version__,
        python=platform.python_version(),
        rounds=settings.rounds,
        time_limit=settings.time_limit,
        complete=bool(state.places)
        and not state.interrupted
        and not state.lost
        and state.gathered.complete(settings.rounds),
        interrupted=state.interrupted,
        problem=state.problem or next(iter(state.lost.values()), None),
    )
    threads = tuple(place.thread for place in state.places)
    return derived(run, (load, _load()), tuple(s.target for s in subjects), threads, cells, tuple(state.absent))


async def _measure(state: _State, grounds: Sequence[Ground]) -> None:
    """Make the threads and go round, until it is done, the time is up, or the user has had enough."""
    async with within(state.settings.time_limit, state):
        await _make(state, grounds)
        await _rounds(state)


async def _make(state: _State, grounds: Sequence[Ground]) -> None:
    """Make every thread, two at a time: first those with a single turn, which show what is offered, then the slowest.

    What takes longest is begun first, so that no maker is left alone with it at the end.
    """
    state.observer.stage("making the stored threads")
    made: dict[tuple[int, str, int], Place] = {}
    failed: dict[tuple[int, str], str] = {}
    seats = anyio.CapacityLimiter(_MAKERS)

    async def make(ground: Ground, shape: Shape, size: int, sizes: Sequence[int]) -> None:
        async with seats:
            if (ground.index, shape.name) not in failed:
                try:
                    made[ground.index, shape.name, size] = await make_place(ground, shape, size, sizes)
                except NotOffered as why:
                    failed[ground.index, shape.name] = str(why)
                except HiveGateError as error:
                    failed[ground.index, shape.name] = error.message

    tasks = [
        (ground, shape, size, sizes)
        for shape in (SHAPES[name] for name in state.settings.shapes)
        for sizes in (sizes_of(shape, state.settings.sizes, state.settings.real_sizes),)
        for size in ((FLOOR, *sizes) if has_floor(shape) else sizes)
        for ground in grounds
    ]
    for floors in (True, False):
        async with anyio.create_task_group() as group:
            for task in sorted(tasks, key=lambda task: (task[1].made == "stored", -task[2])):
                if (task[2] == FLOOR) is floors:
                    group.start_soon(make, *task)
    state.absent = [Absent(index, name, why) for (index, name), why in failed.items()]
    keys = ((ground.index, shape.name, size) for ground, shape, size, _ in tasks)
    state.places = [made[key] for key in keys if key in made and key[:2] not in failed]


async def _rounds(state: _State) -> None:
    groups = _groups(state)
    for visits in groups:
        state.gathered.expect(visits)
    order = random.Random(1)  # noqa: S311 - the same order in every run
    done = 0.0
    for number in range(state.settings.rounds):
        if state.left < _SHORTEST:
            return
        state.observer.stage(f"round {number + 1} of {state.settings.rounds}")
        order.shuffle(groups)
        groups.sort(key=_urgency)  # where the time does not suffice, what matters least is left out
        for position, visits in enumerate(groups):
            for visit in visits if number % 2 else reversed(visits):  # of two targets, each goes first in turn
                took = state.gathered.visit_seconds(visit)
                if took < state.left and visit.place.ground.index not in state.lost:
                    await _visit(state, visit, number, order)
                    done += took
            whole = sum(state.gathered.visit_seconds(visit) for group in groups for visit in group)
            rest = sum(state.gathered.visit_seconds(visit) for group in groups[position + 1 :] for visit in group)
            left = min(rest + (state.settings.rounds - number - 1) * whole, max(0.0, state.left))
            thread = visits[0].place.thread
            turns = f"{thread.turns} turn{'' if thread.turns == 1 else 's'}"
            state.observer.progress(done / (done + left or 1.0), left, f"{thread.shape}, {turns}")


async def _visit(state: _State, visit: Visit, number: int, order: random.Random) -> None:
    thread, index = visit.place.thread, visit.place.ground.index
    then = [operation for operation in visit.then if state.gathered.wanted(thread, operation)]
    order.shuffle(then)
    first = visit.first
    if first is not None and first.phase != "first-start" and not state.gathered.wanted(thread, first):
        if not then:
            return
        first = None
    tried = replace(visit, first=first, then=tuple(then))
    left = list(tried.operations)

    def keep(measured: Measured) -> None:
        left.remove(measured.operation)
        state.gathered.keep(thread, measured)

    try:
        await carry_out(tried, number, keep)
        state.failures[index] = 0
    except TargetError as error:
        if len(left) < len(tried.operations):  # it did start, and failed at what it was asked
            state.gathered.give_up(thread, left[0], error.message)
        state.failures[index] = state.failures.get(index, 0) + 1
        if state.failures[index] == _GIVE_UP:
            state.lost[index] = f"{_GIVE_UP} servers in a row failed, the last one so: {error.message}"


def _groups(state: _State) -> list[list[Visit]]:
    """Return the visits, those that do the same on each target together."""
    groups: dict[tuple[str, int, str], list[Visit]] = {}
    for place in state.places:
        shape, size = place.shape, place.thread.size
        sizes = sizes_of(shape, state.settings.sizes, state.settings.real_sizes)
        operations = operations_of(
            thorough=shape.thorough and within_span(size, sizes),
            longest=size == sizes[-1],
            databases_matter=shape.made != "stored",
        )
        for visit in visits_of(place, operations):
            name = visit.first.name if visit.first else ""
            groups.setdefault((place.shape.name, place.thread.size, name), []).append(visit)
    return list(groups.values())


def _urgency(visits: Sequence[Visit]) -> int:
    """Return which visits come first in a round: pages and restores of the threads that are asked everything."""
    shape, first = visits[0].place.shape, visits[0].first
    if shape.thorough and first is not None and first.name in (HOST, FULL):
        return 0
    return 1 if shape.thorough else 2


def _folder(root: Path, index: int) -> Path:
    folder = root / str(index)
    folder.mkdir()
    return folder


def _load() -> float | None:
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None
