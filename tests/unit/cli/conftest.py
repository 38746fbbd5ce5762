"""Reports whose gate follows from a few verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hive_gate.report import model
from hive_gate.report.model import ClauseResult, Finding, Report, gate_of


def clause(told: str, level: str = "required", number: int = 0) -> ClauseResult:
    """A clause with this verdict; `silent` is a fail by the lack of an answer."""
    verdict = "fail" if told == "silent" else told
    finding = Finding("answer" if told == "silent" else "error", "it is so", "it is not")
    return ClauseResult(
        id=f"read.{told}-{number}", suite="read", level=level, verdict=verdict,  # type: ignore[arg-type]
        why="w", source="#942", expected="it is so", actual="it is not", seconds=0.1,
        findings=(finding,) if verdict == "fail" else (),
    )  # fmt: skip


def make(
    *verdicts: str, advisory: Sequence[str] = (), problem: str | None = None, interrupted: bool = False, **target: Any
) -> Report:
    """A report whose gate follows from these verdicts."""
    clauses = tuple(clause(verdict, number=n) for n, verdict in enumerate(verdicts))
    clauses += tuple(clause(verdict, "advisory", n) for n, verdict in enumerate(advisory))
    about = {"spec": "0.142.5", "kind": "codex", "version": "0.142.5", "path": "/x/codex", "sha256": None, "argv": ()}
    return Report(
        gate=gate_of(clauses),
        run=model.Run(
            "1", "2026-01-01T00:00:00+00:00", 1.0, "0", "3", partial=False, problem=problem, interrupted=interrupted
        ),
        target=model.Target(**{**about, **target}),
        contract=model.Contract("hive", "1.0.0", "ab" * 32, "/x.json", "T", "#942", ("#944",), "0.142.5"),
        clauses=clauses,
        suites={"read": "Read"},
    )


@pytest.fixture
def made() -> Callable[..., Report]:
    return make
