"""What history costs on the real server: a page's time grows with it, and its bytes do not."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.cost.files import write_files
from hive_gate.cost.fit import values
from hive_gate.cost.jsonfile import read_cost
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cost
from hive_gate.cost.observe import Silent
from hive_gate.cost.run import Settings, measure
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.probe import observe, subject

pytestmark = pytest.mark.live

VIEWS = ("notLoaded", "summary", "full")

SIZES = (100, 300, 1000)
"""Far enough apart that a growth shows through the noise of a busy machine."""


@pytest.fixture(scope="module")
def legacy() -> Cost:
    settings = Settings(shapes=("plain",), sizes=SIZES, rounds=1, time_limit=150)
    return measure(load_contract(DEFAULT_CONTRACT), [subject.codex("0.142.5", observe.Silent())], settings, Silent())


def look(cost: Cost) -> Look:
    return Look(0, cost.threads, cost.cells, cost.fits)


def grown(cost: Cost, operation: str, quantity: str, sizes: tuple[int, int], shape: str = "plain") -> float:
    """Return the power with which a quantity grows from the least at one size to the least at another."""
    least = []
    for size in sizes:
        cell = look(cost).cell(shape, size, operation)
        assert cell is not None
        least.append(min(values(cell, quantity)))  # type: ignore[arg-type]
    return math.log(least[1] / least[0]) / math.log(sizes[1] / sizes[0])


@pytest.mark.parametrize("view", VIEWS)
def test_the_work_for_a_page_grows_with_the_whole_history(view: str, legacy: Cost) -> None:
    assert grown(legacy, f"page/{view}/20", "cpu_ms", (100, 1000)) > 0.5


@pytest.mark.parametrize("view", VIEWS)
def test_the_bytes_of_a_page_do_not(view: str, legacy: Cost) -> None:
    assert abs(grown(legacy, f"page/{view}/20", "bytes_in", (100, 1000))) < 0.01


def test_a_page_deep_in_the_history_is_one_like_any_other(legacy: Cost) -> None:
    assert grown(legacy, "page/full/20/deep", "cpu_ms", (100, 1000)) > 0.5
    assert abs(grown(legacy, "page/full/20/deep", "bytes_in", (100, 1000))) < 0.01


def test_what_leaves_the_turns_out_is_small_and_what_does_not_grows(legacy: Cost) -> None:
    assert grown(legacy, "restore/full", "bytes_in", (100, 1000)) > 0.95
    assert grown(legacy, "read/turns", "bytes_in", (100, 1000)) > 0.95
    assert abs(grown(legacy, "restore/page-full", "bytes_in", (100, 1000))) < 0.01
    # The saving is one of bytes: the whole history is read all the same.
    assert grown(legacy, "restore/page-full", "cpu_ms", (100, 1000)) > 0.3


def test_everything_that_was_asked_was_answered_as_asked(legacy: Cost) -> None:
    reasons = {cell.missing for cell in legacy.cells if cell.missing}
    assert all(reason.startswith("not walked") for reason in reasons)
    assert legacy.run.complete


def test_the_files_are_whole(legacy: Cost, tmp_path: Path) -> None:
    write_files(legacy, tmp_path)
    assert read_cost(tmp_path / "cost.json") == legacy


def test_real_turns_are_made_and_measured_in_both_history_modes() -> None:
    settings = Settings(shapes=("real-legacy", "real-paginated"), real_sizes=(20, 30), rounds=1, time_limit=150)
    target = subject.codex("0.171.0", observe.Silent())
    cost = measure(load_contract(DEFAULT_CONTRACT), [target], settings, Silent())
    assert cost.absent == ()
    for shape in settings.shapes:
        for view in VIEWS:
            cell = look(cost).cell(shape, 30, f"page/{view}/20")
            assert cell is not None, (shape, view)
        # Twenty newest turns are as large on a thread of 20 as on one of 30.
        assert abs(grown(cost, "page/full/20", "bytes_in", (20, 30), shape)) < 0.1
