"""Blocks for a terminal, as rich renderables."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
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

_GAP = 3
"""Columns of the terminal between two of a table."""

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
        case Table():
            yield _Fitted(block)
        case CodeBlock(text):
            yield Padding(Text("\n".join(visible(line) for line in text.splitlines())), (0, 0, 0, 2))
        case Figure(_, caption, file):
            yield from _block(Bullets(((f"{caption}: ", Code(file)),)))
        case Collapsed(label, blocks):
            yield Text(visible(label), style="dim")
            for inner in blocks:
                yield from _block(inner)


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A table whose first column is whole as long as no word of the others has to be broken for it."""

    table: Table

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        # Rich takes room from every column alike, and so breaks names while sentences beside them could be folded.
        lines = [tuple(map(Text, map(visible, self.table.head))), *(tuple(map(_line, row)) for row in self.table.rows)]
        first, *others = zip(*lines, strict=True)
        whole = max(text.cell_len for text in first)
        least = whole + sum(_GAP + max(_longest_word(text) for text in column) for column in others)
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for number, name in enumerate(lines[0]):
            fixed = whole if number == 0 and least <= options.max_width else None
            table.add_column(name, overflow="fold", width=fixed)
        for line in lines[1:]:
            table.add_row(*line)
        yield from (Text(), table, Text())


def _longest_word(text: Text) -> int:
    return max(map(cell_len, text.plain.split()), default=0)


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
