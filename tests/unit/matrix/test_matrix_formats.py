"""What a matrix looks like in each format."""

from __future__ import annotations

import dataclasses
import re
from xml.etree import ElementTree

import pytest

from hive_gate.errors import UsageError
from hive_gate.exits import Exit
from hive_gate.matrix.document import document, headline_text
from hive_gate.matrix.formats import FORMATS, render
from hive_gate.matrix.model import Matrix
from hive_gate.matrix.summary import exit_code, sentence
from hive_gate.matrix.table import counted
from hive_gate.report.blocktext import to_text
from tests.unit.matrix.sheets import CONTRACT, DRAWN, VERSIONS, matrix, sample, sheet

NEXT = dataclasses.replace(CONTRACT, name="next", sha256="34" * 32)


def text(shown: Matrix, width: int = 120, *, everything: bool = False) -> str:
    return to_text(document(shown, width, everything=everything), width)


def block(shown: str, after: str) -> list[str]:
    """The lines after a heading, up to an empty one, without those that only draw."""
    lines = shown[shown.index(after) :].splitlines()[1:]
    found: list[str] = []
    for line in lines:
        if not line.strip() and found:
            break
        if line.strip("─ "):
            found.append(" ".join(line.split()))
    return found


def test_the_headline_says_on_which_versions_each_contract_holds() -> None:
    assert headline_text(sample()) == (
        "hive 1.0.0 holds on 2 of 6 versions, 1 of which could not be judged: 0.130.0 - 0.142.5."
    )
    two = matrix(sheet(["0.1.0"], {"read.a": "p"}), sheet(["0.1.0"], {"read.a": "F"}, contract=NEXT))
    assert headline_text(two) == "hive 1.0.0 holds on 1 of 1 version: 0.1.0; next 1.0.0 holds on none of 1 version."


def test_the_gate_of_each_version_is_told_with_its_counts_and_what_is_pinned() -> None:
    assert block(text(sample()), "holds on") == [
        "Version hive 1.0.0",
        "0.125.0 CLOSED: 3 fail, 1 warn, 4 pass, 1 n/a",
        "0.130.0 open: 1 warn, 7 pass, 1 n/a",
        "0.142.2 not fetched: There is no such program.",
        "0.142.5 open: 8 pass, 1 n/a; pinned",
        "0.143.0 CLOSED: 1 fail, 7 pass, 1 n/a",
        "0.144.6 CLOSED: 1 fail, 7 pass, 1 n/a",
    ]


def test_side_by_side_clauses_and_versions_are_folded() -> None:
    assert block(text(sample()), "Clause by version") == [
        "Clause 0.125.0 0.130.0 0.142.2 0.142.5 0.143.0+",
        "walk: page/a, page/b, list (3)".replace(", list (3)", " (2)") + " FAIL pass ? pass pass",
        "walk.list FAIL pass ? pass FAIL",
        "late.mode n/a n/a ? n/a pass",
        "late.start warn warn ? pass n/a",
    ]


def test_where_versions_do_not_fit_side_by_side_each_clause_says_on_which_it_is_not_passed() -> None:
    assert block(text(sample(), 80), "Clause by version") == [
        "Clause On which versions",
        "walk: page/a, page/b (2) FAIL 0.125.0",
        "walk.list FAIL 0.125.0, 0.143.0 - 0.144.6",
        "late.mode n/a 0.125.0 - 0.142.5",
        "late.start warn 0.125.0 - 0.130.0; n/a 0.143.0 - 0.144.6",
    ]


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
@pytest.mark.parametrize("count", [1, 11, 20])
def test_it_fits_every_terminal(width: int, count: int) -> None:
    versions = [f"0.{number}.0" for number in range(100, 100 + count)]
    drawn = {
        f"walk.a-rather-long-name-of-a-clause/{n}": "".join("pF"[(n + i) % 3 == 0] for i in range(count))
        for n in range(6)
    }
    shown = text(matrix(sheet(versions, drawn)), width)
    assert max(map(len, shown.splitlines())) <= width
    for version in versions:
        assert version in shown


