"""A logarithmic axis: its range, its ticks and their labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_FINE = (1, 2, 3, 5, 7)
"""Steps of a decade of which half a decade, the shortest axis, has two wherever it begins."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis from `start` to `end` over `length` pixels from `origin` on.

    `length` is negative for an axis that grows upwards.
    """

    start: float
    end: float
    origin: float
    length: float

    def place(self, value: float) -> float:
        """Return the pixel of a value above 0."""
        share = math.log(value / self.start) / math.log(self.end / self.start)
        return self.origin + share * self.length


def axis(values: Sequence[float], origin: float, length: float) -> Axis:
    """Return an axis that holds all values with some air at both ends, at least half a decade long."""
    low, high = math.log10(min(values)), math.log10(max(values))
    air = max(0.06 * (high - low), (0.5 - (high - low)) / 2, 0.03)
    return Axis(10 ** (low - air), 10 ** (high + air), origin, length)


def ticks(shown: Axis, word: Callable[[float], str]) -> list[tuple[float, str]]:
    """Return the ticks with their labels: 1, 2 and 5 of each decade where there is room, else its beginning.

    There are two at least: a scale of which but one value is named cannot be read.

    Args:
        shown: the axis.
        word: makes a label.
    """
    decades = math.log10(shown.end / shown.start)
    steps: tuple[int, ...] = (1, 2, 5) if decades < 2.2 else (1, 3) if decades < 3.2 else (1,)
    first, last = math.floor(math.log10(shown.start)), math.ceil(math.log10(shown.end))

    def within(steps: tuple[int, ...]) -> list[float]:
        values = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        return [value for value in values if shown.start <= value <= shown.end]

    found = within(steps)
    return [(value, word(value)) for value in (found if len(found) > 1 else within(_FINE))]
