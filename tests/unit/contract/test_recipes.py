from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import ContractError

SCENE = "varied"


@pytest.fixture
def recipe(place: Path) -> Path:
    """The file of a scene that the contract at `place` names."""
    place.write_bytes(DEFAULT_CONTRACT.read_bytes())
    return place.parent.parent / "fixtures" / "scenes" / f"{SCENE}.json"


@pytest.mark.parametrize("relative", ["../fixtures/scenes/verid.json", ".", "a\0b", "x" * 300])
def test_a_missing_recipe_is_told_where_the_contract_names_it(relative: str, refused: Any, place: Path) -> None:
    error = refused(lambda raw: raw["scenes"].update({"varied": relative}))
    assert error.message == f"the recipe of scene 'varied' does not exist: {relative!r}"
    assert (error.where, error.hint) == (f"{place}#/scenes/varied", "give its path relative to the contract")


def turn(**members: Any) -> dict[str, Any]:
    return {"threads": {"main": {"turns": [{"user": "u", **members}]}}}


def by_turns(**members: Any) -> dict[str, Any]:
    found = turn(**members)
    found["threads"]["main"]["made"] = "by-turns"
    return found


AT = "/threads/main/turns/0"
FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no user": ({"threads": {"main": {"turns": [{}]}}}, AT, "'user' is a required property"),
    "unknown end": (turn(ends="crashed"), f"{AT}/ends", "'crashed' is not one of"),
    "unknown member": (turn(text="x"), AT, "'text' was unexpected"),
    "no times": (turn(times=0), f"{AT}/times", "0 is less than the minimum of 1"),
    "two items in one": (turn(then=[{"agent": "a", "reasoning": "b"}]), f"{AT}/then/0", "too many properties"),
    "endless text": (turn(user={"repeat": "x"}), f"{AT}/user", "'characters' is a required property"),
    "open": (turn(ends="open"), f"{AT}/ends", "no server shows a turn as `open`"),
    "real turn that reasons": (by_turns(then=[{"reasoning": "r"}]), f"{AT}/then", "does not reason"),
    "real turn that fails": (by_turns(ends="failed"), f"{AT}/ends", "only `completed` can be told"),
    "real thread in the archive": (
        {"threads": {"main": {"made": "by-turns", "archived": True, "turns": []}}},
        "/threads/main/archived", "is not archived"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_recipe_is_told_with_its_own_file_and_pointer(name: str, place: Path, recipe: Path) -> None:
    content, pointer, sentence = FAULTS[name]
    recipe.write_text(json.dumps({"why": "w", **content}), encoding="utf-8")
    with pytest.raises(ContractError) as caught:
        load_contract(place)
    assert caught.value.where == f"{recipe.resolve()}#{pointer}"
    assert caught.value.message.startswith("the scene recipe is not valid: ")
    assert sentence in caught.value.message


def test_a_recipe_that_is_not_json_is_told_by_its_scene(place: Path, recipe: Path) -> None:
    recipe.write_text("{", encoding="utf-8")
    with pytest.raises(ContractError, match="the recipe of scene 'varied' is not JSON"):
        load_contract(place)


def test_the_hash_covers_the_contract_and_its_recipes_in_order(place: Path, recipe: Path) -> None:
    files = [place, *(place.parent / relative for relative in json.loads(place.read_bytes())["scenes"].values())]
    before = load_contract(place).sha256
    assert before == hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    recipe.write_bytes(recipe.read_bytes() + b"\n")
    assert load_contract(place).sha256 != before
