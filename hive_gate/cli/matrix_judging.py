"""The part of `hive-gate matrix` that probes: from contracts and versions to a matrix and the files of each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import typer

from hive_gate.baseline.apply import apply
from hive_gate.baseline.model import BaselineFile
from hive_gate.cli.matrix_drawing import drawing
from hive_gate.cli.outcome import make_folder
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.errors import UsageError
from hive_gate.matrix import gather, model
from hive_gate.matrix.runs import Outcome, Settings, Task, outcomes
from hive_gate.matrix.versions import Words
from hive_gate.probe.pool import interrupted_once
from hive_gate.report.jsonfile import write_report
from hive_gate.report.model import Report


@dataclass(frozen=True, slots=True)
class Bench:
    """What versions are judged by."""

    contracts: tuple[Contract, ...]
    baselines: tuple[BaselineFile | None, ...]
    """For each contract."""

    @classmethod
    def of(cls, paths: Sequence[Path], baselines: Sequence[BaselineFile | None]) -> Bench:
        """Load contracts.

        Args:
            paths: the files.
            baselines: for each, the failures that are accepted.

        Raises:
            ContractError: one is not valid.
            UsageError: two are the same.
        """
        contracts = tuple(map(load_contract, paths))
        for index, contract in enumerate(contracts):
            if contract.sha256 in {other.sha256 for other in contracts[:index]}:
                raise UsageError(f"the contract {contract.path} is named twice", hint="name each contract once")
        return cls(contracts, tuple(baselines))

    @property
    def words(self) -> Words:
        """What `accepted` and `pinned` mean: the first contract's."""
        first, baseline = self.contracts[0], self.baselines[0]
        return Words((baseline.accepted if baseline else None) or first.pinned, first.pinned)

    def folder(self, contract: Contract, version: str) -> str:
        """Return where the report of a run goes, from the folder of matrix.json."""
        if len(self.contracts) == 1:
            return version
        names = [(each.name, each.version) for each in self.contracts]
        once = names.count((contract.name, contract.version)) == 1
        name = f"{contract.name}-{contract.version}" + ("" if once else f"-{contract.sha256[:8]}")
        return f"{''.join(c if c.isalnum() or c in '.-_' else '-' for c in name)}/{version}"

    def name(self, task: Task) -> str:
        """Return what to call a run."""
        if len(self.contracts) == 1:
            return task.version
        contract = next(c for c in self.contracts if c.path == task.contract)
        return f"{task.version}  {contract.name} {contract.version}"


def judge(bench: Bench, versions: Sequence[str], settings: Settings, out: Path) -> model.Matrix:
    """Judge versions by contracts, write the files of each run, and return the matrix.

    Raises:
        UsageError: the folder cannot be written.
        TargetError: there is no scratch folder to be had.
    """
    make_folder(out)
    # The newest first: it is what is asked about, and takes longest, so that little is left for one worker in the end.
    tasks = [Task(version, contract.path) for contract in bench.contracts for version in reversed(versions)]
    sheets = [_Sheet(bench, index, out) for index in range(len(bench.contracts))]
    by_path = {sheet.contract.path: sheet for sheet in sheets}
    with interrupted_once():
        _take(tasks, settings, by_path, bench)
    return gather.matrix([sheet.whole() for sheet in sheets])


def _take(tasks: Sequence[Task], settings: Settings, by_path: Mapping[Path, _Sheet], bench: Bench) -> None:
    """Do the tasks and tell each as it comes."""
    done = 0
    try:
        with (
            drawing(bench.name) as observer,
            closing(outcomes(tasks, settings, observer, bench.contracts)) as coming,
        ):
            observer.begin(len(tasks))
            for outcome in coming:
                done += 1  # whatever happens to the line that tells it, it is kept
                observer.tell(outcome, by_path[outcome.task.contract].take(outcome))
    except KeyboardInterrupt:
        if done:
            again = "the same command without --fresh" if settings.fresh else "the same command"
            told = f"{done} of {len(tasks)} runs are done; {again} goes on from there"
            typer.echo(f"hive-gate: {told}", err=True)
        raise


class _Sheet:
    """What came of one contract so far."""

    def __init__(self, bench: Bench, index: int, out: Path) -> None:
        self.contract = bench.contracts[index]
        self._baseline = bench.baselines[index]
        self._bench = bench
        self._out = out
        self._outcomes: list[Outcome] = []
        self._reports: dict[str, Report] = {}
        self._places: dict[str, str] = {}

    def take(self, outcome: Outcome) -> model.Column:
        """Take what came of one version, write its files, and return its column."""
        version = outcome.task.version
        self._outcomes.append(outcome)
        if outcome.report is not None:
            shown = self._shown(outcome.report)
            folder = self._bench.folder(self.contract, version)
            self._reports[version] = shown
            self._places[version] = f"{folder}/report.json"
            write_report(shown, self._out / folder / "report.json")
        return gather.column(outcome, self._reports.get(version), self._places.get(version))

    def whole(self) -> model.Sheet:
        """Return the sheet, once every version is there."""
        baseline = self._baseline
        told = None if baseline is None else model.Baseline(str(baseline.path), baseline.sha256)
        return gather.sheet(self.contract, self._outcomes, self._reports, self._places, told)

    def _shown(self, report: Report) -> Report:
        if self._baseline is None:
            return report
        ids = [clause.id for clause in self.contract.clauses]
        return apply(report, self._baseline, ids, datetime.now(UTC).date())
