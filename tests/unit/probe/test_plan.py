from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from hive_gate.contract.expand import expand
from hive_gate.contract.model import Clause, Contract
from hive_gate.errors import UsageError
from hive_gate.probe.plan import (
    Lane,
    Selection,
    lanes,
    looks_at_traffic,
    missing_need,
    needs_server,
    select,
    speaks_of,
)

Make = Callable[..., Clause]


@pytest.fixture
def small(contract: Contract, clause: Make) -> Contract:
    """A contract of few clauses in three suites."""
    steps = {"call": "thread/read"}
    ids = ("read.one/a/1", "read.one/b/1", "read.once", "resume.one", "schema.fits")
    clauses = [replace(clause(steps), id=each, suite=each.partition(".")[0]) for each in ids]
    clauses[2] = replace(clauses[2], level="advisory")
    return replace(contract, clauses=tuple(clauses), suites={"read": "Read", "resume": "Resume", "schema": "Schema"})


SELECTIONS = [
    (Selection(), [0, 1, 2, 3, 4]),
    (Selection(suites=("read",)), [0, 1, 2]),
    (Selection(suites=("re*",)), [0, 1, 2, 3]),
    (Selection(suites=("schema", "resume")), [3, 4]),
    (Selection(clauses=("read.one",)), [0, 1]),
    (Selection(clauses=("read.one/a",)), [0]),
    (Selection(clauses=("read.one/*/1",)), [0, 1]),
    (Selection(clauses=("read.on*",)), [0, 1, 2]),
    (Selection(clauses=("schema.fits", "read.once")), [2, 4]),
    (Selection(clauses=("*.one*",), suites=("resume",)), [3]),
    (Selection(level="advisory"), [2]),
    (Selection(level="required", suites=("read",)), [0, 1]),
]


@pytest.mark.parametrize(("selection", "chosen"), SELECTIONS)
def test_a_selection_chooses_in_the_contract_s_order(selection: Selection, chosen: list[int], small: Contract) -> None:
    assert select(small, selection) == tuple(small.clauses[index] for index in chosen)


def test_only_a_selection_of_nothing_is_all() -> None:
    assert [selection.is_all for selection, _ in SELECTIONS] == [True] + [False] * (len(SELECTIONS) - 1)


def test_an_unknown_suite_is_told_with_all_that_there_are(small: Contract) -> None:
    with pytest.raises(UsageError, match="the contract has no suite 'reed'") as caught:
        select(small, Selection(suites=("read", "reed")))
    assert caught.value.hint == "choose from: read, resume, schema"


@pytest.mark.parametrize(
    ("glob", "near"),
    [
        ("read.onse", "did you mean read.once, "),
        ("zzzzzz", ""),
        ("read.one/c", "did you mean "),
        ("READ.once", "did you mean "),
    ],
)
def test_an_unknown_clause_is_told_with_the_nearest(glob: str, near: str, small: Contract) -> None:
    with pytest.raises(UsageError) as caught:
        select(small, Selection(clauses=("read.*", glob)))
    assert caught.value.message == f"the contract has no clause {glob!r}"
    assert str(caught.value.hint).startswith(near)
    assert str(caught.value.hint).endswith("list them with: hive-gate contract show")


def test_a_selection_that_leaves_nothing_is_an_error(small: Contract) -> None:
    with pytest.raises(UsageError, match="the selection leaves no clause to judge"):
        select(small, Selection(suites=("resume",), level="advisory"))


def test_clauses_share_a_lane_by_scene_and_connection(clause: Make) -> None:
    def made(ident: str, **more: Any) -> Clause:
        return clause({"call": "thread/read"}, id=ident, **more)

    a, b, c = made("read.a"), made("read.b", scene="long"), made("read.c", connection="stable")
    d, e, f = made("read.d", own="thread"), made("read.e", own="home"), made("read.f", own="home")
    assert lanes([b, e, a, c, f, d]) == [
        Lane("five-turns", "hive", (a, d)),
        Lane("long", "hive", (b,)),
        Lane("five-turns", "stable", (c,)),
        Lane("five-turns", "hive", (e,)),
        Lane("five-turns", "hive", (f,)),
    ]


def test_a_lane_is_started_for_its_clauses_or_for_its_only_one(clause: Make) -> None:
    one = clause({"call": "thread/read"})
    assert Lane("s", "hive", (one,)).purpose == "read.mine"
    assert Lane("s", "hive", (one, one)).purpose == "clauses"


@pytest.mark.parametrize(
    ("step", "asks", "traffic"),
    [
        ({"call": "m"}, True, False),
        ({"raw": "{}"}, True, False),
        ({"await": "m"}, True, False),
        ({"schema": "m"}, False, False),
        ({"traffic": "lines"}, False, True),
    ],
)
def test_clauses_that_ask_nothing_have_no_lane(step: Any, asks: bool, traffic: bool, clause: Make) -> None:
    made = clause(step)
    assert (needs_server(made), looks_at_traffic(made), len(lanes([made]))) == (asks, traffic, int(asks))


def bundle_with(*methods: str) -> Any:
    return SimpleNamespace(methods=dict.fromkeys(methods))


@pytest.mark.parametrize(
    ("needs", "bundle", "missing"),
    [
        ([], None, None),
        (["schema"], None, "the target has no schemas of its own here"),
        (["method:a/b"], None, None),  # without a schema it is asked, and its own clause says what came
        (["schema"], bundle_with(), None),
        (["schema", "method:a/b"], bundle_with("a/b"), None),
        (["schema", "method:a/b"], bundle_with("a"), "the target's schema has no a/b"),
    ],
)
def test_what_the_target_lacks_is_named(needs: Any, bundle: Any, missing: str | None, clause: Make) -> None:
    assert missing_need(clause({"call": "m"}, needs=needs), bundle) == missing


def test_every_clause_of_the_shipped_contract_that_asks_is_in_one_lane(contract: Contract) -> None:
    in_lanes = [clause.id for lane in lanes(contract.clauses) for clause in lane.clauses]
    assert sorted(in_lanes) == sorted(clause.id for clause in contract.clauses if needs_server(clause))


@pytest.mark.parametrize(
    ("steps", "spoken_of"),
    [
        ([{"call": "thread/read", "params": {"threadId": "${main}"}}], {"main"}),
        ([{"call": "thread/read", "params": {"text": "not ${main.id} alone"}}], {"main"}),
        ([{"turn": {"thread": "other", "user": "u"}}], {"other"}),
        ([{"together": [{"call": "x", "expect": {"invariants": [{"page": {"of": "other"}}]}}]}], {"other"}),
        ([{"await": "x", "where": {"properties": {"threadId": {"const": "${main}"}}}}], {"main"}),
        ([{"call": "thread/list", "params": {"limit": 5, "text": "the main thing"}}], set()),
    ],
)
def test_a_clause_speaks_of_the_threads_that_its_steps_name(steps: list[Any], spoken_of: set[str]) -> None:
    entry = {"id": "read.mine", "promise": "p", "why": "w", "source": "s", "steps": steps}
    (clause,) = expand(entry)
    assert {thread for thread in ("main", "other") if speaks_of(clause, thread)} == spoken_of
