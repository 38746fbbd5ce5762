"""Documents as pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.report.compose import Unit
from hive_gate.report.document import Document, write_document
from hive_gate.report.note import Bullets, Code, CodeBlock, Collapsed, Heading, Line, Paragraph, Strong, Table, Toned

Parse = Callable[[str], Any]


def document(*units: Unit, headline: Line = ("It is so.",)) -> Document:
    return Document("codex 1 to 2", headline, units, "hive-gate matrix 20261130")


def unit(section: str | None, *blocks: Any) -> Unit:
    return Unit(1, "x", "", section, blocks)


def heat(rows: int, columns: int) -> Table:
    head = ("Clause", *(f"0.{n}.0" for n in range(columns)))
    return Table(
        head,
        tuple(((Code(f"a.clause-{r}"),), *((Toned("pass", "good"),) for _ in range(columns))) for r in range(rows)),
    )


def page_of(made: Document, parse: Parse) -> Any:
    return parse(write_document(made, "html"))


def test_title_headline_and_last_line_are_there(parse: Parse) -> None:
    page = page_of(document(headline=(Toned("NO", "bad"), ": it broke.")), parse)
    assert page.one("title").text == "codex 1 to 2"
    assert page.one("h1").text.strip() == "NO: it broke."
    assert "bad" in page.one("h1").attributes["class"]
    assert page.one("footer").text.strip() == "hive-gate matrix 20261130"
    assert "plain" in page_of(document(), parse).one("h1").attributes["class"]


def test_sections_and_headings_have_anchors_that_the_page_lists(parse: Parse) -> None:
    made = document(
        unit(None, Paragraph(("first",))),
        unit("What moved", Heading((Code("a.b"), " since 2"), small=True), Paragraph(("x",))),
        unit("What moved", Paragraph(("y",))),
        unit(None, Heading(("What moved",)), Paragraph(("z",))),
    )
    page = page_of(made, parse)
    heads = [(e.tag, e.attributes["id"]) for e in page.elements if e.tag in ("h2", "h3")]
    assert heads == [("h2", "what-moved"), ("h3", "a-b-since-2"), ("h2", "what-moved.2")]
    assert [e.attributes["href"] for e in page.all("a") if "nav" in e.path] == ["#what-moved", "#what-moved.2"]
    assert [" ".join(e.text.split()) for e in page.all("section")] == [
        "first", "What moved #", "a.b since 2 # x y", "What moved # z"
    ]  # fmt: skip


def test_a_small_heading_that_comes_first_skips_no_level(parse: Parse) -> None:
    page = page_of(document(unit(None, Heading(("a",), small=True)), unit(None, Heading(("b",), small=True))), parse)
    assert [e.tag for e in page.elements if e.tag in ("h2", "h3")] == ["h2", "h3"]


def test_a_cell_of_one_tone_is_colored_and_keeps_its_word(parse: Parse) -> None:
    row: tuple[Line, ...] = (
        (Code("a.b"),), (Toned("pass", "good"),), (Toned("fail", "bad"), " ", Toned("3", "bad")),
        ("since ", Toned("2", "warn")), (), (Toned("pass", "good"), Toned("fail", "bad")),
    )  # fmt: skip
    page = page_of(document(unit(None, Table(("Clause", "1", "2", "3", "4", "5"), (row,)))), parse)
    assert page.one("th", scope="row").text == "a.b"
    assert [(e.text, e.attributes.get("class")) for e in page.all("td")] == [
        ("pass", "good"), ("fail 3", "bad short"), ("since 2", "short"), ("", None), ("passfail", None)
    ]  # fmt: skip
    assert [e.attributes["scope"] for e in page.all("th")] == ["col"] * 6 + ["row"]


def test_a_table_scrolls_by_itself_and_a_long_one_has_a_filter(parse: Parse) -> None:
    page = page_of(document(unit("Small", heat(20, 3)), unit("Large", heat(21, 20))), parse)
    small, large = page.all("div", role="region")
    assert (small.attributes["tabindex"], small.attributes["aria-label"]) == ("0", "Table: Small")
    assert large.attributes["aria-label"] == "Table: Large"
    assert len(page.all("input")) == 1
    assert page.one("label").text.strip() == "Filter rows"
    assert [e.attributes["class"] for e in page.all("div", class_="rows")] == ["rows", "rows wide"]


def test_lists_details_and_code_are_what_they_are(parse: Parse) -> None:
    made = document(
        unit(None, Bullets((("one `x`",),))),
        unit(None, Bullets((("two ", Strong("now")),))),
        unit(None, Collapsed("Transcript", (Paragraph(("Message 1",)), CodeBlock('{\n "a": "<b>"\n}'), heat(1, 1)))),
    )
    page = page_of(made, parse)
    assert [e.text for e in page.all("li") if "main" in e.path] == ["one x", "two now"]
    assert len([e for e in page.all("ul") if "main" in e.path]) == 1
    assert page.one("summary").text == "Transcript"
    assert page.one("pre").text == '{\n "a": "<b>"\n}\n'
    assert "details" in page.one("table").path


def test_facts_are_set_as_a_report_sets_them(parse: Parse) -> None:
    table = Table(("Fact", "Value"), ((("SHA-256",), (Code("ab" * 32),)), (("Problem",), (Toned("it broke", "bad"),))))
    page = page_of(document(unit(None, table)), parse)
    assert [e.text for e in page.all("dt")] == ["SHA-256", "Problem"]
    assert [e.text for e in page.all("dd")] == ["ab" * 32, "it broke"]
    assert page.one("dl").attributes["class"] == "facts"
    assert page.all("table") == []


def test_a_short_cell_stands_on_one_line(parse: Parse) -> None:
    row: tuple[Line, ...] = (("x",), ("37 ms ±2%",), (Toned("98-153 ms", "warn"),), ("a sentence of some words",))
    page = page_of(document(unit(None, Table(("Operation", "1", "2", "3"), (row,)))), parse)
    assert [e.attributes.get("class") for e in page.all("td")] == ["short", "warn short", None]
