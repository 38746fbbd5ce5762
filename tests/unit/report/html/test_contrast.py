"""Text can be read in both themes: the colors of the style sheet, two by two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hive_gate.report.html

STYLE = (Path(hive_gate.report.html.__file__).parent / "style.css").read_text(encoding="utf-8")
COLORS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", STYLE)
}

# What stands on what. A tone stands on the page, on its own ground, and in the filters on the raised one.
ON = {
    "text": ("page", "raised"),
    "quiet": ("page", "raised", "good-back", "bad-back", "warn-back", "dim-back"),
    "link": ("page", "raised", "dim-back"),
    "marked": ("marked-back",),
    **{tone: ("page", "raised", f"{tone}-back") for tone in ("good", "bad", "warn", "dim")},
    **dict.fromkeys(("key", "string", "number", "word"), ("page",)),
}
PAIRS = [(over, under, theme) for over, unders in ON.items() for under in unders for theme in (0, 1)]


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("over", "under", "theme"), PAIRS)
def test_a_text_can_be_read_on_its_ground(over: str, under: str, theme: int) -> None:
    assert contrast(COLORS[over][theme], COLORS[under][theme]) >= 4.5


def test_every_color_is_one_of_the_checked() -> None:
    assert set(COLORS) == {*ON, *(under for unders in ON.values() for under in unders), "line"}
    _, rules = STYLE.split("--mono:", 1)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?!.*\{)|rgba?\(|hsla?\(|color-mix|(?<![\w-])opacity: 0", rules)


def test_the_measure_is_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
