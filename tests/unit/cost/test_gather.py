"""What is measured again, what is not, and how long it will take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hive_gate.cost.gather import Gathered
from hive_gate.cost.ground import Place
from hive_gate.cost.model import StoredThread
from hive_gate.cost.operations import HOST, OPERATIONS, STEP, WALK, operations_of
from hive_gate.cost.shapes import SHAPES
from hive_gate.cost.visit import Measured, Visit, visits_of
from hive_gate.scene.home import Home
from tests.unit.cost.conftest import sample

THREAD = StoredThread(0, "plain", 1000, 1000, 16_001, 7_080_000, 7)
GROUND: Any = None
PLACE = Place(GROUND, SHAPES["plain"], THREAD, Home(Path("unused")), "t")
STEPS, WALKS = OPERATIONS[STEP], OPERATIONS[WALK]


@pytest.fixture
def gathered() -> Gathered:
    found = Gathered()
    found.expect(visits_of(PLACE, operations_of(thorough=True, longest=True, databases_matter=False)))
    return found


def test_each_first_request_has_a_server_of_its_own_and_the_rest_follows_a_restore() -> None:
    visits = visits_of(PLACE, operations_of(thorough=True, longest=True, databases_matter=False))
    firsts = [visit.first.name for visit in visits if visit.first]
    assert firsts[0] == HOST
    assert len(firsts) == len(set(firsts)) == 7
    assert all(not visit.then for visit in visits[1:])
    assert {o.phase for o in visits[0].then} == {"warm", "walk"}


def test_a_start_without_databases_is_a_visit_that_asks_nothing() -> None:
    visit = Visit(PLACE, OPERATIONS["start/first"], ())
    assert [o.name for o in visit.operations] == ["start/first"]
    assert [o.name for o in Visit(PLACE, OPERATIONS[HOST], ()).operations] == ["start", HOST]


def test_an_operation_with_a_problem_is_not_wanted_again(gathered: Gathered) -> None:
    assert gathered.wanted(THREAD, STEPS)
    gathered.keep(THREAD, Measured(STEPS, problem="no"))
    assert not gathered.wanted(THREAD, STEPS)


def test_a_walk_that_would_take_too_long_is_told_from_its_steps(gathered: Gathered) -> None:
    gathered.keep(THREAD, Measured(STEPS, 1, sample(0, 499.0)))
    assert gathered.wanted(THREAD, WALKS)
    gathered.keep(THREAD, Measured(STEPS, 1, sample(1, 700.0)))
    assert not gathered.wanted(THREAD, WALKS)
    cell = next(c for c in gathered.finished(5, "x") if c.operation == WALKS.name)
    assert cell.missing == "not walked: its steps add up to about 7 s"


def test_what_was_measured_tells_how_long_it_will_take(gathered: Gathered) -> None:
    before = gathered.visit_seconds(Visit(PLACE, None, (STEPS,)))
    gathered.keep(THREAD, Measured(STEPS, 1, sample(0, 10_000.0)))
    assert gathered.seconds(THREAD, STEPS) == 10.0
    assert gathered.visit_seconds(Visit(PLACE, None, (STEPS,))) > before + 9


def test_a_guess_grows_with_what_is_stored(gathered: Gathered) -> None:
    small = StoredThread(0, "plain", 1, 1, 17, 7_000, 7)
    for name in ("restore/full", STEP, "read/turns"):
        assert gathered.seconds(THREAD, OPERATIONS[name]) > gathered.seconds(small, OPERATIONS[name])


def test_cells_say_what_is_missing_and_stand_in_the_order_of_the_tables(gathered: Gathered) -> None:
    for number in range(2):
        gathered.keep(THREAD, Measured(STEPS, 1, sample(number, 100.0)))
    cells = gathered.finished(5, "the time was up")
    found = {cell.operation: cell for cell in cells}
    assert found[STEP].missing == "2 of 5 repeats: the time was up"
    assert found["list"].missing == "0 of 5 repeats: the time was up"
    assert [c.operation for c in cells] == [name for name in OPERATIONS if name in found]


def test_a_run_is_complete_when_every_cell_is_full_or_has_a_reason(gathered: Gathered) -> None:
    assert not gathered.complete(1)
    for cell in gathered.cells.values():
        cell.samples = [sample(number, 1.0) for number in range(3)]
    assert gathered.complete(5)  # three are enough to tell their spread
    for cell in gathered.cells.values():
        cell.samples.clear()
    for cell in gathered.cells.values():
        cell.problem = "refused"
    assert gathered.complete(1)


def test_starts_alone_are_no_measurement(gathered: Gathered) -> None:
    assert gathered.empty
    gathered.keep(THREAD, Measured(OPERATIONS["start"], 1, sample(0, 40.0)))
    assert gathered.empty
    gathered.keep(THREAD, Measured(STEPS, 1, sample(0, 40.0)))
    assert not gathered.empty
