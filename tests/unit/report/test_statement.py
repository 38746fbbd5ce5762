"""What a measurement says to the numbers of a decision."""

from __future__ import annotations

import pytest

from hive_gate.contract.model import Bound, Measured
from hive_gate.report.statement import Claim, Found, Support, by_support, judged, number_of, support_of


def one(bound: Bound, limit: float, found: Found | None) -> Claim:
    (claim,) = judged((Measured("full", "ms.ratio", bound, limit, "it is quick"),), found)
    return claim


@pytest.mark.parametrize(
    ("bound", "number", "support"),
    [
        ("at-most", 1.29, "supported"),
        ("at-most", 1.3, "supported"),
        ("at-most", 1.31, "contradicted"),
        ("at-least", 1.31, "supported"),
        ("at-least", 1.3, "supported"),
        ("at-least", 1.29, "contradicted"),
        ("at-most", -5.0, "supported"),
        ("at-least", 0.0, "contradicted"),
    ],
)
def test_a_bound_holds_up_to_itself(bound: Bound, number: float, support: Support) -> None:
    claim = one(bound, 1.3, {"full": {"ms.ratio": number}})
    assert (claim.support, claim.found, claim.why) == (support, number, None)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ({}, "not measured"),
        ({"deep": {"ms.ratio": 1.0}}, "not measured"),
        ({"full": {}}, "no steady number"),
        ({"full": {"bytes.ratio": 4.0}}, "no steady number"),
    ],
)
def test_a_number_that_is_not_there_is_not_told(found: Found, why: str) -> None:
    claim = one("at-most", 1.3, found)
    assert (claim.support, claim.found, claim.why) == ("not-told", None, why)


def test_without_a_measurement_nothing_is_said() -> None:
    claim = one("at-most", 1.3, None)
    assert (claim.support, claim.found, claim.why) == (None, None, None)
    assert support_of((claim,)) is None
    assert list(by_support((claim,))) == []


def claim(support: Support, name: str = "full") -> Claim:
    return Claim(name, "ms.ratio", "at-most", 1.3, f"{name} is quick", support, 2.0)


@pytest.mark.parametrize(
    ("supports", "whole"),
    [
        (["supported", "supported"], "supported"),
        (["supported", "not-told"], "not-told"),
        (["not-told", "contradicted", "supported"], "contradicted"),
    ],
)
def test_a_statement_is_supported_only_if_each_of_its_numbers_is(supports: list[Support], whole: Support) -> None:
    assert support_of([claim(support) for support in supports]) == whole


def test_a_statement_without_numbers_is_not_spoken_of() -> None:
    assert support_of(()) is None


def test_the_gravest_is_told_first_and_what_is_alike_together() -> None:
    found = list(by_support([claim("supported", "a"), claim("contradicted", "b"), claim("supported", "c")]))
    assert found == [
        ("contradicted", "b is quick (b, ms.ratio: 2, at most 1.3)"),
        ("supported", "a is quick (a, ms.ratio: 2, at most 1.3); c is quick (c, ms.ratio: 2, at most 1.3)"),
    ]


@pytest.mark.parametrize(
    ("number", "told"), [(0.6921, "0.692"), (-0.014, "-0.014"), (16229.0, "16,229"), (1.0, "1"), (99.94, "99.9")]
)
def test_a_number_has_the_digits_that_mean_something(number: float, told: str) -> None:
    assert number_of(one("at-least", number, {"full": {"ms.ratio": number}})) == (
        f"full, ms.ratio: {told}, at least {told}"
    )
