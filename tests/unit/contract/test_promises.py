"""A promise is read alone, in a note or a table: it says itself what is promised, and of what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from tests.unit.contract.conftest import RAW, Refused

INDEX = [clause["id"] for clause in RAW["clauses"]].index("rollback.restart")


@pytest.mark.parametrize(
    ("promise", "begins"),
    [
        ("The same holds for 300 turns.", "The same"),
        ("It is refused.", "It"),
        ("So are those of a new thread.", "So"),
        ("Meanwhile the second process reads.", "Meanwhile"),
    ],
)
def test_one_that_leans_on_another_is_a_fault_where_it_stands(promise: str, begins: str, refused: Refused) -> None:
    def mutate(raw: dict[str, Any]) -> None:
        raw["clauses"][INDEX]["promise"] = promise

    error = refused(mutate)
    assert str(error.where).endswith(f"#/clauses/{INDEX}/promise")
    assert f"{begins!r} leans on another" in error.message
    assert error.message.count("leans on another") == 1


@pytest.mark.parametrize("promise", ["Items come in order.", "Sorting is kept.", "In it, the same holds. It is so."])
def test_one_that_only_looks_so_is_none(promise: str, raw: dict[str, Any], place: Path) -> None:
    raw["clauses"][INDEX]["promise"] = promise
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert promise in [clause.promise for clause in load_contract(place).clauses]
