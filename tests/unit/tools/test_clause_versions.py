"""On which versions a clause holds: ranges over those that were tried, and what came where it does not."""

from __future__ import annotations

from dataclasses import replace

from hive_gate.matrix.model import Cell
from tests.unit.matrix.sheets import sheet
from tools.clause_versions import holds_on, on_versions, rows_of
from tools.mdtext import Point

VERSIONS = ("0.125.0", "0.130.0", "0.142.5", "0.143.0", "0.171.0")


def told(family: str, **drawn: str) -> Point:
    """Return what is said of a family whose products fare as drawn, a letter for each of `VERSIONS`."""
    made = sheet(VERSIONS, {family if name == "_" else f"{family}/{name}": letters for name, letters in drawn.items()})
    return on_versions(made, rows_of(made, family))


def test_versions_are_folded_into_ranges_of_those_that_were_tried() -> None:
    assert told("walk.page", _="-ppFF") == Point(
        "passes on 0.130.0 - 0.142.5; fails on 0.143.0 - 0.171.0; not offered on 0.125.0",
        None,
        (Point("what came on 0.171.0: it came as F"),),
    )


def test_an_advisory_clause_does_not_hold_where_it_warns() -> None:
    assert (
        told("late.start", _="pwpww").text == "passes on 0.125.0, 0.142.5; does not hold on 0.130.0, 0.143.0 - 0.171.0"
    )


def test_what_holds_everywhere_is_said_in_a_word() -> None:
    assert told("walk.page", _="ppppp") == Point("passes on all 5 versions")


def test_a_version_that_was_not_judged_is_in_no_count_and_breaks_no_range() -> None:
    assert told("walk.page", _="pp pp").text == "passes on all 4 versions"
    assert told("walk.page", _="Fp pp").text == "passes on 0.130.0 - 0.171.0; fails on 0.125.0"


def test_products_that_fare_alike_are_told_together() -> None:
    point = told("walk.page", a="ppppp", b="Fpppp", c="ppppp")
    assert point.text == "it depends"
    assert [each.text for each in point.below] == [
        "`a`, `c`: passes on all 5 versions",
        "`b`: passes on 0.130.0 - 0.171.0; fails on 0.125.0",
    ]


def test_what_came_is_that_of_the_newest_version_and_cannot_become_markup() -> None:
    made = sheet(VERSIONS, {"walk.page": "FpFpp"})
    (row,) = made.rows
    hostile = Cell("fail", "unknown variant `a|b` <b>", "a" * 12, None)
    told = on_versions(made, [replace(row, cells=(*row.cells[:2], hostile, *row.cells[3:]))])
    assert told.below == (Point("what came on 0.142.5: unknown variant \\`a&#124;b\\` &lt;b&gt;"),)


def test_an_accepted_failure_is_still_one() -> None:
    assert told("walk.page", _="pppvv").text == "passes on 0.125.0 - 0.142.5; fails on 0.143.0 - 0.171.0"


def test_an_entry_holds_where_all_its_products_pass() -> None:
    drawn = {"read.all": "ppppp", "read.some/a": "ppppF", "read.some/b": "-pppp", "read.none": "-----"}
    made = sheet(VERSIONS, drawn)
    assert [holds_on(made, rows_of(made, name)) for name in ("read.all", "read.some", "read.none")] == [
        "all",
        "0.130.0 - 0.143.0",
        "none",
    ]


def test_nothing_is_said_of_an_entry_that_the_matrix_does_not_have() -> None:
    made = sheet(VERSIONS, {"walk.list": "ppppp"})
    assert holds_on(made, rows_of(made, "walk.page")) == "not tried"
    assert on_versions(made, rows_of(made, "walk.page")).text == "not tried since it was written or changed"
