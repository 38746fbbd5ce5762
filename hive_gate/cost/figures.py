"""Which plot an operation gets, and what is drawn in it."""

from __future__ import annotations

from collections.abc import Iterator

from hive_gate.cost import words
from hive_gate.cost.compare import names_of
from hive_gate.cost.fit import values
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cost, Over
from hive_gate.cost.operations import OPERATIONS
from hive_gate.cost.shapes import SHAPES
from hive_gate.cost.stats import spread
from hive_gate.cost.svg import Panel, Point, Series, plot
from hive_gate.report.note import Figure

_GROWS: dict[Over, tuple[str, ...]] = {
    "turns": ("plain", "same-bytes", "real-legacy", "real-paginated"),
    "bytes": ("plain", "long-answers", "many-items", "images", "real-legacy", "real-paginated"),
}
"""Shapes of which turns, or bytes, grow."""

_BESIDE = ("plain", "real-legacy", "real-paginated")
"""Shapes that are drawn where two targets are: more lines than six cannot be told apart."""

_LEAST = 2
"""Points of a line."""


def figures(cost: Cost) -> Iterator[Figure]:
    """Yield the plot of each operation that has something to draw, in the order of the tables."""
    for name, operation in OPERATIONS.items():
        if plotted(cost, name):
            yield Figure(figure(cost, name), operation.title, figure_name(name))


def figure_name(operation: str) -> str:
    """Return the name of an operation's file."""
    return f"{operation.replace('/', '-')}.svg"


def plotted(cost: Cost, operation: str) -> bool:
    """Tell whether there is something to draw."""
    return any(any(panel.series) for panel in _panels(cost, operation))


def figure(cost: Cost, operation: str) -> str:
    """Return the plot of one operation; it must have something to draw."""
    panels = _panels(cost, operation)
    told = "; ".join(
        f"{series.name}, {panel.label}: "
        + ", ".join(f"{panel.word(x)} {words.milliseconds(median)}" for x, median, _, _ in series.points)
        for panel in panels
        for series in panel.series
        if series
    )
    title = f"{OPERATIONS[operation].title} - {' and '.join(names_of(cost.targets))}"
    description = (
        f"Median wall time in milliseconds, both axes logarithmic, bars show the middle half of the repeats. {told}."
    )
    return plot(title, description, "median time, ms", _number, panels)


def _panels(cost: Cost, operation: str) -> tuple[Panel, ...]:
    return (
        Panel("stored turns", words.count, tuple(_series(cost, operation, "turns"))),
        Panel("stored history, MB", _number, tuple(_series(cost, operation, "bytes"))),
    )


def _series(cost: Cost, operation: str, over: Over) -> Iterator[Series | None]:
    names = names_of(cost.targets)
    beside = len(cost.targets) > 1
    for index, name in enumerate(names):
        look = Look(index, cost.threads, cost.cells, cost.fits)
        for shape in _BESIDE if beside else SHAPES:
            points = tuple(_points(look, shape, operation, over)) if shape in _GROWS[over] else ()
            label = f"{shape}, {name}" if beside else shape
            yield Series(label, points) if len(points) >= _LEAST else None


def _points(look: Look, shape: str, operation: str, over: Over) -> Iterator[Point]:
    for thread, cell in look.of_shape(shape, operation):
        found = spread(values(cell, "ms"))
        size = float(thread.turns) if over == "turns" else thread.bytes / 1e6
        if found.low > 0:
            yield size, found.median, found.low, found.high


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
