"""One trial judged by a run of this process, as a selftest judges it by a run of a worker."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hive_gate.contract.model import Contract
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import Subject
from hive_gate.report.model import Report
from hive_gate.selftest.account import Row, asked, row
from hive_gate.selftest.bundle_edits import changed
from hive_gate.selftest.bundles import CHANGES
from hive_gate.selftest.outcome import Outcome, Shown, of_report
from hive_gate.selftest.trial import Trial, command

DEADLINE = 1.5
"""Seconds for what never comes: it has to pass, and nothing else of such a run depends on it."""


def keeps_all(contract: Contract) -> Outcome:
    """A run in which every clause passes: so every clause that a trial names has to notice it."""
    return Outcome("open", {clause.id: Shown(clause.level, "pass") for clause in contract.clauses})


def probe(contract: Contract, subject: Subject, clauses: tuple[str, ...], settings: Settings | None = None) -> Report:
    return run(contract, subject, Selection(clauses=clauses), settings or Settings(), Silent())


def tried(contract: Contract, subject: Subject, trial: Trial, folder: Path) -> Row:
    """Run the clauses that a trial names against a subject that is broken by it; `folder` is for changed schemas."""
    clean = keeps_all(contract)
    broken = replace(subject, argv=command(trial, subject.argv))
    if trial.kind == "schema":
        assert subject.bundle is not None
        broken = replace(broken, bundle=changed(subject.bundle, CHANGES[trial.name], folder / "schemas"))
    settings = Settings(request_timeout=DEADLINE) if trial.silent else Settings()
    return row(contract, trial, clean, of_report(probe(contract, broken, asked(contract, trial, clean), settings)))
