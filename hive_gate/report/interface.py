"""The formats that a report can be made into, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from hive_gate.errors import UsageError
from hive_gate.report.fit import MAX_BYTES
from hive_gate.report.model import Report


class Format(Protocol):
    """One way to show a report. A format is made from the report alone."""

    @property
    def name(self) -> str:
        """Name on the command line."""
        ...

    @property
    def suffix(self) -> str:
        """Ending of a file of this format, with its dot."""
        ...

    def render(self, report: Report) -> str:
        """Return the text, with a newline at its end; it can always be written as UTF-8."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller may choose.

    Args:
        redacted: whether user text and absolute paths are redacted; None leaves it to the format.
        max_bytes: most bytes of a note in UTF-8.
    """

    redacted: bool | None = None
    max_bytes: int = MAX_BYTES

    def redact(self, default: bool) -> bool:
        """Return whether a format redacts that does so by `default`."""
        return default if self.redacted is None else self.redacted


# Each imports its module only when it is asked for: rich and junitparser take longer to import than a note to write.


def _text(options: Options) -> Format:
    from hive_gate.report.text import TextFormat

    return TextFormat(redacted=options.redact(False))


def _textile(options: Options) -> Format:
    from hive_gate.report.noteformat import NoteFormat
    from hive_gate.report.textile import Textile

    return NoteFormat("textile", ".textile", Textile(), options.redact(True), options.max_bytes)


def _markdown(options: Options) -> Format:
    from hive_gate.report.markdown import Markdown
    from hive_gate.report.noteformat import NoteFormat

    return NoteFormat("markdown", ".md", Markdown(details=False), options.redact(True), options.max_bytes)


def _github(options: Options) -> Format:
    from hive_gate.report.markdown import Markdown
    from hive_gate.report.noteformat import NoteFormat

    return NoteFormat("github", ".github.md", Markdown(details=True), options.redact(True), options.max_bytes)


def _junit(options: Options) -> Format:
    from hive_gate.report.junit import JUnitFormat

    return JUnitFormat(redacted=options.redact(True))


def _transcript(options: Options) -> Format:
    from hive_gate.report.transcript import TranscriptFormat

    return TranscriptFormat(redacted=options.redact(True))


def _html(options: Options) -> Format:
    from hive_gate.report.html.format import HtmlFormat

    return HtmlFormat(redacted=options.redact(True))


def _annotations(options: Options) -> Format:
    from hive_gate.report.annotationsformat import AnnotationsFormat

    return AnnotationsFormat(redacted=options.redact(True))


def _json(options: Options) -> Format:
    from hive_gate.report.jsonformat import JsonFormat

    return JsonFormat(redacted=options.redact(False))


FORMATS: dict[str, Callable[[Options], Format]] = {
    "text": _text,
    "textile": _textile,
    "markdown": _markdown,
    "github": _github,
    "junit": _junit,
    "transcript": _transcript,
    "html": _html,
    "annotations": _annotations,
    "json": _json,
}
"""Format name to what makes it, in the order in which help lists them."""


def get_format(name: str, options: Options | None = None) -> Format:
    """Return the format called `name`.

    Raises:
        UsageError: if there is none; the hint names those there are.
    """
    make = FORMATS.get(name)
    if make is None:
        raise UsageError(f"There is no format {name!r:.60}.", hint=f"choose one of {', '.join(FORMATS)}")
    return make(options or Options())
