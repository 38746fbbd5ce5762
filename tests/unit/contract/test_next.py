"""The next contract that ships: what it asks for beyond the pinned one, and that nothing in it is hollow."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause, own_clauses
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT

NEXT, PINNED = load_contract(NEXT_CONTRACT), load_contract(DEFAULT_CONTRACT)
OWN = own_clauses(NEXT).clauses

PROMISES: dict[str, list[str]] = {
    "paginated threads by default": ["history-mode.default-paginated", "history-mode.stated/*"],
    "a mode survives": ["history-mode.survives-paginated", "history-mode.survives"],
    "turns of paginated threads: views and directions": [
        f"paged-turns.view/{view}/{order}" for view in ("notLoaded", "summary", "full") for order in ("asc", "desc")
    ],
    "turns of paginated threads: walks": [
        f"paged-turns.walk/{order}/{size}" for order in ("asc", "desc") for size in (1, 2, 7)
    ],
    "turns of paginated threads: limits and defaults": ["paged-turns.limit/*", "paged-turns.defaults/*"],
    "their cursors: exclusive next, inclusive backwards": ["paged-turns.backwards-cursor/*", "paged-turns.added-live"],
    "their cursors: junk, another thread's, another scope's": ["paged-turns.cursor-refused"],
    "items in order, per turn and whole thread": ["items-list.thread/*", "items-list.turn/*", "items-list.defaults/*"],
    "items: cursors both ways": ["items-list.walk/*", "items-list.turn-walk", "items-list.backwards-cursor/*"],
    "items: limits": [f"items-list.limit/{limit}" for limit in ("absent", "zero", "over-one-hundred")],
    "items: junk and wrong-scope cursors": ["items-list.cursor-refused"],
    "items of legacy threads as they are": ["items-list.not-paginated/legacy"],
    "revert: offered": ["revert.offered"],
    "revert: its effect": ["revert.last/*", "revert.first", "revert.model", "revert.files"],
    "revert: after a restart": ["revert.restart"],
    "revert: announced": ["revert.announced"],
    "revert: refused": ["revert.refuses", "revert.legacy", "revert.ephemeral"],
    "revert: cursors of before": ["revert.cursors"],
    "undo of legacy threads": ["fork.legacy-undo"],
    "without the experimental capability": ["handshake.stable-pages", "handshake.stable-restore"],
    "cursors of a resume": ["resume.anchors", "resume.anchors-legacy"],
    "nothing that Hive uses is deprecated": ["deprecation.none", "deprecation.legacy"],
    "one writer a thread": ["writer.refused", "writer.refused-legacy", "writer.reads", "writer.released"],
    "a lost projection": ["history-mode.projection-lost"],
    "legacy threads": ["turns-list.walk/*", "resume.full", "read.with-turns", "history-mode.old-threads"],
    "what is sent and read is in the schema": ["schema.fits-paged/*", "schema.fits/*"],
}


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promise_has_a_required_clause_with_a_source(promise: str) -> None:
    for glob in PROMISES[promise]:
        found = [clause for clause in NEXT.clauses if fnmatchcase(clause.id, glob)]
        assert found, f"no clause {glob}"
        assert [clause.level for clause in found] == ["required"] * len(found)
        assert all(clause.source for clause in found)


def test_what_the_pinned_version_does_not_keep_is_watched_as_advice() -> None:
    watched = {clause.id.partition("/")[0] for clause in OWN if clause.level == "advisory"}
    assert {"history-mode.false-empty-before-resume", "history-mode.reverted-projection-lost"} <= watched


def test_shared_clauses_are_not_written_twice() -> None:
    def said(clause: Clause) -> Clause:
        return replace(clause, remedy=None)  # what to do when it breaks is said of the suite

    theirs = {clause.id: said(clause) for clause in PINNED.clauses}
    assert [clause.id for clause in OWN if said(clause) == theirs.get(clause.id)] == []
    shared = [said(clause) for clause in NEXT.clauses if clause not in OWN]
    assert len(shared) > 100
    assert all(clause == theirs[clause.id] for clause in shared)


def test_every_clause_that_is_left_out_has_a_reason() -> None:
    assert NEXT.lineage is not None
    assert {dropped.id for dropped in NEXT.lineage.dropped} >= {"rollback.offered", "items-list.unsupported"}
    assert all(dropped.reason.endswith(".") for dropped in NEXT.lineage.dropped)


def test_clauses_stand_by_suite_in_order() -> None:
    assert list(dict.fromkeys(clause.suite for clause in NEXT.clauses)) == list(NEXT.suites)
    assert len({clause.id for clause in NEXT.clauses}) == len(NEXT.clauses)


def test_hive_does_not_depend_on_what_is_gone() -> None:
    assert {"thread/turns/items/list", "thread/rollback"} <= set(NEXT.avoided)
    assert not set(NEXT.avoided) & set(NEXT.methods)


def test_every_suite_says_what_to_do_when_it_breaks() -> None:
    assert set(NEXT.remedies) == set(NEXT.suites)


def judged(clause: Clause) -> bool:
    """Whether anything can make the clause fail: a step with an expectation, a schema or traffic step."""
    return any(
        step.kind in ("schema", "traffic", "await", "model-input") or set(step.expect) - {"any-answer"}
        for step in clause.steps
    )


def test_no_clause_is_hollow() -> None:
    assert [clause.id for clause in OWN if not judged(clause)] == []


def test_every_walk_is_held_to_an_end() -> None:
    walks = [step for clause in OWN for step in clause.steps if step.kind == "walk"]
    assert walks
    assert all({"cursor-advances": True} in step.expect["invariants"] for step in walks)


def test_constraints_say_what_a_move_costs() -> None:
    constraints = {statement.id: statement for statement in NEXT.constraints}
    assert {"resume-before-paging", "cursors-after-revert", "items-of-legacy", "one-writer", "downgrade"} <= set(
        constraints
    )
    assert "items-list-unsupported" not in constraints
    assert all(statement.evidence for statement in constraints.values())


def test_what_stays_decided_and_what_does_not_names_its_record() -> None:
    decisions = {statement.id: statement for statement in NEXT.decisions}
    assert {name: decision.status for name, decision in decisions.items()} == {
        "initial-restore": "decided", "items-view": "open", "fallback": "decided", "version-policy": "decided",
        "scroll-control": "decided", "undo": "open",
    }  # fmt: skip
    records = {name: decision.record for name, decision in decisions.items() if name != "undo"}
    assert records == {statement.id: statement.record for statement in PINNED.decisions}
