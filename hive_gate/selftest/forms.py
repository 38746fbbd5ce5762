"""The proof as text for a person and as JSON for a program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hive_gate.report.plain import cut, visible
from hive_gate.selftest.account import Row, Table
from hive_gate.selftest.trial import KINDS


def verdict(table: Table) -> str:
    """Return the whole proof in one sentence."""
    if table.clean.error is not None or table.clean.problem is not None:
        return f"{table.target} could not be judged: {table.clean.problem or table.clean.error}"
    if not table.clean.stands:
        failed = [name for name, shown in table.clean.clauses.items() if shown.level == "required" and shown.failed]
        return f"without a fault the gate is closed on {table.target} already, by {_some(failed)}: nothing was tried"
    if not table.rows:
        return f"nothing was tried: no fault that was asked for says anything on {table.target}"
    if table.unnoticed or table.unproven:
        parts = []
        if table.unnoticed:
            names = _some([row.trial.name for row in table.unnoticed])
            parts.append(f"{len(table.unnoticed)} of {len(table.rows)} faults were not noticed as they say: {names}")
        if table.unproven:
            parts.append(f"{len(table.unproven)} clauses were failed by no fault: {_some(list(table.unproven))}")
        return "not proven: " + "; ".join(parts)
    proven = sum(1 for row in table.clauses if row.failed_by)
    applying = sum(1 for row in table.clauses if row.clean == "pass")
    faults = (
        f"the one fault that fits {table.target} was noticed"
        if len(table.rows) == 1
        else f"all {len(table.rows)} faults that fit {table.target} were noticed"
    )
    if table.partial:
        return f"{faults}, by {proven} clause{'' if proven == 1 else 's'}; the others were not asked for"
    more = proven - sum(1 for row in table.clauses if row.clean == "pass" and row.failed_by)
    made_up = f", and {more} more on a server that pretends to what it lacks" if more else ""
    return f"{faults}; each of the {applying} clauses that it passes was seen to fail{made_up}"


def as_text(table: Table) -> str:
    """Return both halves of the table as lines, and the sentence at the end."""
    lines: list[str] = []
    kind = None
    for row in table.rows:
        if row.trial.kind != kind:
            kind = row.trial.kind
            lines += ["", f"Faults {KINDS[kind]}"]
        lines += _fault(row)
    if table.rows:
        lines += ["", "Clauses, each with the faults that it fails by"]
    for clause in table.clauses if table.rows else ():
        if clause.failed_by or not table.partial:
            lines += _clause(clause.id, clause.clean, clause.failed_by)
    if table.skipped and table.clean.stands:
        lines += ["", f"Faults that say nothing on {table.target}: {', '.join(t.name for t in table.skipped)}"]
    lines += ["", verdict(table)]
    return "\n".join(visible(line) for line in lines[1:]) + "\n"


def as_json(table: Table) -> dict[str, Any]:
    """Return the table as JSON."""
    return {
        "good": table.good,
        "sentence": verdict(table),
        "contract": table.contract,
        "target": {"spec": table.target, "version": table.clean.version},
        "partial": table.partial,
        "seconds": round(table.seconds, 1),
        "counts": {
            "faults": len(table.rows),
            "noticed": len(table.rows) - len(table.unnoticed),
            "skipped": len(table.skipped),
            "clauses": len(table.clauses),
            "applying": sum(1 for row in table.clauses if row.clean == "pass"),
            "proven": sum(1 for row in table.clauses if row.failed_by),
        },
        "faults": [
            {
                "name": row.trial.name,
                "kind": row.trial.kind,
                "breaks": row.trial.breaks,
                "noticed": {clause: list(checks) for clause, checks in row.noticed.items()},
                "missed": list(row.missed),
                "also": list(row.also),
                "seconds": round(row.seconds, 2),
            }
            for row in table.rows
        ],
        "clauses": [
            {"id": row.id, "clean": row.clean, "failedBy": list(row.failed_by)} for row in table.clauses
        ],
        "unproven": list(table.unproven),
        "skipped": [trial.name for trial in table.skipped],
    }  # fmt: skip


def told(row: Row) -> Iterator[str]:
    """Yield what went wrong with a trial, a line each."""
    yield f"{row.trial.name}: {row.trial.breaks}"
    for sentence in row.missed:
        yield f"  {cut(sentence, 400)}"


def _fault(row: Row) -> Iterator[str]:
    yield f"  {row.trial.name}: {row.trial.breaks}"
    for clause, checks in row.noticed.items():
        yield f"    noticed by {clause} ({', '.join(checks)})"
    if row.trial.holds and row.good:
        yield f"    holds: {', '.join(row.trial.holds)}"
    for sentence in row.missed:
        yield f"    NOT NOTICED: {cut(sentence, 400)}"


def _clause(name: str, clean: str, failed_by: tuple[str, ...]) -> Iterator[str]:
    if failed_by:
        yield f"  {name}: {', '.join(failed_by)}"
    elif clean == "pass":
        yield f"  {name}: NOT PROVEN, no fault makes it fail"
    else:
        yield f"  {name}: not tried, {clean} without any fault"


def _some(names: list[str], shown: int = 6) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
