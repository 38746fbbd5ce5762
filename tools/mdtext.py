"""Markdown for the generated pages: code that shows as it is, tables, and JSON that is broken only where it is long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hive_gate.report.jsontext import dumps

WIDTH = 76
"""Characters of a line of JSON in a block of code."""

SHORT = 76
"""Characters of JSON that may stand in a line of prose."""


def code(text: str) -> str:
    """Return text as inline code, whatever backticks it holds."""
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    # CommonMark takes one space from both ends, so that a backtick can stand there.
    pad = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def codes(texts: Iterable[str]) -> str:
    """Return texts as inline code, with commas."""
    return ", ".join(code(text) for text in texts)


def json_code(value: Any) -> str:
    """Return a JSON value as inline code on one line."""
    return code(dumps(value))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; cells are Markdown, in which a bar ends no cell."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


@dataclass(frozen=True, slots=True)
class Point:
    """An item of a list.

    Args:
        text: Markdown of one line.
        block: a JSON value too long for the line, which ends where it begins; None for none.
        below: what is said of it in turn.
    """

    text: str
    block: Any = None
    below: tuple[Point, ...] = ()


def item_lines(mark: str, point: Point) -> Iterator[str]:
    """Yield the lines of one item of a list, and of those below it."""
    yield mark + point.text
    inner = " " * len(mark)
    if point.block is not None:
        yield from ["", *indented(json_block(point.block), inner), ""]
    for below in point.below:
        yield from indented(item_lines("- ", below), inner)


def indented(lines: Iterable[str], by: str) -> list[str]:
    """Return lines with an indent; empty ones stay empty."""
    return [f"{by}{line}" if line else "" for line in lines]


def json_block(value: Any) -> list[str]:
    """Return the lines of a block of code with a JSON value, broken where a line would be longer than `WIDTH`."""
    return ["```json", *_broken(value, "").split("\n"), "```"]


def _broken(value: Any, indent: str) -> str:
    whole = dumps(value)
    if len(indent) + len(whole) <= WIDTH or not value or not isinstance(value, (dict, list)):
        return whole
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{dumps(key)}: {_broken(member, inner)}" for key, member in value.items()]
    else:
        parts = [_broken(member, inner) for member in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}{closing}"


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
