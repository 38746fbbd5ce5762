"""A recorded probe judged again by a contract, for `hive-gate judge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hive_gate.baseline.model import BaselineFile
    from hive_gate.contract.model import Contract
    from hive_gate.drift.bundle import Bundle
    from hive_gate.report.model import Report


def judged_again(path: Path, contract: Contract, accepted: BaselineFile | None) -> Report:
    """Return a probe's report as a contract judges it, with the accepted failures applied.

    Raises:
        UsageError: if it is no whole report, or a redacted one.
        TargetError: if the program's kept schemas are broken.
    """
    from datetime import UTC, datetime

    from hive_gate.baseline.apply import apply
    from hive_gate.probe.rejudge import judge_again
    from hive_gate.report.jsonfile import read_report

    recorded = read_report(path)
    report = judge_again(recorded, contract, _schemas(recorded))
    if accepted is None:
        return report
    return apply(report, accepted, [clause.id for clause in contract.clauses], datetime.now(UTC).date())


def _schemas(report: Report) -> Bundle | None:
    """Return the schemas that the program of a run generated, from the cache; None: they are not there."""
    from hive_gate.drift.bundle import Bundle
    from hive_gate.probe import subject
    from hive_gate.probe.observe import Silent
    from hive_gate.target.cache import Cache

    if report.target.spec == "reference":  # it is part of hive-gate, and makes them at once
        return subject.codex("reference", Silent()).bundle
    folder = Cache.default().schemas / (report.target.sha256 or "none")
    return Bundle.load(folder) if folder.is_dir() else None
