"""What came of the runs, made into a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import semver

from hive_gate import __version__
from hive_gate.contract.model import Clause, Contract
from hive_gate.matrix import model
from hive_gate.matrix.results import gate_digest
from hive_gate.matrix.runs import Outcome
from hive_gate.report.model import ClauseResult, Report
from hive_gate.target.platforms import this_platform


def matrix(sheets: Sequence[model.Sheet]) -> model.Matrix:
    """Return the matrix of what this hive-gate judged on this machine."""
    return model.Matrix(__version__, gate_digest(), this_platform(), tuple(sheets))


def sheet(
    contract: Contract,
    outcomes: Sequence[Outcome],
    reports: Mapping[str, Report],
    places: Mapping[str, str],
    baseline: model.Baseline | None = None,
) -> model.Sheet:
    """Return how one contract fares.

    Args:
        contract: the contract.
        outcomes: one for each version, in any order.
        reports: by version, the reports of the judged ones as they are to be shown: with the baseline applied, if any.
        places: by version, where its report.json is, from the folder of matrix.json.
        baseline: what was applied.
    """
    ordered = sorted(outcomes, key=lambda outcome: semver.Version.parse(outcome.task.version))
    results = [
        {c.id: c for c in reports[outcome.task.version].clauses} if outcome.state == "judged" else None
        for outcome in ordered
    ]
    return model.Sheet(
        contract=model.Contract(contract.name, contract.version, contract.sha256, contract.title, contract.pinned),
        baseline=baseline,
        suites=dict(contract.suites),
        columns=tuple(column(o, reports.get(o.task.version), places.get(o.task.version)) for o in ordered),
        rows=tuple(
            _row(clause, [None if found is None else found[clause.id] for found in results])
            for clause in contract.clauses
        ),
    )


def column(outcome: Outcome, shown: Report | None, place: str | None) -> model.Column:
    """Return what came of one version.

    Args:
        outcome: as it was judged.
        shown: its report as it is to be shown; None if there is none.
        place: where that is, from the folder of matrix.json.
    """
    raw = outcome.report
    judged = shown if outcome.state == "judged" else None
    return model.Column(
        version=outcome.task.version,
        state=outcome.state,
        problem=outcome.problem,
        program=raw.target.sha256 if raw else None,
        size=raw.target.size if raw else None,
        run=raw.run.id if raw else None,
        started=raw.run.started if raw else None,
        seconds=outcome.seconds,
        from_cache=outcome.from_cache,
        raw=raw.gate if raw and judged else None,
        gate=judged.gate if judged else None,
        counts=judged.counts if judged else {},
        stale=judged.baseline.problems if judged and judged.baseline else (),
        report=place if raw else None,
    )


def _row(clause: Clause, results: Sequence[ClauseResult | None]) -> model.Row:
    product = "".join(f"/{label}" for label in clause.axes.values())
    return model.Row(
        clause=clause.id,
        suite=clause.suite,
        family=clause.id.removesuffix(product),
        level=clause.level,
        expected=clause.promise,
        why=clause.why,
        source=clause.source,
        cells=tuple(None if result is None else _cell(result) for result in results),
    )


def _cell(result: ClauseResult) -> model.Cell:
    actual = None if result.verdict == "pass" else result.actual
    return model.Cell(result.verdict, actual, result.fingerprint, result.waiver)
