"""Results that are kept: what stands for a run, and what must not."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.matrix import results as module
from hive_gate.matrix.results import Results
from hive_gate.report.jsonfile import write_report
from hive_gate.report.model import Baseline, Finding, Report
from tests.unit.matrix.faked import report, result

PROGRAM = "12" * 32


@pytest.fixture(scope="module")
def contract() -> Contract:
    whole = load_contract(DEFAULT_CONTRACT)
    return replace(whole, clauses=whole.clauses[:3])


@pytest.fixture
def ran(contract: Contract) -> Report:
    made = report("0.142.5", [result(clause.id, "pass") for clause in contract.clauses])
    about = replace(made.contract, sha256=contract.sha256)
    return replace(made, target=replace(made.target, sha256=PROGRAM), contract=about)


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return Results(tmp_path / "results")


def test_a_run_is_found_again(results: Results, ran: Report, contract: Contract) -> None:
    assert results.find(PROGRAM, contract) is None
    assert results.keep(ran, contract)
    assert results.find(PROGRAM, contract) == ran


def test_another_program_contract_or_gate_is_another_run(
    results: Results, ran: Report, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.keep(ran, contract)
    assert results.find("34" * 32, contract) is None
    assert results.find(PROGRAM, replace(contract, sha256="56" * 32)) is None
    monkeypatch.setattr(module, "gate_digest", lambda: "an edited gate")
    assert results.find(PROGRAM, contract) is None


def failed_by(check: str, told: Report) -> Report:
    first, *others = told.clauses
    broken = replace(first, verdict="fail", findings=(Finding(check, "it is so", "it is not"),))
    return replace(told, gate="closed", clauses=(broken, *others))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: replace(r, run=replace(r.run, partial=True)),
        lambda r: replace(r, run=replace(r.run, interrupted=True)),
        lambda r: replace(r, run=replace(r.run, problem="it died")),
        lambda r: replace(r, clauses=(replace(r.clauses[0], verdict="blocked"), *r.clauses[1:])),
        lambda r: replace(r, clauses=(replace(r.clauses[0], verdict="error"), *r.clauses[1:])),
        lambda r: replace(r, clauses=()),
        lambda r: replace(r, target=replace(r.target, sha256=None)),
        lambda r: replace(r, baseline=Baseline("/b", "ab" * 32, 0, 0)),
        lambda r: failed_by("answer", r),
    ],
)  # fmt: skip
def test_what_may_come_out_differently_is_not_kept(
    spoil: Callable[[Report], Report], results: Results, ran: Report, contract: Contract
) -> None:
    assert not results.keep(spoil(ran), contract)
    assert results.find(PROGRAM, contract) is None


def test_a_failure_by_what_the_server_said_is_kept(results: Results, ran: Report, contract: Contract) -> None:
    assert results.keep(failed_by("error", ran), contract)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path, ran: path.write_bytes(b""),
        lambda path, ran: path.write_bytes(path.read_bytes()[:-40]),
        lambda path, ran: write_report(replace(ran, target=replace(ran.target, sha256="99" * 32)), path),
        lambda path, ran: write_report(replace(ran, contract=replace(ran.contract, sha256="99" * 32)), path),
        lambda path, ran: write_report(replace(ran, clauses=ran.clauses[:2]), path),
        lambda path, ran: write_report(replace(ran, run=replace(ran.run, partial=True)), path),
    ],
)
def test_a_damaged_or_foreign_result_is_removed(
    damage: Callable[[Path, Report], object], results: Results, ran: Report, contract: Contract
) -> None:
    results.keep(ran, contract)
    path = results.path(PROGRAM, contract)
    damage(path, ran)
    assert results.find(PROGRAM, contract) is None
    assert not path.exists()


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path, ran: Report, contract: Contract) -> None:
    (tmp_path / "results").write_text("a file")
    assert not Results(tmp_path / "results").keep(ran, contract)


def test_of_too_many_the_ones_that_were_not_used_go(
    results: Results, ran: Report, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 3)
    programs = [f"{number:064x}" for number in range(3)]
    for age, program in enumerate(programs):
        results.keep(replace(ran, target=replace(ran.target, sha256=program)), contract)
        os.utime(results.path(program, contract), (age, age))
    assert results.find(programs[0], contract)  # used just now
    results.keep(ran, contract)
    left = {program for program in (*programs, PROGRAM) if results.path(program, contract).exists()}
    assert left == {programs[0], programs[2], PROGRAM}


def test_of_too_large_ones_only_the_newest_stay(
    results: Results, ran: Report, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.keep(replace(ran, target=replace(ran.target, sha256="34" * 32)), contract)
    os.utime(results.path("34" * 32, contract), (1, 1))
    monkeypatch.setattr(module, "MOST_BYTES", results.path("34" * 32, contract).stat().st_size + 10)
    assert results.keep(ran, contract)
    assert not results.path("34" * 32, contract).exists()


def test_the_digest_of_the_gate_follows_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "hive_gate"
    (package / "probe").mkdir(parents=True)
    (package / "probe" / "judge.py").write_text("x = 1\n")
    monkeypatch.setattr(module, "_PACKAGE", package)
    fresh = module.gate_digest.__wrapped__
    before = fresh()
    assert fresh() == before
    (package / "probe" / "judge.py").write_text("x = 2\n")
    assert fresh() != before
    (package / "probe" / "judge.py").write_text("x = 1\n")
    (package / "more.py").write_text("")
    assert fresh() != before
