"""The rows of the table of clauses, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hive_gate.report import verdict
from hive_gate.report.model import ClauseResult, Report


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading."""

    title: str
    says: str
    """How many of how many, as a phrase."""
    rows: tuple[tuple[int, ClauseResult], ...]
    """Index in the report, by which the script knows a clause, and the clause."""


def groups(report: Report) -> Iterator[Group]:
    """Yield what is not passed, the most urgent first, then the rest suite by suite.

    What is not offered stays in its suite: it may be a hundred clauses for one reason.
    """
    number = {id(clause): index for index, clause in enumerate(report.clauses)}
    urgent = [clause for clause in verdict.by_urgency(report.clauses) if clause.verdict != "not-offered"]
    if urgent:
        yield Group("Not passed", f"{len(urgent)} of {len(report.clauses)}", tuple((number[id(c)], c) for c in urgent))
    above = set(map(id, urgent))
    for suite in verdict.suites(report):
        rest = tuple((number[id(c)], c) for c in report.clauses if c.suite == suite.id and id(c) not in above)
        if rest:
            yield Group(suite.title, f"{suite.passed} of {suite.total} passed", rest)
