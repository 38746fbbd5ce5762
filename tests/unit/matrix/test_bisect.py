"""Halving: over sequences with one boundary, with several, with holes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.matrix.bisect import SKIPS, Search, search
from hive_gate.matrix.bisection import bisection, stretches
from tests.unit.matrix.faked import FakeRuns, outcome

CLAUSE = "read.one"


def names(count: int) -> list[str]:
    return [f"0.{100 + number}.0" for number in range(count)]


def by_verdicts(verdicts: Sequence[str | None], clause: str = CLAUSE) -> FakeRuns:
    versions = names(len(verdicts))

    def rule(version: str) -> dict[str, str] | None:
        verdict = verdicts[versions.index(version)]
        return None if verdict is None else {clause: verdict}

    return FakeRuns(rule)


@given(st.integers(1, 300), st.data())
def test_one_boundary_is_found_within_log2_plus_2_probes_wherever_it_is(count: int, data: st.DataObject) -> None:
    versions = names(count + 1)
    at = data.draw(st.integers(1, count))
    runs = by_verdicts(["pass"] * at + ["fail"] * (count + 1 - at))

    told = bisection(search(versions, [CLAUSE], runs), [CLAUSE])

    assert (told.found, [b.first for b in told.boundaries]) == ("found", [versions[at]])
    assert told.boundaries[0].before == versions[at - 1]
    assert told.probes == len(runs.asked) == len(set(runs.asked)) <= math.ceil(math.log2(count)) + 2 == told.limit


@given(st.lists(st.sampled_from(["pass", "fail", "not-offered", None]), min_size=2, max_size=60))
def test_whatever_the_sequence_a_boundary_that_is_told_is_one(middle: list[str | None]) -> None:
    verdicts = ["pass", *middle, "fail"]
    versions = names(len(verdicts))
    runs = by_verdicts(verdicts)

    told = bisection(search(versions, [CLAUSE], runs), [CLAUSE])

    (boundary,) = told.boundaries
    low, high = versions.index(boundary.before), versions.index(boundary.first)
    assert verdicts[low] == "pass"
    assert verdicts[high] not in ("pass", None)
    assert all(verdicts[at] is None for at in range(low + 1, high) if versions[at] in boundary.skipped)
    assert set(boundary.skipped) | set(boundary.untried) == set(versions[low + 1 : high])
    assert (told.found == "found") == (high == low + 1)
    # Every version asked for is told, and whatever was seen to change twice is said.
    assert {one.version for one in told.seen} == set(runs.asked)
    (change,) = boundary.clauses
    seen = [(v, verdicts[versions.index(v)]) for v in versions if v in runs.asked]
    assert [s.verdict for s in change.sequence] == [
        s.verdict
        for s in stretches([(v, verdict) for v, verdict in seen if verdict])  # type: ignore[misc]
    ]
    assert ("not monotonic" in told.answer) == (len(change.sequence) > 2)


@given(st.integers(3, 60), st.data())
def test_each_version_that_cannot_be_judged_costs_one_probe(count: int, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, count - 1))
    verdicts: list[str | None] = [*["pass"] * at, *["fail"] * (count - at)]
    for hole in data.draw(st.lists(st.integers(1, count - 2), max_size=SKIPS - 1, unique=True)):
        verdicts[hole] = None
    versions = names(count)
    runs = by_verdicts(verdicts)

    told = bisection(search(versions, [CLAUSE], runs), [CLAUSE])

    (boundary,) = told.boundaries
    judged = [index for index, verdict in enumerate(verdicts) if verdict is not None]
    assert boundary.first == versions[next(index for index in judged if index >= at)]
    assert boundary.before == versions[[index for index in judged if index < at][-1]]
    assert boundary.untried == ()


def test_a_skipped_version_is_named_with_its_reason() -> None:
    runs = by_verdicts(["pass", "pass", None, "fail", "fail"])

    told = bisection(search(names(5), [CLAUSE], runs), [CLAUSE])

    assert (told.found, told.boundaries[0].skipped) == ("between", ("0.102.0",))
    assert told.answer == (
        "read.one changes from pass to fail after 0.101.0 and no later than 0.103.0: "
        "1 version between them could not be judged."
    )
    assert [one.problem for one in told.seen if one.version == "0.102.0"] == ["0.102.0 is not there."]


def test_with_the_network_down_the_search_gives_up_before_it_has_tried_everything() -> None:
    runs = by_verdicts(["pass", *[None] * 50, "fail"])

    told = bisection(search(names(52), [CLAUSE], runs), [CLAUSE])

    assert told.probes == 2 + SKIPS
    assert len(told.boundaries[0].untried) == 50 - SKIPS
    assert told.answer == (
        "read.one changes from pass to fail after 0.100.0 and no later than 0.151.0: 10 of the 50 versions between "
        "them could not be judged, and the search gave up; the other 40 were not tried."
    )


@pytest.mark.parametrize(
    ("skipped", "untried", "said"),
    [
        (1, 0, "1 version between them could not be judged"),
        (2, 0, "2 versions between them could not be judged"),
        (
            10, 1, "10 of the 11 versions between them could not be judged, and the search gave up; the other was not "
            "tried"
        ),
        (0, 1, "1 version between them was not tried, for the search gave up before"),
        (0, 3, "3 versions between them were not tried, for the search gave up before"),
    ],
)  # fmt: skip
def test_what_was_not_tried_is_not_said_to_be_beyond_judging(skipped: int, untried: int, said: str) -> None:
    versions = names(40)
    at = 1 if skipped else 30
    left = skipped + untried
    verdicts = {"pass": versions[:at], "fail": versions[at + left :]}
    known = {v: outcome(v, {CLAUSE: verdict}) for verdict, group in verdicts.items() for v in group}
    state = Search(tuple(versions), (CLAUSE,), known)
    state.outcomes.update({v: outcome(v, None) for v in versions[at : at + skipped]})

    told = bisection(state, [CLAUSE])

    assert told.answer.endswith(f": {said}.")


def test_a_clause_that_another_ones_run_shows_to_change_earlier_is_narrowed_down_again() -> None:
    """The first clause is done once it changed in 0.105.0; the second one's runs find it changed in 0.101.0."""
    verdicts = {
        "read.a": ["pass", "fail", "fail", "pass", "pass", "fail", "fail", "fail", "fail"],
        "read.b": ["pass", "pass", "pass", "fail", "fail", "fail", "fail", "fail", "fail"],
    }
    versions = names(9)
    runs = FakeRuns(lambda version: {clause: seen[versions.index(version)] for clause, seen in verdicts.items()})

    told = bisection(search(versions, list(verdicts), runs), list(verdicts))

    assert told.found == "found"
    assert [(one.before, one.first) for one in told.boundaries] == [("0.100.0", "0.101.0"), ("0.102.0", "0.103.0")]


