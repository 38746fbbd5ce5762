"""Ranges of versions."""

from __future__ import annotations

import pytest
import semver
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.baseline.versions import Versions

VERSIONS = ("0.142.5", "0.143.0-alpha.2", "0.143.0", "0.143.1", "0.144.6", "1.0.0")


def held(text: str) -> list[str]:
    versions = Versions.parse(text)
    return [version for version in VERSIONS if versions.holds(semver.Version.parse(version))]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("0.143.0", ["0.143.0"]),
        ("0.143.0..0.144.6", ["0.143.0", "0.143.1", "0.144.6"]),
        ("0.143.1..", ["0.143.1", "0.144.6", "1.0.0"]),
        ("..0.143.0", ["0.142.5", "0.143.0-alpha.2", "0.143.0"]),
        ("0.143.0-alpha.2..0.143.0", ["0.143.0-alpha.2", "0.143.0"]),
        ("0.143.0..0.143.0", ["0.143.0"]),
    ],
)
def test_both_ends_are_in_the_range_and_either_may_be_left_out(text: str, holds: list[str]) -> None:
    assert held(text) == holds


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no version"),
        ("..", "names no version"),
        ("0.143", "'0.143' is not a version"),
        ("0.143.0...0.144.0", "'.0.144.0' is not a version"),
        ("0.143.0-0.144.0..x", "'x' is not a version"),
        ("v0.143.0", "'v0.143.0' is not a version"),
        (" 0.143.0", "' 0.143.0' is not a version"),
        ("0.144.0..0.143.0", "'0.144.0..0.143.0' begins after its end"),
    ],
)
def test_anything_else_is_refused_with_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        Versions.parse(text)
    assert str(caught.value) == said or str(caught.value).endswith(said)


ENDS = st.none() | st.sampled_from(VERSIONS)
RANGES = (
    st.tuples(ENDS, ENDS)
    .filter(lambda ends: any(ends) and not (all(ends) and VERSIONS.index(ends[0]) > VERSIONS.index(ends[1])))
    .map(lambda ends: f"{ends[0] or ''}..{ends[1] or ''}")
)


@given(RANGES, RANGES)
def test_ranges_overlap_exactly_if_some_version_is_in_both(one: str, other: str) -> None:
    # The ends of ranges are among the versions, so the versions decide.
    overlap = Versions.parse(one).overlaps(Versions.parse(other))
    assert overlap == bool(set(held(one)) & set(held(other)))
    assert overlap == Versions.parse(other).overlaps(Versions.parse(one))
