"""The plots: well-formed, whole, told in words as well, and nothing outside of the canvas."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.cost.axes import axis, ticks
from hive_gate.cost.figures import figure, figure_name, figures, plotted
from hive_gate.cost.model import Cost
from hive_gate.cost.svg import Panel, Series, plot
from tests.unit.cost.conftest import linear, target

SVG = "{http://www.w3.org/2000/svg}"
WIDE = 0.62
"""Of the font size, how wide a character of a sans-serif face is at most on average."""


def boxes(root: ET.Element) -> list[tuple[str, float, float, float, float]]:
    """Where each text is: left, top, right, bottom."""
    found = []
    for text in root.iter(f"{SVG}text"):
        size = float(text.get("font-size", "12"))
        x, y, width = float(text.get("x", 0)), float(text.get("y", 0)), len(text.text or "") * size * WIDE
        start = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor", "start")]
        if "rotate" in text.get("transform", ""):
            found.append((text.text or "", x - size, y - width / 2, x, y + width / 2))
        else:
            found.append((text.text or "", start, y - size, start + width, y))
    return found


def whole(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for text, left, top, right, bottom in boxes(root):
        assert left >= 0, text
        assert top >= 0, text
        assert right <= width, text
        assert bottom <= height, text
    for x, y in re.findall(r'c?x="([\d.]+)" c?y="([\d.]+)"', svg):
        assert 0 <= float(x) <= width
        assert 0 <= float(y) <= height
    return root


def test_every_operation_has_a_plot_that_is_whole(steady: Cost) -> None:
    made = {drawn.file: drawn for drawn in figures(steady)}
    assert made["page-full-20.svg"].caption == "page of 20, full"
    assert len(made) > 20
    for drawn in made.values():
        whole(drawn.svg)


def test_two_targets_share_a_plot(made: Callable[..., Cost]) -> None:
    svg = figure(made(linear, linear, shapes=("plain", "real-legacy", "real-paginated")), "page/full/20")
    texts = [text for text, *_ in boxes(whole(svg))]
    assert "plain, codex 0.142.5" in texts
    assert "real-paginated, codex 0.171.0" in texts


def test_the_axes_say_what_and_in_which_unit(steady: Cost) -> None:
    texts = [text for text, *_ in boxes(whole(figure(steady, "restore/full")))]
    assert {"stored turns (logarithmic)", "stored history, MB (logarithmic)", "median time, ms (logarithmic)"} <= set(
        texts
    )


def test_a_screen_reader_hears_title_and_numbers(steady: Cost) -> None:
    root = whole(figure(steady, "page/full/20"))
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.text == root.get("aria-label") == "page of 20, full - codex 0.142.5"
    assert "plain, stored turns: 100 11 ms" in (description.text or "")


def test_series_differ_without_color(steady: Cost) -> None:
    svg = figure(steady, "page/full/20")
    assert set(re.findall(r'(?:stroke|fill)="([^"]+)"', svg)) <= {"#000", "#fff", "#ddd", "none"}
    root = ET.fromstring(svg)
    dashes = [line.get("stroke-dasharray") for line in root.iter(f"{SVG}polyline")]
    assert len(set(dashes)) == 6
    assert None in dashes  # the first is a whole line


def test_nothing_is_fetched_and_nothing_runs(steady: Cost) -> None:
    svg = figure(steady, "start").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|<script|<style|<image|href|url\(|on\w+=", svg)


def test_a_name_from_outside_stays_text(made: Callable[..., Cost]) -> None:
    cost = made(targets=(target(None, spec="<script>&'\x1b"),))
    svg = figure(cost, "list")
    assert "<script" not in svg
    ET.fromstring(svg)


def test_what_xml_cannot_hold_is_made_visible() -> None:
    series = Series("s\x00", ((1.0, 2.0, 1.5, 2.5),))
    svg = plot("t\x1f", "d\ud800", "l\x07", lambda _: "\x0b", [Panel("p\x1b", lambda _: "\ufffe", (series,))])
    told = "".join(ET.fromstring(svg).itertext())
    assert all(sign in told for sign in ("t␟", "d‹U+D800›", "l␇", "␋", "p␛", "‹U+FFFE›", "s␀"))


def test_what_has_one_point_has_no_plot(steady: Cost) -> None:
    alone = replace(steady, cells=tuple(c for c in steady.cells if c.operation != "read" or c.size == 100))
    assert not plotted(alone, "read")
    assert plotted(alone, "list")


def test_names_of_files_are_plain() -> None:
    assert figure_name("page/summary/20/deep") == "page-summary-20-deep.svg"


@given(st.lists(st.floats(min_value=1e-3, max_value=1e7), min_size=1, max_size=8))
def test_any_values_lie_on_their_axis(values: list[float]) -> None:
    shown = axis(values, 10.0, 300.0)
    for value in values:
        assert 10 <= shown.place(value) <= 310
    assert shown.place(shown.start) == pytest.approx(10)
    assert shown.place(shown.end) == pytest.approx(310)


@given(st.floats(min_value=1e-3, max_value=1e4), st.floats(min_value=1, max_value=1e6))
def test_an_axis_has_between_two_and_twelve_labels(start: float, factor: float) -> None:
    found = ticks(axis([start, start * factor], 0.0, 300.0), str)
    assert 2 <= len(found) <= 12


@pytest.mark.parametrize("around", [0.35, 1.0, 3.7, 8.0, 37.0, 600.0])
def test_what_stays_the_same_has_a_scale_to_be_read_all_the_same(around: float) -> None:
    found = [value for value, _ in ticks(axis([around, around * 1.02], 0.0, 300.0), str)]
    assert len(found) >= 2
    assert found[0] < found[-1] <= 4 * found[0]


def test_a_logarithmic_axis_gives_each_decade_the_same_room() -> None:
    shown = axis([1.0, 100.0], 0.0, -300.0)
    assert shown.place(10) - shown.place(1) == pytest.approx(shown.place(100) - shown.place(10))
    assert shown.place(100) < shown.place(1)  # upwards


def test_a_panel_with_nothing_to_show_is_left_out() -> None:
    series = Series("one", ((1.0, 2.0, 1.5, 2.5), (10.0, 20.0, 15.0, 25.0)))
    svg = plot("T", "D", "ms", str, [Panel("turns", str, (None,)), Panel("MB", str, (series,))])
    texts = [text for text, *_ in boxes(whole(svg))]
    assert "MB (logarithmic)" in texts
    assert "turns (logarithmic)" not in texts
