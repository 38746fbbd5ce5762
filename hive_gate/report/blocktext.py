"""Blocks for a terminal, as rich renderables."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from hive_gate.report.note import (
    Block,
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Figure,
    Heading,
    Inline,
    Line,
    Paragraph,
    Strong,
    Table,
    Toned,
)
from hive_gate.report.plain import visible

if TYPE_CHECKING:
    from hive_gate.report.document import Document

WIDTH = 120
"""Columns of the plain text."""

TONES = {"good": "green", "bad": "red", "warn": "yellow", "dim": "dim"}
"""Tone to style."""


def renderable(document: Document) -> Group:
    """Return the whole document; what is collapsed elsewhere is open here."""
    return Group(*_parts(document))


def to_text(document: Document, width: int = WIDTH) -> str:
    """Return what a terminal of `width` columns would show, without color."""
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, force_terminal=False, legacy_windows=False)
    console.print(renderable(document))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).rstrip("\n") + "\n"


def _parts(document: Document) -> Iterator[RenderableType]:
    yield _line(document.headline, "bold")
    section: str | None = None
    for unit in document.units:
        if unit.section is not None and unit.section != section:
            yield Padding(Text(unit.section, style="bold"), (1, 0, 0, 0))
        section = unit.section
        for block in unit.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[RenderableType]:
    match block:
        case Heading(line, _):
            yield Padding(_line(line, "bold"), (1, 0, 0, 0))
        case Paragraph(line):
            yield _line(line)
        case Bullets(items):
            for item in items:
                grid = RichTable.grid(padding=(0, 1))
                grid.add_row("-", _line(item))
                yield grid
        case Table(head, rows):
            yield _table(head, rows)
        case CodeBlock(text):
            yield Padding(Text("\n".join(visible(line) for line in text.splitlines())), (0, 0, 0, 2))
        case Figure(_, caption, file):
            yield from _block(Bullets(((f"{caption}: ", Code(file)),)))
        case Collapsed(label, blocks):
            yield Text(visible(label), style="dim")
            for inner in blocks:
                yield from _block(inner)


def _table(head: tuple[str, ...], rows: tuple[tuple[Line, ...], ...]) -> RichTable:
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in head:
        table.add_column(visible(name), overflow="fold")
    for row in rows:
        table.add_row(*map(_line, row))
    return table


def _line(line: Line, style: str = "") -> Text:
    text = Text(style=style)
    for part in line:
        text.append(visible(str(part)), _style(part))
    return text


def _style(part: Inline) -> str | None:
    match part:
        case Toned(_, tone):
            return TONES[tone]
        case Strong():
            return "bold"
        case Code():
            return "cyan"
        case _:
            return None