@pytest.mark.parametrize(("clauses", "said"), [(1, ""), (2, " (and 1 more clause)"), (3, " (and 2 more clauses)")])
def test_clauses_that_changed_more_than_once_are_counted(clauses: int, said: str) -> None:
    ids = [f"read.c{number}" for number in range(clauses)]
    versions = names(5)
    seen = ["pass", "fail", "pass", "fail", "fail"]
    known = {v: outcome(v, dict.fromkeys(ids, verdict)) for v, verdict in zip(versions, seen, strict=True)}

    told = bisection(Search(tuple(versions), tuple(ids), known), ids)

    assert told.answer.endswith(f"pass 0.102.0, fail 0.103.0..0.104.0{said}.")


def test_a_clause_that_alone_could_not_be_judged_is_skipped_too() -> None:
    runs = by_verdicts(["pass", "pass", "blocked", "error", "fail", "fail"])

    told = bisection(search(names(6), [CLAUSE], runs), [CLAUSE])

    assert told.boundaries[0].skipped == ("0.102.0", "0.103.0")


def test_clauses_that_change_together_share_their_probes() -> None:
    versions = names(50)

    def rule(version: str) -> dict[str, str]:
        at = versions.index(version)
        return {
            "read.a": "pass" if at < 7 else "fail",
            "read.b": "pass" if at < 7 else "not-offered",
            "read.c": "pass" if at < 33 else "fail",
            "read.d": "pass",
        }

    runs = FakeRuns(rule)
    told = bisection(search(versions, ["read.a", "read.b", "read.c", "read.d"], runs), ["read.*"])

    assert [(b.first, [c.id for c in b.clauses]) for b in told.boundaries] == [
        ("0.107.0", ["read.a", "read.b"]), ("0.133.0", ["read.c"]),
    ]  # fmt: skip
    assert told.same == ("read.d",)
    assert told.probes == len(runs.asked) < 2 * told.limit
    assert told.answer == (
        "read.a and read.b change in 0.107.0 (last before it: 0.106.0); "
        "read.c changes from pass to fail in 0.133.0 (last before it: 0.132.0)."
    )


