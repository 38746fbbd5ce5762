"""What a baseline makes of a run: waived, stale, or nothing at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.baseline.apply import apply, as_judged, examine, is_over
from hive_gate.baseline.model import BaselineFile, Entry
from hive_gate.baseline.versions import Versions
from hive_gate.cli.outcome import exit_code
from hive_gate.exits import Exit
from hive_gate.report.model import OPENING, Report

A, B = "a" * 12, "b" * 12
Accepted = Callable[..., BaselineFile]

IDS = ("s.one", "s.two", "s.three", "t.last")


def verdicts(report: Report) -> dict[str, str]:
    return {c.id: c.verdict for c in report.clauses}


def test_a_failure_that_is_listed_is_waived_and_opens_the_gate(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass"})
    report = apply(raw, accepted(), IDS, made.today)
    assert (raw.gate, report.gate) == ("closed", "open")
    assert exit_code(report) is Exit.OPEN
    assert verdicts(report) == {"s.one": "waived", "s.two": "pass"}
    waiver = report.clauses[0].waiver
    assert waiver
    assert (waiver.entry, waiver.reason, waiver.owner, waiver.expires, waiver.problem, waiver.was) == (
        "/waiver/0", "Hive does without.", "kim", "2027-03-31", None, "fail",
    )  # fmt: skip
    assert replace(report.clauses[0], verdict="fail", waiver=None) == raw.clauses[0]
    assert report.baseline
    assert (report.baseline.path, report.baseline.entries, report.baseline.applied) == ("b.toml", 1, 1)
    assert report.baseline.problems == ()


def test_an_advisory_failure_is_waived_as_well(made: Any, accepted: Accepted) -> None:
    report = apply(made.report({"s.one": "warn a", "s.two": "pass"}, advisory=("s.one",)), accepted(), IDS, made.today)
    assert (verdicts(report)["s.one"], report.gate) == ("waived", "open")


STALE: list[tuple[str, dict[str, Any], str]] = [
    (
        "pass",
        {},
        "and the clause passes: take it out (hive-gate baseline prune), or leave 0.143.0 out of its versions.",
    ),
    ("not-offered", {}, "and this target does not offer what the clause needs: take it out (hive-gate baseline prune)"),
    ("fail b", {}, f"with another fingerprint ({A}) than this one ({B}): look at what is different, and correct"),
    ("warn b", {}, f"with another fingerprint ({A}) than this one ({B})"),
    ("fail b", {"fingerprint": f'["{A}", "{"c" * 12}"]'}, f"with another fingerprint ({A}, {'c' * 12}) than this one"),
    ("fail a", {"expires": "2026-11-30"}, "until 2026-11-30, which is over: get it mended, or agree on a later date"),
    ("fail b", {"expires": "2026-11-30"}, "with another fingerprint"),
    ("pass", {"expires": "2026-11-30"}, "and the clause passes"),
]


@pytest.mark.parametrize("level", ["required", "advisory"])
@pytest.mark.parametrize(("told", "changes", "said"), STALE)
def test_an_entry_that_is_not_true_is_stale_and_closes_the_gate_whatever_the_level(
    told: str, changes: dict[str, Any], said: str, level: str, made: Any, accepted: Accepted
) -> None:
    raw = made.report({"s.one": told, "s.two": "pass"}, advisory=("s.one",) if level == "advisory" else ())
    report = apply(raw, accepted(**changes), IDS, made.today)
    assert (verdicts(report)["s.one"], report.gate) == ("stale", "closed")
    assert exit_code(report) is Exit.CLOSED
    waiver = report.clauses[0].waiver
    assert waiver
    assert waiver.was == told.partition(" ")[0]
    assert (waiver.problem or "").startswith("The baseline's entry /waiver/0 accepts a failure")
    assert said in (waiver.problem or "")
    assert (waiver.problem or "").endswith(".")
    assert report.clauses[0].actual == raw.clauses[0].actual


def test_an_entry_holds_on_its_last_day(made: Any, accepted: Accepted) -> None:
    report = apply(
        made.report({"s.one": "fail a", "s.two": "pass"}), accepted(expires="2026-12-01"), IDS, date(2026, 12, 1)
    )
    assert verdicts(report)["s.one"] == "waived"


@pytest.mark.parametrize("told", ["blocked", "error"])
def test_what_could_not_be_judged_is_neither_waived_nor_stale(told: str, made: Any, accepted: Accepted) -> None:
    report = apply(made.report({"s.one": told, "s.two": "pass"}), accepted(), IDS, made.today)
    assert (verdicts(report)["s.one"], report.clauses[0].waiver, report.gate) == (told, None, "closed")


@pytest.mark.parametrize("versions", ["0.142.5", "0.143.1..", "..0.143.0-alpha.9"])
def test_an_entry_of_other_versions_does_nothing_and_is_counted_apart(
    versions: str, made: Any, accepted: Accepted
) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass"})
    report = apply(raw, accepted("no.clause", versions=f'"{versions}"'), IDS, made.today)
    assert report.clauses == raw.clauses
    assert report.baseline
    assert (report.baseline.entries, report.baseline.applied, report.baseline.problems) == (1, 0, ())


@pytest.mark.parametrize(
    "target", [{"kind": "command"}, {"version": None}, {"version": "nightly"}, {"kind": "command", "version": None}]
)
def test_what_is_no_codex_of_a_version_gets_no_waivers(target: dict[str, Any], made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass"}, target=target)
    report = apply(raw, accepted(versions='"0.1.0.."'), IDS, made.today)
    assert (report.clauses, report.gate) == (raw.clauses, "closed")
    assert report.baseline
    assert report.baseline.applied == 0


def test_an_empty_baseline_is_in_the_report_and_changes_nothing(made: Any) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass"})
    report = apply(raw, made.baseline(), IDS, made.today)
    assert report.baseline
    assert report.baseline.entries == 0
    assert replace(report, baseline=None) == raw


@pytest.mark.parametrize("more", [{"problem": "It died."}, {"problem": "interrupted by SIGINT", "interrupted": True}])
def test_a_run_that_could_not_be_judged_has_what_is_accepted_waived_and_nothing_stale(
    made: Any, more: dict[str, Any]
) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass", "s.three": "blocked"}, **more)
    known, untrue = made.entry("s.one"), made.entry("s.two")
    report = apply(raw, made.baseline(known, untrue), IDS, made.today)
    assert [clause.verdict for clause in report.clauses] == ["waived", "pass", "blocked"]
    assert (report.gate, problems(report)) == ("closed", ())
    # Also where the one failure was all that stood in the way.
    alone = made.report({"s.one": "fail a", "s.two": "pass"}, **more)
    assert apply(alone, made.baseline(known), IDS, made.today).gate == "closed"


def problems(report: Report) -> tuple[str, ...]:
    assert report.baseline
    return report.baseline.problems


def test_an_entry_that_names_no_clause_closes_the_gate(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "pass", "s.two": "pass"})
    report = apply(raw, accepted("s.oen"), IDS, made.today)
    assert problems(report) == (
        "The baseline's entry /waiver/0 (s.oen) names no clause of the contract: take it out, or correct the id "
        "(hive-gate contract show lists them).",
    )
    assert (report.clauses, report.gate) == (raw.clauses, "closed")
    assert exit_code(report) is Exit.CLOSED


def test_a_glob_covers_all_that_it_names_and_each_has_to_fail_as_listed(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass", "s.three": "fail b", "t.last": "pass"})
    listed = accepted("s.*", at_most=3, fingerprint=f'["{A}", "{B}"]')
    report = apply(raw, listed, IDS, made.today)
    assert verdicts(report) == {"s.one": "waived", "s.two": "stale", "s.three": "waived", "t.last": "pass"}
    assert problems(report) == ()


def test_a_glob_that_names_more_than_its_cap_waives_nothing_and_closes_the_gate(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "fail a", "s.three": "fail a", "t.last": "pass"})
    report = apply(raw, accepted("s.*", at_most=2), IDS, made.today)
    assert problems(report) == (
        "The baseline's entry /waiver/0 (s.*) names 3 clauses and may name 2: narrow the glob, or raise `at-most` if "
        "all of them may fail.",
    )
    assert (report.clauses, report.gate) == (raw.clauses, "closed")


def test_a_listed_fingerprint_that_no_clause_shows_closes_the_gate(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass"})
    report = apply(raw, accepted(fingerprint=f'["{A}", "{B}"]'), IDS, made.today)
    assert verdicts(report)["s.one"] == "waived"
    assert problems(report) == (
        f"The baseline's entry /waiver/0 (s.one) lists the fingerprint {B}, with which none of its clauses fails: take "
        "it out of the list.",
    )
    assert report.gate == "closed"


def test_where_all_is_stale_a_fingerprint_that_does_not_show_is_not_told_twice(made: Any, accepted: Accepted) -> None:
    report = apply(made.report({"s.one": "pass"}), accepted(fingerprint=f'["{A}", "{B}"]'), IDS, made.today)
    assert (verdicts(report), problems(report)) == ({"s.one": "stale"}, ())


def test_two_entries_for_one_clause_waive_neither_and_close_the_gate(made: Any) -> None:
    listed = made.baseline(made.entry("s.*", at_most=3), made.entry("s.one"))
    raw = made.report({"s.one": "fail a", "s.two": "fail a", "s.three": "fail a", "t.last": "pass"})
    report = apply(raw, listed, IDS, made.today)
    assert verdicts(report) == {"s.one": "fail", "s.two": "waived", "s.three": "waived", "t.last": "pass"}
    assert problems(report) == (
        "The baseline's entry /waiver/1 (s.one) and /waiver/0 (s.*) both name s.one: narrow one of them, or "
        "its versions.",
    )


def test_two_entries_of_which_one_is_for_other_versions_are_none_for_this(made: Any) -> None:
    listed = made.baseline(made.entry("s.*", at_most=3, versions='"0.144.0.."'), made.entry("s.one"))
    report = apply(made.report({"s.one": "fail a", "t.last": "pass"}), listed, IDS, made.today)
    assert (verdicts(report)["s.one"], problems(report)) == ("waived", ())


def test_a_partial_run_is_judged_on_what_it_ran(made: Any) -> None:
    listed = made.baseline(
        made.entry("s.*", at_most=3, fingerprint=f'["{A}", "{B}"]'), made.entry("t.last"), made.entry("u.gone")
    )
    report = apply(made.report({"s.one": "fail a", "s.two": "pass"}, partial=True), listed, IDS, made.today)
    assert verdicts(report) == {"s.one": "waived", "s.two": "stale"}
    (problem,) = problems(report)  # neither the fingerprint that s.three may show nor t.last, which was not run
    assert "(u.gone) names no clause" in problem


def test_a_fingerprint_is_not_missed_while_a_clause_could_not_be_judged(made: Any, accepted: Accepted) -> None:
    listed = accepted("s.*", at_most=3, fingerprint=f'["{A}", "{B}"]')
    report = apply(made.report({"s.one": "fail a", "s.two": "fail a", "s.three": "blocked"}), listed, IDS, made.today)
    assert problems(report) == ()


def test_a_baseline_is_applied_again_as_if_for_the_first_time(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass", "s.three": "pass"})
    first = apply(raw, made.baseline(made.entry("s.one"), made.entry("s.two")), IDS, made.today)
    assert verdicts(first) == {"s.one": "waived", "s.two": "stale", "s.three": "pass"}
    assert as_judged(first) == raw
    assert apply(first, accepted(), IDS, made.today) == apply(raw, accepted(), IDS, made.today)


TOLD = st.sampled_from(["pass", "fail a", "fail b", "warn a", "not-offered", "blocked", "error"])
ENTRIES = st.lists(
    st.builds(
        lambda clause, at_most, versions, prints, expires: Entry(
            "", clause, at_most if "*" in clause else None, Versions.parse(versions), prints, "why", "who", expires
        ),
        st.sampled_from([*IDS, "s.*", "*", "x.y"]),
        st.integers(1, 4),
        st.sampled_from(["0.143.0", "0.142.5..", "..0.142.0"]),
        st.sampled_from([(A,), (B,), (A, B)]),
        st.sampled_from([date(2026, 11, 30), date(2027, 1, 1)]),
    ),
    max_size=4,
)


@given(st.lists(st.tuples(TOLD, st.booleans()), min_size=4, max_size=4), ENTRIES, st.booleans())
def test_nothing_but_a_listed_failure_is_hidden(
    made: Any, told: list[tuple[str, bool]], entries: list[Entry], partial: bool
) -> None:
    numbered = tuple(replace(entry, pointer=f"/waiver/{n}") for n, entry in enumerate(entries))
    listed = replace(made.baseline(), entries=numbered)
    advisory = tuple(ident for ident, (_, is_advisory) in zip(IDS, told, strict=True) if is_advisory)
    raw = made.report({i: t for i, (t, _) in zip(IDS, told, strict=True)}, advisory=advisory, partial=partial)
    report = apply(raw, listed, IDS, made.today)
    chosen = [e for e in numbered if e.versions.text != "..0.142.0"]
    named = {ident for entry in chosen for ident in entry.covered(IDS)}
    for before, after in zip(raw.clauses, report.clauses, strict=True):
        if before.id not in named or before.verdict in ("blocked", "error"):
            assert after == before
        if after.verdict == "waived":
            assert before.verdict in ("fail", "warn")
            (entry,) = [e for e in chosen if before.id in e.covered(IDS)]
            assert before.fingerprint in entry.fingerprints
            assert entry.expires >= made.today
        assert replace(after, verdict=before.verdict, waiver=None) == before
    unlisted = [c for c in raw.clauses if c.level == "required" and c.verdict not in OPENING and c.id not in named]
    if unlisted:
        assert report.gate == "closed"
        assert raw.gate == "closed"
    if raw.gate == "open" and not chosen:
        assert report.gate == "open"
    assert as_judged(report) == raw


OVER: list[tuple[list[dict[str, str]], bool]] = [
    ([{"s.one": "pass"}], True),
    ([{"s.one": "fail b"}], True),
    ([{"s.one": "not-offered"}, {"s.one": "pass"}], True),
    ([{"s.one": "fail a"}], False),
    ([{"s.one": "pass"}, {"s.one": "fail a"}], False),
    ([{"s.one": "blocked"}], False),
    ([{"s.one": "pass"}, {"s.one": "error"}], False),
]


@pytest.mark.parametrize(("runs", "over"), OVER)
def test_an_entry_is_over_if_it_is_stale_in_every_run(
    runs: list[dict[str, str]], over: bool, made: Any, accepted: Accepted
) -> None:
    effects = [examine(made.report(run), accepted(), IDS, made.today)[0] for run in runs]
    assert is_over(effects) is over


def test_an_entry_for_no_given_version_is_not_over(made: Any, accepted: Accepted) -> None:
    (effect,) = examine(made.report({"s.one": "pass"}), accepted(versions='"0.150.0"'), IDS, made.today)
    assert not is_over([effect])
    (other,) = examine(made.report({"s.one": "pass"}), accepted(), IDS, made.today)
    assert is_over([effect, other])


def test_an_entry_that_names_nothing_is_over_and_one_that_names_too_much_is_not(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "pass", "s.two": "pass", "s.three": "pass"})
    assert is_over(examine(raw, accepted("x.y"), IDS, made.today))
    assert not is_over(examine(raw, accepted("s.*", at_most=2), IDS, made.today))
    assert is_over(examine(raw, accepted("s.*", at_most=3), IDS, made.today))


def test_an_entry_of_which_a_clause_could_not_be_judged_is_not_over(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "pass", "s.two": "pass", "s.three": "blocked"})
    assert not is_over(examine(raw, accepted("s.*", at_most=3), IDS, made.today))


def test_a_glob_that_still_waives_a_clause_is_not_over(made: Any, accepted: Accepted) -> None:
    raw = made.report({"s.one": "fail a", "s.two": "pass", "s.three": "pass"})
    assert not is_over(examine(raw, accepted("s.*", at_most=3), IDS, made.today))
