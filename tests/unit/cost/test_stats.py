"""Medians, quantiles and least squares on a handful of points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.cost.stats import least_squares, quantile, spread, t95

NUMBERS = st.floats(min_value=-100, max_value=100)


def test_a_spread_holds_median_and_quartiles() -> None:
    found = spread([5.0, 1.0, 4.0, 2.0, 3.0])
    assert (found.count, found.median, found.low, found.high) == (5, 3.0, 2.0, 4.0)
    assert found.relative == pytest.approx(2 / 3)


def test_one_value_is_its_own_spread() -> None:
    assert spread([7.0]).relative == 0
    assert not spread([7.0]).noisy


@pytest.mark.parametrize(
    ("values", "noisy"),
    [([100.0, 110, 120], False), ([100.0, 130, 190], True), ([0.2, 0.3, 0.5], False), ([0.0, 0.0, 0.0], False)],
)
def test_a_middle_half_wider_than_a_quarter_is_noise_unless_it_is_what_a_clock_does(
    values: list[float], noisy: bool
) -> None:
    assert spread(values).noisy is noisy


@given(st.lists(NUMBERS, min_size=1, max_size=20), st.floats(min_value=0, max_value=1))
def test_a_quantile_lies_among_the_values(values: list[float], share: float) -> None:
    assert min(values) <= quantile(values, share) <= max(values) + 1e-9
    assert quantile(values, 0) == min(values)
    assert quantile(values, 1) == max(values)


def test_the_t_distribution_comes_near_the_normal_one() -> None:
    assert t95(1) == pytest.approx(12.706)
    assert t95(30) == pytest.approx(2.042)
    assert t95(31) == pytest.approx(2.04, abs=0.005)
    assert t95(10_000) == pytest.approx(1.96, abs=0.001)


@given(st.lists(NUMBERS, min_size=3, max_size=3))
def test_a_plane_is_found_again(coefficients: list[float]) -> None:
    rows = [(1.0, float(x), float(x * x)) for x in range(6)]
    values = [sum(c * v for c, v in zip(coefficients, row, strict=True)) for row in rows]
    found = least_squares(rows, values)
    assert found is not None
    assert found.coefficients == pytest.approx(coefficients, abs=1e-6)
    assert found.freedom == 3


def test_an_interval_is_as_wide_as_the_textbook_says() -> None:
    """A worked example: y = 1, 3, 2, 5 at x = 0, 1, 2, 3."""
    found = least_squares([(1.0, float(x)) for x in range(4)], [1, 3, 2, 5])
    assert found is not None
    assert found.coefficients == pytest.approx((1.1, 1.1))
    assert found.scatter == pytest.approx((2.7 / 2) ** 0.5)
    low, high = found.interval(1)
    assert (high - low) / 2 == pytest.approx(4.303 * (1.35 / 5) ** 0.5, rel=1e-3)


def test_columns_that_depend_on_each_other_give_no_model() -> None:
    assert least_squares([(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)], [1, 2, 3]) is None


def test_as_many_columns_as_points_give_no_model() -> None:
    assert least_squares([(1.0, 2.0), (1.0, 3.0)], [1, 2]) is None
    assert least_squares([], []) is None


def test_units_of_very_different_size_do_no_harm() -> None:
    rows = [(1.0, x * 1e-6, x * x * 1e6) for x in (1.0, 2.0, 3.0, 5.0, 8.0)]
    found = least_squares(rows, [2 + 3e6 * r[1] + 4e-6 * r[2] for r in rows])
    assert found is not None
    assert found.coefficients == pytest.approx((2, 3e6, 4e-6), rel=1e-6)
