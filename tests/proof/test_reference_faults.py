"""Each fault of the reference server is noticed by the clauses that it names, for the reason that it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest

from hive_gate.contract.model import Contract
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import Subject
from hive_gate.reference.faults import FAULTS, Fault, Notice
from hive_gate.report.model import ClauseResult, Finding, Report

pytestmark = pytest.mark.proof

DEADLINE = 1.0
"""Seconds for what never comes: it has to pass, and nothing else of such a run depends on it."""


def clauses_of(fault: Fault) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*(notice.clause for notice in fault.noticed), *fault.beside]))


def named(contract: Contract, notice: Notice) -> list[str]:
    ids = [clause.id for clause in contract.clauses]
    return [one for one in ids if fnmatchcase(one, notice.clause) or one.startswith(notice.clause + "/")]


def unnoticed(contract: Contract, report: Report, fault: Fault) -> Iterator[str]:
    results = {result.id: result for result in report.clauses}
    for notice in fault.noticed:
        clauses = named(contract, notice)
        if not clauses:
            yield f"the contract has no clause {notice.clause}"
        yield from (told(results[one], notice) for one in clauses if not noticed(results[one], notice))


def noticed(result: ClauseResult, notice: Notice) -> bool:
    failed = "fail" if result.level == "required" else "warn"
    return result.verdict == failed and any(fits(finding, notice) for finding in result.findings)


def fits(finding: Finding, notice: Notice) -> bool:
    where = notice.pointer is None or fnmatchcase(finding.pointer or "", notice.pointer)
    return finding.check == notice.check and where


def told(result: ClauseResult, notice: Notice) -> str:
    found = "; ".join(f"{one.check} at {one.pointer}: {one.actual[:120]}" for one in result.findings[:4])
    return f"{result.id} should fail by {notice.check} at {notice.pointer or 'any place'}: {result.verdict}, {found}"


def test_without_a_fault_the_gate_is_open_and_only_what_is_of_other_versions_does_not_apply(
    contract: Contract, reference: Subject
) -> None:
    report = run(contract, reference, Selection(), Settings(), Silent())
    assert report.gate == "open"
    other = {result.id: result for result in report.clauses if result.verdict != "pass"}
    assert {result.verdict for result in other.values()} == {"not-offered"}
    assert [one for one in other if not one.startswith(("history-mode.false-empty", "history-mode.fails-open"))] == []
    lacking = {result.actual.split(".")[0] for result in other.values()}
    assert lacking == {"it lacks the capability paginated", "it lacks the capability no-history-mode"}


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_noticed_by_the_clauses_that_name_it(contract: Contract, reference: Subject, name: str) -> None:
    fault = FAULTS[name]
    subject = replace(reference, argv=(*reference.argv, "--fault", name))
    settings = Settings(request_timeout=DEADLINE) if fault.silent else Settings()
    report = run(contract, subject, Selection(clauses=clauses_of(fault)), settings, Silent())
    assert list(unnoticed(contract, report, fault)) == []
    # Noticed by what came back, not by a server that broke.
    assert report.run.problem is None
    assert {(server.stop, server.exit_code) for server in report.servers} == {("eof", 0)}
    assert not any("the reference server failed" in str(message.body) for message in report.messages)


def test_every_fault_has_a_sentence_a_notice_and_a_part_that_it_replaces() -> None:
    assert [fault.name for fault in FAULTS.values() if not (fault.noticed and fault.swaps)] == []
    assert [fault.name for fault in FAULTS.values() if not fault.breaks.endswith(".")] == []
    assert len(FAULTS) == sum(1 for _ in {fault.breaks for fault in FAULTS.values()})
