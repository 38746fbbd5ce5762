"""What decisions rest on: a record, clauses, and numbers that `hive-gate cost` measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.globs import named
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Measured
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import ContractError


def measures(name: str) -> tuple[str, ...] | None:
    """As if this were all that can be measured."""
    return ("ms", "ms.ratio") if name == "restore.1000" else None


def written(raw: dict[str, Any], place: Path, *measured: dict[str, Any]) -> Path:
    """Write the contract with one decision that rests on these numbers."""
    raw["constraints"] = []
    raw["decisions"] = [{"id": "d", "text": "t", "status": "decided", "source": "s", "measured": list(measured)}]
    place.write_text(json.dumps(raw), encoding="utf-8")
    return place


def number(measurement: str = "restore.1000", value: str = "ms.ratio", bound: str = "at-most") -> dict[str, Any]:
    return {"measurement": measurement, "value": value, "means": "it is quick", bound: 1}


def test_a_number_is_modeled_with_its_bound_as_a_float(raw: dict[str, Any], place: Path) -> None:
    path = written(raw, place, number(), number(bound="at-least"))
    assert load_contract(path, measures).decisions[0].measured == (
        Measured("restore.1000", "ms.ratio", "at-most", 1.0, "it is quick"),
        Measured("restore.1000", "ms.ratio", "at-least", 1.0, "it is quick"),
    )


@pytest.mark.parametrize(
    ("entry", "pointer", "told"),
    [
        (number("restore.1k"), "/measurement", "hive-gate cost measures no 'restore.1k'; docs/cost.md has the names"),
        (number(value="seconds"), "/value", "restore.1000 has no 'seconds', but ms, ms.ratio"),
    ],
)
def test_a_number_that_is_not_measured_is_a_fault_where_it_is_known_what_is(
    entry: dict[str, Any], pointer: str, told: str, raw: dict[str, Any], place: Path
) -> None:
    path = written(raw, place, number(value="ms"), entry)
    with pytest.raises(ContractError) as caught:
        load_contract(path, measures)
    assert caught.value.where == f"{path}#/decisions/0/measured/1{pointer}"
    assert told in caught.value.message
    assert len(load_contract(path).decisions[0].measured) == 2


def test_what_an_extending_contract_does_not_give_anew_is_told_in_the_other_file(
    raw: dict[str, Any], place: Path, tmp_path: Path
) -> None:
    written(raw, place, number("gone"))
    mine = place.with_name("next.json")
    mine.write_text(json.dumps({"extends": place.name, "name": "n", "version": "1.0.0", "title": "t"}))
    with pytest.raises(ContractError) as caught:
        load_contract(mine, measures)
    assert caught.value.where == f"{place}#/decisions/0/measured/0/measurement"


@pytest.mark.parametrize("contract", [DEFAULT_CONTRACT, NEXT_CONTRACT], ids=["current", "next"])
def test_a_statement_falls_by_what_it_speaks_of_and_not_by_a_rename(contract: Path) -> None:
    loaded = load_contract(contract)
    rests = {each.id: each.evidence for each in (*loaded.constraints, *loaded.decisions)}

    def speaks(statement: str, clause: str) -> bool:
        return named(clause, rests[statement])

    for renamed in ("schema.items-list-offered", "schema.gone/rollback"):
        assert not speaks("version-policy", renamed)
    assert not speaks("renderer-action", "not-a-method.gone/rollback")
    assert speaks("version-policy", "schema.fits/thread-turns-list")
    # A page that is empty without an error is what the fallback exists to prevent.
    assert speaks("fallback", "history-mode.false-empty/turns-list")
    assert "legacy thread" in next(each.text for each in loaded.constraints if each.id == "replay-cost")


@pytest.mark.parametrize("record", ["docs/decisions/0001-a.md", "a.md", "docs/a_b.c/x.md"])
def test_a_page_of_the_repository_is_a_record(record: str, raw: dict[str, Any], place: Path) -> None:
    raw["decisions"][0]["record"] = record
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert load_contract(place).decisions[0].record == record


@pytest.mark.parametrize("record", ["", "/a.md", "docs/../../a.md", "./a.md", "a.txt", "docs//a.md", "docs/.md"])
def test_anything_else_is_none(record: str, raw: dict[str, Any], place: Path) -> None:
    raw["decisions"][0]["record"] = record
    place.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ContractError, match="does not match"):
        load_contract(place)


def test_statements_without_a_record_and_numbers_have_none() -> None:
    plain = next(each for each in load_contract(DEFAULT_CONTRACT).constraints if each.id == "renderer-action")
    assert (plain.record, plain.measured) == (None, ())
