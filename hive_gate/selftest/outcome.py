"""What is left of one run once its process has ended: the verdicts and why, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from hive_gate.report.model import OPENING, Report

_SHOWN = 200
"""Characters of a finding's own words that are kept."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One expectation that did not hold."""

    check: str
    pointer: str | None
    actual: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One clause's verdict and its grounds."""

    level: str
    verdict: str
    grounds: tuple[Ground, ...] = ()
    actual: str = ""

    @property
    def failed(self) -> bool:
        """Whether it was judged and does not hold."""
        return self.verdict == ("fail" if self.level == "required" else "warn")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run."""

    gate: str
    clauses: Mapping[str, Shown]
    ends: tuple[tuple[str, int | None], ...] = ()
    """How each server ended and with which exit code."""
    problem: str | None = None
    """Why the target could not be judged."""
    error: str | None = None
    """Why there was no run at all: a fault of the gate or of the fault."""
    seconds: float = 0.0
    version: str | None = field(default=None)
    """What the target says it is."""

    @property
    def stands(self) -> bool:
        """Whether it was judged and nothing required is broken; of a few clauses there may be none that applies."""
        required = [shown for shown in self.clauses.values() if shown.level == "required"]
        return self.error is None and self.problem is None and all(s.verdict in OPENING for s in required)


def of_report(report: Report) -> Outcome:
    """Return what is kept of a report."""
    clauses = {
        result.id: Shown(
            result.level,
            result.verdict,
            tuple(Ground(f.check, f.pointer, f.actual[:_SHOWN]) for f in result.findings),
            result.actual[:_SHOWN],
        )
        for result in report.clauses
    }
    ends = tuple((server.stop, server.exit_code) for server in report.servers)
    run = report.run
    return Outcome(report.gate, clauses, ends, run.problem, None, run.seconds, report.target.version)


def failed_run(why: str) -> Outcome:
    """Return the outcome of a run that could not be made."""
    return Outcome("closed", {}, error=why)


def to_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON."""
    return asdict(outcome)


def from_json(data: Mapping[str, Any]) -> Outcome:
    """Return the outcome that :func:`to_json` made this of."""
    clauses = {
        name: Shown(
            shown["level"], shown["verdict"], tuple(Ground(**ground) for ground in shown["grounds"]), shown["actual"]
        )
        for name, shown in data["clauses"].items()
    }
    ends = tuple((stop, code) for stop, code in data["ends"])
    return Outcome(**{**data, "clauses": clauses, "ends": ends})
