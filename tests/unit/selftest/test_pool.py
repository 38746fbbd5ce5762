"""Workers do what they are told, say what went wrong, and end with their pool."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.probe.observe import Silent
from hive_gate.probe.subject import codex
from hive_gate.selftest.pool import Pool
from hive_gate.selftest.task import Setting, Task

CLAUSE = ("turns-list.unknown-thread",)
REFERENCE = (sys.executable, "-m", "hive_gate.reference")


@contextmanager
def pool(folder: Path, jobs: int = 2) -> Iterator[Pool]:
    setting = Setting.of(load_contract(DEFAULT_CONTRACT), codex("reference", Silent()))
    with Pool(setting, jobs, folder) as opened:
        yield opened


def interrupted(outcomes: Iterator[object]) -> None:
    next(outcomes)
    raise KeyboardInterrupt


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def test_each_task_has_its_outcome(tmp_path: Path) -> None:
    broken = (*REFERENCE, "--fault", "no-such-fault")
    tasks = [
        Task("good", REFERENCE, CLAUSE, 10.0),
        Task("does not start", broken, CLAUSE, 10.0),
        Task("no such clause", REFERENCE, ("turns-list.nothing",), 10.0),
        Task("no such change", REFERENCE, CLAUSE, 10.0, change="nothing"),
    ]
    with pool(tmp_path) as workers:
        found = {task.name: outcome for task, outcome in workers.outcomes(tasks)}
    assert found["good"].clauses[CLAUSE[0]].verdict == "pass"
    assert found["good"].ends
    assert set(found["good"].ends) == {("eof", 0)}
    assert str(found["does not start"].problem).startswith("the server ended before it answered `initialize`")
    assert found["no such clause"].error == "the contract has no clause 'turns-list.nothing'"
    assert found["no such change"].error == "KeyError: 'nothing'"


def test_a_worker_that_dies_is_told_and_replaced(tmp_path: Path) -> None:
    with pool(tmp_path, jobs=1) as workers:
        assert next(workers.outcomes([Task("first", REFERENCE, CLAUSE, 10.0)]))[1].gate == "open"
        (worker,) = [child for child in psutil.Process().children() if "hive_gate.selftest.worker" in child.cmdline()]
        worker.kill()
        assert "its process ended with -9" in str(
            next(workers.outcomes([Task("cut", REFERENCE, CLAUSE, 10.0)]))[1].error
        )
        assert next(workers.outcomes([Task("next", REFERENCE, CLAUSE, 10.0)]))[1].gate == "open"


def test_a_pool_that_is_left_in_the_middle_leaves_no_process_behind(tmp_path: Path) -> None:
    before = children()
    tasks = [Task(str(n), REFERENCE, CLAUSE, 10.0) for n in range(20)]
    with pytest.raises(KeyboardInterrupt), pool(tmp_path) as workers:
        interrupted(workers.outcomes(tasks))
    assert children() == before
