"""A run as annotations of a GitHub job: what closes the gate as errors, what has to be looked at as warnings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hive_gate.report import verdict
from hive_gate.report.annotations import Mark, annotation
from hive_gate.report.model import OPENING, Report
from hive_gate.report.redact import redact

SHOWN = 9
"""Errors, and likewise warnings, that are told one by one: a job's page shows ten of each, and one is the answer."""


@dataclass(frozen=True, slots=True)
class AnnotationsFormat:
    """Renders annotations; see `hive_gate.report.interface.Format`."""

    name: str = "annotations"
    suffix: str = ".annotations.txt"
    redacted: bool = True

    def render(self, report: Report) -> str:
        """Return a line for the answer and one for each clause that speaks against it, the most urgent first."""
        return "".join(_lines(redact(report) if self.redacted else report))


def _lines(report: Report) -> Iterator[str]:
    is_open = verdict.outcome(report) == "open"
    yield annotation("notice" if is_open else "error", verdict.program(report), verdict.headline_text(report))
    for text in report.baseline.problems if report.baseline else ():
        yield annotation("error", "baseline", text)
    marks: dict[Mark, list[str]] = {"error": [], "warning": []}
    for clause in verdict.by_urgency(report.clauses):
        closes = clause.verdict == "stale" or (clause.level == "required" and clause.verdict not in OPENING)
        if closes or clause.verdict in ("warn", "waived"):
            mark: Mark = "error" if closes else "warning"
            waiver = f" Accepted until {clause.waiver.expires}: {clause.waiver.reason}" if clause.waiver else ""
            said = clause.waiver.problem if clause.waiver and clause.waiver.problem else clause.actual + waiver
            marks[mark].append(annotation(mark, f"{clause.id}: {clause.verdict}", said))
    for mark, lines in marks.items():
        yield from lines[:SHOWN]
        if len(lines) > SHOWN:
            yield annotation("notice", "more", f"{len(lines) - SHOWN} more {mark}s are in report.json")
