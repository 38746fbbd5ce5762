"""The gate against a server that is tampered with on the way: each fault is noticed, each clause can fail."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.faults.themes import FAULTS, PRETENSES
from hive_gate.probe.subject import Subject
from hive_gate.selftest.trial import Trial, all_trials, concerns, named
from tests.support.noticing import probe, tried

pytestmark = pytest.mark.proof

PINNED = load_contract(DEFAULT_CONTRACT)
TRIALS = {trial.name: trial for trial in all_trials() if concerns(PINNED, trial)}
"""Those of the next contract alone are tried in `test_next_contract.py`."""

OUTSIDE = [trial for trial in TRIALS.values() if trial.kind != "reference"]
"""Those inside the reference server are proven beside it."""

BEFORE_CODEX = [trial.name for trial in OUTSIDE if not trial.only_reference]
BEFORE_REFERENCE = [trial.name for trial in OUTSIDE if trial.only_reference]


def clauses_of(contract: Contract, trial: Trial) -> set[str]:
    return {clause for notice in trial.noticed for clause in named(contract, notice.clause)}


def test_a_relay_without_a_fault_changes_no_verdict(contract: Contract, pinned: Subject) -> None:
    argv = (sys.executable, "-P", "-m", "hive_gate.faults", "--", *pinned.argv)
    report = probe(contract, replace(pinned, argv=argv), ())
    required = [result for result in report.clauses if result.level == "required"]
    assert [result.id for result in required if result.verdict not in ("pass", "not-offered")] == []
    assert report.gate == "open"
    assert {(server.stop, server.exit_code) for server in report.servers} == {("eof", 0)}


@pytest.mark.parametrize("name", BEFORE_CODEX)
def test_the_fault_is_noticed_on_the_real_server(
    contract: Contract, pinned: Subject, name: str, tmp_path: Path
) -> None:
    row = tried(contract, pinned, TRIALS[name], tmp_path)
    assert row.missed == ()


@pytest.mark.parametrize("name", BEFORE_REFERENCE)
def test_the_fault_is_noticed_on_the_reference_server(
    contract: Contract, reference: Subject, name: str, tmp_path: Path
) -> None:
    row = tried(contract, reference, TRIALS[name], tmp_path)
    assert row.missed == ()


def test_every_clause_is_made_to_fail_by_a_fault(contract: Contract) -> None:
    proven = set().union(*(clauses_of(contract, trial) for trial in TRIALS.values()))
    assert [clause.id for clause in contract.clauses if clause.id not in proven] == []


def test_every_fault_says_which_clauses_have_to_notice_it(contract: Contract) -> None:
    broken = [trial for trial in TRIALS.values() if trial.kind != "pretense"]
    assert [trial.name for trial in broken if not clauses_of(contract, trial)] == []


def test_a_fault_that_pretends_is_noticed_only_where_its_pretense_holds(contract: Contract) -> None:
    for fault in FAULTS.values():
        if fault.pretends is not None:
            pretense = PRETENSES[fault.pretends]
            held = {clause for glob in pretense.holds for clause in named(contract, glob)}
            assert clauses_of(contract, TRIALS[fault.name]) <= held
            assert fault.target == pretense.target
