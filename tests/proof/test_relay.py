"""The gate against a real server that is tampered with on the way: each fault is noticed, each clause can fail."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.contract.model import Contract
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import Subject
from hive_gate.report.model import Report
from tests.support import relay
from tests.support.bundles import CHANGES, Change, changed
from tests.support.noticing import named, unnoticed
from tests.support.relay.fault import Fault, Notice
from tests.support.relay.faults import FAULTS

pytestmark = pytest.mark.proof

RELAY = str(Path(relay.__file__).parent)

BROKEN: tuple[Fault | Change, ...] = (*FAULTS.values(), *CHANGES.values())

UNTOUCHED = "handshake.initialize"
"""A required clause that no change of the schemas touches: without any, a gate is never open."""

DEADLINE = 1.0
"""Seconds for a request that is never answered: it has to pass, and nothing else of such a run depends on it."""


def through_relay(subject: Subject, fault: Fault | None) -> Subject:
    """Return the subject with the relay before it."""
    name = () if fault is None else ("--fault", fault.name)
    return replace(subject, argv=(sys.executable, RELAY, *name, "--", *subject.argv))


def probe(contract: Contract, subject: Subject, clauses: tuple[str, ...], settings: Settings | None = None) -> Report:
    return run(contract, subject, Selection(clauses=clauses), settings or Settings(), Silent())


def clauses_of(notices: tuple[Notice, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(notice.clause for notice in notices))


def ends(report: Report) -> set[tuple[str, int | None]]:
    return {(server.stop, server.exit_code) for server in report.servers}


def test_a_relay_without_a_fault_changes_no_verdict(contract: Contract, pinned: Subject) -> None:
    report = probe(contract, through_relay(pinned, None), ())
    assert [result.id for result in report.clauses if result.verdict != "pass"] == []
    assert report.gate == "open"
    assert ends(report) == {("eof", 0)}


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_noticed_by_the_clauses_that_name_it(contract: Contract, pinned: Subject, name: str) -> None:
    fault = FAULTS[name]
    settings = Settings(request_timeout=DEADLINE) if fault.silent else Settings()
    report = probe(contract, through_relay(pinned, fault), (*clauses_of(fault.noticed), *fault.beside), settings)
    assert list(unnoticed(contract, report, fault.noticed)) == []
    assert report.gate == "closed"
    # Noticed by what came back, not by a relay or a server that broke.
    assert report.run.problem is None
    assert ends(report) == {("eof", 0)}


@pytest.mark.parametrize("name", CHANGES)
def test_the_change_of_the_schemas_is_noticed_by_the_clauses_that_name_it(
    contract: Contract, pinned: Subject, name: str, tmp_path: Path
) -> None:
    change = CHANGES[name]
    assert pinned.bundle is not None
    subject = replace(pinned, bundle=changed(pinned.bundle, change, tmp_path / "schemas"))
    report = probe(contract, subject, (*clauses_of(change.noticed), UNTOUCHED))
    assert list(unnoticed(contract, report, change.noticed)) == []
    # An advisory clause warns, and the gate stays open.
    assert report.gate == ("closed" if "fail" in {result.verdict for result in report.clauses} else "open")


def test_every_clause_is_made_to_fail_by_a_fault_or_a_change(contract: Contract) -> None:
    notices = [notice for broken in BROKEN for notice in broken.noticed]
    proven = {clause for notice in notices for clause in named(contract, notice)}
    assert [clause.id for clause in contract.clauses if clause.id not in proven] == []


def test_every_fault_says_who_has_to_notice_it() -> None:
    assert [broken.name for broken in BROKEN if not broken.noticed] == []
