"""Log-log plots as SVG, made by hand: readable in black and white and by screen readers, with nothing from outside."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from hive_gate.cost.axes import Axis, axis, ticks
from hive_gate.report.plain import visible

WIDTH, HEIGHT = 920, 430
_LEFT, _TOP, _PANEL_WIDTH, _PANEL_HEIGHT, _APART = 70, 52, 370, 250, 90
_LEGEND_TOP, _ROW, _COLUMN = 368, 19, 300
_FONT = 12
_MARK = 4.5

Point = tuple[float, float, float, float]
"""Size, median, and the ends of the middle half."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot.

    Args:
        name: for the legend.
        points: what was measured.
    """

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes.

    Args:
        label: of the horizontal axis, with its unit.
        word: makes the labels of its ticks.
        series: by their place in the legend; None where a series has nothing to show here.
    """

    label: str
    word: Callable[[float], str]
    series: tuple[Series | None, ...]


def plot(title: str, description: str, label: str, word: Callable[[float], str], panels: Sequence[Panel]) -> str:
    """Return a picture with one or two panels that share their vertical axis and their legend.

    Args:
        title: above the picture.
        description: the numbers in words, for those who cannot see it.
        label: of the vertical axis, with its unit.
        word: makes the labels of its ticks.
        panels: at least one with a series.
    """
    shown = [panel for panel in panels if any(panel.series)]
    heights = [v for panel in shown for s in panel.series if s for p in s.points for v in p[1:] if v > 0]
    vertical = axis(heights, _TOP + _PANEL_HEIGHT, -_PANEL_HEIGHT)
    parts: list[str] = []
    for number, panel in enumerate(shown):
        left = _LEFT + number * (_PANEL_WIDTH + _APART)
        horizontal = axis([p[0] for s in panel.series if s for p in s.points], left, _PANEL_WIDTH)
        parts += _frame(horizontal, vertical, panel, label, word)
        for place, series in enumerate(panel.series):
            if series:
                parts += _series(series, place, horizontal, vertical)
    names = {i: s.name for panel in shown for i, s in enumerate(panel.series) if s}
    parts += _legend(names)
    rows = -(-len(names) // 3)
    height = max(HEIGHT, _LEGEND_TOP + rows * _ROW + 10)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{_said(title)}" font-family="sans-serif" font-size="{_FONT}" fill="#000">'
    )
    heading = _text(WIDTH / 2, 24, title, more=' font-size="15"')
    body = "\n".join(parts)
    return (
        f"{head}\n<title>{_said(title)}</title>\n<desc>{_said(description)}</desc>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        f"{heading}\n{body}\n</svg>\n"
    )


def _said(text: str) -> str:
    """Return a text for XML, which has no way to write most control characters."""
    return escape(visible(text))


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{_said(text)}</text>'


def _frame(horizontal: Axis, vertical: Axis, panel: Panel, label: str, word: Callable[[float], str]) -> Iterator[str]:
    left, bottom = horizontal.origin, vertical.origin
    right, top = left + horizontal.length, bottom + vertical.length
    for value, text in ticks(horizontal, panel.word):
        x = horizontal.place(value)
        yield f'<path d="M{x:.1f} {bottom:.1f}V{top:.1f}" stroke="#ddd"/>'
        yield _text(x, bottom + 17, text)
    for value, text in ticks(vertical, word):
        y = vertical.place(value)
        yield f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="#ddd"/>'
        yield _text(left - 6, y + 4, text, "end")
    yield f'<path d="M{left:.1f} {top:.1f}H{right:.1f}V{bottom:.1f}H{left:.1f}Z" fill="none" stroke="#000"/>'
    yield _text((left + right) / 2, bottom + 38, f"{panel.label} (logarithmic)")
    x, y = left - 54, (top + bottom) / 2
    yield _text(x, y, f"{label} (logarithmic)", more=f' transform="rotate(-90 {x:.1f} {y:.1f})"')


def _series(series: Series, place: int, horizontal: Axis, vertical: Axis) -> Iterator[str]:
    dots = [
        (horizontal.place(size), vertical.place(median), vertical.place(low), vertical.place(high))
        for size, median, low, high in series.points
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in dots)
    yield f'<polyline points="{line}" fill="none" stroke="#000"{_dash(place)}/>'
    for x, y, low, high in dots:
        ends = f"M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6"
        yield f'<path d="M{x:.1f} {low:.1f}V{high:.1f}{ends}" stroke="#000"/>'
        yield _marker(place, x, y)


_DASHES = ("", "6 3", "2 2", "9 3 2 3", "12 4", "2 5", "6 2 2 2 2 2")


def _dash(place: int) -> str:
    dash = _DASHES[place % len(_DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _marker(place: int, x: float, y: float) -> str:
    """Return the marker of a series: each has a shape of its own, every other one is open."""
    m, w = _MARK, _MARK + 1.2
    fill = "#000" if place % 2 == 0 else "#fff"
    shapes = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{m}"',
        f'<rect x="{x - m:.1f}" y="{y - m:.1f}" width="{2 * m}" height="{2 * m}"',
        _outline((x, y - w), (x + w, y + m), (x - w, y + m)),
        _outline((x, y - w), (x + w, y), (x, y + w), (x - w, y)),
        _outline((x, y + w), (x + w, y - m), (x - w, y - m)),
        f'<path d="M{x - m:.1f} {y - m:.1f}l{2 * m} {2 * m}M{x - m:.1f} {y + m:.1f}l{2 * m} {-2 * m}"',
        f'<path d="M{x - w:.1f} {y:.1f}h{2 * w:.1f}M{x:.1f} {y - w:.1f}v{2 * w:.1f}"',
    )
    return f'{shapes[place % len(shapes)]} fill="{fill}" stroke="#000" stroke-width="1.3"/>'


def _outline(*corners: tuple[float, float]) -> str:
    return f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in corners)}Z"'


def _legend(names: dict[int, str]) -> Iterator[str]:
    for (place, name), number in zip(names.items(), itertools.count(), strict=False):
        x = _LEFT + (number % 3) * _COLUMN - 20
        y = _LEGEND_TOP + (number // 3) * _ROW
        yield f'<path d="M{x} {y - 4}h34" stroke="#000"{_dash(place)}/>'
        yield _marker(place, x + 17, y - 4)
        yield _text(x + 42, y, name, "start")
