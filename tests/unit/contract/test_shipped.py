"""The contract that ships: valid, and with a clause for every promise that was asked for."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause
from hive_gate.data import DEFAULT_CONTRACT

CONTRACT = load_contract(DEFAULT_CONTRACT)
IDS = [clause.id for clause in CONTRACT.clauses]

VIEWS = ("notLoaded", "summary", "full")

PROMISES: dict[str, list[str]] = {
    "initialize with experimentalApi": ["handshake.initialize"],
    "a request before initialize is refused": ["handshake.before-initialize/*"],
    "a second initialize is refused": ["handshake.twice"],
    "without the capability turns/list is refused by name": ["handshake.without-capability/turns-list"],
    "without the capability excludeTurns is refused by name": ["handshake.without-capability/exclude-turns"],
    "without the capability initialTurnsPage is refused by name": ["handshake.without-capability/initial-turns-page"],
    "unknown thread": ["turns-list.unknown-thread"],
    "malformed thread id": ["turns-list.malformed-thread-id"],
    "missing parameters": ["turns-list.refuses/no-thread-id"],
    "mistyped parameters": [
        "turns-list.refuses/thread-id-number",
        "turns-list.refuses/cursor-number",
        "turns-list.refuses/limit-text",
        "turns-list.refuses/limit-fraction",
        "turns-list.refuses/limit-too-large",
    ],
    "unknown enum values": ["turns-list.refuses/sort-direction", "turns-list.refuses/items-view"],
    "negative limit": ["turns-list.refuses/limit-negative"],
    "limit 2 with each view and with none": [f"turns-list.page/{view}" for view in (*VIEWS, "none")],
    "default view": ["turns-list.default-view"],
    "default direction": ["turns-list.default-direction"],
    "explicit directions": ["turns-list.direction/desc", "turns-list.direction/asc"],
    "limit absent, 0 and over 100": [
        "turns-list.limit/absent",
        "turns-list.limit/zero",
        "turns-list.limit/over-one-hundred",
    ],
    "walks in both directions with pages of 1, 2, 7, 100": [
        f"turns-list.walk/{order}/{size}" for order in ("asc", "desc") for size in (1, 2, 7, 100)
    ],
    "walks of a long thread": [
        f"turns-list.long-walk/{order}/{size}" for order in ("asc", "desc") for size in (7, 100)
    ],
    "backwardsCursor in the other direction": ["turns-list.backwards-cursor/desc", "turns-list.backwards-cursor/asc"],
    "an invalid cursor": ["turns-list.cursor-invalid"],
    "a cursor whose turn was rolled back": ["turns-list.cursor-rolled-back"],
    "a turn added between two pages": ["turns-list.added-between-pages", "turns-list.added-live"],
    "a thread before its first message": ["turns-list.before-first-message"],
    "an ephemeral thread": ["turns-list.ephemeral"],
    "an archived thread": ["turns-list.archived"],
    "a name in list, read and resume, not loaded and loaded": ["thread-name.stored", "thread-name.loaded"],
    "a name after a restart": ["thread-name.restart"],
    "a name after archive and unarchive": ["thread-name.archive"],
    "a name in the answer to a rollback": ["thread-name.rollback"],
    "names are trimmed, empty ones refused": ["thread-name.trimmed", "thread-name.empty/*"],
    "the last name wins, in a file that is only appended to": ["thread-name.last-wins"],
    "CJK and long names": ["thread-name.texts/cjk", "thread-name.texts/ten-thousand"],
    "a shared name": ["thread-name.shared"],
    "status of a thread that nobody loaded": ["thread-status.not-loaded"],
    "status through a turn": ["thread-status.turn", "thread-status.during-turn"],
    "status through a failed turn": ["thread-status.failed-turn"],
    "status through unload": ["thread-status.unload"],
    "status for a client that has just connected": ["thread-status.reconnect"],
    "only changes of status are announced": ["thread-status.loaded", "thread-status.turn"],
    "last 1 and N turns dropped": ["rollback.last/1", "rollback.last/3"],
    "rollback of 0 and of more than exist": ["rollback.zero", "rollback.more-than-exist"],
    "a rollback after a restart": ["rollback.restart"],
    "the file only grows by the marker": ["rollback.appends"],
    "a second rollback in flight": ["rollback.in-flight"],
    "a rollback during a turn": ["rollback.active-turn"],
    "a rollback of a thread that is not loaded": ["rollback.not-loaded"],
    "files in the working folder": ["rollback.files"],
    "the model's input after a rollback": ["rollback.model"],
    "history mode: stated, old threads, survives": [
        "history-mode.stated",
        "history-mode.old-threads",
        "history-mode.survives",
    ],
    "history mode: refused and visible": ["history-mode.refused/*", "history-mode.refused-visible"],
    "history mode: an unknown one": ["history-mode.unknown-start", "history-mode.unknown-stored/*"],
    "history mode: false empty": [
        "history-mode.false-empty/*",
        "history-mode.false-empty-loaded",
        "history-mode.false-empty-projection-lost/*",
    ],
    "loaded and not loaded give the same turns": [f"turns-list.loaded/{view}" for view in VIEWS],
    "statuses as stored": ["turns-list.statuses"],
    "a failed turn": ["turns-list.failed-live"],
    "views judged against the scene": [f"turns-list.view/{view}" for view in VIEWS],
    "real turns against the stand-in": [f"turns-list.real-turns/{view}" for view in VIEWS],
    "CJK, emoji, U+2028 and megabytes": ["turns-list.texts/summary", "turns-list.texts/full"],
    "excludeTurns leaves the turns out": ["resume.exclude-turns"],
    "its reply does not grow": ["resume.size"],
    "initialTurnsPage is the first page and continues": [
        f"resume.initial-page/{view}/{order}" for view in VIEWS for order in ("asc", "desc")
    ],
    "its defaults are those of turns/list": ["resume.initial-page-defaults", "resume.initial-page-default-size"],
    "the page alone": ["resume.page-alone"],
    "full resume": ["resume.full"],
    "resume of an unknown thread": ["resume.unknown-thread/nothing", "resume.unknown-thread/exclude-turns"],
    "read with turns is the same as a walk": ["read.with-turns", "read.real-turns"],
    "read without turns": ["read.without-turns/false", "read.without-turns/nothing"],
    "read of an unknown thread": ["read.unknown-thread"],
    "items list is not supported": ["items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread"],
    "items list is known": ["items-list.known"],
    "the renderer's action is no method": ["not-a-method.renderer-action"],
    "the renderer's action is not in the schema": ["not-a-method.not-in-schema"],
    "what Hive sends and reads is in the target's schema": [
        "schema.fits/initialize",
        "schema.fits/thread-turns-list",
        "schema.fits/thread-resume",
        "schema.fits/thread-read",
        "schema.fits/thread-start",
        "schema.fits/turn-start",
    ],
    "every reply is valid under the target's schema": ["schema.replies-valid"],
    "every notification, too": ["schema.notifications-valid"],
    "every line is one message, every reply asked for": ["handshake.clean-wire"],
}


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promise_has_a_required_clause_with_a_source(promise: str) -> None:
    for glob in PROMISES[promise]:
        found = [clause for clause in CONTRACT.clauses if fnmatchcase(clause.id, glob)]
        assert found, f"no clause {glob}"
        assert [clause.level for clause in found] == ["required"] * len(found)
        assert all(clause.source for clause in found)


def test_ids_are_unique_and_belong_to_suites_in_order() -> None:
    assert len(set(IDS)) == len(IDS)
    assert list(dict.fromkeys(clause.suite for clause in CONTRACT.clauses)) == list(CONTRACT.suites)


def test_the_contract_gates_what_it_should_and_pins_a_version() -> None:
    assert (CONTRACT.gates, CONTRACT.source, CONTRACT.pinned) == (("#944",), "#942", "0.142.5")


def test_hive_does_not_depend_on_the_items_list_or_the_renderers_action() -> None:
    assert set(CONTRACT.avoided) == {"thread/turns/items/list", "load-older-conversation-history-page"}
    assert not set(CONTRACT.avoided) & set(CONTRACT.methods)


def test_constraints_and_decisions_say_what_issue_2_asks_for() -> None:
    constraints = {statement.id: statement for statement in CONTRACT.constraints}
    assert {"replay-cost", "items-list-unsupported"} <= set(constraints)
    assert all(statement.evidence for statement in constraints.values())


RECORDS = DEFAULT_CONTRACT.parents[1] / "docs" / "decisions"


def test_the_five_decisions_are_made_each_on_evidence_and_in_the_record_that_argues_it() -> None:
    assert [(decision.id, decision.status) for decision in CONTRACT.decisions] == [
        (name, "decided") for name in ("initial-restore", "items-view", "fallback", "version-policy", "scroll-control")
    ]
    assert [decision.record for decision in CONTRACT.decisions] == [
        f"docs/decisions/{path.name}" for path in sorted(RECORDS.glob("0*.md"))
    ]
    assert all(decision.evidence for decision in CONTRACT.decisions)
    assert {decision.id for decision in CONTRACT.decisions if not decision.measured} == {"version-policy"}


def test_each_record_names_the_decision_that_it_argues_with_its_clauses_and_measurements() -> None:
    for decision in CONTRACT.decisions:
        text = (RECORDS.parents[1] / str(decision.record)).read_text(encoding="utf-8")
        line = next(line for line in text.splitlines() if line.startswith("| Supported by |"))
        named = [decision.id, *decision.evidence, *(each.measurement for each in decision.measured)]
        assert [name for name in named if f"`{name}`" not in line] == []


def test_the_scenes_hold_what_the_clauses_need() -> None:
    def threads(scene: str) -> dict[str, Any]:
        found: dict[str, Any] = CONTRACT.scenes[scene]["threads"]
        return found

    assert threads("empty") == {}
    assert threads("five-turns")["main"]["turns"][0]["times"] == 5
    assert threads("five-turns")["archived"]["archived"] is True
    assert threads("long")["main"]["turns"][0]["times"] == 300
    assert {turn.get("ends", "completed") for turn in threads("varied")["main"]["turns"]} == {
        "completed", "interrupted", "failed", "open",
    }  # fmt: skip
    assert threads("by-turns")["main"]["made"] == "by-turns"
    texts = json.dumps(threads("texts"), ensure_ascii=False)
    assert all(piece in texts for piece in ("漢字", "세", "🐝", "\u2028"))
    assert threads("texts")["main"]["turns"][3]["user"]["characters"] == 2_000_000


def judged(clause: Clause) -> bool:
    """Whether anything can make the clause fail: a step with an expectation, a schema or traffic step."""
    return any(
        step.kind in ("schema", "traffic", "await")
        or set(step.expect) - {"any-answer"}
        or (step.kind == "together" and all(call.get("expect") for call in step.value))
        for step in clause.steps
    )


def test_no_clause_is_hollow() -> None:
    assert [clause.id for clause in CONTRACT.clauses if not judged(clause)] == []


def test_every_walk_is_held_to_an_end() -> None:
    walks = [step for clause in CONTRACT.clauses for step in clause.steps if step.kind == "walk"]
    assert walks
    assert all({"cursor-advances": True} in step.expect["invariants"] for step in walks)
