"""Pictures inside a page: an image with a name, and nothing but shapes and texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.report.compose import Unit
from hive_gate.report.document import Document, write_document
from hive_gate.report.html.picture import picture
from hive_gate.report.note import Figure

Parse = Callable[[str], Any]


def drawn(inner: str = "", title: str = "A plot", more: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"{more}><title>{title}</title>{inner}</svg>'


def test_a_figure_is_an_image_with_a_name_a_caption_and_a_file(parse: Parse) -> None:
    inner = '<desc>1 2</desc><g fill="#000">\n<path d="M0 0h9"/><text x="1" y="2">300 &amp; more</text></g>'
    blocks = (Figure(drawn(inner), "page of 20", "a.svg"), Figure(drawn(), "page of 1", "b.svg"))
    document = Document("t", ("h",), (Unit(1, "p", "", "Plots", blocks),), "m")
    page = parse(write_document(document, "html"))
    first, second = page.all("svg", role="img")
    assert (first.attributes["aria-label"], first.attributes["viewbox"]) == ("A plot", "0 0 9 9")
    (path,) = (e for e in page.all("path") if "figure" in e.path)
    assert (path.attributes, page.one("text").text) == ({"d": "M0 0h9"}, "300 & more")
    assert page.one("desc").text == "1 2"
    assert first.text == "A plot1 2300 & more"
    assert second.path[-2:] == ("figure", "div")
    assert [e.text for e in page.all("figcaption")] == ["page of 20 a.svg", "page of 1 b.svg"]
    regions = page.all("div", role="region")
    assert [e.attributes["aria-label"] for e in regions] == ["Figure: page of 20", "Figure: page of 1"]


@pytest.mark.parametrize("title", ["&lt;script&gt;&quot;'", "a&#8238;b", "a&#10;b"])
def test_a_text_in_a_picture_stays_a_text(title: str, parse: Parse) -> None:
    page = parse(str(picture(drawn(f"<text>{title}</text>", title))))
    assert [e.tag for e in page.elements] == ["svg", "title", "text"]
    assert page.one("title").text == page.one("text").text == page.one("svg").attributes["aria-label"]
    assert page.one("text").text in ("<script>\"'", "a‹U+202E›b", "a ⏎ b")


@pytest.mark.parametrize(
    ("svg", "told"),
    [
        (drawn("<script>1</script>"), "may not have script"),
        (drawn("<style>*{}</style>"), "may not have style"),
        (drawn('<image href="x"/>'), "may not have image href"),
        (drawn('<foreignObject xmlns="http://www.w3.org/1999/xhtml"/>'), "may not have .*foreignObject"),
        (drawn(more=' onload="x"'), "may not have svg onload"),
        (drawn('<path id="a"/>'), "may not have path id"),
        (drawn('<path style="fill:red"/>'), "may not have path style"),
        (drawn('<text><a href="x">y</a></text>'), "texts only"),
        (drawn("<title/>", title=""), "with a title"),
        ("<svg><title>A plot</title></svg>", "with a title"),
        ("<svg", "no XML"),
    ],
)
def test_what_is_no_picture_of_ours_is_a_fault(svg: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        picture(svg)
