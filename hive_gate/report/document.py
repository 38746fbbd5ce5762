"""A result that is not a run's report, such as a table of versions, in every format that people read.

What makes such a result says it once, as a :class:`Document` of blocks (see `hive_gate.report.note`); the writers here
turn it into text for a terminal, Textile, Markdown for Redmine and GitHub, and one HTML page. What programs read (JSON,
JUnit, annotations) is made from the result itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hive_gate.errors import UsageError
from hive_gate.report.compose import Unit
from hive_gate.report.fit import MAX_BYTES, fit
from hive_gate.report.note import Line, Paragraph

if TYPE_CHECKING:
    from hive_gate.report.note import Markup


@dataclass(frozen=True, slots=True)
class Document:
    """What is said, apart from how it is written.

    Args:
        title: name of the page, such as `codex 0.142.5 to 0.171.0`.
        headline: the answer in one line.
        units: the rest, as units that can be left out one by one where a note gets too long.
        marker: the last line, by which the result is found again.
    """

    title: str
    headline: Line
    units: tuple[Unit, ...]
    marker: str


def write_document(document: Document, name: str, max_bytes: int = MAX_BYTES) -> str:
    """Return a document in the format called `name`, with a newline at its end.

    Args:
        document: what is said.
        name: a key of `DOCUMENT_FORMATS`.
        max_bytes: most bytes of a note; text and HTML are never cut.

    Raises:
        UsageError: if there is no such format, or `max_bytes` leaves no room.
    """
    if name not in DOCUMENT_FORMATS:
        raise UsageError(f"There is no format {name!r:.60}.", hint=f"choose one of {', '.join(DOCUMENT_FORMATS)}")
    return DOCUMENT_FORMATS[name][1](document, max_bytes)


# Each imports its module only when it is asked for: rich and jinja2 take longer to import than a note to write.


def _text(document: Document, _: int) -> str:
    from hive_gate.report.blocktext import to_text

    return to_text(document)


def _textile(document: Document, max_bytes: int) -> str:
    from hive_gate.report.textile import Textile

    return _note(document, Textile(), max_bytes)


def _markdown(document: Document, max_bytes: int) -> str:
    from hive_gate.report.markdown import Markdown

    return _note(document, Markdown(details=False), max_bytes)


def _github(document: Document, max_bytes: int) -> str:
    from hive_gate.report.markdown import Markdown

    return _note(document, Markdown(details=True), max_bytes)


def _html(document: Document, _: int) -> str:
    from hive_gate.report.html.page import document_page

    return document_page(document)


def _note(document: Document, markup: Markup, max_bytes: int) -> str:
    rest = "The same result as text, HTML or JSON has all of it."
    return fit(Paragraph(document.headline), document.units, Paragraph((document.marker,)), markup, max_bytes, rest)


DOCUMENT_FORMATS: dict[str, tuple[str, Callable[[Document, int], str]]] = {
    "text": (".txt", _text),
    "textile": (".textile", _textile),
    "markdown": (".md", _markdown),
    "github": (".github.md", _github),
    "html": (".html", _html),
}
"""Format name to the ending of its file and what writes it."""
