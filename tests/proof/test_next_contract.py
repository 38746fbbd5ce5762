"""The clauses that only the next contract has can fail: each is made to by a fault before the real server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import own_clauses
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.probe.observe import Silent
from hive_gate.probe.subject import Subject, codex
from hive_gate.selftest.trial import Trial, all_trials, concerns, named
from tests.support.noticing import tried

pytestmark = pytest.mark.proof

PINNED, NEXT = load_contract(DEFAULT_CONTRACT), own_clauses(load_contract(NEXT_CONTRACT))
WATCHED = ("history-mode.false-empty-before-resume", "history-mode.reverted-projection-lost")
"""Advice that the pinned version does not keep: it is seen to fail without any fault, in `tests/live`."""

CLAUSES = {clause.id for clause in NEXT.clauses if not clause.id.startswith(WATCHED)}


def clauses_of(trial: Trial) -> set[str]:
    return {clause for notice in trial.noticed for clause in named(NEXT, notice.clause)}


def cover(trials: Sequence[Trial]) -> Iterator[Trial]:
    """Yield few trials that together make every clause fail, those first that are about this contract alone.

    All of them are tried by `hive-gate selftest --contract contracts/hive-app-server-contract.next.json`.
    """
    left = set(CLAUSES)
    while left:
        best = max(trials, key=lambda trial: (len(FAILED_BY[trial.name] & left), not concerns(PINNED, trial)))
        if not FAILED_BY[best.name] & left:
            return
        left -= FAILED_BY[best.name]
        yield best


FAILED_BY = {trial.name: clauses_of(trial) for trial in all_trials() if trial.kind in ("relay", "schema")}
TRIALS = {trial.name: trial for trial in all_trials() if FAILED_BY.get(trial.name)}
TRIED = [trial.name for trial in cover(list(TRIALS.values()))]


@pytest.fixture(scope="module")
def server() -> Subject:
    return codex(NEXT.pinned, Silent())


@pytest.mark.parametrize("name", TRIED)
def test_the_fault_is_noticed_on_the_real_server(server: Subject, name: str, tmp_path: Path) -> None:
    row = tried(NEXT, server, TRIALS[name], tmp_path)
    assert row.missed == ()


def test_every_clause_is_made_to_fail_by_a_fault_that_is_tried() -> None:
    proven = set().union(*(FAILED_BY[name] for name in TRIED))
    assert CLAUSES - proven == set()
    assert len(CLAUSES) > 100
