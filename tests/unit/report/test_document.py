"""A document that is no report, in every format that people read."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hive_gate.errors import UsageError
from hive_gate.report.blocktext import renderable, to_text
from hive_gate.report.compose import Unit
from hive_gate.report.document import DOCUMENT_FORMATS, Document, write_document
from hive_gate.report.note import (
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Figure,
    Heading,
    Line,
    Paragraph,
    Strong,
    Table,
    Toned,
)

TABLE = Table(("Clause", "0.143.0"), (((Code("read.one"),), (Toned("FAIL", "bad"),)), (("two",), ("pass",))))
BLOCKS = (
    Heading(("Where it changes",), small=True),
    Paragraph(("A sentence with ", Strong("stress"), ".")),
    TABLE,
    Bullets((("first item",), ("second item",))),
    Collapsed("More of it", (CodeBlock('{"a": 1}'), Paragraph(("inside",)))),
    Figure('<svg xmlns="http://www.w3.org/2000/svg"><title>A plot</title></svg>', "page of 20, summary", "page-20.svg"),
)


@pytest.fixture
def document() -> Document:
    return Document(
        "A title", ("It ", Toned("breaks", "bad"), " on one."), (Unit(1, "parts", "", "Section", BLOCKS),), "marker 1"
    )


@pytest.mark.parametrize("name", DOCUMENT_FORMATS)
def test_every_format_says_all_of_it(document: Document, name: str) -> None:
    text = write_document(document, name)
    assert text.endswith("\n")
    for said in ("breaks", "Section", "Where it changes", "stress", "read.one", "FAIL", "second item", "More of it",
                 "inside", "page of 20, summary", "page-20.svg"):  # fmt: skip
        assert said in text


@pytest.mark.parametrize("name", ["textile", "markdown", "github"])
def test_a_note_starts_with_the_headline_and_ends_with_the_marker(document: Document, name: str) -> None:
    lines = write_document(document, name).splitlines()
    assert lines[0] == "It breaks on one."
    assert lines[-1] == "marker 1"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("text", "- page of 20, summary: page-20.svg"),
        ("textile", "page of 20, summary: attachment:page-20.svg"),
        ("markdown", "page of 20, summary: attachment:page-20.svg"),
        ("github", "page of 20, summary: `page-20.svg`"),
    ],
)
def test_what_cannot_show_a_picture_names_its_file(document: Document, name: str, line: str) -> None:
    text = write_document(document, name)
    assert line in text.splitlines()
    assert "svg" not in text.replace("page-20.svg", "")


@pytest.mark.parametrize("name", ["textile", "markdown"])
@pytest.mark.parametrize(
    "file", ["a b.svg", "@admin", "a.svg/../b", '"a".svg', "http://x.svg", "a|b", ".svg", "a--b", "#1", "a.svg\n"]
)
def test_what_is_more_than_a_name_of_a_file_becomes_no_link(name: str, file: str) -> None:
    made = Document("t", ("h",), (Unit(1, "p", "", None, (Figure("", "plot", file),)),), "m")
    assert "attachment:" not in write_document(made, name)


def test_a_note_that_is_too_long_is_cut_and_says_where_the_rest_is(document: Document) -> None:
    units = tuple(Unit(2, "lists", str(n), None, (Bullets((("x" * 400,),)),)) for n in range(100))
    long = Document(document.title, document.headline, (*document.units, *units), document.marker)
    text = write_document(long, "markdown", 9_000)
    assert len(text.encode()) <= 9_000
    assert "The same result as text, HTML or JSON has all of it." in text
    assert "report.json" not in text
    assert write_document(long, "text").count("x" * 100) >= 100


def test_a_format_that_is_not_there_is_refused_with_those_that_are(document: Document) -> None:
    with pytest.raises(UsageError) as caught:
        write_document(document, "pdf")
    assert caught.value.hint == "choose one of text, textile, markdown, github, html"


def test_plain_text_has_no_colors_and_no_spaces_at_the_ends_of_lines(document: Document) -> None:
    text = to_text(document, 60)
    assert "\x1b" not in text
    assert all(line == line.rstrip() and len(line) <= 60 for line in text.splitlines())


NAME = "resume-without-turns"


def told_at(width: int, *others: str) -> list[str]:
    row: tuple[Line, ...] = ((Code(NAME),), *((text,) for text in others))
    table = Table(("Name", *("Told" for _ in others)), (row,))
    return to_text(Document("t", ("h",), (Unit(1, "p", "", None, (table,)),), "m"), width).splitlines()


def test_a_name_is_not_broken_while_sentences_beside_it_can_be_folded() -> None:
    sentence = "A stored thread's turns come in pages, in either direction."
    assert any(line.startswith(f"{NAME}   experimental   A stored") for line in told_at(52, "experimental", sentence))


@pytest.mark.parametrize("width", range(20, 61, 4))
def test_no_letter_of_a_table_is_lost_however_narrow_it_is(width: int) -> None:
    others = ("experimental", "9.5-14 ms", "a thread")
    letters = sorted("".join((NAME, *others, "NameToldToldTold")).replace(" ", ""))
    lines = told_at(width, *others)
    assert sorted("".join(lines[1:]).replace(" ", "").replace("─", "")) == letters
    assert max(map(len, lines)) <= width


def test_one_empty_line_stands_before_a_table(document: Document) -> None:
    out = io.StringIO()
    Console(file=out, width=60).print(renderable(document))
    lines = out.getvalue().splitlines()
    head = next(n for n, line in enumerate(lines) if line.startswith("Clause"))
    assert (lines[head - 2].rstrip(), lines[head - 1]) == ("A sentence with stress.", "")


def test_a_terminal_shows_the_tone_as_a_color(document: Document) -> None:
    out = io.StringIO()
    Console(file=out, width=80, force_terminal=True, color_system="standard").print(renderable(document))
    assert "\x1b[31mFAIL" in out.getvalue()


def test_what_moves_a_cursor_is_made_visible() -> None:
    hostile = Document("t", ("a\x1b[2Jb",), (Unit(1, "p", "", None, (CodeBlock("c\x07d"),)),), "m")
    text = to_text(hostile)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "a␛[2Jb" in text