def test_what_is_the_same_everywhere_is_counted_and_listed_only_on_demand() -> None:
    drawn = {"read.a": "pp", "read.b": "pp", "walk.a": "pp", "walk.b": "pF", "late.a": "--", "late.b": "pp"}
    shown = matrix(sheet(["0.1.0", "0.2.0"], drawn))
    assert block(text(shown), "The same on every version that was judged") == [
        "- Reading: all 2 pass", "- Walking: 1 pass", "- Later on: 1 pass, 1 n/a",
    ]  # fmt: skip
    listed = text(shown, everything=True)
    assert "The same on every version" not in listed
    assert [line.split()[0] for line in block(listed, "Clause by version")] == ["Clause", *drawn]


def test_where_everything_holds_there_is_no_table_of_clauses() -> None:
    shown = text(matrix(sheet(["0.1.0", "0.2.0"], {"read.a": "pp", "read.b": "pp"})))
    assert "Reading: all 2 pass" in shown
    assert "Clause 0" not in shown
    assert "Where it changes" not in shown


def test_where_nothing_was_judged_nothing_is_said_of_clauses() -> None:
    shown = matrix(sheet(["0.1.0", "0.2.0"], {"read.a": "  "}, {"0.2.0": "not-started"}))
    assert "Clause by version" not in text(shown)
    assert "not started: There is no such program." in text(shown)
    assert "pass" not in text(shown)


def test_where_it_changes_it_is_said_what_came() -> None:
    shown = " ".join(text(sample(), 200).split())
    assert "0.125.0 → 0.130.0 - walk: page/a, page/b, list (3) FAIL → pass; what came before: it came as F" in shown
    assert "0.130.0 → 0.142.5 (not judged between them: 0.142.2) - late.start warn → pass" in shown
    assert "walk.list pass → FAIL; what came: it came as F" in shown
    assert "walk.list FAIL, but in another way; what came: it came as f" in shown


def test_a_path_of_somebody_is_not_in_what_came() -> None:
    found = sheet(["0.1.0", "0.2.0"], {"read.a": "pF"})
    (row,) = found.rows
    cells = (row.cells[0], dataclasses.replace(row.cells[1], actual="no file /home/kim/secret/x.db"))  # type: ignore[type-var]
    shown = text(matrix(dataclasses.replace(found, rows=(dataclasses.replace(row, cells=cells),))))
    assert "no file …/x.db" in shown
    assert "kim" not in shown


def test_what_the_baseline_says_is_told_once_for_all_that_it_covers() -> None:
    drawn = {"read.a": "pvv", "read.b": "pvv", "walk.a": "pps"}
    found = sheet(["0.1.0", "0.2.0", "0.3.0"], drawn, stale={"0.3.0": ("The entry /waiver/7 names nothing.",)})
    lines = block(text(matrix(found), 200), "Accepted: hive 1.0.0")
    assert lines == [
        "- waived read.* (2) on 0.2.0 - 0.3.0: It is known. (release, until 2027-03-31)",
        "- STALE walk.a on 0.3.0: Take it out.",
        "- STALE 0.3.0: The entry /waiver/7 names nothing.",
    ]
    assert "0.2.0 open: 2 waived" in " ".join(text(matrix(found)).split())


@pytest.mark.parametrize(("untrue", "said"), [(1, "1 entry"), (2, "2 entries")])
def test_entries_that_are_not_true_are_counted(untrue: int, said: str) -> None:
    (column,) = sheet(["0.1.0"], {"read.a": "p"}, stale={"0.1.0": ("It names nothing.",) * untrue}).columns
    assert counted(column) == f"{said} of the baseline not true, 1 pass"


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_names_the_versions_and_what_fails(name: str) -> None:
    shown = render(sample(), name)
    assert shown.endswith("\n")
    assert "0.143.0" in shown
    assert "walk.list" in shown


def test_a_format_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="no format 'pdf'"):
        render(sample(), "pdf")


