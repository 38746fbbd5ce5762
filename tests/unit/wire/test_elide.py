"""Long strings shrink to a stand-in that still tells them apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.wire.elide import LIMIT, elide, elide_text

LONG = "x" * (LIMIT + 1)


def test_a_text_up_to_the_limit_stays_as_it_is() -> None:
    assert elide_text("x" * LIMIT) == "x" * LIMIT


def test_a_longer_text_keeps_its_head_its_length_and_a_hash() -> None:
    shown = elide_text("head " + LONG)

    assert shown.startswith("head xxx")
    assert f"{LIMIT + 6} characters, sha256 " in shown
    assert len(shown) < 200


@pytest.mark.parametrize("other", ["x" * (LIMIT + 2), "x" * LIMIT + "y", "x" * LIMIT + "\ud800"])
def test_texts_that_differ_only_far_behind_have_different_stand_ins(other: str) -> None:
    assert elide_text(LONG) != elide_text(other)
    assert elide_text(other) == elide_text(other[:10] + other[10:])


@pytest.mark.parametrize(
    ("value", "elided"),
    [
        ({"a": [{"b": LONG}]}, {"a": [{"b": elide_text(LONG)}]}),
        ({LONG: 1}, {elide_text(LONG): 1}),
        ([LONG, 1, None], [elide_text(LONG), 1, None]),
    ],
)
def test_long_texts_are_found_wherever_they_are(value: Any, elided: Any) -> None:
    assert elide(value) == elided


@given(st.recursive(st.none() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_a_value_without_a_long_text_is_returned_and_not_copied(value: Any) -> None:
    assert elide(value) is value
