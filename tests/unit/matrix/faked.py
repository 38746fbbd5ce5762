"""Outcomes of runs that never ran."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hive_gate.matrix.runs import Outcome, State, Task
from hive_gate.report import model
from hive_gate.report.fingerprint import fingerprint
from hive_gate.report.model import ClauseResult, Exchange, Finding, Message, Report, gate_of

CONTRACT = Path("/contracts/mine.json")
SECRET = "the words of somebody, which nobody else may read"


def result(name: str, verdict: str, **more: Any) -> ClauseResult:
    """A clause with a verdict; one that fails has a finding that says how."""
    findings = (Finding("error", "an error", more.get("actual", "no error"), 0, None, None),)
    failed = findings if verdict in ("fail", "warn") else ()
    return ClauseResult(**{
        "id": name, "suite": name.partition(".")[0], "level": "required", "verdict": verdict, "why": f"why {name}",
        "source": "#942", "expected": f"promise of {name}", "actual": "no error" if failed else "as promised",
        "seconds": 0.1, "findings": failed, "fingerprint": fingerprint(failed) if failed else None, **more,
    })  # fmt: skip


def report(version: str, clauses: Sequence[ClauseResult], **more: Any) -> Report:
    target = model.Target(version, "codex", version, f"/cache/{version}/codex", version.replace(".", "")[:2] * 32, ())
    contract = model.Contract("hive", "1.0.0", "ab" * 32, str(CONTRACT), "T", "#942", ("#944",), "0.142.5")
    return Report(**{
        "gate": gate_of(tuple(clauses)),
        "run": model.Run(f"run-{version}", "2026-11-30T12:00:00+00:00", 4.0, "0", "3", partial=False),
        "target": target, "contract": contract, "clauses": tuple(clauses), "suites": {"read": "Read"}, **more,
    })  # fmt: skip


def outcome(version: str, verdicts: Mapping[str, str] | None, state: State = "judged", **more: Any) -> Outcome:
    """What came of a version; without verdicts it could not be judged."""
    if verdicts is None:
        state = state if state != "judged" else "not-fetched"
        return Outcome(Task(version, CONTRACT), state, None, f"{version} is not there.", from_cache=False, seconds=0.1)
    made = report(version, [result(name, verdict) for name, verdict in verdicts.items()], **more)
    return Outcome(Task(version, CONTRACT), state, made, None, from_cache=False, seconds=4.0)


def with_messages(made: Outcome, reply: Any) -> Outcome:
    """Give each clause of a run one exchange."""
    assert made.report is not None
    request = {"id": 7, "method": "thread/read", "params": {"threadId": "t", "input": SECRET}}
    messages = (
        Message(0, 0, 1.0, "sent", 60, request),
        Message(1, 0, 2.0, "received", 60, {"id": 7, **reply}),
    )
    exchange = Exchange("thread/read", 0, 1, 1.0, 60, 60, 0)
    clauses = tuple(replace(c, exchanges=(exchange,)) for c in made.report.clauses)
    return replace(made, report=replace(made.report, clauses=clauses, messages=messages))


class FakeRuns:
    """Judges versions by a rule, and remembers which were asked for."""

    def __init__(self, rule: Callable[[str], Mapping[str, str] | None]) -> None:
        self.rule = rule
        self.asked: list[str] = []

    def __call__(self, versions: Sequence[str]) -> list[Outcome]:
        self.asked += versions
        return [outcome(version, self.rule(version)) for version in versions]
