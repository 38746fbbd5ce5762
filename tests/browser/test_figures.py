"""Plots inside a page, as a reader sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_looks import PHONE, accessible

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

Open = Callable[..., Page]

# Of each text in a picture: what it says, and the contrast of its fill with that of the picture's ground.
FILLS = """() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/\\d+/g).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll("figure svg text")].map((text) => {
    const ground = text.closest("svg").querySelector("rect");
    const pair = [text, ground].map((e) => luminance(getComputedStyle(e).fill)).sort((a, b) => b - a);
    return [text.textContent, (pair[0] + 0.05) / (pair[1] + 0.05)];
  });
}"""

COLORS = """() => ["stroke", "fill"].flatMap((name) => [...document.querySelectorAll(`figure svg [${name}]`)]
  .map((e) => `${e.getAttribute(name)} ${getComputedStyle(e)[name]}`))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_plot_is_there_and_its_texts_stand_out_from_its_ground(scheme: str, document: Open) -> None:
    page = document(color_scheme=scheme)
    pictures = page.locator("figure svg")
    assert pictures.count() == 2
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_be_in_viewport(ratio=0.9)
    measured: list[tuple[str, float]] = page.evaluate(FILLS)
    told = {text for text, _ in measured}
    assert {"median time, ms (logarithmic)", "stored turns (logarithmic)", "100", "1,000", "page of 20, plain"} <= told
    assert [(text, ratio) for text, ratio in measured if ratio < 4.5] == []
    ink, paper = ("rgb(27, 31, 36)", "rgb(255, 255, 255)") if scheme == "light" else (
        "rgb(228, 232, 237)", "rgb(20, 23, 27)")  # fmt: skip
    colors = set(page.evaluate(COLORS))
    assert {f"#000 {ink}", f"#fff {paper}", "none none"} <= colors
    assert {color for color in colors if color.startswith("#000")} == {f"#000 {ink}"}


def test_on_paper_a_plot_is_dark_on_white_and_not_cut(document: Open) -> None:
    page = document(color_scheme="dark", viewport={"width": 700, "height": 900})
    page.emulate_media(media="print", color_scheme="dark")
    assert {"#000 rgb(27, 31, 36)", "#fff rgb(255, 255, 255)"} <= set(page.evaluate(COLORS))
    box = page.locator("figure svg").first.bounding_box()
    assert box
    assert box["x"] + box["width"] <= 700


def test_a_plot_is_an_image_with_a_name_and_no_id_stands_twice(document: Open) -> None:
    page = document()
    names = [node["name"] for node in accessible(page) if node["role"] in ("image", "img")]
    assert sum(name == "page of 20" for name in names) == 1
    assert sum(name.startswith("page of 100 </script>") for name in names) == 1
    ids: list[Any] = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)) > 6
    assert page.evaluate("window.hacked") is None


def test_on_a_phone_a_plot_scrolls_by_itself_and_stays_readable(document: Open) -> None:
    page = document(viewport=PHONE)
    region = page.get_by_role("region", name="Figure: page of 20")
    scrolled = "(e) => { e.scrollLeft = 200; return [e.scrollLeft, document.scrollingElement.scrollLeft]; }"
    assert region.evaluate(scrolled) == [200, 0]
    # What is 12 pixels high in the file is 9 or more here.
    assert region.locator("svg").evaluate("(e) => 12 * e.getScreenCTM().a") > 9
