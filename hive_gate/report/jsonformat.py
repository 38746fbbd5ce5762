"""The report again, as JSON; redacted if asked."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate.report.jsonfile import to_text
from hive_gate.report.model import Report
from hive_gate.report.redact import redact


@dataclass(frozen=True, slots=True)
class JsonFormat:
    """Renders report.json; see `hive_gate.report.interface.Format`."""

    name: str = "json"
    suffix: str = ".json"
    redacted: bool = False

    def render(self, report: Report) -> str:
        """Return the text of report.json."""
        return to_text(redact(report) if self.redacted else report)
