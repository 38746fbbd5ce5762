"""The process of the runs: `python -m hive_gate.selftest.worker`, one run after the other."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.errors import HiveGateError
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.pool import Told
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import Subject
from hive_gate.probe.worker import Do, Tell, work
from hive_gate.selftest.bundle_edits import changed
from hive_gate.selftest.bundles import CHANGES
from hive_gate.selftest.outcome import Outcome, failed_run, of_report, to_json
from hive_gate.selftest.task import Setting, Task, subject_of


def _prepare(told: Told) -> Do:
    setting = Setting(**told)
    contract, subject = load_contract(Path(setting.contract)), setting.subject()

    def do(told: Told, _: Tell) -> Any:
        task = Task(**{**told, "argv": tuple(told["argv"]), "clauses": tuple(told["clauses"])})
        outcome, interrupted = _outcome(contract, subject, task)
        return None if interrupted else to_json(outcome)

    return do


def _outcome(contract: Contract, subject: Subject, task: Task) -> tuple[Outcome, bool]:
    """Return what came of a task, and whether it was cut off."""
    with tempfile.TemporaryDirectory(prefix="hive-gate-schemas-", ignore_cleanup_errors=True) as folder:
        try:
            report = run(
                contract,
                _changed(subject_of(task, subject), task, Path(folder)),
                Selection(clauses=task.clauses),
                Settings(task.request_timeout, jobs=task.jobs),
                Silent(),
            )
        except HiveGateError as error:
            return failed_run(error.message), False
        except Exception as error:  # a fault that cannot be tried must not end the others
            return failed_run(f"{type(error).__name__}: {error}"), False
    return of_report(report), report.run.interrupted


def _changed(subject: Subject, task: Task, folder: Path) -> Subject:
    if task.change is None or subject.bundle is None:
        return subject
    return replace(subject, bundle=changed(subject.bundle, CHANGES[task.change], folder / "schemas"))


if __name__ == "__main__":
    sys.exit(work(_prepare))
