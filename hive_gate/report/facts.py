"""What ran against what, as pairs of name and value: the head of every format that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hive_gate.report.jsontext import dumps
from hive_gate.report.model import Baseline, Json, Report, Waiver
from hive_gate.report.plain import visible
from hive_gate.report.verdict import counted

WARNINGS = 8
"""Warnings that are shown."""

_STDERR_LINES = 30


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """Yield name and value of each fact that is known, the most asked-for first."""
    target, contract, run = report.target, report.contract, report.run
    yield "Program version", target.version or "unknown: the program reports none"
    yield "Program", target.path or target.spec
    yield "Program SHA-256", target.sha256 or "unknown"
    yield "Handshake version", target.handshake_version or "unknown: the handshake names none"
    yield "Contract", f"{contract.name} {contract.version} (pins codex-cli {contract.pinned})"
    yield "Contract SHA-256", contract.sha256
    yield "Date", f"{run.started}, {run.seconds:.1f} s"
    yield "Platform", f"{target.platform or 'unknown'}; hive-gate {run.hive_gate}; Python {run.python}"
    yield "Verdicts", counted(report)
    if run.partial:
        yield "Selection", _selected(run.selection)
    if target.resolved_from:
        yield "Resolved from", " → ".join(target.resolved_from)
    if run.problem:
        yield "Problem", run.problem
    if report.baseline is not None:
        yield "Baseline", f"{report.baseline.path}: {_entries(report.baseline)}"
        for problem in report.baseline.problems[:WARNINGS]:
            yield "Baseline problem", problem
        if len(report.baseline.problems) > WARNINGS:
            yield "Baseline problem", f"… and {len(report.baseline.problems) - WARNINGS} more in report.json"
    if report.measurement is not None:
        made = report.measurement
        yield "Measurement", f"hive-gate cost {made.run}, {made.started}, cost.json sha256 {made.sha256[:16]}"
    for warning in target.warnings[:WARNINGS]:
        yield "Warning", warning
    if len(target.warnings) > WARNINGS:
        yield "Warning", f"… and {len(target.warnings) - WARNINGS} more in report.json"


def _selected(selection: Mapping[str, Json]) -> str:
    """Return which clauses were chosen, in words."""
    parts = [f"level {selection['level']}"] if selection.get("level") else []
    for one, many in (("clause", "clauses"), ("suite", "suites")):
        chosen = selection.get(many)
        if isinstance(chosen, list) and chosen:
            parts.insert(0, f"{one if len(chosen) == 1 else many} {', '.join(map(str, chosen))}")
    return visible("; ".join(parts)) or "every clause"


def _entries(baseline: Baseline) -> str:
    if not baseline.entries:
        return "no entries"
    of = f"{baseline.entries} {'entry' if baseline.entries == 1 else 'entries'}"
    return f"{of}, {baseline.applied or 'none'} for this version"


def accepted(waiver: Waiver) -> str:
    """Return why a failure is accepted, on whose word, until when, and where that is written."""
    return f"{waiver.reason} ({waiver.owner}, until {waiver.expires}, entry {waiver.entry})"


def is_hash(value: str) -> bool:
    """Tell whether a fact's value is a hash, which is never cut."""
    return re.fullmatch(r"[0-9a-f]{64}", value) is not None


def lines(text: str) -> str:
    """Return the last lines of a program's output as JSON strings, one a line."""
    tail = text.strip().splitlines()[-_STDERR_LINES:]
    return "\n".join(dumps(visible(line[:240])) for line in tail)
