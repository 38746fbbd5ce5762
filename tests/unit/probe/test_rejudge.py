"""A recorded run judged again: the same by its own contract, and honest about what it cannot know by another."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT, FIXTURES
from hive_gate.errors import UsageError
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.question import question
from hive_gate.probe.rejudge import judge_again
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import Subject, codex
from hive_gate.report.jsonfile import from_json, to_json, to_text
from hive_gate.report.model import ClauseResult, Measurement, Report
from hive_gate.report.redact import redact

# Clauses that need more than replies: private threads, stored changes, looks at files, awaited notifications, walks.
CHOSEN = (
    "handshake.*", "turns-list.unknown-thread", "turns-list.walk/*", "turns-list.view/*", "items-list.*",
    "rollback.*", "thread-name.*", "schema.*", "history-mode.*",
)  # fmt: skip


@pytest.fixture(scope="module")
def subject() -> Subject:
    return codex("reference", Silent())


@pytest.fixture(scope="module")
def recorded(subject: Subject) -> Report:
    report = run(load_contract(DEFAULT_CONTRACT), subject, Selection(clauses=CHOSEN), Settings(), Silent())
    # As it is after it was written and read: nothing of the run but its file is left.
    return from_json(json.loads(to_text(report)))


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[Callable[[dict[str, Any]], None]], Contract]:
    """Return a maker of contracts that differ from the shipped one."""

    def make(edit: Callable[[dict[str, Any]], None]) -> Contract:
        raw = json.loads(DEFAULT_CONTRACT.read_text(encoding="utf-8"))
        raw["scenes"] = {n: str(FIXTURES / "scenes" / Path(path).name) for n, path in raw["scenes"].items()}
        edit(raw)
        path = tmp_path / "contract.json"
        path.write_text(json.dumps(raw), encoding="utf-8")
        return load_contract(path)

    return make


def clause_of(report: Report, ident: str) -> ClauseResult:
    return next(clause for clause in report.clauses if clause.id == ident)


def entry(raw: dict[str, Any], ident: str) -> dict[str, Any]:
    found: dict[str, Any] = next(clause for clause in raw["clauses"] if clause["id"] == ident)
    return found


def test_a_run_judged_again_by_its_own_contract_is_the_same_byte_for_byte(recorded: Report, subject: Subject) -> None:
    again = judge_again(recorded, load_contract(DEFAULT_CONTRACT), subject.bundle)

    assert to_text(again) == to_text(recorded)
    assert {"pass", "not-offered"} <= {clause.verdict for clause in again.clauses}


def test_an_answer_that_was_changed_in_the_record_is_judged_as_it_now_is(recorded: Report, subject: Subject) -> None:
    number = clause_of(recorded, "turns-list.unknown-thread").exchanges[0].reply
    assert number is not None
    document = to_json(recorded)
    document["messages"][number]["body"]["error"]["message"] = "something else"

    again = judge_again(from_json(document), load_contract(DEFAULT_CONTRACT), subject.bundle)

    assert clause_of(again, "turns-list.unknown-thread").verdict == "fail"
    assert again.gate == "closed"


def test_a_stricter_expectation_of_the_same_question_is_judged(
    recorded: Report, subject: Subject, edited: Callable[..., Contract]
) -> None:
    def edit(raw: dict[str, Any]) -> None:
        entry(raw, "turns-list.unknown-thread")["steps"][0]["expect"] = {"error": {"code": -32601, "message": "^no"}}

    again = judge_again(recorded, edited(edit), subject.bundle)

    assert clause_of(again, "turns-list.unknown-thread").verdict == "fail"


def test_another_question_under_the_same_id_is_blocked(
    recorded: Report, subject: Subject, edited: Callable[..., Contract]
) -> None:
    def edit(raw: dict[str, Any]) -> None:
        entry(raw, "turns-list.unknown-thread")["steps"][0]["params"]["limit"] = 3

    again = clause_of(judge_again(recorded, edited(edit), subject.bundle), "turns-list.unknown-thread")

    assert again.verdict == "blocked"
    assert again.actual == "this run asked it in another way: probe again with this contract"


def test_a_clause_that_the_run_did_not_ask_is_blocked(
    recorded: Report, subject: Subject, edited: Callable[..., Contract]
) -> None:
    def edit(raw: dict[str, Any]) -> None:
        raw["clauses"].append({**entry(raw, "turns-list.unknown-thread"), "id": "handshake.another"})

    again = clause_of(judge_again(recorded, edited(edit), subject.bundle), "handshake.another")

    assert (again.verdict, again.actual) == ("blocked", "this run did not ask it: probe again with this contract")


def test_without_the_schemas_that_the_run_had_what_needs_them_is_blocked_and_the_gate_closed(recorded: Report) -> None:
    again = judge_again(recorded, load_contract(DEFAULT_CONTRACT), None)

    assert {c.verdict for c in again.clauses if c.suite == "schema"} == {"blocked"}
    assert (recorded.gate, again.gate) == ("open", "closed")


def test_a_run_that_had_no_schemas_is_judged_without_them(recorded: Report) -> None:
    without = replace(recorded, target=replace(recorded.target, schema_from=None))

    again = judge_again(without, load_contract(DEFAULT_CONTRACT), None)

    assert {c.verdict for c in again.clauses if c.suite == "schema"} == {"not-offered"}


def test_what_was_blocked_stays_blocked(recorded: Report, subject: Subject) -> None:
    dead = replace(clause_of(recorded, "turns-list.unknown-thread"), verdict="blocked", actual="the server ended")
    clauses = tuple(dead if clause.id == dead.id else clause for clause in recorded.clauses)

    again = judge_again(replace(recorded, clauses=clauses), load_contract(DEFAULT_CONTRACT), subject.bundle)

    assert clause_of(again, dead.id) == dead


def test_a_redacted_report_is_refused(recorded: Report, subject: Subject) -> None:
    with pytest.raises(UsageError, match="redacted"):
        judge_again(redact(recorded), load_contract(DEFAULT_CONTRACT), subject.bundle)


def test_a_question_is_the_same_whatever_is_expected(edited: Callable[..., Contract]) -> None:
    def expect(raw: dict[str, Any]) -> None:
        entry(raw, "turns-list.unknown-thread")["steps"][0]["expect"] = {"error": {"code": 1, "message": "x"}}

    def ask(raw: dict[str, Any]) -> None:
        raw["values"]["clientInfo"]["name"] = "another"

    def of(contract: Contract) -> str:
        return question(contract, next(c for c in contract.clauses if c.id == "turns-list.unknown-thread"))

    plain = of(load_contract(DEFAULT_CONTRACT))
    assert of(edited(expect)) == plain
    assert of(edited(ask)) != plain


def test_a_decision_names_the_clauses_that_contradict_it(recorded: Report, subject: Subject) -> None:
    number = clause_of(recorded, "turns-list.view/summary").exchanges[0].reply
    assert number is not None
    document = to_json(recorded)
    document["messages"][number]["body"]["result"]["data"] = []

    again = judge_again(from_json(document), load_contract(DEFAULT_CONTRACT), subject.bundle)

    contradicted = {note.id: note.contradicted for note in again.decisions}
    assert contradicted["items-view"] == ("turns-list.view/summary",)
    assert contradicted["initial-restore"] == ()


def test_a_decision_that_rests_on_numbers_is_judged_by_the_measurement_that_the_report_holds(
    recorded: Report, subject: Subject
) -> None:
    contract = load_contract(DEFAULT_CONTRACT)
    measurement = Measurement("r", "2026-11-30T17:09:31+00:00", "12" * 32, {"full": {"ms.ratio": 1.5}, "deep": {}})
    report = from_json(json.loads(to_text(replace(recorded, measurement=measurement))))

    again = judge_again(report, contract, subject.bundle)

    claims = {note.id: [claim.support for claim in note.measured] for note in again.decisions}
    assert claims == {
        "initial-restore": ["not-told", "not-told"], "items-view": ["contradicted"], "fallback": ["not-told"],
        "version-policy": [], "scroll-control": ["not-told", "not-told", "not-told"],
    }  # fmt: skip
    assert {note.id: note.record for note in again.decisions} == {d.id: d.record for d in contract.decisions}
    assert to_text(judge_again(again, contract, subject.bundle)) == to_text(again)


def test_without_a_measurement_the_numbers_are_named_and_not_judged(recorded: Report) -> None:
    claims = [claim for note in (*recorded.constraints, *recorded.decisions) for claim in note.measured]
    assert len(claims) > 5
    assert {(claim.support, claim.found, claim.why) for claim in claims} == {(None, None, None)}


def test_a_run_is_judged_by_the_measurement_that_it_is_given(subject: Subject) -> None:
    measurement = Measurement("r", "2026-11-30T17:09:31+00:00", "12" * 32, {"read": {"ms.ratio": 1.5}})
    chosen = Selection(clauses=("handshake.initialize",))

    report = run(load_contract(DEFAULT_CONTRACT), subject, chosen, Settings(), Silent(), measurement)

    assert report.measurement == measurement
    (claim,) = next(note for note in report.decisions if note.id == "fallback").measured
    assert (claim.support, claim.found) == ("supported", 1.5)
