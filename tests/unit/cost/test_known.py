"""The names by which a contract may speak of measurements."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hive_gate.cost.known import MEASUREMENTS, numbers_of
from tests.unit.cost.conftest import build, linear

COST_PAGE = Path(__file__).parents[3] / "docs" / "cost.md"


def test_whatever_is_told_of_one_target_has_a_name_that_is_known_and_nothing_else_has() -> None:
    told: dict[str, set[str]] = {}
    for shapes in (("plain", "long-answers", "same-bytes", "many-items"), ("plain", "real-legacy", "real-paginated")):
        for sentence in build(linear, shapes=shapes).sentences:
            told.setdefault(re.sub(r"^restore\.\d+$", "restore.N", sentence.id), set()).update(sentence.values)
    assert told == {name: set(numbers) for name, numbers in MEASUREMENTS.items()}


@pytest.mark.parametrize("name", ["restore.1", "restore.1000", "restore.28000"])
def test_a_restore_is_known_at_every_length(name: str) -> None:
    assert numbers_of(name) == MEASUREMENTS["restore.N"]


@pytest.mark.parametrize(
    "name", ["restore.N", "restore.", "restore.0", "restore.1000.x", "x.restore.1000", "compare.modes", "", "Full"]
)
def test_anything_else_is_not(name: str) -> None:
    assert numbers_of(name) is None


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_the_page_about_cost_has_each_name_with_its_numbers(name: str) -> None:
    row = next(line for line in COST_PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}`"))
    assert [number for number in MEASUREMENTS[name] if f"`{number}`" not in row] == []
