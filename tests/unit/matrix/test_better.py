"""What got better, and from what it is taken."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.matrix.better import Better, better
from hive_gate.report.model import Finding, Report
from tests.unit.matrix.faked import report, result

CONTRACT = load_contract(DEFAULT_CONTRACT)
STUB = "items-list.unsupported/real-thread"
REFUSED = "history-mode.refused/resume"


def run(verdicts: Mapping[str, tuple[str, str]]) -> Report:
    """A run with these verdicts, and what came."""
    clauses = []
    for name, (verdict, came) in verdicts.items():
        findings = (Finding("error", "an error", came, 0),) if verdict == "fail" else ()
        clauses.append(result(name, verdict, actual=came, findings=findings))
    return report("0.1.0", clauses)


def compared(before: Mapping[str, tuple[str, str]], after: Mapping[str, tuple[str, str]]) -> Better:
    return better(CONTRACT, run(before), run(after))


def test_clauses_that_apply_now_and_hold_are_told_by_what_they_need() -> None:
    absent = ("not-offered", "it lacks the capability")
    names = ("history-mode.stated", "history-mode.survives", "history-mode.false-empty/read")

    found = compared(dict.fromkeys(names, absent), dict.fromkeys(names, ("pass", "as promised")))

    assert [(one.needs, one.clauses) for one in found.offered] == [
        (("capability:history-mode",), names[:2]), (("capability:paginated",), names[2:]),
    ]  # fmt: skip
    assert found.offered[0].what == CONTRACT.capabilities["history-mode"].why


def test_of_those_that_need_what_is_offered_now_all_are_counted_and_only_those_that_hold_are_named() -> None:
    absent = ("not-offered", "it lacks the capability")
    needing = [clause.id for clause in CONTRACT.clauses if clause.needs == ("capability:paginated",)]
    after = dict.fromkeys(needing, ("pass", "as promised")) | dict.fromkeys(needing[-2:], ("fail", "no turns"))

    (found,) = compared(dict.fromkeys(needing, absent), after).offered

    assert (found.clauses, found.needing) == (tuple(needing[:-2]), len(needing))


def test_a_clause_that_failed_and_holds_is_mended_with_what_came_before() -> None:
    found = compared({"read.loaded": ("fail", "no turns")}, {"read.loaded": ("pass", "3 turns")})

    assert [(one.clause, one.before, one.was) for one in found.mended] == [("read.loaded", "fail", "no turns")]
    assert not compared({"read.loaded": ("pass", "x")}, {"read.loaded": ("pass", "x")})


def test_a_result_where_a_refusal_as_not_supported_was_expected_is_something_that_works() -> None:
    found = compared({STUB: ("pass", "error -32601")}, {STUB: ("fail", "no error: a page of 3 turns")})

    assert [(one.clauses, one.how, one.came, one.name) for one in found.supported] == [
        ((STUB,), "works", "no error: a page of 3 turns", None)
    ]


def test_a_capability_that_was_a_refusal_and_now_gives_a_result_is_something_that_works() -> None:
    after = ("not-offered", "it lacks the capability paginated-refused. It refuses; here: no error: a thread")

    found = compared({REFUSED: ("pass", "error -32601")}, {REFUSED: after})

    assert [(one.clauses, one.how, one.came) for one in found.supported] == [
        ((REFUSED,), "works", "no error: a thread")
    ]


UNKNOWN = "error -32600: Invalid request: unknown variant `thread/turns/items/list`, not one of 192 it knows"


@pytest.mark.parametrize(
    ("came", "name"),
    [
        (f"{UNKNOWN}; nearest: `thread/turns/list`, `thread/items/list`", "thread/items/list"),
        (f"{UNKNOWN}; nearest: `thread/turns/list`", None),
        (UNKNOWN, None),
        ("error -32603: internal error", None),
    ],
)
def test_a_name_that_ends_alike_is_suggested_and_nothing_is_where_there_is_none(came: str, name: str | None) -> None:
    found = compared({STUB: ("pass", "error -32601")}, {STUB: ("fail", came)})

    assert [(one.how, one.name) for one in found.supported] == ([("renamed", name)] if name else [])


def test_what_was_no_refusal_before_is_not_better_now() -> None:
    renamed = ("fail", f"{UNKNOWN}; nearest: `thread/items/list`")

    assert not compared({STUB: renamed}, {STUB: renamed})


def test_a_clause_that_expects_another_refusal_says_nothing_of_support() -> None:
    unknown = "turns-list.unknown-thread"

    assert not compared({unknown: ("pass", "error -32600")}, {unknown: ("fail", "no error: a page of 0 turns")})


def test_without_both_runs_nothing_is_said_to_be_better() -> None:
    made = run({STUB: ("pass", "x")})

    assert not better(CONTRACT, None, made)
    assert not better(CONTRACT, made, None)
