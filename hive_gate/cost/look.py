"""Find things in what was measured of one target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hive_gate.cost.fit import middle, noisy
from hive_gate.cost.model import Cell, Fit, Over, Quantity, StoredThread
from hive_gate.cost.stats import ENOUGH, Spread, spread

_DIGIT = 0.01
"""What a ratio's last digit stands for: two that are nearer to each other are told as the same."""


@dataclass(frozen=True, slots=True)
class Look:
    """The cells and fits of one target."""

    target: int
    threads: Sequence[StoredThread]
    cells: Sequence[Cell]
    fits: Sequence[Fit]
    _cells: dict[tuple[str, int, str], Cell] = field(init=False, default_factory=dict)
    _fits: dict[tuple[str, str, Quantity, Over], Fit] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._cells.update(
            ((c.shape, c.size, c.operation), c) for c in self.cells if c.target == self.target and c.samples
        )
        self._fits.update(((f.shape, f.operation, f.quantity, f.over), f) for f in self.fits if f.target == self.target)

    def cell(self, shape: str, size: int, operation: str) -> Cell | None:
        """Return a cell that has samples."""
        return self._cells.get((shape, size, operation))

    def steady(self, shape: str, size: int, operation: str) -> Cell | None:
        """Return a cell that has enough samples, and not too widely spread ones."""
        cell = self.cell(shape, size, operation)
        return None if cell is None or noisy(cell) else cell

    def fit(self, shape: str, operation: str, quantity: Quantity = "ms", over: Over = "turns") -> Fit | None:
        """Return a fit, noisy or not."""
        return self._fits.get((shape, operation, quantity, over))

    def sizes(self, shape: str) -> list[int]:
        """Return the sizes of a shape, the floor left out."""
        return sorted(t.size for t in self.threads if t.target == self.target and t.shape == shape and t.size > 1)

    def thread(self, shape: str, size: int) -> StoredThread:
        """Return a stored thread."""
        return next(t for t in self.threads if (t.target, t.shape, t.size) == (self.target, shape, size))

    def of_shape(self, shape: str, operation: str) -> Iterator[tuple[StoredThread, Cell]]:
        """Yield an operation's cells on all threads of a shape but the floor, the smallest first."""
        for size in self.sizes(shape):
            cell = self.cell(shape, size, operation)
            if cell is not None:
                yield self.thread(shape, size), cell


def ratio(over: Cell | None, under: Cell | None, quantity: Quantity = "ms") -> Spread | None:
    """Return how many times as much one cell took as another, from samples of the same round each.

    None if there are not enough rounds in which both were measured.
    """
    if over is None or under is None:
        return None
    bases = {s.round: getattr(s, quantity) for s in under.samples}
    pairs = [getattr(s, quantity) / base for s in over.samples if (base := bases.get(s.round)) and getattr(s, quantity)]
    return spread(pairs) if len(pairs) >= ENOUGH else None


def disagree(found: Spread, over: Cell, under: Cell) -> bool:
    """Tell whether rounds give no ratio to be told: they lie too far apart, or contradict the medians beside them.

    Args:
        found: the ratio in each round, as :func:`ratio` gives it.
        over: what was divided.
        under: by what.
    """
    first, second = (spread([sample.ms for sample in cell.samples]).median for cell in (over, under))
    other_way = (first - second) * (found.median - 1) < 0 and abs(first - found.median * second) >= _DIGIT * second
    return found.wide or other_way


def medians(cells: Sequence[Cell | None], quantity: Quantity) -> list[float] | None:
    """Return the medians of some cells; None if one is missing."""
    found = [None if cell is None else middle(cell, quantity) for cell in cells]
    return [value for value in found if value is not None] if None not in found else None
