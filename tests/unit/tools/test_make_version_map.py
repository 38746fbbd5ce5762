"""The version map says what the matrix says, of the contracts as they stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import UsageError
from hive_gate.matrix.model import Column, Matrix
from tests.unit.matrix.sheets import CONTRACT, matrix, sample, sheet
from tools.make_version_map import page
from tools.matrix_evidence import Evidence, questions


@pytest.fixture(scope="module")
def contract() -> Contract:
    """A contract of which the sample is."""
    return replace(load_contract(DEFAULT_CONTRACT), name="hive", version="1.0.0", sha256=CONTRACT.sha256)


def of(made: Matrix, contract: Contract) -> Evidence:
    """Return a matrix that was made with this contract."""
    return Evidence(made, {contract.name: questions(contract)})


def test_the_map_says_where_the_gate_is_open_and_what_changes_between_neighbors(contract: Contract) -> None:
    told = page(of(sample(), contract), [contract])
    assert "| `0.130.0` | open: 1 warn, 7 pass, 1 n/a |\n" in told
    assert "| `0.142.2` | not fetched: There is no such program. |\n" in told
    assert "| `0.143.0` | CLOSED: 1 fail, 7 pass, 1 n/a |\n" in told
    assert "**0.142.5 → 0.143.0**\n\n- `walk.list` pass → FAIL; what came: it came as F\n" in told
    assert told.count("| Version |") == 1


def test_the_map_says_where_with_what_and_when_it_was_made(contract: Contract) -> None:
    assert "6 versions, tried on linux-x64 by hive-gate 0.1.0 on 2026-11-30 (`make evidence-matrix`)" in page(
        of(sample(), contract), [contract]
    )


def test_runs_of_several_days_are_told_from_the_first_to_the_last(contract: Contract) -> None:
    made = sample()

    def dated(column: Column) -> Column:
        return replace(column, started="2026-12-02T00:10:00+00:00") if column.version == "0.144.6" else column

    later = replace(made.sheets[0], columns=tuple(map(dated, made.sheets[0].columns)))
    assert " from 2026-11-30 to 2026-12-02 (" in page(of(matrix(later), contract), [contract])


def test_only_the_contracts_that_are_asked_for_are_on_the_map(contract: Contract) -> None:
    other = sheet(sample().versions, {"read.all": "pp ppp"}, contract=replace(CONTRACT, name="xyz", sha256="ef" * 32))
    told = page(of(matrix(other, *sample().sheets), contract), [contract])
    assert "xyz" not in told
    assert told == page(of(sample(), contract), [contract])


def test_a_matrix_of_another_contract_makes_no_map(contract: Contract) -> None:
    with pytest.raises(UsageError, match="is of other contracts than xyz"):
        page(of(sample(), contract), [replace(contract, name="xyz")])


def test_clauses_that_have_changed_since_are_named(contract: Contract) -> None:
    assert "changed since" not in page(of(sample(), contract), [contract])
    first, *others = contract.clauses
    told = page(of(sample(), replace(contract, clauses=tuple(others))), [contract])
    assert f"Written or changed since the runs, so that they do not count here: `{first.id}`.\n" in told
