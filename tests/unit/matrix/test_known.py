"""Runs that are at hand: of an installed program, by exactly this contract."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import hive_gate.matrix.known
from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.matrix.known import known
from hive_gate.matrix.results import Results
from hive_gate.report.model import Report
from hive_gate.target.cache import Cache
from tests.unit.matrix.faked import report, result

CONTRACT = load_contract(DEFAULT_CONTRACT)
PROGRAMS = {"0.142.5": "aa" * 32, "0.143.0": "bb" * 32}


def whole(version: str) -> Report:
    """A run of every clause of the contract."""
    made = report(version, [result(clause.id, "pass") for clause in CONTRACT.clauses])
    return replace(
        made,
        target=replace(made.target, sha256=PROGRAMS[version]),
        contract=replace(made.contract, sha256=CONTRACT.sha256),
    )


def test_it_is_found_by_program_and_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hive_gate.matrix.known, "installed_sha256", lambda version, _: PROGRAMS.get(version))
    cache = Cache(tmp_path)
    assert Results.of(cache).keep(whole("0.143.0"), CONTRACT)

    found = known(["0.142.5", "0.143.0", "0.144.6"], CONTRACT, cache)

    assert list(found) == ["0.143.0"]
    assert (found["0.143.0"].state, found["0.143.0"].from_cache) == ("judged", True)
    assert known(["0.143.0"], replace(CONTRACT, sha256="cc" * 32), cache) == {}
