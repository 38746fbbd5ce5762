"""A power law is found where there is one, with an interval that tells how sure it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.cost.fit import at, between, fits, noisy, power_law, reach
from hive_gate.cost.model import Cell, Cost, Fit, StoredThread
from tests.unit.cost.conftest import SIZES, sample

X = [float(size) for size in SIZES]


def only(cost: Cost, operation: str, quantity: str = "ms", over: str = "turns", shape: str = "plain") -> Fit:
    wanted = (shape, operation, quantity, over)
    return next(f for f in cost.fits if (f.shape, f.operation, f.quantity, f.over) == wanted)


@given(st.floats(min_value=0, max_value=2.5), st.floats(min_value=1e-3, max_value=1e3))
def test_an_exact_power_law_is_found_again(exponent: float, factor: float) -> None:
    line = power_law(X, [factor * x**exponent for x in X], 0.0)
    assert line is not None
    assert line[0] == pytest.approx(factor, rel=1e-6)
    assert line[1] == pytest.approx(exponent, abs=1e-9)


@given(
    st.floats(min_value=0, max_value=2),
    st.lists(st.floats(min_value=-0.1, max_value=0.1), min_size=len(X), max_size=len(X)),
)
def test_noise_of_a_tenth_moves_an_exponent_by_less_than_a_tenth(exponent: float, off: list[float]) -> None:
    line = power_law(X, [x**exponent * (1 + o) for x, o in zip(X, off, strict=True)], 0.0)
    assert line is not None
    assert line[1] == pytest.approx(exponent, abs=0.1)
    assert line[2] <= line[1] <= line[3]


@given(st.lists(st.floats(min_value=0.9, max_value=1.1), min_size=len(X), max_size=len(X)))
def test_what_does_not_grow_has_an_exponent_near_zero(medians: list[float]) -> None:
    line = power_law(X, medians, 0.95)
    assert line is not None
    assert abs(line[1]) < 0.1
    assert line[5] == 0  # with the floor taken off, nothing but noise would be left


def test_noise_over_a_small_floor_is_no_growth_either() -> None:
    line = power_law(X, [3.2, 3.0, 3.3, 3.1, 3.2], 2.2)
    assert line is not None
    assert line[5] == 0
    assert abs(line[1]) < 0.05
    assert line[3] - line[2] < 0.2


def test_a_fixed_part_does_not_pass_for_slow_growth() -> None:
    medians = [10 + 0.1 * x for x in X]
    bare, net = power_law(X, medians, 0.0), power_law(X, medians, 10.0)
    assert bare is not None
    assert net is not None
    assert bare[1] < 0.9
    assert net[1] == pytest.approx(1.0)
    assert net[5] == 10.0


@pytest.mark.parametrize(
    ("sizes", "medians"),
    [
        ([100.0, 200, 900], [1.0, 2, 9]),  # not ten times
        ([100.0, 1000], [1.0, 10]),  # two points
        ([0.0, 10, 100], [1.0, 2, 3]),
        ([1.0, 10, 100], [0.0, 2, 3]),
    ],
)
def test_too_little_gives_no_law(sizes: list[float], medians: list[float]) -> None:
    assert power_law(sizes, medians, 0.0) is None


def test_time_grows_in_proportion_and_bytes_of_a_page_do_not(steady: Cost) -> None:
    for view in ("notLoaded", "summary", "full"):
        for quantity in ("ms", "cpu_ms"):
            assert only(steady, f"page/{view}/20", quantity).exponent == pytest.approx(1.0, abs=0.05)
        assert only(steady, f"page/{view}/20", "bytes_in").exponent == pytest.approx(0.0, abs=0.001)
    assert only(steady, "read/turns", "bytes_in").exponent == pytest.approx(1.0, abs=0.01)
    assert only(steady, "walk/full/100").exponent == pytest.approx(1.9, abs=0.15)


def test_the_floor_is_the_same_operation_on_a_thread_with_one_turn(steady: Cost) -> None:
    one = next(t for t in steady.threads if (t.shape, t.size) == ("plain", 1))
    assert only(steady, "page/full/20").floor == pytest.approx(2 + 0.004 * one.records + 4e-6 * one.bytes, rel=0.01)


def test_a_shape_of_the_same_bytes_has_no_growth_over_bytes(steady: Cost) -> None:
    found = {f.over for f in steady.fits if f.shape == "same-bytes" and f.operation == "page/full/20"}
    assert found == {"turns", "records"}


def test_a_wide_interval_is_noise(made: Callable[..., Cost]) -> None:
    def wild(thread: StoredThread, operation: str) -> float:
        return {100: 10.0, 200: 90.0, 500: 20.0, 1000: 300.0, 2000: 60.0}.get(thread.size, 5.0)

    assert only(made(wild, shapes=("plain",)), "page/full/20").noisy
    assert not only(made(shapes=("plain",)), "page/full/20").noisy


def test_the_law_says_what_was_measured_and_its_interval_widens_beyond(steady: Cost) -> None:
    fit = only(steady, "page/full/20")
    assert at(fit, 1000) == pytest.approx(94.3, rel=0.03)
    near, far = between(fit, 500), between(fit, 10_000)
    assert near[0] < at(fit, 500) < near[1]
    assert far[0] < at(fit, 10_000) < far[1]
    assert far[1] / far[0] >= near[1] / near[0]
    reached = reach(fit, 100.0)
    assert reached is not None
    assert at(fit, reached) == pytest.approx(100.0)


def test_what_does_not_grow_reaches_nothing(steady: Cost) -> None:
    fit = only(steady, "page/full/20")
    assert reach(replace(fit, exponent=-0.1), 100.0) is None
    assert reach(replace(fit, floor=200.0), 100.0) is None
    tiny = reach(replace(fit, exponent=1e-6), 1e9)
    assert tiny is not None  # beyond all bounds, and no overflow


def test_a_cell_with_two_samples_is_too_noisy_to_be_told() -> None:
    assert noisy(Cell(0, "plain", 100, "list", 1, (sample(0, 5), sample(1, 5))))
    assert not noisy(Cell(0, "plain", 100, "list", 1, (sample(0, 5), sample(1, 5), sample(2, 5))))


def test_where_no_cpu_time_can_be_told_the_rest_is_fitted_all_the_same(steady: Cost) -> None:
    blind = [replace(c, samples=tuple(replace(s, cpu_ms=None) for s in c.samples)) for c in steady.cells]
    assert {f.quantity for f in fits(steady.threads, blind)} == {"ms", "bytes_in"}
