"""What is told of a proof."""

from __future__ import annotations

import json
from collections.abc import Callable

from hive_gate.contract.model import Contract
from hive_gate.faults.fault import Notice
from hive_gate.selftest import account
from hive_gate.selftest.forms import as_json, as_text, verdict
from hive_gate.selftest.outcome import Outcome, failed_run
from hive_gate.selftest.trial import Trial

READ, LIST = "read.unknown-thread", "turns-list.unknown-thread"

Ran = Callable[..., Outcome]
Broken = Callable[..., Trial]


def test_both_halves_of_the_table_are_told(contract: Contract, made: Ran, fault: Broken) -> None:
    clean = made(turns_list="not-offered", schema="not-offered")
    row = account.row(contract, fault(Notice(READ, "error")), clean, made((READ, "error", None)))
    table = account.table(contract, "codex 1", clean, [row], [fault(name="elsewhere")])
    assert as_text(table).splitlines() == [
        "Faults on the wire, before the server",
        "  broken: Something is broken.",
        f"    noticed by {READ} (error)",
        "",
        "Clauses, each with the faults that it fails by",
        f"  {LIST}: not tried, not-offered without any fault",
        f"  {READ}: broken",
        "  schema.items-list-offered: not tried, not-offered without any fault",
        "",
        "Faults that say nothing on codex 1: elsewhere",
        "",
        "the one fault that fits codex 1 was noticed; each of the 1 clauses that it passes was seen to fail",
    ]


def test_what_is_not_proven_is_named_in_the_sentence(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), made())
    table = account.table(contract, "codex 1", made(), [row], [])
    assert verdict(table) == (
        "not proven: 1 of 1 faults were not noticed as they say: broken; 3 clauses were failed by no fault: "
        f"{LIST}, {READ}, schema.items-list-offered"
    )
    assert f"    NOT NOTICED: {READ} should fail by error at any place" in as_text(table)
    assert f"  {LIST}: NOT PROVEN, no fault makes it fail" in as_text(table)


def test_a_target_that_is_closed_already_is_said_to_be(contract: Contract, made: Ran) -> None:
    table = account.table(contract, "codex 1", made((READ, "error", None)), [], [])
    assert as_text(table) == f"without a fault the gate is closed on codex 1 already, by {READ}: nothing was tried\n"


def test_a_target_that_could_not_be_judged_is_said_to_be(contract: Contract) -> None:
    table = account.table(contract, "codex 1", failed_run("it does not start"), [], [])
    assert verdict(table) == "codex 1 could not be judged: it does not start"


def test_the_json_has_the_same(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), made((READ, "error", "/error")))
    told = json.loads(json.dumps(as_json(account.table(contract, "codex 1", made(), [row], []))))
    assert told["good"] is False
    assert told["faults"][0]["noticed"] == {READ: ["error"]}
    assert {"id": READ, "clean": "pass", "failedBy": ["broken"]} in told["clauses"]
    assert LIST in told["unproven"]
    assert told["counts"]["applying"] == 3
