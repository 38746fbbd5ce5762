"""What was measured so far, and how long the rest will take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from hive_gate.cost.model import Cell, Sample, StoredThread
from hive_gate.cost.operations import CONTROL, OPERATIONS, STEP, Operation
from hive_gate.cost.stats import ENOUGH
from hive_gate.cost.visit import Measured, Visit

Key: TypeAlias = tuple[int, str, int, str]
"""Target, shape, size and operation."""

LONGEST_WALK = 5.0
"""Seconds; a walk that would take longer is told from its steps instead."""

_LIFE = 0.12
"""Seconds that a server's start and end take at least."""

# Nanoseconds for each stored byte, by the beginning of an operation's name, until one was measured.
_GUESS = {"restore/": 70.0, "page/": 20.0, "read/turns": 40.0, "start/first": 40.0}


@dataclass(slots=True)
class _Gathered:
    requests: int = 1
    samples: list[Sample] = field(default_factory=list)
    problem: str | None = None


@dataclass(slots=True)
class Gathered:
    """The cells as they fill."""

    cells: dict[Key, _Gathered] = field(default_factory=dict)

    def expect(self, visits: Iterable[Visit]) -> None:
        """Make the empty cells of visits."""
        for visit in visits:
            for operation in visit.operations:
                self.cells.setdefault(key_of(visit.place.thread, operation), _Gathered())

    def keep(self, thread: StoredThread, measured: Measured) -> None:
        """Take what was measured."""
        cell = self.cells[key_of(thread, measured.operation)]
        cell.requests = measured.requests
        cell.problem = measured.problem
        if measured.sample is not None:
            cell.samples.append(measured.sample)

    def give_up(self, thread: StoredThread, operation: Operation, why: str) -> None:
        """Measure an operation no more."""
        self.cells[key_of(thread, operation)].problem = why

    def wanted(self, thread: StoredThread, operation: Operation) -> bool:
        """Tell whether an operation is to be measured again: it had no problem, and is no endless walk."""
        cell = self.cells[key_of(thread, operation)]
        if cell.problem is None and operation.phase == "walk":
            seconds = self._pages(thread, operation) * self.seconds(thread, OPERATIONS[STEP])
            if seconds > LONGEST_WALK:
                cell.problem = f"not walked: its steps add up to about {seconds:.0f} s"
        return cell.problem is None

    def seconds(self, thread: StoredThread, operation: Operation) -> float:
        """Return what an operation will take, by what it took the last time, or a guess."""
        cell = self.cells.get(key_of(thread, operation))
        if cell is not None and cell.samples:
            return cell.samples[-1].ms / 1000
        if operation.phase == "walk":
            return self._pages(thread, operation) * self.seconds(thread, OPERATIONS[STEP])
        each = next((ns for name, ns in _GUESS.items() if operation.name.startswith(name)), 0.0)
        return 0.002 + thread.bytes * each * 1e-9

    def visit_seconds(self, visit: Visit) -> float:
        """Return what a visit will take."""
        thread = visit.place.thread
        # Half as much again for large replies: the gate reads what the server wrote.
        return _LIFE + sum(1.5 * self.seconds(thread, o) for o in visit.operations if self.wanted(thread, o))

    def finished(self, rounds: int, why: str) -> tuple[Cell, ...]:
        """Return all cells, those with fewer samples than `rounds` with the reason."""
        order = {name: place for place, name in enumerate(OPERATIONS)}
        cells = []
        for (target, shape, size, name), cell in self.cells.items():
            missing = cell.problem
            if missing is None and len(cell.samples) < rounds:
                missing = f"{len(cell.samples)} of {rounds} repeats: {why}"
            cells.append(Cell(target, shape, size, name, cell.requests, tuple(cell.samples), missing))
        return tuple(sorted(cells, key=lambda c: order[c.operation]))  # threads stay in the order of their making

    def complete(self, rounds: int) -> bool:
        """Tell whether every cell has all its samples, or enough of them, or a reason of its own why not."""
        wanted = min(rounds, ENOUGH)
        return all(cell.problem is not None or len(cell.samples) >= wanted for cell in self.cells.values())

    @property
    def empty(self) -> bool:
        """Whether nothing but starts and refusals was measured."""
        return not any(cell.samples for key, cell in self.cells.items() if key[3] not in ("start", CONTROL))

    @staticmethod
    def _pages(thread: StoredThread, operation: Operation) -> int:
        return -(-thread.turns // int(operation.params["limit"]))


def key_of(thread: StoredThread, operation: Operation) -> Key:
    """Return where the samples of an operation on a thread are kept."""
    return thread.target, thread.shape, thread.size, operation.name
