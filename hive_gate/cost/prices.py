"""What one turn, one record and one megabyte of stored history cost, from all hand-written shapes together.

The shapes differ in how they put their bytes together, so a linear model can tell the three apart. Each point counts
by how far the model is off relative to it: a page of 5 ms says as much as one of 500.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from hive_gate.cost.fit import middle
from hive_gate.cost.model import Cell, Price, Quantity, StoredThread
from hive_gate.cost.operations import FULL, HOST, PAGE, VIEWS
from hive_gate.cost.shapes import SHAPES
from hive_gate.cost.stats import Regression, least_squares

Unit: TypeAlias = Literal["request", "turn", "record", "MB"]

_UNITS: tuple[Unit, ...] = ("request", "turn", "record", "MB")

PRICED = (*(f"page/{view}/{PAGE}" for view in VIEWS), "read/turns", FULL, HOST)

_SHAPES = 3
"""Shapes that there must be: with fewer, turns, records and bytes grow together and cannot be told apart."""

_LEAST = 2
"""Units without which there is nothing to tell: a request, and one that grows."""

_QUANTITIES: tuple[Quantity, ...] = ("ms", "cpu_ms")


def prices(threads: Sequence[StoredThread], cells: Sequence[Cell]) -> Iterator[Price]:
    """Yield the prices of each operation that every shape is asked; what cannot be told from nothing is left out."""
    thread_of = {(t.target, t.shape, t.size): t for t in threads}
    for target in sorted({t.target for t in threads}):
        for operation in PRICED:
            for quantity in _QUANTITIES:
                points = [
                    (thread_of[c.target, c.shape, c.size], m)
                    for c in cells
                    if (c.target, c.operation) == (target, operation) and SHAPES[c.shape].made == "stored"
                    if (m := middle(c, quantity)) is not None and m > 0
                ]
                yield from _priced(target, operation, quantity, points)


def _priced(
    target: int, operation: str, quantity: Quantity, points: Sequence[tuple[StoredThread, float]]
) -> Iterator[Price]:
    if len({thread.shape for thread, _ in points}) < _SHAPES:
        return
    units = list(_UNITS)
    while units:
        model = _model(points, units)
        if model is None:
            if len(units) <= _LEAST:
                return
            units.pop(1)  # shapes that do not differ enough: what is finest is what cannot be told
            continue
        # A unit whose interval does not lie above zero cannot be told from nothing: the least certain goes first.
        doubtful = [i for i in range(len(units)) if model.interval(i)[0] <= 0]
        if not doubtful:
            for i, unit in enumerate(units):
                low, high = model.interval(i)
                yield Price(target, operation, quantity, unit, model.coefficients[i], low, high, model.scatter)
            return
        units.pop(min(doubtful, key=lambda i: model.coefficients[i] / (model.errors[i] or 1.0)))


def _model(points: Sequence[tuple[StoredThread, float]], units: Sequence[Unit]) -> Regression | None:
    amounts = [[_amount(thread, unit) / value for unit in units] for thread, value in points]
    return least_squares(amounts, [1.0] * len(points))


def _amount(thread: StoredThread, unit: Unit) -> float:
    if unit == "request":
        return 1.0
    return {"turn": float(thread.turns), "record": float(thread.records), "MB": thread.bytes / 1e6}[unit]
