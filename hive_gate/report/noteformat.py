"""The note of a run: the same content for each markup."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate.report import verdict
from hive_gate.report.compose import units
from hive_gate.report.fit import MAX_BYTES, fit
from hive_gate.report.jsonfile import digest
from hive_gate.report.model import Report
from hive_gate.report.note import Markup, Paragraph
from hive_gate.report.plain import cut
from hive_gate.report.redact import redact


@dataclass(frozen=True, slots=True)
class NoteFormat:
    """Renders a note; see `hive_gate.report.interface.Format`.

    Args:
        name: name of the format.
        suffix: ending of the file.
        markup: how it is written.
        redacted: whether user text and absolute paths are redacted.
        max_bytes: most bytes of the note in UTF-8.
    """

    name: str
    suffix: str
    markup: Markup
    redacted: bool = True
    max_bytes: int = MAX_BYTES

    def render(self, report: Report) -> str:
        """Return the note.

        Raises:
            UsageError: if `max_bytes` leaves no room for a note.
        """
        shown = redact(report) if self.redacted else report
        first = Paragraph(verdict.headline(shown))
        return fit(first, tuple(units(shown)), Paragraph((marker(report),)), self.markup, self.max_bytes)


def marker(report: Report) -> str:
    """Return the last line: it finds the note again in an issue, and the report.json that the note was made from."""
    return f"hive-gate run {cut(report.run.id, 64)}, report.json sha256 {digest(report)[:16]}"
