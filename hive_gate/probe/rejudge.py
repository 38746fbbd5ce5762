"""A recorded run judged again without a server: by its own contract, or by another that asks the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from hive_gate.contract.model import Clause, Contract
from hive_gate.drift.bundle import Bundle
from hive_gate.errors import UsageError
from hive_gate.probe.assemble import contract_facts, notes
from hive_gate.probe.judge import Judge
from hive_gate.probe.news import news
from hive_gate.probe.plan import Selection, looks_at_traffic, missing_need, needs_server, select
from hive_gate.probe.question import question
from hive_gate.probe.record import ClauseRecord, StepRecord
from hive_gate.probe.whole import answered, judge_whole
from hive_gate.report.model import ClauseResult, Report, gate_of
from hive_gate.scene.truth import from_json
from hive_gate.wire.transcript import Exchange


def judge_again(report: Report, contract: Contract, bundle: Bundle | None) -> Report:
    """Return the report with every clause of a contract judged on what the run recorded.

    What the run did not ask as this contract asks it is `blocked`, and says so; what was blocked when it ran stays so.
    By the contract that the run was made with the result is the same report, times included, since nothing runs.
    No baseline is applied.

    Args:
        report: a run as it was written; not a redacted one.
        contract: the contract to judge by.
        bundle: the schemas of the program that ran; None where they are not here: what needs them is then `blocked`,
            if the run had them.

    Raises:
        UsageError: if the report is redacted, or its selection names nothing in the contract.
    """
    if report.run.redacted:
        raise UsageError(
            "The report is redacted, and what was judged is no longer in it.",
            hint="judge the report.json that the probe wrote, not one that was rendered with --redact",
        )
    chosen = select(contract, _selection(report))
    recorded = {clause.id: clause for clause in report.clauses}
    judge = Judge(contract, report.messages, bundle)
    again = _Again(report, contract, bundle, judge)
    results = tuple(again.clause(clause, recorded.get(clause.id)) for clause in chosen)
    exchanges = [exchange for result in results for exchange in result.exchanges]
    return replace(
        report,
        gate=gate_of(results),
        contract=contract_facts(contract),
        clauses=results,
        constraints=notes(contract.constraints, results, report.measurement),
        decisions=notes(contract.decisions, results, report.measurement),
        suites=dict(contract.suites),
        news=news(contract, exchanges, report.messages, report.oddities, report.servers),
        baseline=None,
    )


def _selection(report: Report) -> Selection:
    """Return what the run was asked for."""
    said = report.run.selection
    return Selection(tuple(said.get("suites", ())), tuple(said.get("clauses", ())), said.get("level"))


class _Again:
    def __init__(self, report: Report, contract: Contract, bundle: Bundle | None, judge: Judge) -> None:
        self._report = report
        self._contract = contract
        self._bundle = bundle
        self._judge = judge

    def clause(self, clause: Clause, was: ClauseResult | None) -> ClauseResult:
        """Judge one clause."""
        lacking: Mapping[str, str] = self._report.lacking
        nothing = ClauseRecord(clause.id, {}, {}, seconds=was.seconds if was else 0.0)
        if self._bundle is None and self._report.target.schema_from is not None and "schema" in clause.needs:
            why = "the schemas of the program that ran are not here"
            return self._judge.result(clause, nothing, "blocked", (), why)
        missing = missing_need(clause, self._bundle, lacking)
        if missing is not None:
            return self._judge.result(clause, nothing, "not-offered", (), missing)
        if not needs_server(clause):
            return self._whole(clause, nothing)
        if was is None or was.asked != question(self._contract, clause):
            why = "this run did not ask it" if was is None else "this run asked it in another way"
            return self._judge.result(clause, nothing, "blocked", (), f"{why}: probe again with this contract")
        # Of a clause that the baseline speaks of, the verdict before it did.
        raw = was.waiver.was if was.waiver and was.waiver.was else was.verdict
        if raw in ("blocked", "error"):
            return self._judge.result(clause, self._record(clause, was), raw, (), was.actual)
        if raw == "not-offered":
            return self._judge.result(clause, nothing, "blocked", (), "this run did not ask it: it was not offered")
        return self._judge.judge(clause, self._record(clause, was))

    def _whole(self, clause: Clause, nothing: ClauseRecord) -> ClauseResult:
        report = self._report
        if report.run.problem and looks_at_traffic(clause):
            return self._judge.judge(clause, replace(nothing, blocked=f"not judged: {report.run.problem}"))
        findings, looked = judge_whole(
            clause, self._contract, self._bundle, answered(report.messages), report.messages, report.oddities
        )
        return self._judge.of_findings(clause, nothing, tuple(findings), looked)

    def _record(self, clause: Clause, was: ClauseResult) -> ClauseRecord:
        """Return what was asked and what came, as it was when the run judged it."""
        scene = self._report.scenes.get(scene_key(clause))
        if scene is None:
            return ClauseRecord(clause.id, {}, {}, seconds=was.seconds)
        truth = from_json(scene["threads"])
        names = {**self._contract.values, **scene["names"], **{name: thread.id for name, thread in truth.items()}}
        by_step: dict[int | None, list[Exchange]] = defaultdict(list)
        for exchange in was.exchanges:
            by_step[exchange.step].append(exchange)
        steps = tuple(
            StepRecord(step.step, tuple(by_step[step.step]), step.awaited, step.facts, step.trouble)
            for step in was.steps
        )
        return ClauseRecord(clause.id, names, truth, steps, None, was.seconds)


def scene_key(clause: Clause) -> str:
    """Return under which name a report has the stored threads that a clause was judged on."""
    if clause.own in ("home", "thread"):
        return f"{clause.scene}#{clause.id}"
    return clause.scene if clause.connection == "hive" else f"{clause.scene}@{clause.connection}"
