"""A contract of three clauses, and runs of it that are made up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.faults.fault import Notice
from hive_gate.selftest.outcome import Ground, Outcome, Shown
from hive_gate.selftest.trial import Trial

READ, LIST, ADVICE = "read.unknown-thread", "turns-list.unknown-thread", "schema.items-list-offered"


@pytest.fixture(scope="session")
def contract() -> Contract:
    from dataclasses import replace

    whole = load_contract(DEFAULT_CONTRACT)
    return replace(whole, clauses=tuple(clause for clause in whole.clauses if clause.id in (READ, LIST, ADVICE)))


def ran(*grounds: tuple[str, str, str | None], **others: str) -> Outcome:
    """A run in which a clause failed for each (clause, check, pointer) and the others passed, unless told otherwise."""
    levels = {READ: "required", LIST: "required", ADVICE: "advisory"}
    clauses = {
        name: Shown(level, others.get(name.partition(".")[0].replace("-", "_"), "pass"))
        for name, level in levels.items()
    }
    for name, check, pointer in grounds:
        verdict = "fail" if levels[name] == "required" else "warn"
        clauses[name] = Shown(levels[name], verdict, (*clauses[name].grounds, Ground(check, pointer, "it is not")))
    closed = any(shown.verdict == "fail" for shown in clauses.values())
    return Outcome("closed" if closed else "open", clauses, (("eof", 0),))


def trial(*noticed: Notice, name: str = "broken") -> Trial:
    return Trial(name, "relay", "Something is broken.", noticed)


@pytest.fixture
def made() -> Callable[..., Outcome]:
    return ran


@pytest.fixture
def fault() -> Callable[..., Trial]:
    return trial
