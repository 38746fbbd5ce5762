"""Entries for a report's failures: exactly those that are named, and as few as say it exactly."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.baseline.apply import apply
from hive_gate.baseline.model import Entry
from hive_gate.baseline.propose import (
    propose,
    renumbered,
    require_contract,
    require_judged,
    require_unlisted,
    require_whole,
)
from hive_gate.errors import UsageError
from hive_gate.report.model import Report

A, B = "a" * 12, "b" * 12
IDS = ("s.one/x", "s.one/y", "s.two", "s.three", "t.one/x", "t.one/y")
LATER = date(2027, 3, 31)


def made_for(report: Report, glob: str, **more: Any) -> tuple[Entry, ...]:
    return propose(report, glob, IDS, reason="why", owner="who", expires=LATER, **more)


def told(entries: tuple[Entry, ...]) -> list[tuple[str, int | None, tuple[str, ...]]]:
    return [(entry.clause, entry.at_most, entry.fingerprints) for entry in entries]


def report(made: Any, *verdicts: str, **more: Any) -> Report:
    found: Report = made.report(dict(zip(IDS, verdicts, strict=True)), **more)
    return found


NAMED: list[tuple[str, tuple[str, ...], list[tuple[str, int | None, tuple[str, ...]]]]] = [
    # An id.
    ("s.two", ("pass", "pass", "fail a", "pass", "pass", "pass"), [("s.two", None, (A,))]),
    # All that the glob names failed alike: the user's own words.
    ("s.*", ("fail a", "fail a", "fail a", "fail a", "pass", "pass"), [("s.*", 4, (A,))]),
    # Clauses that hold are left out; all products of one clause are named by a glob of their own.
    ("s.*", ("fail a", "fail a", "pass", "fail a", "pass", "pass"), [("s.one/*", 2, (A,)), ("s.three", None, (A,))]),
    ("s.one", ("fail a", "fail a", "pass", "pass", "pass", "pass"), [("s.one/*", 2, (A,))]),
    ("s.one/*", ("fail a", "pass", "pass", "pass", "pass", "pass"), [("s.one/x", None, (A,))]),
    # Those that failed differently have entries of their own.
    ("s.one/*", ("fail a", "fail b") + ("pass",) * 4, [("s.one/x", None, (A,)), ("s.one/y", None, (B,))]),
    # An advisory clause, and one that is not named.
    ("t.*", ("pass", "pass", "fail a", "pass", "warn b", "warn b"), [("t.*", 2, (B,))]),
    # What could not be judged is no failure.
    ("s.*", ("blocked", "error", "not-offered", "fail a", "pass", "pass"), [("s.three", None, (A,))]),
]  # fmt: skip


@pytest.mark.parametrize(("glob", "verdicts", "entries"), NAMED)
def test_entries_name_exactly_the_failures(glob: str, verdicts: tuple[str, ...], entries: list[Any], made: Any) -> None:
    proposed = made_for(report(made, *verdicts), glob)
    assert told(proposed) == entries
    assert {(e.versions.text, e.reason, e.owner, e.expires) for e in proposed} == {("0.143.0", "why", "who", LATER)}


@given(st.lists(st.sampled_from(["pass", "fail a", "fail b", "warn a", "not-offered"]), min_size=6, max_size=6))
def test_what_is_proposed_waives_every_failure_and_is_stale_nowhere(made: Any, verdicts: list[str]) -> None:
    raw = report(made, *verdicts)
    if not any(c.fingerprint for c in raw.clauses):
        return
    listed = made.baseline()
    entries = renumbered(made_for(raw, "*"), 0)
    after = apply(raw, type(listed)(listed.path, listed.sha256, None, entries), IDS, made.today)
    assert after.baseline
    assert after.baseline.problems == ()
    assert [c.verdict for c in after.clauses] == ["waived" if c.fingerprint else c.verdict for c in raw.clauses]


def test_a_range_may_be_named_if_the_report_is_of_a_version_in_it(made: Any) -> None:
    raw = report(made, "pass", "pass", "fail a", "pass", "pass", "pass")
    (entry,) = made_for(raw, "s.two", versions="0.142.0..0.150.0")
    assert entry.versions.text == "0.142.0..0.150.0"
    with pytest.raises(UsageError, match=r"--versions 0.144.0.. does not have 0.143.0 in it"):
        made_for(raw, "s.two", versions="0.144.0..")
    with pytest.raises(UsageError, match="'latest' is not a version"):
        made_for(raw, "s.two", versions="latest")


@pytest.mark.parametrize(
    ("glob", "said"),
    [
        ("s.tow", "the contract has no clause 's.tow'"),
        ("s.one", "no clause that 's.one' names failed with 0.143.0"),
        ("t.*", "no clause that 't.*' names failed with 0.143.0"),
    ],
)
def test_a_glob_that_names_no_failure_is_refused(glob: str, said: str, made: Any) -> None:
    with pytest.raises(UsageError) as caught:
        made_for(report(made, "pass", "pass", "fail a", "pass", "blocked", "not-offered"), glob)
    assert caught.value.message == said
    assert caught.value.hint


def test_failures_that_are_waived_in_the_report_are_not_listed_again(made: Any) -> None:
    raw = report(made, "pass", "pass", "fail a", "fail b", "pass", "pass")
    listed = apply(raw, made.baseline(made.entry("s.two")), IDS, made.today)
    assert told(made_for(listed, "s.*")) == [("s.three", None, (B,))]
    with pytest.raises(UsageError, match=r"every failure of 0.143.0 that 's.two' names is waived already"):
        made_for(listed, "s.two")


@pytest.mark.parametrize("listed", ['"0.143.0"', '"0.100.0.."', '"0.143.0..0.143.1"'])
def test_a_clause_that_the_baseline_speaks_of_is_not_listed_again(listed: str, made: Any) -> None:
    known = made.baseline(made.entry("x.y"), made.entry("s.t*", at_most=2, versions=listed))
    entries = made_for(report(made, "pass", "pass", "fail b", "pass", "pass", "pass"), "s.two")
    with pytest.raises(UsageError, match=r"s.two is listed already, for .*\(s.t\*\)") as caught:
        require_unlisted(entries, known, IDS)
    assert caught.value.where == "b.toml#/waiver/1"


def test_a_clause_may_be_listed_again_for_other_versions(made: Any) -> None:
    known = made.baseline(made.entry("s.two", versions='"0.142.0"'), made.entry("s.three"))
    require_unlisted(made_for(report(made, "pass", "pass", "fail b", "pass", "pass", "pass"), "s.two"), known, IDS)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"partial": True}, "the run is partial"),
        ({"interrupted": True, "problem": "interrupted by SIGINT"}, "the run was interrupted"),
        ({"problem": "It did not start."}, "the run could not be judged: It did not start"),
        ({"target": {"kind": "command"}}, "what ran is no codex with a version"),
        ({"target": {"version": None}}, "what ran is no codex with a version"),
    ],
)
def test_a_report_that_says_too_little_is_refused(more: dict[str, Any], said: str, made: Any) -> None:
    found = report(made, *["pass"] * 6, **more)
    with pytest.raises(UsageError) as caught:
        require_whole(found, "r.json")
    assert caught.value.message.startswith(said)
    assert (caught.value.where, bool(caught.value.hint)) == ("r.json", True)


def test_a_partial_run_is_good_enough_to_look_at(made: Any) -> None:
    require_judged(report(made, *["pass"] * 6, partial=True), "r.json")
    with pytest.raises(UsageError, match="could not be judged"):
        require_judged(report(made, *["pass"] * 6, problem="It died."), "r.json")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hive", "the report is of another state of this contract (sha256 abababababab, not cdcdcdcdcdcd)"),
        ("other", "the report is of the contract hive (sha256 abababababab, not cdcdcdcdcdcd)"),
    ],
)
def test_a_report_of_another_contract_is_refused(name: str, said: str, made: Any) -> None:
    found = report(made, *["pass"] * 6)
    require_contract(found, "r.json", "hive", "ab" * 32)
    with pytest.raises(UsageError) as caught:
        require_contract(found, "r.json", name, "cd" * 32)
    assert caught.value.message == said
