"""Columns and rows are folded where they are equal, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hive_gate.matrix.fold import boundaries, grouped, ranges, spans
from tests.unit.matrix.sheets import DRAWN, VERSIONS, sample, sheet


def drawn(rows: Mapping[str, str], count: int | None = None) -> list[str]:
    versions = [f"0.{number + 1}.0" for number in range(count or len(next(iter(rows.values()))))]
    return [span.name for span in spans(sheet(versions, rows))]


def test_adjacent_versions_that_are_equal_in_every_row_are_one_column() -> None:
    assert drawn({"read.a": "ppFFp", "read.b": "ppppp"}) == ["0.1.0 - 0.2.0 (2)", "0.3.0 - 0.4.0 (2)", "0.5.0"]
    assert drawn({"read.a": "ppp", "read.b": "pFF"}) == ["0.1.0", "0.2.0 - 0.3.0 (2)"]


def test_a_version_that_was_not_judged_is_never_folded() -> None:
    assert drawn({"read.a": "pp  pp"}) == ["0.1.0 - 0.2.0 (2)", "0.3.0", "0.4.0", "0.5.0 - 0.6.0 (2)"]


def test_failures_that_differ_only_in_how_are_one_column() -> None:
    assert drawn({"read.a": "Ff"}) == ["0.1.0 - 0.2.0 (2)"]


@given(st.lists(st.text("pFw- ", min_size=6, max_size=6), min_size=1, max_size=4))
def test_folding_loses_no_version_and_joins_only_equal_ones(letters: list[str]) -> None:
    blank = {index for index in range(6) if any(text[index] == " " for text in letters)}
    rows = {
        f"read.{number}": "".join(" " if index in blank else letter for index, letter in enumerate(text))
        for number, text in enumerate(letters)
    }
    columns = ["".join(text[index] for text in rows.values()) for index in range(6)]
    folded = spans(sheet([f"0.{number + 1}.0" for number in range(6)], rows))
    assert [index for span in folded for index in span.columns] == list(range(6))
    for span in folded:
        assert len({columns[index] for index in span.columns}) == 1
    for left, right in pairwise(folded):
        same = columns[left.columns[-1]] == columns[right.columns[0]]
        assert not same or not left.judged


def names(rows: Mapping[str, str]) -> list[str]:
    whole = sheet([f"0.{number + 1}.0" for number in range(len(next(iter(rows.values()))))], rows)
    return [group.name for group in grouped(whole, whole.rows)]


def test_a_family_is_one_row_only_where_all_of_it_is_equal() -> None:
    assert names({"walk.page/a": "pF", "walk.page/b": "pF", "walk.other": "pp"}) == ["walk.page/* (2)", "walk.other"]
    assert names({"walk.page/a": "pF", "walk.page/b": "pF", "walk.page/c": "Fp"}) == [
        "walk: page/a, page/b (2)",
        "walk.page/c",
    ]
    assert names({"walk.page/a": "pF", "walk.other": "pp"}) == ["walk.page/a", "walk.other"]


def test_a_suite_is_one_row_where_all_of_it_is_equal() -> None:
    assert names({"walk.page/a": "pF", "walk.page/b": "pF", "walk.other": "pF", "read.a": "pF"}) == [
        "walk.* (3)",
        "read.a",
    ]


def test_clauses_of_a_suite_with_equal_rows_are_one_row() -> None:
    rows = {"walk.page/a": "pF", "walk.page/b": "pF", "walk.cut/a": "pF", "walk.cut/b": "pp", "walk.x": "pF"}
    assert names(rows) == ["walk: page/*, cut/a, x (4)", "walk.cut/b"]


def test_ranges_are_over_the_versions_that_were_judged() -> None:
    columns = sheet(VERSIONS, DRAWN).columns
    assert ranges(columns, {0, 1, 3}) == "0.125.0 - 0.142.5"  # of 0.142.2 nothing is known
    assert ranges(columns, {0, 3, 4}) == "0.125.0, 0.142.5 - 0.143.0"
    assert ranges(columns, {5}) == "0.144.6"
    assert ranges(columns, ()) == ""


def test_boundaries_name_what_changes_and_skip_what_was_not_judged() -> None:
    found = boundaries(sample().sheets[0])
    assert [(b.before, b.after, b.between) for b in found] == [
        ("0.125.0", "0.130.0", ()),
        ("0.130.0", "0.142.5", ("0.142.2",)),
        ("0.142.5", "0.143.0", ()),
        ("0.143.0", "0.144.6", ()),
    ]
    assert [c.group.name for c in found[0].changes] == ["walk: page/a, page/b, list (3)"]
    moved = [(c.group.name, c.before.verdict, c.after.verdict) for c in found[2].changes]
    assert moved == [
        ("walk.list", "pass", "fail"),
        ("late.mode", "not-offered", "pass"),
        ("late.start", "pass", "not-offered"),
    ]
    (other,) = found[3].changes
    assert (other.group.name, other.before.actual, other.after.actual) == ("walk.list", "it came as F", "it came as f")


def test_it_is_said_whether_one_reason_stands_for_all() -> None:
    alike, mixed = (
        boundaries(sheet(["0.1.0", "0.2.0"], {"read.a": "pF", "read.b": second, "walk.a": "pp"}))[0].changes[0]
        for second in ("pF", "pf")
    )
    assert (alike.alike, mixed.alike) == (True, False)
    assert alike.group.name == mixed.group.name == "read.* (2)"
