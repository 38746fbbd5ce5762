"""What Redmine itself made of our markup: see fixtures/redmine/README.md for how the HTML came to be."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hive_gate.data import FIXTURES
from hive_gate.report.jsontext import dumps
from hive_gate.report.markdown import Markdown
from hive_gate.report.note import (
    Block,
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Figure,
    Heading,
    Markup,
    Paragraph,
    Strong,
    Table,
    write,
)
from hive_gate.report.plain import visible
from hive_gate.report.textile import Textile
from hive_gate.report.verdict import Reference

PINS = FIXTURES / "redmine"

MARKUPS: dict[str, Markup] = {"textile": Textile(), "common_mark": Markdown(details=False)}

DATA: tuple[str, ...] = (
    "a|b || `c|d`",
    "one\ntwo",
    "}} {{toc}} {{macro(0)}} {{collapse(x)",
    "</pre> <code> <script>alert(1)</script> &amp; <redpre#0>",
    "@admin !@admin admin@example.org user:admin",
    "#1 !#1 ##1 #note-1 r12 hive:r12 commit:abc [[Wiki]] [1]",
    "*b* _i_ __u__ -d- +n+ ^s^ ~s~ %s% ??c?? ==raw== x%x% x%&",
    '!image.png! "link":http://example.org www.example.org _www.example.org ![i](a.png)',
    "JSON(a) \\| \\ $x$ ``` ~~~ :redsh#1:",
    "\x1b[1m \x00 \u202e \u2028 \ud83d 한글 \U0001f600",
)
"""Strings that Redmine does something with when they are not escaped."""

FILES = ("page-summary-20.svg", "a b|c.svg")
"""An attachment of the ticket, and what is more than a name of a file."""

STARTS: tuple[str, ...] = (
    "* a",
    " - a",
    "# a",
    "1. a",
    "p. a",
    "h1. a",
    "bq(x). a",
    "> a",
    "---",
    "=== a",
    "| a | b |",
)
"""Strings that make another block at the start of a line."""


def documents() -> dict[str, tuple[Block, ...]]:
    """The pinned documents by name."""
    return {
        "headline": (Paragraph(("Gate CLOSED: codex #1 @admin - ", Reference("#944"), " must wait.")),),
        "table": (
            Table(
                ("No.", "As it is | #1", "Code"),
                tuple(((f"{n}",), (text,), (Code("a.b/c"),)) for n, text in enumerate(DATA)),
            ),
            Paragraph(("after the table",)),
        ),
        "bullets": (Bullets(tuple((Strong("Came"), ": ", text) for text in DATA)),),
        "starts": tuple(Paragraph((text,)) for text in STARTS),
        "heading": (Heading((Code("resume.all"), " - fail #1"), small=True), Paragraph(("below",))),
        "collapsed": (
            Collapsed(
                "a, b) }} @admin #1", (Paragraph(("Message 1 #1",)), CodeBlock(dumps({"}}": list(DATA)}, indent=1)))
            ),
            Collapsed("second", (CodeBlock(dumps("{{collapse(x)\n}}\n")),)),
            Paragraph(("after",)),
        ),
        "figures": tuple(Figure("", text, file) for text in ("page of 20, summary", *DATA) for file in FILES),
    }


class Page(HTMLParser):
    """What a browser would have: tags, links, and the text of each cell, list item, paragraph and code block."""

    VOID = frozenset({"br", "hr", "img"})

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.hrefs: list[str] = []
        self.texts: dict[str, list[str]] = {tag: [] for tag in ("td", "th", "li", "p", "pre", "h4")}
        self.rows: list[int] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        if tag == "a" and "onclick" not in values and values.get("class") != "wiki-anchor" and values.get("href"):
            self.hrefs.append(values["href"] or "")
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1
        if tag in self.texts:
            self.texts[tag].append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if "a" in self.open and data == "¶":
            return
        for tag in self.texts:
            if tag in self.open:
                self.texts[tag][-1] += data


def shown(text: str) -> str:
    """What a reader should see of a string, with white space as HTML shows it."""
    return " ".join(visible(text).split())


def seen(texts: list[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts]


def pinned(mode: str, name: str) -> Page:
    return Page((PINS / mode / f"{name}.html").read_text(encoding="utf-8"))


def source(mode: str, name: str) -> Path:
    return PINS / mode / f"{name}.txt"


@pytest.fixture(params=sorted(MARKUPS))
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("name", sorted(documents()))
def test_the_writer_still_writes_what_redmine_was_given(mode: str, name: str) -> None:
    assert write(documents()[name], MARKUPS[mode]) == source(mode, name).read_bytes().decode()


@pytest.mark.parametrize("name", sorted(documents()))
def test_redmine_makes_no_link_but_the_gated_issue_and_no_tag_that_is_not_meant(mode: str, name: str) -> None:
    page = pinned(mode, name)
    meant = {"a", "b", "code", "div", "h4", "li", "p", "pre", "span", "strong"} | {
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    }
    assert set(page.tags) <= meant
    links = {"headline": ["/issues/944"], "figures": ["/attachments/7"] * (len(DATA) + 1)}
    assert page.hrefs == links.get(name, [])


def test_redmine_shows_each_hostile_cell_as_it_is(mode: str) -> None:
    page = pinned(mode, "table")
    assert page.rows == [3] * (len(DATA) + 1)
    assert seen(page.texts["th"]) == ["No.", "As it is | #1", "Code"]
    assert seen(page.texts["td"])[1::3] == [shown(text) for text in DATA]
    assert seen(page.texts["td"])[2::3] == ["a.b/c"] * len(DATA)
    assert seen(page.texts["p"]) == ["after the table"]


def test_redmine_shows_each_hostile_list_item_as_it_is(mode: str) -> None:
    page = pinned(mode, "bullets")
    assert seen(page.texts["li"]) == [f"Came: {shown(text)}" for text in DATA]
    assert page.tags.count("strong") == len(DATA)


def test_redmine_shows_each_caption_as_it_is_and_links_the_attachment(mode: str) -> None:
    captions = [shown(text) for text in ("page of 20, summary", *DATA)]
    written = [f"{caption}: {file}" for caption in captions for file in FILES]
    assert seen(pinned(mode, "figures").texts["p"]) == written


def test_redmine_makes_paragraphs_of_strings_that_look_like_other_blocks(mode: str) -> None:
    assert seen(pinned(mode, "starts").texts["p"]) == [shown(text) for text in STARTS]


def test_redmine_collapses_each_block_to_its_own_end_and_keeps_the_json(mode: str) -> None:
    page = pinned(mode, "collapsed")
    assert page.tags.count("div") == 2
    assert seen([page.texts["p"][-1]]) == ["after"]
    first, second = (json.loads(text) for text in page.texts["pre"])
    assert first == {"}}": list(DATA)}
    assert second == "{{collapse(x)\n}}\n"