def test_notes_name_the_versions_that_a_column_stands_for() -> None:
    head = next(line for line in render(sample(), "markdown").splitlines() if line.startswith("| Clause"))
    assert head == "| Clause | 0.125.0 | 0.130.0 | 0.142.2 (not judged) | 0.142.5 | 0.143.0 - 0.144.6 (2) |"


def test_junit_has_a_suite_for_each_version_and_none_that_was_not_judged_is_green() -> None:
    root = ElementTree.fromstring(render(sample(), "junit"))
    suites = {suite.get("name"): suite for suite in root.iter("testsuite")}
    assert list(suites) == list(VERSIONS)
    counted = {
        name: (s.get("tests"), s.get("failures"), s.get("errors"), s.get("skipped")) for name, s in suites.items()
    }
    assert counted["0.125.0"] == ("9", "3", "0", "1")
    assert counted["0.142.2"] == ("1", "0", "1", "0")
    assert counted["0.142.5"] == ("9", "0", "0", "1")
    (error,) = suites["0.142.2"].iter("error")
    assert (error.get("type"), error.get("message")) == ("not-fetched", "There is no such program.")


def test_junit_of_two_contracts_names_both() -> None:
    two = matrix(sheet(["0.1.0"], {"read.a": "p"}), sheet(["0.1.0"], {"read.a": "F"}, contract=NEXT))
    names = [suite.get("name") for suite in ElementTree.fromstring(render(two, "junit")).iter("testsuite")]
    assert names == ["0.1.0 hive 1.0.0", "0.1.0 next 1.0.0"]


def test_annotations_name_once_what_fails_alike() -> None:
    lines = render(sample(), "annotations").splitlines()
    assert [re.sub(r"::.*", "", line.removeprefix("::")) for line in lines] == [
        "error title=codex 0.142.2%3A not fetched",
        "error title=walk%3A page/a%2C page/b (2)",
        "error title=walk.list",
        "warning title=late.start",
    ]
    assert lines[2].endswith("::hive 1.0.0: FAIL 0.125.0, 0.143.0 - 0.144.6. it came as F")


def test_all_is_well_gives_no_annotation() -> None:
    assert render(matrix(sheet(["0.1.0"], {"read.a": "p"})), "annotations") == ""


@pytest.mark.parametrize(
    ("letters", "code", "said"),
    [
        ("pp", Exit.OPEN, "the gate is open on all 2 versions."),
        ("pF", Exit.CLOSED, "the gate is closed on 1 of 2 versions (0.2.0)."),
        ("p ", Exit.TARGET, "1 of 2 versions could not be judged (0.2.0: There is no such program.)."),
        ("F ", Exit.CLOSED, "the gate is closed on 1 of 2 versions (0.1.0), and 1 of 2 versions could not be judged"),
        ("  ", Exit.TARGET, "2 of 2 versions could not be judged"),
        ("ps", Exit.CLOSED, "the gate is closed on 1 of 2 versions (0.2.0)."),
        ("pv", Exit.OPEN, "the gate is open on all 2 versions."),
    ],
)
def test_known_drift_goes_before_what_could_not_be_judged(letters: str, code: Exit, said: str) -> None:
    shown = matrix(
        sheet(
            ["0.1.0", "0.2.0"],
            {"read.a": letters, "walk.a": letters.replace("s", "p").replace("v", "p").replace("F", "p")},
        )
    )
    assert exit_code(shown) == code
    assert said in sentence(shown)


def test_of_two_contracts_each_has_its_sentence() -> None:
    two = matrix(sheet(["0.1.0"], {"read.a": "p"}), sheet(["0.1.0"], {"read.a": "F"}, contract=NEXT))
    assert exit_code(two) == Exit.CLOSED
    assert sentence(two) == (
        "hive 1.0.0: the gate is open on the version; next 1.0.0: the gate is closed on 1 of 1 version (0.1.0)."
    )


def test_drawn_rows_are_as_many_as_the_matrix_has() -> None:
    assert len(sample().sheets[0].rows) == len(DRAWN)
