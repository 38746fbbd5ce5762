"""What Hive must do when a clause no longer holds: said by the clause, or by its suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from tests.unit.contract.conftest import Refused


def test_every_clause_that_ships_says_what_to_do_when_it_breaks() -> None:
    contract = load_contract(DEFAULT_CONTRACT)

    assert [clause.id for clause in contract.clauses if not clause.remedy] == []
    assert set(contract.remedies) == set(contract.suites)


def test_a_clause_goes_before_its_suite_and_names_are_filled_in(raw: dict[str, Any], place: Path) -> None:
    raw["if-broken"] = {"turns-list": "Do not page."}
    for entry in raw["clauses"]:
        entry.pop("if-broken", None)
    walk = next(entry for entry in raw["clauses"] if entry["id"] == "turns-list.walk")
    walk["if-broken"] = "Do not walk ${order}."
    place.write_text(json.dumps(raw), encoding="utf-8")

    remedies = {clause.id: clause.remedy for clause in load_contract(place).clauses}

    assert remedies["turns-list.walk/desc/7"] == "Do not walk desc."
    assert remedies["turns-list.default-view"] == "Do not page."
    assert remedies["read.loaded"] is None


@pytest.mark.parametrize(
    ("change", "pointer", "said"),
    [
        ({"reed": "Do not read."}, "/if-broken/reed", "the suite 'reed' is not in /suites"),
        ({"read": ""}, "/if-broken/read", "'' should be non-empty"),
        ({"read": 5}, "/if-broken/read", "5 is not of type 'string'"),
        ([], "/if-broken", "[] is not of type 'object'"),
    ],
)
def test_a_remedy_for_nothing_or_without_words_is_refused(
    refused: Refused, change: Any, pointer: str, said: str
) -> None:
    error = refused(lambda raw: raw.update({"if-broken": change}))

    assert error.where is not None
    assert error.where.endswith(f"#{pointer}")
    assert said in error.message
