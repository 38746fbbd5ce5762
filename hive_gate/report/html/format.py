"""The run's report as one HTML file, as a format."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate.report.html.page import report_page
from hive_gate.report.model import Report


@dataclass(frozen=True, slots=True)
class HtmlFormat:
    """Renders the page of a run; see `hive_gate.report.interface.Format`.

    It is redacted by default: like the notes it is attached to tickets.
    """

    name: str = "html"
    suffix: str = ".html"
    redacted: bool = True

    def render(self, report: Report) -> str:
        """Return the page."""
        return report_page(report, redacted=self.redacted)
