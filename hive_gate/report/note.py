"""A note without a markup: what is said, apart from how Redmine or GitHub writes it.

Everything in a document is data except `Reference` and a figure's file: the writers escape it all, so that nothing a
server sent can become a link, a mention, a macro or a table cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from hive_gate.report.plain import visible
from hive_gate.report.verdict import Piece


@dataclass(frozen=True, slots=True)
class Code:
    """A short technical name, set as code where the markup can do that safely."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Strong:
    """A few words to stress."""

    text: str

    def __str__(self) -> str:
        return self.text


Tone = Literal["good", "bad", "warn", "dim"]


@dataclass(frozen=True, slots=True)
class Toned:
    """A few words with a color where there is one; the words alone must say it as well."""

    text: str
    tone: Tone

    def __str__(self) -> str:
        return self.text


Inline: TypeAlias = "Piece | Code | Strong | Toned"
Line: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within the note."""

    line: Line
    small: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One line of prose; a line break would mean different things to different markups."""

    line: Line


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head; each row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A flat list."""

    items: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines of JSON text, shown as they are. What would end the block is escaped as JSON escapes it."""

    text: str


@dataclass(frozen=True, slots=True)
class Collapsed:
    """Blocks behind a label, closed at first. They are never nested: Redmine cannot."""

    label: str
    blocks: tuple[Paragraph | CodeBlock | Table, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture that the gate has drawn: a page shows it, a note names its file.

    Args:
        svg: the picture, an `svg` element with a `title`. It is drawn in black (`#000`) and gray (`#ddd`) on white
            (`#fff`), which a page replaces by its own colors, and has no ids, styles, links or scripts.
        caption: what it shows.
        file: its name beside the document.
    """

    svg: str
    caption: str
    file: str


Block: TypeAlias = "Heading | Paragraph | Table | Bullets | CodeBlock | Collapsed | Figure"


def trimmed(line: Line) -> Line:
    """Return the line without white space at its start, where both markups look for what kind of block it is."""
    first = line[0] if line else None
    return (visible(first).lstrip(" "), *line[1:]) if isinstance(first, str) else line


class Markup(Protocol):
    """One way to write a document."""

    def block(self, block: Block) -> str:
        """Return the text of one block, without a newline at its end; blocks are joined by an empty line."""
        ...


def write(blocks: tuple[Block, ...], markup: Markup) -> str:
    """Return the text of a document, with a newline at its end."""
    return "\n\n".join(markup.block(block) for block in blocks) + "\n"
