"""The one line that people read first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hive_gate.report.model import ClauseResult, Report, Verdict, Waiver, gate_of
from hive_gate.report.verdict import Reference, by_urgency, headline, headline_text, outcome, program, suites, waived

Make = Callable[..., ClauseResult]


def with_verdicts(report: Report, make: Make, *verdicts: Verdict) -> Report:
    clauses = tuple(make(f"s.{number}", verdict) for number, verdict in enumerate(verdicts))
    return replace(report, clauses=clauses, gate=gate_of(clauses))


def test_an_open_gate_says_what_may_start(open_report: Report) -> None:
    assert headline_text(open_report) == (
        "Gate OPEN: codex-cli 0.143.0 keeps all 4 required clauses of hive-app-server 1.0.0 - #944 may start."
    )


def test_a_closed_gate_names_what_broke_and_says_what_must_wait(closed_report: Report) -> None:
    assert headline_text(closed_report) == (
        "Gate CLOSED: codex-cli 0.143.0 breaks 2 of 4 required clauses of hive-app-server 1.0.0 "
        "(items-list.unsupported, items-list.refused/desc) - #944 must wait."
    )


def test_only_three_broken_clauses_are_named(closed_report: Report, make_clause: Make) -> None:
    report = with_verdicts(closed_report, make_clause, "fail", "fail", "fail", "fail", "pass")
    assert "breaks 4 of 5 required clauses of hive-app-server 1.0.0 (s.0, s.1, s.2, …) - #944" in headline_text(report)


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("pass", "waived", "not-offered"), "keeps 1 of 3 required clauses (1 waived, 1 not offered) of"),
        (("fail", "blocked", "error", "pass"), "breaks 1 and could not be judged on 2 of 4 required clauses of"),
        (("pass", "stale"), "keeps 1 of 2 required clauses (1 stale) of"),
        (("pass", "fail", "waived", "stale"), "breaks 1 of 4 required clauses (1 waived) of"),
        (("pass",), "keeps the one required clause of"),
    ],
)
def test_exceptions_are_told_apart_from_a_pass(
    verdicts: tuple[Verdict, ...], said: str, closed_report: Report, make_clause: Make
) -> None:
    assert said in headline_text(with_verdicts(closed_report, make_clause, *verdicts))


def test_what_is_not_true_of_the_baseline_is_named(waived_report: Report) -> None:
    line = headline_text(waived_report)
    assert line == (
        "Gate CLOSED: codex-cli 0.143.0 keeps 2 of 4 required clauses (1 waived, 1 stale) of hive-app-server 1.0.0; "
        "stale in the baseline: items-list.refused/desc (/waiver/1); The baseline's entry /waiver/2 (resume.ful) names "
        "no clause of the contract: take it out - #944 must wait."
    )
    partial = headline_text(replace(waived_report, run=replace(waived_report.run, partial=True)))
    assert "; stale in the baseline: items-list.refused/desc (/waiver/1); The baseline's entry /waiver/2" in partial


def test_only_three_stale_clauses_and_one_problem_are_named(
    closed_report: Report, waived_report: Report, make_clause: Make
) -> None:
    report = with_verdicts(closed_report, make_clause, "pass", "stale", "stale", "stale", "stale")
    assert "; stale in the baseline: s.1, s.2, s.3, … - #944 must wait." in headline_text(report)
    assert waived_report.baseline
    problems = ("One is wrong.", "Another.", "A third.")
    report = replace(waived_report, baseline=replace(waived_report.baseline, problems=problems))
    assert "; One is wrong (and 2 more) - #944 must wait." in headline_text(report)


def test_where_clauses_are_broken_as_well_stale_entries_are_named_by_their_place(
    closed_report: Report, waived_report: Report
) -> None:
    _, _, stale, *_ = waived_report.clauses
    line = headline_text(replace(closed_report, clauses=(*closed_report.clauses, replace(stale, id="x.y"))))
    assert "(items-list.unsupported, items-list.refused/desc); stale in the baseline: /waiver/1 - #944" in line


def test_waived_clauses_are_grouped_by_entry_and_by_what_came(closed_report: Report, make_clause: Make) -> None:
    one, other = (Waiver(f"/waiver/{n}", "why", "who", "2027-03-31") for n in range(2))
    clauses = (
        make_clause("a", "waived", waiver=one, fingerprint="0" * 12),
        make_clause("b", "pass"),
        make_clause("c", "waived", waiver=other, fingerprint="0" * 12),
        make_clause("d", "waived", waiver=one, fingerprint="0" * 12),
        make_clause("e", "waived", waiver=one, fingerprint="1" * 12),
        make_clause("f", "waived"),
    )
    groups = waived(replace(closed_report, clauses=clauses))
    assert [[c.id for c in group] for group in groups] == [["a", "d"], ["c"], ["e"], ["f"]]


@pytest.mark.parametrize("name", ["open_report", "closed_report"])
def test_a_partial_run_never_claims_to_release_anything(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    line = headline_text(replace(report, run=replace(report.run, partial=True)))
    assert line.startswith("PARTIAL run, which releases nothing: codex-cli 0.143.0 ")
    assert line.endswith("of hive-app-server 1.0.0 that were run; nothing is decided on #944.")
    assert "may start" not in line
    assert "Gate" not in line


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("pass",), "keeps the one required clause of hive-app-server 1.0.0 that was run;"),
        (("fail",), "breaks 1 of 1 required clause of hive-app-server 1.0.0 that was run;"),
        (("pass", "pass"), "keeps all 2 required clauses of hive-app-server 1.0.0 that were run;"),
        ((), "was not asked about any required clause of hive-app-server 1.0.0;"),
    ],
)
def test_a_partial_run_counts_what_was_run_in_good_english(
    verdicts: tuple[Verdict, ...], said: str, open_report: Report, make_clause: Make
) -> None:
    report = with_verdicts(open_report, make_clause, *verdicts)
    advisory = make_clause("advisory", "pass", level="advisory")
    partial = replace(report, clauses=(*report.clauses, advisory), run=replace(report.run, partial=True))
    assert f" {said}" in headline_text(partial)


def test_a_target_that_could_not_be_judged_is_said_to_be_that(open_report: Report) -> None:
    report = replace(open_report, gate="closed", run=replace(open_report.run, problem="It did not answer."))
    assert outcome(report) == "not-judged"
    assert headline_text(report) == (
        "Gate CLOSED, not judged: codex-cli 0.143.0 against hive-app-server 1.0.0: It did not answer; #944 must wait."
    )


def test_an_interrupted_run_and_one_without_clauses_are_not_judged(open_report: Report) -> None:
    interrupted = replace(open_report, run=replace(open_report.run, interrupted=True))
    assert "not judged" in headline_text(interrupted)
    assert "the run was interrupted" in headline_text(interrupted)
    assert "no clause was run" in headline_text(replace(open_report, clauses=()))


def test_only_issue_numbers_of_the_contract_become_references(closed_report: Report) -> None:
    report = replace(
        closed_report, contract=replace(closed_report.contract, gates=("#944", "#1 @admin", "the release"))
    )
    assert [piece for piece in headline(report) if isinstance(piece, Reference)] == [Reference("#944")]
    assert headline_text(report).endswith("- #944, #1 @admin, the release must wait.")


def test_a_contract_that_gates_nothing_ends_the_sentence(open_report: Report) -> None:
    report = replace(open_report, contract=replace(open_report.contract, gates=()))
    assert headline_text(report).endswith("required clauses of hive-app-server 1.0.0.")


def test_a_command_is_called_by_what_was_typed(open_report: Report) -> None:
    target = replace(open_report.target, kind="command", spec="my-server --x", version=None, handshake_version="0.1")
    assert program(replace(open_report, target=target)) == "my-server --x (0.1)"


def test_a_version_that_names_the_program_is_not_named_twice(open_report: Report) -> None:
    target = replace(open_report.target, version="codex-cli 0.142.5", handshake_version="codex-cli 0.142.5")
    assert program(replace(open_report, target=target)) == "codex-cli 0.142.5"


def test_an_open_gate_of_a_command_line_releases_nothing(open_report: Report) -> None:
    target = replace(open_report.target, kind="command", spec="my server")
    line = headline_text(replace(open_report, target=target))
    assert line.startswith("Gate OPEN: my server")
    assert line.endswith("it is no codex program, so it releases nothing.")
    assert "may start" not in line


def test_a_handshake_that_says_another_version_is_named_beside_it(open_report: Report) -> None:
    target = replace(open_report.target, version="0.171.0", handshake_version="0.142.5")
    assert program(replace(open_report, target=target)) == "codex-cli 0.171.0 (its handshake says 0.142.5)"


def test_what_closes_the_gate_comes_first(closed_report: Report, make_clause: Make) -> None:
    report = with_verdicts(closed_report, make_clause, "not-offered", "waived", "warn", "blocked", "pass", "fail")
    assert [c.verdict for c in by_urgency(report.clauses)] == ["fail", "blocked", "warn", "waived", "not-offered"]


def test_suites_stand_in_the_contracts_order_and_only_if_they_have_clauses(closed_report: Report) -> None:
    rows = suites(replace(closed_report, suites={"empty": "Empty", **closed_report.suites}))
    assert [(r.id, r.passed, r.total) for r in rows] == [
        ("handshake", 1, 1),
        ("turns-list", 1, 1),
        ("items-list", 0, 2),
        ("thread-name", 0, 1),
        ("schema", 0, 1),
    ]
