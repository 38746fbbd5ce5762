"""How an operation grows with what is stored: a power law through the medians, if there is one to be seen.

The fixed part of an operation must not pass for slow growth, so it is taken off first where it can be: what the same
operation takes on a thread with one turn. Where too little is left (a page that costs the same on every thread), the
line goes through the medians as they are, and its exponent is near zero. A thread that does not fill the page that is
asked for says nothing of pages, and has no part in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import geometric_mean, median

from hive_gate.cost.model import Cell, Fit, Over, Quantity, StoredThread
from hive_gate.cost.operations import OPERATIONS
from hive_gate.cost.shapes import FLOOR, SHAPES, SPAN
from hive_gate.cost.stats import ENOUGH, least_squares, spread, t95

OVERS: tuple[Over, ...] = ("turns", "records", "bytes")
QUANTITIES: tuple[Quantity, ...] = ("ms", "cpu_ms", "bytes_in")

_WIDE = 0.35
"""Half the width of an exponent's interval above which it means nothing."""

_NEARLY = 0.95
"""Ten times the turns are not quite ten times the records: every thread has a first line of its own."""

_GROWS = 2.0
"""How many times the least median the largest must be for a floor to be taken off: what stays the same has no other."""

_LEFT = 0.25
"""Share of a median that must be left once the floor is taken off; below it the floor's own spread takes over."""


def values(cell: Cell, quantity: Quantity) -> list[float]:
    """Return a quantity of all samples that have it."""
    return [float(value) for sample in cell.samples if (value := getattr(sample, quantity)) is not None]


def middle(cell: Cell, quantity: Quantity) -> float | None:
    """Return the median of a quantity; None if there are no samples with it."""
    found = values(cell, quantity)
    return median(found) if found else None


def fits(threads: Sequence[StoredThread], cells: Sequence[Cell]) -> Iterator[Fit]:
    """Yield every growth that the sizes are far enough apart to show."""
    thread_of = {(t.target, t.shape, t.size): t for t in threads}
    groups: dict[tuple[int, str, str], list[Cell]] = {}
    for cell in cells:
        if cell.samples:
            groups.setdefault((cell.target, cell.shape, cell.operation), []).append(cell)
    for (target, shape, operation), group in groups.items():
        floor = _floor_cell(groups, target, shape, operation)
        full = OPERATIONS[operation].page
        grown = [c for c in group if c.size != FLOOR and thread_of[target, shape, c.size].turns >= full]
        for quantity in QUANTITIES:
            medians = [m for cell in grown if (m := middle(cell, quantity)) is not None]
            if len(medians) < len(grown):
                continue
            base = None if floor is None else middle(floor, quantity)
            for over in OVERS:
                sizes = [float(getattr(thread_of[target, shape, cell.size], over)) for cell in grown]
                line = power_law(sizes, medians, base or 0.0)
                if line is not None:
                    factor, exponent, low, high, scatter, taken = line
                    noisy = high - low > 2 * _WIDE
                    center = geometric_mean(sizes)
                    yield Fit(target, shape, operation, quantity, over, len(sizes), center, taken, factor, exponent,
                              low, high, scatter, noisy)  # fmt: skip


def _floor_cell(groups: dict[tuple[int, str, str], list[Cell]], target: int, shape: str, operation: str) -> Cell | None:
    """Return the operation on a thread with one turn; the hand-written shapes share that of the plain one."""
    if OPERATIONS[operation].phase == "walk":
        return None  # a walk of one turn is one page
    home = shape if SHAPES[shape].made != "stored" else "plain"
    return next((cell for cell in groups.get((target, home, operation), ()) if cell.size == FLOOR), None)


def power_law(
    sizes: Sequence[float], medians: Sequence[float], floor: float
) -> tuple[float, float, float, float, float, float] | None:
    """Fit `median - floor = factor * size ** exponent`.

    Args:
        sizes: of what is stored; all above 0.
        medians: what was measured at each.
        floor: what is to be taken off, if there is growth and enough is left at every size.

    Returns:
        Factor, exponent, the ends of its 95 % interval, the residual standard deviation of the logarithm, and what was
        taken off (the floor or 0); None if the sizes do not span ten times, there are fewer than three points, or
        something is not above 0.
    """
    if len(sizes) < 3 or min(sizes) <= 0 or max(sizes) < _NEARLY * SPAN * min(sizes) or min(medians) <= 0:
        return None
    grows = max(medians) >= _GROWS * min(medians)
    taken = floor if grows and all(m - floor >= _LEFT * m for m in medians) else 0.0
    line = least_squares([(1.0, math.log(size)) for size in sizes], [math.log(value - taken) for value in medians])
    if line is None:
        return None
    low, high = line.interval(1)
    return math.exp(line.coefficients[0]), line.coefficients[1], low, high, line.scatter, taken


def at(fit: Fit, size: float) -> float:
    """Return what a fit says of a size."""
    return float(fit.floor + fit.factor * size**fit.exponent)


def between(fit: Fit, size: float) -> tuple[float, float]:
    """Return the ends of the 95 % confidence interval of what a fit says of a size."""
    slope = (fit.high - fit.low) / 2 * math.log(size / fit.center)
    level = t95(fit.points - 2) * fit.scatter / math.sqrt(fit.points)
    off = math.exp(min(50.0, math.hypot(slope, level)))
    grown = at(fit, size) - fit.floor
    return fit.floor + grown / off, fit.floor + grown * off


def reach(fit: Fit, value: float) -> float | None:
    """Return the size from which on a fit says more than `value`; None if it does not grow."""
    if fit.exponent <= 0 or value <= fit.floor:
        return None
    return float(math.exp(min(700.0, math.log((value - fit.floor) / fit.factor) / fit.exponent)))


def noisy(cell: Cell, quantity: Quantity = "ms") -> bool:
    """Tell whether a cell's samples are spread too widely, or too few, for its median to be given."""
    found = values(cell, quantity)
    return len(found) < ENOUGH or spread(found).noisy
