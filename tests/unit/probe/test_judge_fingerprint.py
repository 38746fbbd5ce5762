"""The judge says how a clause failed: the same fingerprint for what fails alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.probe.judge import Judge
from hive_gate.probe.record import ClauseRecord
from hive_gate.report.fingerprint import fingerprint
from hive_gate.report.model import ClauseResult, Finding

Ask = Callable[..., ClauseResult]

REFUSED = {"call": "thread/turns/list", "params": {}, "expect": {"error": {"code": -32600, "message": "^not loaded$"}}}


def unknown(method: str, known: int) -> dict[str, Any]:
    names = ", ".join(f"`method/{n}`" for n in range(known))
    return {"error": {"code": -32600, "message": f"unknown variant `{method}`, expected one of {names}"}}


def test_a_failure_has_a_fingerprint_and_a_pass_has_none(judged: Ask, clause: Any, wire: Any) -> None:
    asked = clause(REFUSED)
    failed = judged(asked, wire.exchange({"error": {"code": -32600, "message": "gone"}}))
    assert failed.fingerprint == fingerprint(failed.findings)
    held = judged(asked, wire.exchange({"error": {"code": -32600, "message": "not loaded"}}))
    assert (held.verdict, held.fingerprint) == ("pass", None)


def test_an_advisory_failure_has_one_as_well(judged: Ask, clause: Any, wire: Any) -> None:
    result = judged(clause(REFUSED, level="advisory"), wire.exchange({"error": {"code": 1, "message": "gone"}}))
    assert result.verdict == "warn"
    assert result.fingerprint


def test_clauses_that_fail_alike_share_one_and_others_do_not(judged: Ask, clause: Any, wire: Any) -> None:
    one = judged(clause(REFUSED), wire.exchange(unknown("thread/turns/list", 125)))
    other = judged(clause(REFUSED, id="read.other"), wire.exchange(unknown("thread/turns/list", 192)))
    third = judged(clause(REFUSED), wire.exchange(unknown("thread/turns/lists", 192)))
    assert one.actual != other.actual
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint != third.fingerprint


def test_a_clause_that_could_not_be_judged_has_none(contract: Any, clause: Any, wire: Any) -> None:
    record = ClauseRecord("read.mine", {}, {}, (), "the server ended")
    result = Judge(contract, wire.messages, None).judge(clause(REFUSED), record)
    assert (result.verdict, result.fingerprint) == ("blocked", None)


def test_what_is_judged_without_asking_has_one(contract: Any, clause: Any, wire: Any) -> None:
    finding = Finding("offered", "it is there", "it is not there; nearest: x")
    result = Judge(contract, wire.messages, None).of_findings(
        clause(REFUSED), ClauseRecord("read.mine", {}, {}), (finding,), "held"
    )
    assert result.fingerprint == fingerprint([finding])
