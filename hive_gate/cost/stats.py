"""The statistics that a handful of samples bears."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

ENOUGH = 3
"""Samples of a cell below which nothing is said about their spread."""

NOISY = 0.25
"""Spread of the middle half, relative to the median, above which a cell is noisy."""

_STEADY_MS = 0.5
"""A spread below this is what the clock and the pipe do; no cell is noisy for it."""

# Two-sided 95 % quantiles of Student's t by degrees of freedom, from 1 on.
_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spread:
    """Where samples lie."""

    count: int
    median: float
    low: float
    """First quartile."""
    high: float
    """Third quartile."""

    @property
    def relative(self) -> float:
        """Width of the middle half over the median."""
        return (self.high - self.low) / self.median if self.median else 0.0

    @property
    def wide(self) -> bool:
        """Whether the middle half is spread too widely for the median to mean much: of ratios, which have no unit."""
        return self.relative > NOISY

    @property
    def noisy(self) -> bool:
        """The same of milliseconds, of which a fraction is no noise."""
        return self.wide and self.high - self.low > _STEADY_MS


def spread(values: Sequence[float]) -> Spread:
    """Return where `values` lie; there must be at least one."""
    return Spread(len(values), median(values), quantile(values, 0.25), quantile(values, 0.75))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the quantile of `values` at `share` (0 to 1), between two values in proportion."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def t95(freedom: int) -> float:
    """Return how many standard errors a 95 % confidence interval reaches on each side."""
    return _T95[freedom - 1] if freedom <= len(_T95) else 1.960 + 2.5 / freedom


@dataclass(frozen=True, slots=True)
class Regression:
    """A linear model `y = sum of coefficient * column`."""

    coefficients: tuple[float, ...]
    errors: tuple[float, ...]
    """Standard error of each coefficient."""
    scatter: float
    """Residual standard deviation."""
    freedom: int
    """Points minus coefficients; at least 1."""

    def interval(self, index: int) -> tuple[float, float]:
        """Return the 95 % confidence interval of a coefficient."""
        reach = t95(self.freedom) * self.errors[index]
        return self.coefficients[index] - reach, self.coefficients[index] + reach


def least_squares(rows: Sequence[Sequence[float]], values: Sequence[float]) -> Regression | None:
    """Fit a linear model.

    Args:
        rows: the columns' values of each point.
        values: what was measured at each point.

    Returns:
        None if there are not more points than columns, or the columns depend on each other.
    """
    width = len(rows[0]) if rows else 0
    if len(rows) <= width:
        return None
    normal = [[sum(r[i] * r[j] for r in rows) for j in range(width)] for i in range(width)]
    inverse = _inverse(normal)
    if inverse is None:
        return None
    right = [sum(r[i] * v for r, v in zip(rows, values, strict=True)) for i in range(width)]
    coefficients = [sum(a * b for a, b in zip(line, right, strict=True)) for line in inverse]
    residuals = [
        v - sum(c * x for c, x in zip(coefficients, r, strict=True)) for r, v in zip(rows, values, strict=True)
    ]
    freedom = len(rows) - width
    variance = sum(r * r for r in residuals) / freedom
    errors = tuple(math.sqrt(max(0.0, variance * inverse[i][i])) for i in range(width))
    return Regression(tuple(coefficients), errors, math.sqrt(variance), freedom)


def _inverse(matrix: list[list[float]]) -> list[list[float]] | None:
    """Return the inverse by elimination with pivots; None if there is none to be trusted."""
    size = len(matrix)
    scale = [math.sqrt(matrix[i][i]) or 1.0 for i in range(size)]  # so that units do not matter to the check below
    work = [
        [matrix[i][j] / scale[i] / scale[j] for j in range(size)] + [float(i == j) for j in range(size)]
        for i in range(size)
    ]
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(work[r][column]))
        if abs(work[pivot][column]) < 1e-9:
            return None
        work[column], work[pivot] = work[pivot], work[column]
        head = work[column][column]
        work[column] = [value / head for value in work[column]]
        for row in range(size):
            if row != column:
                factor = work[row][column]
                work[row] = [a - factor * b for a, b in zip(work[row], work[column], strict=True)]
    return [[work[i][size + j] / scale[i] / scale[j] for j in range(size)] for i in range(size)]