def test_what_is_in_the_cache_costs_nothing_and_narrows_the_search() -> None:
    versions = names(33)
    verdicts = ["pass"] * 5 + ["fail"] * 28
    runs = by_verdicts(verdicts)
    known = {v: outcome(v, {CLAUSE: verdicts[versions.index(v)]}) for v in ("0.104.0", "0.105.0", "0.120.0")}

    told = bisection(search(versions, [CLAUSE], runs, known), [CLAUSE])

    assert told.boundaries[0].first == "0.105.0"
    assert runs.asked == ["0.100.0", "0.132.0"]
    assert [one.version for one in told.seen if not one.asked] == ["0.104.0", "0.105.0", "0.120.0"]


def test_a_cached_neighbor_shows_that_the_verdict_is_not_monotonic() -> None:
    versions = names(9)
    runs = by_verdicts(["pass", "pass", "pass", "pass", "pass", "pass", "pass", "fail", "fail"])
    known = {"0.102.0": outcome("0.102.0", {CLAUSE: "fail"})}

    told = bisection(search(versions, [CLAUSE], runs, known), [CLAUSE])

    # The earliest change that was seen is the one that is looked for.
    assert (told.boundaries[0].before, told.boundaries[0].first) == ("0.101.0", "0.102.0")
    runs = by_verdicts(["pass", "fail", "pass", "fail"])
    known = {v: outcome(v, {CLAUSE: verdict}) for v, verdict in (("0.101.0", "fail"), ("0.102.0", "pass"))}
    told = bisection(search(names(4), [CLAUSE], runs, known), [CLAUSE])
    assert told.answer.endswith(
        "; not monotonic: read.one was seen as pass 0.100.0, fail 0.101.0, pass 0.102.0, fail 0.103.0."
    )


def test_the_same_verdict_at_both_ends_is_told_with_what_was_seen_between() -> None:
    known = {"0.101.0": outcome("0.101.0", {CLAUSE: "fail"})}
    runs = by_verdicts(["pass", "fail", "pass"])

    told = bisection(search(names(3), [CLAUSE], runs, known), [CLAUSE])

    assert told.found == "same"
    assert told.answer == (
        "read.one has the same verdict (pass) in 0.100.0 and in 0.102.0; "
        "between them read.one was seen as fail in 0.101.0, so take that as one end."
    )
    alone = bisection(search(names(3), [CLAUSE], runs), [CLAUSE])
    assert alone.answer == "read.one has the same verdict (pass) in 0.100.0 and in 0.102.0: nothing changed."
    assert [(w.id, [s.verdict for s in w.sequence]) for w in told.wavering] == [(CLAUSE, ["pass", "fail", "pass"])]


@pytest.mark.parametrize("ends", [[None, "fail"], ["pass", None], ["pass", "blocked"]])
def test_an_end_that_cannot_be_judged_ends_the_search(ends: list[str | None]) -> None:
    runs = by_verdicts([ends[0], "pass", "fail", ends[1]])

    told = bisection(search(names(4), [CLAUSE], runs), [CLAUSE])

    assert (told.found, told.probes, told.unjudged) == ("not-judged", 2, (CLAUSE,))
    assert "could not be judged" in told.answer


def test_a_run_that_the_user_ended_ends_the_search() -> None:
    def judge(versions: object) -> list[object]:
        return [outcome("0.100.0", {CLAUSE: "pass"}, "interrupted")]

    with pytest.raises(KeyboardInterrupt):
        search(names(3), [CLAUSE], judge)  # type: ignore[arg-type]
