"""The whole selftest: the contract without a fault, then with each fault that fits the target."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hive_gate.contract.model import Contract
from hive_gate.probe.pool import interrupted_once
from hive_gate.probe.subject import Subject
from hive_gate.scene.scratch import scratch_folder
from hive_gate.selftest import account
from hive_gate.selftest.account import Row, Table
from hive_gate.selftest.observe import Observer
from hive_gate.selftest.outcome import Outcome
from hive_gate.selftest.pool import Pool
from hive_gate.selftest.task import Setting, Task
from hive_gate.selftest.trial import Trial, all_trials, chosen, command

REFERENCE = "hive_gate.reference"


@dataclass(frozen=True, slots=True)
class Options:
    """How a selftest goes about it. Times in seconds."""

    faults: tuple[str, ...] = ()
    """Globs; empty: all."""
    jobs: int = 2
    """Runs at a time."""
    thorough: bool = False
    """Ask every clause with every fault, not only those that it names."""
    request_timeout: float = 10.0
    deadline: float = 1.5
    """For what never comes: it has to pass, and nothing else of such a run depends on it."""


def selftest(contract: Contract, subject: Subject, options: Options, observer: Observer) -> Table:
    """Try every fault that fits a target and return who noticed what.

    Ctrl-C passes through once every process is ended and every scratch folder removed.

    Raises:
        UsageError: if a glob names no fault.
    """
    trials = chosen(all_trials(), options.faults)
    began = time.monotonic()
    with (
        interrupted_once(),
        scratch_folder(keep=False) as folder,
        Pool(Setting.of(contract, subject), options.jobs, folder) as pool,
    ):
        observer.stage("the contract without a fault")
        clean = _clean(pool, contract, subject, trials, options)
        name = subject.target.spec
        partial = bool(options.faults)
        if not clean.stands:
            took = time.monotonic() - began
            return account.table(contract, name, clean, (), trials, partial=partial, seconds=took)
        is_reference = REFERENCE in subject.argv
        fit = [t for t in trials if account.applies(contract, t, clean, is_reference=is_reference)]
        rows = list(_rows(pool, contract, subject, clean, fit, options, observer))
    order = {trial.name: index for index, trial in enumerate(trials)}
    rows.sort(key=lambda row: order[row.trial.name])
    skipped = [trial for trial in trials if trial not in fit]
    took = time.monotonic() - began
    return account.table(contract, name, clean, rows, skipped, partial=partial, seconds=took)


def _clean(pool: Pool, contract: Contract, subject: Subject, trials: Sequence[Trial], options: Options) -> Outcome:
    clauses = tuple(clause.id for clause in contract.clauses)
    if options.faults and not options.thorough:
        # What no chosen fault is about says nothing here; one clause is asked for what the target is.
        clauses = account.concerned(contract, trials) or clauses[:1]
    task = Task("", subject.argv, clauses, options.request_timeout, jobs=options.jobs)
    return next(pool.outcomes((task,)))[1]


def _rows(
    pool: Pool, contract: Contract, subject: Subject, clean: Outcome, fit: list[Trial], options: Options,
    observer: Observer,
) -> Iterator[Row]:  # fmt: skip
    by_name = {trial.name: trial for trial in fit}
    tasks = [
        Task(
            trial.name,
            command(trial, subject.argv),
            () if options.thorough else account.asked(contract, trial, clean),
            options.deadline if trial.silent else options.request_timeout,
            change=trial.name if trial.kind == "schema" else None,
        )
        for trial in fit
    ]
    observer.plan(len(tasks))
    for task, outcome in pool.outcomes(tasks):
        row = account.row(contract, by_name[task.name], clean, outcome)
        observer.tried(row)
        yield row
