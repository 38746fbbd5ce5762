"""Yes or no, and why: from two runs that never ran."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import junitparser
import pytest
from jsonschema import Draft202012Validator

from hive_gate.baseline.apply import apply
from hive_gate.baseline.load import parse_baseline
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract, Step
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.matrix import better, bump_asked, bump_excepted, bump_groups
from hive_gate.matrix import bump as bump_
from hive_gate.matrix.bump import Bump, bump
from hive_gate.matrix.bump_asked import Asked, Listed
from hive_gate.matrix.bump_document import document
from hive_gate.matrix.bump_forms import as_annotations, as_json_text, as_junit
from hive_gate.matrix.runs import Outcome, Task
from hive_gate.report.blocktext import to_text
from hive_gate.report.document import write_document
from hive_gate.report.model import Baseline, ClauseResult, News, Report, Waiver, gate_of
from tests.unit.matrix.faked import CONTRACT, outcome, report, result

SHIPPED = load_contract(DEFAULT_CONTRACT)
SCHEMA: dict[str, Any] = json.loads((CONTRACTS / "bump.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

A, B = "read.with-turns", "read.real-turns"


def judged(version: str, clauses: list[ClauseResult], **more: Any) -> Outcome:
    made = report(version, clauses, **more)
    return Outcome(Task(version, CONTRACT), "judged", made, None, from_cache=True, seconds=4.0)


def asked(
    candidate: Mapping[str, str] | Outcome, before: Mapping[str, str] | Outcome | None, contract: Contract = SHIPPED
) -> Bump:
    """The answer from verdicts, without a baseline."""
    new = candidate if isinstance(candidate, Outcome) else outcome("0.171.0", candidate)
    old = before if isinstance(before, Outcome) or before is None else outcome("0.142.5", before)
    return bump(contract, new, new.report, old)


def test_yes_where_all_that_held_still_holds() -> None:
    found = asked({A: "pass", B: "pass"}, {A: "pass", B: "pass"})

    assert (found.answer, found.blockers) == ("yes", ())
    assert (
        found.sentence
        == "Yes: codex 0.171.0 keeps all 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5."
    )


def test_no_says_how_many_of_those_that_held_break() -> None:
    found = asked({A: "fail", B: "pass"}, {A: "pass", B: "pass"})

    assert (found.answer, found.required, found.held, found.kept) == ("no", 2, 2, 1)
    assert (
        found.sentence
        == "No: codex 0.171.0 breaks 1 of 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5."
    )


SENTENCES: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "a clause that did not apply before": (
        {A: "fail", B: "pass"}, {A: "not-offered", B: "pass"},
        "No: codex 0.171.0 breaks nothing that holds on 0.142.5, but fails 1 that does not apply there.",
    ),
    "one that failed before, and one that broke": (
        {A: "fail", B: "fail"}, {A: "pass", B: "fail"},
        "No: codex 0.171.0 breaks 1 of 1 required clause of hive-app-server 1.0.0 that holds on 0.142.5 "
        "and fails 1 that fails there as well.",
    ),
    "one that is no longer offered": (
        {A: "not-offered", B: "pass"}, {A: "pass", B: "pass"},
        "Yes: codex 0.171.0 keeps 1 of 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5; "
        "1 no longer applies, since what it needs is not offered.",
    ),
    "one that did not apply, and one that failed before": (
        {A: "fail", B: "fail", "read.loaded": "pass"}, {A: "not-offered", B: "fail", "read.loaded": "pass"},
        "No: codex 0.171.0 breaks nothing that holds on 0.142.5, "
        "but fails 1 that does not apply there and 1 that fails there as well.",
    ),
    "nothing that was seen to hold": (
        {A: "not-offered", B: "not-offered"}, {A: "pass", B: "pass"},
        "No: codex 0.171.0 was not seen to keep any required clause of hive-app-server 1.0.0.",
    ),
    "one broken and one not judged": (
        {A: "fail", B: "blocked"}, {A: "pass", B: "pass"},
        "No: codex 0.171.0 breaks 1 of 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5 "
        "and could not be judged on 1.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SENTENCES)
def test_the_sentence_tells_apart(case: str) -> None:
    candidate, before, sentence = SENTENCES[case]

    assert asked(candidate, before).sentence == sentence


def test_what_was_broken_before_is_told_apart_and_still_counts() -> None:
    found = asked({A: "fail", B: "fail"}, {A: "pass", B: "fail"})

    assert [(group.before, group.clauses) for group in found.blockers] == [("held", (A,)), ("failed", (B,))]
    text = write_document(document(found), "text")
    assert text.index("What stands in the way") < text.index("Broken on 0.142.5 already")


NEXT = load_contract(NEXT_CONTRACT)


def test_a_contract_that_extends_another_begins_with_the_hive_that_the_answer_holds_for() -> None:
    hive = "for a Hive that keeps hive-app-server-next 1.0.0"
    assert asked({A: "pass", B: "pass"}, {A: "pass", B: "pass"}, NEXT).sentence == (
        f"Yes, {hive}: codex 0.171.0 keeps all 2 required clauses that hold on 0.142.5."
    )
    assert asked({A: "fail", B: "pass"}, {A: "pass", B: "pass"}, NEXT).sentence == (
        f"No, {hive}: codex 0.171.0 breaks 1 of 2 required clauses that hold on 0.142.5."
    )
    assert asked({A: "blocked"}, {A: "pass"}, NEXT).sentence == (
        "Not known, which counts as no: codex 0.171.0 could not be judged on 1 of 1 required clause of "
        "hive-app-server-next 1.0.0. That is no drift."
    )


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_a_no_by_the_contract_of_today_says_where_it_leads_on_and_no_other_answer_does(name: str) -> None:
    broken, kept = {A: "fail", B: "pass"}, {A: "pass", B: "pass"}
    pointer = "hive-gate can-i-bump 0.171.0 --contract next"

    text = write_document(document(asked(broken, kept)), name)

    assert "docs/stay-or-move.md" in text
    assert pointer in text
    others = (asked(kept, kept), asked(broken, kept, NEXT), asked({A: "blocked"}, kept))
    for other in (*others, asked(broken, kept, replace(SHIPPED, path=CONTRACT))):
        assert other.advice is None
        assert "--contract next" not in write_document(document(other), name)


def test_without_anything_to_compare_with_what_is_not_offered_is_counted_as_a_probe_does() -> None:
    assert asked({A: "pass", B: "not-offered"}, None).sentence == (
        "Yes: codex 0.171.0 keeps 1 of 2 required clauses (1 not offered) of hive-app-server 1.0.0."
    )
    assert asked({A: "fail", B: "not-offered"}, None).sentence == (
        "No: codex 0.171.0 breaks 1 of 2 required clauses of hive-app-server 1.0.0."
    )
    assert asked({A: "pass", B: "not-offered"}, None).absent == 1


@pytest.mark.parametrize(("before", "section"), [({A: "pass"}, "New warnings"), (None, "Warnings")])
def test_warnings_are_called_new_only_where_there_is_something_to_compare_with(
    before: dict[str, str] | None, section: str
) -> None:
    new = [result(A, "pass"), result("schema.items-list-offered", "warn", level="advisory")]

    text = write_document(document(asked(judged("0.171.0", new), before)), "text")

    assert f"\n{section} (advisory: they close nothing)\n" in text


@pytest.mark.parametrize("state", ["not-fetched", "not-started"])
def test_a_program_that_did_not_run_is_no_and_no_drift(state: Any) -> None:
    problem = "codex 0.999.0 is not published (name another version)"
    candidate = Outcome(Task("0.999.0", CONTRACT), state, None, problem, from_cache=False, seconds=1.0)

    found = asked(candidate, {A: "pass"})

    assert found.answer == "not-judged"
    assert found.sentence == (
        f"Not known, which counts as no: codex 0.999.0 could not be judged by hive-app-server 1.0.0: "
        f"{problem}. That is no drift."
    )
    assert found.required == 0


def test_clauses_that_could_not_be_judged_are_not_known_unless_one_is_broken() -> None:
    found = asked({A: "blocked", B: "pass"}, {A: "pass", B: "pass"})

    assert found.answer == "not-judged"
    assert "could not be judged on 1 of 2 required clauses of hive-app-server 1.0.0." in found.sentence
    assert [group.clauses for group in found.unjudged] == [(A,)]
    # As with the exit code of a probe: silence on one clause beside a fail on another is a judgment.
    silent = result(B, "fail")
    silent = replace(silent, findings=(replace(silent.findings[0], check="answer"),))
    assert asked(judged("0.171.0", [result(A, "blocked"), silent]), {A: "pass", B: "pass"}).answer == "no"


def test_what_is_known_to_be_broken_counts_before_what_could_not_be_judged() -> None:
    cut_off = outcome("0.171.0", {A: "fail", B: "blocked"})
    assert cut_off.report is not None
    report_ = replace(cut_off.report, run=replace(cut_off.report.run, problem="two servers in a row failed"))

    found = bump(SHIPPED, cut_off, report_, outcome("0.142.5", {A: "pass", B: "pass"}))

    assert found.answer == "no"
    assert found.sentence.endswith("that hold on 0.142.5 and could not be judged on 1.")


def test_without_the_version_before_the_answer_stands_on_the_candidate_alone() -> None:
    lost = Outcome(Task("0.142.5", CONTRACT), "not-fetched", None, "npm failed", from_cache=False, seconds=0.1)

    found = asked({A: "fail", B: "pass"}, lost)

    assert found.sentence == (
        "No: codex 0.171.0 breaks 1 of 2 required clauses of hive-app-server 1.0.0 "
        "(0.142.5 could not be judged, so it is not known what is new)."
    )
    assert (found.held, found.blockers[0].before) == (None, "unknown")
    assert (
        asked({A: "pass"}, None).sentence
        == "Yes: codex 0.171.0 keeps the one required clause of hive-app-server 1.0.0."
    )


def test_blockers_are_grouped_by_what_hive_must_do_and_then_by_how_they_fail() -> None:
    names = ["items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread", "items-list.known"]
    fails = [result(names[0], "fail"), result(names[1], "fail"), result(names[2], "fail", actual="another")]
    found = asked(judged("0.171.0", [*fails, result(A, "pass")]), dict.fromkeys([*names, A], "pass"))

    (group,) = found.blockers
    assert group.remedy == SHIPPED.remedies["items-list"]
    assert [failure.clauses for failure in group.failures] == [tuple(names[:2]), (names[2],)]
    assert group.why == tuple(f"why {name}" for name in names)


def test_what_hive_never_calls_comes_after_what_hive_has_to_act_on() -> None:
    """The contract says so by what it avoids; how a clause was before orders each of the two."""
    unused, used = "items-list.known", "rollback.offered"
    ids = (unused, "schema.items-list-offered", A, used)
    found = asked(dict.fromkeys(ids, "fail"), {unused: "pass", "schema.items-list-offered": "pass", used: "pass"})

    order = [(group.before, group.clauses) for group in found.blockers]
    assert order == [
        ("held", (used,)), ("unknown", (A,)), ("held", (unused,)), ("held", ("schema.items-list-offered",)),
    ]  # fmt: skip


@pytest.mark.parametrize("step", [("call", "x"), ("walk", "x"), ("schema", "x"), ("together", [{"call": "x"}])])
def test_a_clause_that_asks_for_one_thing_that_hive_uses_is_none_of_those_it_never_calls(step: tuple[Any, Any]) -> None:
    kind, value = step
    used, avoided = Step("call", "thread/read"), Step(kind, value)
    clause = replace(SHIPPED.clauses[0], id="a.b", steps=(avoided,))
    clauses = (clause, replace(clause, id="a.c", steps=(avoided, used)), replace(clause, id="a.d", steps=()))
    contract = replace(SHIPPED, clauses=clauses, avoided={"x": "Hive has another way"})

    assert bump_groups.unused(contract) == {"a.b"}
    assert bump_groups.unused(replace(contract, avoided={})) == set()


def test_each_came_promise_and_reason_says_of_which_clauses_it_is_where_they_differ() -> None:
    names = ["items-list.unsupported/real-thread", "items-list.known", "items-list.unsupported/unknown-thread"]
    fails = [
        result(names[0], "fail", why="one reason"), result(names[1], "fail", why="another", actual="something else"),
        result(names[2], "fail", why="one reason"),
    ]  # fmt: skip
    found = asked(judged("0.171.0", [*fails, result(A, "pass")]), dict.fromkeys([*names, A], "pass"))

    (group,) = found.blockers
    assert group.clauses == (names[0], names[2], names[1])
    assert group.why == ("one reason", "one reason", "another")
    text = to_text(document(found), 300)
    assert f"- Came ({names[0]}, {names[2]}): no error\n- Came ({names[1]}): something else\n" in text
    assert "".join(f"- Promise ({name}): promise of {name}\n" for name in group.clauses) in text
    assert f"- Why Hive cares ({names[0]}, {names[2]}): one reason\n- Why Hive cares ({names[1]}): another\n" in text


@pytest.mark.parametrize(("count", "more"), [(7, "1 more promise"), (8, "2 more promises")])
def test_what_is_said_of_all_clauses_of_a_group_names_none_and_too_much_is_counted(count: int, more: str) -> None:
    names = [f"items-list.made-up/{number}" for number in range(count)]
    fails = [result(name, "fail", why="one reason") for name in names]
    remedied = replace(SHIPPED.clauses[0], remedy="Do it.")
    contract = replace(SHIPPED, clauses=tuple(replace(remedied, id=name) for name in names))
    found = asked(judged("0.171.0", fails), dict.fromkeys(names, "pass"), contract)

    text = to_text(document(found), 300)
    assert "- Came: no error\n" in text
    assert "- Why Hive cares: one reason\n" in text
    assert f"- Promise ({names[5]}): " in text
    assert f"- Promise ({names[6]}): " not in text
    assert f"- … and {more}, in the JSON\n" in text


def test_a_clause_says_its_own_remedy_and_one_without_any_stands_alone() -> None:
    verdicts = {"rollback.offered": "fail", "rollback.zero": "fail", A: "pass"}
    found = asked(verdicts, dict.fromkeys(verdicts, "pass"))

    assert [(g.clauses, g.remedy and g.remedy.split(" on ")[0]) for g in found.blockers] == [
        (("rollback.offered",), "Build undo"),
        (("rollback.zero",), "Hide undo"),
    ]
    silent = replace(SHIPPED, clauses=tuple(replace(c, remedy=None) for c in SHIPPED.clauses))
    assert [g.remedy for g in asked(verdicts, dict.fromkeys(verdicts, "pass"), silent).blockers] == [None]


def _excepted(verdict: str, problem: str | None, was: str) -> ClauseResult:
    waiver = Waiver("/waiver/0", "Hive no longer asks", "release team", "2027-03-31", problem, was)  # type: ignore[arg-type]
    return replace(result(A, "fail"), verdict=verdict, waiver=waiver)  # type: ignore[arg-type]


def with_baseline(raw: Report, clause: ClauseResult, *problems: str) -> Report:
    clauses = (clause, *raw.clauses[1:])
    facts = Baseline("contracts/baseline.toml", "cd" * 32, 1, 1, problems)
    return replace(raw, clauses=clauses, baseline=facts, gate=gate_of(clauses, facts))


def test_an_accepted_failure_lets_it_through_and_is_named_with_reason_owner_and_date() -> None:
    candidate = outcome("0.171.0", {A: "fail", B: "pass"})
    assert candidate.report is not None
    shown = with_baseline(candidate.report, _excepted("waived", None, "fail"))

    found = bump(SHIPPED, candidate, shown, outcome("0.142.5", {A: "pass", B: "pass"}))

    assert found.sentence == (
        "Yes: codex 0.171.0 keeps 1 of 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5; "
        "1 failure accepted by the baseline."
    )
    assert [(w.clause, w.owner, w.expires) for w in found.waived] == [(A, "release team", "2027-03-31")]
    assert "Hive no longer asks" in write_document(document(found), "text")


def test_an_accepted_failure_that_is_not_true_any_more_closes_the_gate() -> None:
    candidate = outcome("0.171.0", {A: "pass", B: "pass"})
    assert candidate.report is not None
    shown = with_baseline(candidate.report, _excepted("stale", "it passes: take it out", "pass"))

    found = bump(SHIPPED, candidate, shown, outcome("0.142.5", {A: "pass", B: "pass"}))

    assert found.answer == "no"
    assert "no longer fails 1 as the baseline accepts" in found.sentence
    assert "it passes: take it out" in write_document(document(found), "text")


WAIVER = """
[[waiver]]
clause = "{}"
versions = "0.171.0"
fingerprint = "{}"
reason = "Hive no longer asks."
owner = "release team"
expires = {}
"""


def with_entries(clauses: list[ClauseResult], *entries: tuple[str, str | None, str]) -> Bump:
    """The answer about a version with entries of a baseline: clause, fingerprint (None: its own), last day."""
    candidate = judged("0.171.0", clauses)
    prints = {clause.id: clause.fingerprint for clause in clauses}
    text = "".join(WAIVER.format(name, listed or prints[name], day) for name, listed, day in entries)
    baseline = parse_baseline(text.encode(), Path("contracts/baseline.toml"))
    assert candidate.report is not None
    shown = apply(candidate.report, baseline, list(prints), date(2026, 12, 1))
    return bump(SHIPPED, candidate, shown, outcome("0.142.5", dict.fromkeys(prints, "pass")), baseline=baseline)


OVER, OTHER, LATER = "2026-11-30", "000000000000", "2027-03-31"


@pytest.mark.parametrize(
    ("listed", "day", "cause", "note"),
    [
        (None, OVER, "expired", "the acceptance of 1 failure has run out"),
        (OTHER, LATER, "differs", "1 fails otherwise than the baseline accepts"),
        # The one that has to be looked at first, as the entry's problem says.
        (OTHER, OVER, "differs", "1 fails otherwise than the baseline accepts"),
    ],
)
def test_what_fails_though_its_entry_does_not_hold_is_broken_and_told_as_such(
    listed: str | None, day: str, cause: str, note: str
) -> None:
    found = with_entries([result(A, "fail"), result(B, "pass")], (A, listed, day))

    assert (found.answer, [one.cause for one in found.stale]) == ("no", [cause])
    assert found.sentence == (
        "No: codex 0.171.0 breaks 1 of 2 required clauses of hive-app-server 1.0.0 that hold on 0.142.5; " + note + "."
    )
    assert [(group.clauses, group.verdict, group.before) for group in found.blockers] == [((A,), "fail", "held")]
    text = write_document(document(found), "text")
    assert text.index("What stands in the way") < text.index(f"Promise: promise of {A}")
    assert text.index("Came: no error") < text.index("Entries of the baseline that do not hold")
    assert f"::error title={A}%3A fail::Came: no error" in as_annotations(found)
    (_, case) = next(iter(junitparser.JUnitXml.fromstring(as_junit(found).encode())))
    assert [(case.name, one.message, type(one).__name__) for one in case.result] == [(A, "no error", "Failure")]
    assert f"accepted until {day} by release team: Hive no longer asks." in case.result[0].text
    assert found.stale[0].problem is not None
    assert found.stale[0].problem in case.result[0].text


def test_what_fails_no_more_is_told_apart_from_what_does_not_apply_any_more() -> None:
    clauses = [result(A, "pass"), result(B, "not-offered"), result("read.loaded", "pass")]

    found = with_entries(clauses, (A, OTHER, LATER), (B, OTHER, LATER))

    assert [one.cause for one in found.stale] == ["passes", "not-offered"]
    assert found.blockers == ()
    assert found.absent == 1
    assert [group.clauses for group in found.gone] == [(B,)]
    assert found.sentence == (
        "No: codex 0.171.0 no longer fails 1 as the baseline accepts and lacks what 1 clause needs whose failure the "
        "baseline accepts."
    )
    suite = next(iter(junitparser.JUnitXml.fromstring(as_junit(found).encode())))
    assert {case.name: [type(one).__name__ for one in case.result] for case in suite} == {
        "codex 0.171.0 can be taken": ["Failure"], A: ["Failure"], B: ["Failure"],
    }  # fmt: skip


def test_an_entry_for_an_advisory_clause_that_has_run_out_is_no_broken_requirement() -> None:
    name = "schema.items-list-offered"

    found = with_entries([result(A, "pass"), result(name, "warn", level="advisory")], (name, None, OVER))

    assert (found.blockers, [group.clauses for group in found.warnings]) == ((), [(name,)])
    assert found.sentence == (
        "No: codex 0.171.0 keeps the one required clause of hive-app-server 1.0.0 that holds on 0.142.5; "
        "the acceptance of 1 failure has run out."
    )
    (_, case) = next(iter(junitparser.JUnitXml.fromstring(as_junit(found).encode())))
    assert [(one.type, type(one).__name__) for one in case.result] == [("stale", "Failure")]


def test_a_failure_that_is_accepted_is_no_blocker_beside_one_that_is_no_longer() -> None:
    found = with_entries([result(A, "fail"), result(B, "fail")], (A, None, OVER), (B, None, LATER))

    assert [group.clauses for group in found.blockers] == [(A,)]
    assert [(one.clause, one.cause) for one in (*found.stale, *found.waived)] == [(A, "expired"), (B, None)]


def test_the_facts_count_one_entry_as_one() -> None:
    one = with_entries([result(A, "fail"), result(B, "fail")], (A, None, LATER))
    two = with_entries([result(A, "fail"), result(B, "fail")], (A, None, LATER), (B, None, LATER))

    assert "1 entry, 1 for this version" in write_document(document(one), "text")
    assert "2 entries, 2 for this version" in write_document(document(two), "text")


def test_a_step_to_an_older_version_says_so_in_every_format_and_changes_no_answer() -> None:
    verdicts = {A: "pass", B: "pass"}
    back = asked(outcome("0.142.5", verdicts), outcome("0.171.0", verdicts))

    assert (back.answer, back.sentence) == (
        "yes",
        "Yes: codex 0.142.5 keeps all 2 required clauses of hive-app-server 1.0.0 that hold on 0.171.0; "
        "it is a step back from 0.171.0.",
    )
    told = [write_document(document(back), name) for name in ("text", "textile", "markdown", "github", "html")]
    for text in (*told, as_json_text(back), as_junit(back), as_annotations(back)):
        words = " ".join(text.replace("**", "").split())
        assert "This is a step back: 0.142.5 is older than 0.171.0." in words
        assert "docs/stay-or-move.md" in words
        assert "under No way back" in words
    for version in ("0.171.0", "0.142.5"):
        forward = asked(outcome("0.171.0", verdicts), outcome(version, verdicts))
        assert forward.backward is None
        assert "step back" not in write_document(document(forward), "text") + as_annotations(forward)
    # 0.99 is older than 0.142, though not as text.
    assert asked(outcome("0.99.0", verdicts), outcome("0.142.5", verdicts)).backward is not None


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (Asked("latest", "accepted", Listed("2026-10-20T08:00:00+00:00", "npm failed.")),
         ["Asked for latest, by the list of 2026-10-20, since npm could not be asked: what came later is missing"]),
        (Asked("latest", "accepted", Listed("2026-12-01T08:00:00+00:00", None)),
         ["Asked for latest, by npm on 2026-12-01"]),
        (Asked("accepted", "latest", Listed("2026-12-01T08:00:00+00:00", None)),
         ["Asked for accepted", "Compared with: asked for latest, by npm on 2026-12-01"]),
        (Asked("0.171.0", "accepted", None), []),
        (Asked("0.171.0", "0.142.5", None), []),
    ],
)  # fmt: skip
def test_the_facts_say_by_which_word_a_version_was_asked_for_and_of_when_the_list_was(
    words: Asked, rows: list[str]
) -> None:
    new, old = outcome("0.171.0", {A: "pass"}), outcome("0.142.5", {A: "pass"})
    found = bump(SHIPPED, new, new.report, old, asked=words)

    text = [" ".join(line.split()) for line in to_text(document(found), 200).splitlines()]

    assert [line for line in text if "sked for" in line] == rows
    told = json.loads(as_json_text(found))
    assert told["asked"] == dataclasses.asdict(words)
    assert [error.json_path for error in VALIDATOR.iter_errors(told)] == []


def test_the_sentence_has_what_happened_whole_and_the_facts_have_what_to_do() -> None:
    problem, hint = "codex 0.171.0 could not be fetched (ECONNREFUSED)", "check the network (and the proxy); " * 8
    lost = Outcome(Task("0.171.0", CONTRACT), "not-fetched", None, f"{problem} ({hint})", False, 1.0, hint)

    found = asked(lost, {A: "pass"})

    assert found.sentence.endswith(f"by hive-app-server 1.0.0: {problem}. That is no drift.")
    assert (found.candidate.problem, found.candidate.hint) == (problem, hint)
    assert "Candidate: what to do" in write_document(document(found), "text")
    long = asked(replace(lost, problem="word " * 100, hint=None), {A: "pass"})
    assert long.sentence.endswith("word word…. That is no drift.")


def test_an_entry_that_names_nothing_closes_the_gate() -> None:
    candidate = outcome("0.171.0", {A: "pass", B: "pass"})
    assert candidate.report is not None
    shown = with_baseline(candidate.report, candidate.report.clauses[0], "The entry /waiver/0 names no clause.")

    found = bump(SHIPPED, candidate, shown, outcome("0.142.5", {A: "pass", B: "pass"}))

    assert found.answer == "no"
    assert "meets 1 entry of the baseline that has to be corrected" in found.sentence
    assert "The entry /waiver/0 names no clause." in write_document(document(found), "text")


def test_what_is_not_offered_any_more_and_new_warnings_are_listed() -> None:
    old = {A: "pass", B: "pass", "schema.items-list-offered": "pass"}
    new = [
        result(A, "pass"), result(B, "not-offered", actual="no such method"),
        result("schema.items-list-offered", "warn", level="advisory"),
    ]  # fmt: skip
    found = asked(judged("0.171.0", new), old)

    assert [group.clauses for group in found.gone] == [(B,)]
    assert [group.clauses for group in found.warnings] == [("schema.items-list-offered",)]
    again = asked(judged("0.171.0", new), {**old, "schema.items-list-offered": "warn"})
    assert again.warnings == ()


def test_news_is_what_the_run_before_did_not_see() -> None:
    def run(version: str, *news: News) -> Outcome:
        return judged(version, [result(A, "pass")], news=news)

    before = run(
        "0.142.5",
        News("notification", "thread/known"),
        News("field", "thread/list: /data/*/extra (null)"),
        News("survivor", "a process 'sh' was left behind"),
    )
    after = run(
        "0.171.0",
        News("field", "extra (null) in thread/list: /data/*, thread/read: /thread"),
        News("field", "historyMode (string) in thread/list: /data/*, thread/read: /thread"),
        News("notification", "thread/known"),
        News("notification", "thread/new"),
        News("survivor", "a process 'wc' was left behind"),
    )

    found = asked(after, before)

    # What may need work comes first; a field known from one place is not new in two.
    assert [(one.kind, one.text.split(" ")[0]) for one in found.news] == [
        ("notification", "thread/new"), ("field", "historyMode"),
    ]  # fmt: skip
    text = write_document(document(found), "text")
    assert "1 field that Hive does not read: historyMode" in text


def test_a_warning_about_the_program_is_told_where_the_one_before_gave_none() -> None:
    candidate, before = outcome("0.171.0", {A: "pass"}), outcome("0.142.5", {A: "pass"})
    assert candidate.report is not None
    assert before.report is not None
    other = "another codex is on PATH: 0.142.0"
    warned = replace(candidate.report, target=replace(candidate.report.target, warnings=(other, "it says 0.170.0")))
    old = replace(before, report=replace(before.report, target=replace(before.report.target, warnings=(other,))))

    assert bump(SHIPPED, candidate, warned, old).cautions == ("it says 0.170.0",)


def _full() -> Bump:
    """An answer with something in every part of it, and hostile words in it."""
    bad = 'a|b @admin #1 {{toc}} </pre> \x1b[31m "q" %0A::error::x'
    clauses = [
        result(A, "fail", actual=bad), result(B, "blocked", actual=bad),
        result("rollback.zero", "not-offered", actual=bad), result("read.loaded", "pass"),
        result("schema.items-list-offered", "warn", level="advisory", actual=bad),
    ]  # fmt: skip
    candidate = judged("0.171.0", clauses, news=(News("notification", bad), News("field", f"x: /{bad} (null)")))
    before = outcome("0.142.5", {A: "pass", B: "pass", "rollback.zero": "pass", "read.loaded": "fail"})
    return asked(candidate, before)


@pytest.mark.parametrize("found", [_full(), asked({A: "pass"}, None)])
def test_the_json_is_as_its_schema_says(found: Bump) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    document = json.loads(as_json_text(found))

    assert [error.json_path for error in VALIDATOR.iter_errors(document)] == []
    assert set(document) == set(SCHEMA["required"]) == set(SCHEMA["properties"])


@pytest.mark.parametrize(
    "cls", [bump_.Program, bump_asked.Asked, bump_asked.Listed, bump_excepted.Excepted, bump_.SchemaChange,
            bump_.SchemaDrift, bump_groups.Group, bump_groups.Failure, better.Better,
            better.Offered, better.Mended, better.Supported],
)  # fmt: skip
def test_the_schema_names_and_describes_every_field(cls: Any) -> None:
    described = SCHEMA["$defs"][cls.__name__]
    assert list(described["properties"]) == described["required"] == [f.name for f in dataclasses.fields(cls)]
    assert all(member["description"].endswith(".") for member in described["properties"].values())


@pytest.mark.parametrize("name", ["textile", "markdown", "github", "text"])
def test_every_format_begins_with_the_answer(name: str) -> None:
    found = _full()

    text = write_document(document(found), name)

    first = " ".join(text.split("\n\n")[0].split())
    assert first.startswith(found.sentence[: len("No: codex 0.171.0 breaks")])
    assert "\x1b" not in text


def test_junit_holds_what_speaks_against_it_and_what_only_warns() -> None:
    found = _full()

    xml = junitparser.JUnitXml.fromstring(as_junit(found).encode())

    results = {case.name: [type(one).__name__ for one in case.result] for suite in xml for case in suite}
    assert results == {
        "codex 0.171.0 can be taken": ["Failure"],
        A: ["Failure"],
        B: ["Error"],
        "schema.items-list-offered": [],
        "rollback.zero": ["Skipped"],
    }
    lost = Outcome(Task("0.171.0", CONTRACT), "not-fetched", None, "npm failed", from_cache=False, seconds=0.1)
    (case,) = next(iter(junitparser.JUnitXml.fromstring(as_junit(asked(lost, None)).encode())))
    assert [type(one).__name__ for one in case.result] == ["Error"]


def test_annotations_are_a_line_each_whatever_is_in_them() -> None:
    lines = as_annotations(_full()).splitlines()

    assert [re.match(r"::(\w+) title=([^:]*)::", line).groups() for line in lines] == [  # type: ignore[union-attr]
        ("error", "codex 0.171.0"),
        ("error", f"{A}%3A fail"),
        ("error", f"{B}%3A blocked"),
        ("warning", "schema.items-list-offered%3A warn"),
    ]
    assert as_annotations(asked({A: "pass"}, None)).startswith("::notice title=codex 0.171.0::Yes: ")
