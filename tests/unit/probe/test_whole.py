from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.model import Clause, Contract, Method
from hive_gate.drift.bundle import Bundle
from hive_gate.probe.whole import answered, judge_whole
from hive_gate.report.model import Finding
from hive_gate.wire.transcript import Oddity, Transcript

Whole = Callable[..., tuple[list[Finding], str]]

INT = {"type": "integer", "format": "uint32", "minimum": 0}


def one_of(branches: dict[str, Any]) -> dict[str, Any]:
    """A union of messages by method, as a target writes it."""
    members = [
        {
            "type": "object",
            "required": ["method"],
            "properties": {"method": {"enum": [method], "type": "string"}} | more,
        }
        for method, more in branches.items()
    ]
    return {"oneOf": members, "definitions": {"BoxListParams": {"type": "object"}, "BoxPeekParams": {"type": "object"}}}


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """The schemas of a server that lists boxes; of `box/peek` it does not say what it answers."""
    params = {name: {"params": {"$ref": f"#/definitions/{name}"}} for name in ("BoxListParams", "BoxPeekParams")}
    files = {
        "ClientRequest.json": one_of({"box/list": params["BoxListParams"], "box/peek": params["BoxPeekParams"]}),
        "ServerNotification.json": one_of(
            {"box/opened": {"params": {"type": "object", "properties": {"n": INT}}}, "bare": {}}
        ),
        "ServerRequest.json": one_of({}),
        "v2/BoxListResponse.json": {"type": "object", "required": ["count"], "properties": {"count": INT}},
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return Bundle.load(tmp_path)


@pytest.fixture
def whole(contract: Contract, wire: Any, bundle: Bundle) -> Whole:
    reads = {"type": "object", "properties": {"count": {"type": "string"}}}
    known = replace(contract, methods={"box/list": Method("box/list", {"type": "object"}, reads, "reads")})

    def ask(clause: Clause, *exchanges: Any, oddities: Any = (), without: bool = False) -> tuple[list[Finding], str]:
        return judge_whole(clause, known, None if without else bundle, exchanges, wire.messages, oddities)

    return ask


REPLIES, NOTIFICATIONS, LINES = ({"traffic": each} for each in ("replies", "notifications", "lines"))


def test_every_answered_request_of_a_transcript_is_found_whoever_asked_it() -> None:
    transcript = Transcript()
    for server, direction, line in (
        (0, "sent", b'{"id":1,"method":"initialize"}'),
        (1, "sent", b'{"id":1,"method":"box/list"}'),
        (0, "received", b'{"id":1,"method":"box/ask"}'),  # the server's own request, with an id that is also ours
        (1, "received", b'{"id":1,"error":{"code":-1,"message":"no"}}'),
        (0, "received", b'{"id":1,"result":{}}'),
        (0, "sent", b'{"id":2,"method":"box/peek"}'),
    ):
        transcript.add(server, direction, line, None, None)  # type: ignore[arg-type]
    found = [(exchange.method, exchange.request, exchange.reply) for exchange in answered(transcript.messages)]
    assert found == [("box/list", 1, 3), ("initialize", 0, 4)]


def test_replies_that_are_valid_are_counted(whole: Whole, clause: Any, wire: Any) -> None:
    exchanges = [wire.exchange({"result": {"count": n}}, "box/list") for n in (0, 4294967295)]
    refused, lost = wire.exchange({"error": {"code": -1, "message": "no"}}, "box/list"), wire.exchange(None, "box/list")
    assert whole(clause(REPLIES), *exchanges, refused, lost) == ([], "2 replies")


@pytest.mark.parametrize(
    ("result", "pointer", "shown"),
    [
        ({"count": -1}, "/count", "-1: "),
        ({"count": 4294967296}, "/count", "4294967296: "),
        ({"count": "1"}, "/count", '"1": '),
        ({}, "", ""),
    ],
)
def test_a_reply_that_is_not_valid_is_told_with_its_message(
    result: Any, pointer: str, shown: str, whole: Whole, clause: Any, wire: Any
) -> None:
    good, bad = (wire.exchange({"result": each}, "box/list") for each in ({"count": 1}, result))
    (found,), looked = whole(clause(REPLIES), good, bad)
    assert (found.check, found.expected) == ("own-schema", "a result of box/list as the target's schema says")
    assert (found.pointer, found.message, looked) == (pointer, bad.reply, "2 replies")
    assert found.actual.startswith(shown)


def test_the_same_fault_in_every_reply_is_told_once(whole: Whole, clause: Any, wire: Any) -> None:
    exchanges = [wire.exchange({"result": {"count": value}}, "box/list") for value in (-1, -1, -2)]
    assert [f.message for f in whole(clause(REPLIES), *exchanges)[0]] == [exchanges[0].reply, exchanges[2].reply]


@pytest.mark.parametrize(
    ("method", "why"), [("box/shut", "has no such method"), ("box/peek", "does not say what its result is")]
)
def test_a_reply_that_the_schema_does_not_speak_of_is_a_fault(
    method: str, why: str, whole: Whole, clause: Any, wire: Any
) -> None:
    exchange = wire.exchange({"result": {}}, method)
    assert whole(clause(REPLIES), exchange)[0] == [
        Finding("traffic", f"a schema for {method}", f"the target's schema {why}", 0, None, exchange.reply)
    ]


@pytest.mark.parametrize("step", [REPLIES, NOTIFICATIONS, LINES])
def test_nothing_to_judge_is_no_pass(step: Any, whole: Whole, clause: Any) -> None:
    (found,), _ = whole(clause(step))
    assert (found.expected, found.actual) == (f"{step['traffic']} to check", "none came: nothing was shown")


@pytest.mark.parametrize("step", [REPLIES, NOTIFICATIONS, {"schema": "box/list", "expect": {"offered": False}}])
def test_without_a_schema_nothing_passes_that_needs_one(step: Any, whole: Whole, clause: Any, wire: Any) -> None:
    exchange = wire.exchange({"result": {"count": 1}}, "box/list", notifications=[{"method": "bare"}])
    (found,), _ = whole(clause(step), exchange, without=True)
    assert (found.check, found.actual) == ("schema", "there is none here")


def test_notifications_that_are_valid_are_counted(whole: Whole, clause: Any, wire: Any) -> None:
    wire.add("received", {"method": "box/opened", "params": {"n": 1}})
    wire.add("received", {"id": 1, "method": "box/opened", "params": {"n": "asked, not told"}})
    wire.add("sent", {"method": "box/opened", "params": {"n": "ours"}})
    wire.add("received", None)
    assert whole(clause(NOTIFICATIONS)) == ([], "1 notifications")


def test_a_notification_that_is_not_valid_or_not_known_is_told(whole: Whole, clause: Any, wire: Any) -> None:
    for body in ({"method": "box/opened", "params": {"n": -1}}, {"method": "box/burnt"}, {"method": "box/burnt"}):
        wire.add("received", body)
    found, looked = whole(clause(NOTIFICATIONS))
    assert [(f.expected, f.pointer, f.message) for f in found] == [
        ("box/opened as the target's schema says", "/n", 0), ("box/burnt in the target's schema", None, 1),
    ]  # fmt: skip
    assert (found[1].actual, looked) == ("the target's schema does not know it", "1 notifications")


def test_odd_lines_are_faults_and_tolerated_ones_are_not(whole: Whole, clause: Any, wire: Any) -> None:
    wire.add("received", {})
    tolerated = [Oddity(kind, "fine", 0) for kind in ("banner", "line-separator", "server-request")]
    assert whole(clause(LINES), oddities=tolerated) == ([], "1 lines")
    odd = Oddity("duplicate-key", "the key 'id' stands twice in one object", 0)
    assert whole(clause(LINES), oddities=[*tolerated, odd])[0] == [
        Finding("duplicate-key", "one well-formed message a line", odd.text, 0, None, 0)
    ]


@pytest.mark.parametrize(
    ("method", "offered", "finding"),
    [
        ("box/list", True, None),
        ("crate/list", False, None),
        ("box/list", False, Finding("offered", "box/list not in the target's schema", "it is there", 0)),
        ("crate", True, Finding("offered", "crate in the target's schema", "it is not there", 0)),
        (
            "box/lists",
            True,
            Finding("offered", "box/lists in the target's schema", "it is not there; nearest: box/list", 0),
        ),
    ],
)
def test_whether_a_method_is_offered_is_looked_up(
    method: str, offered: bool, finding: Finding | None, whole: Whole, clause: Any
) -> None:
    findings, looked = whole(clause({"schema": method, "expect": {"offered": offered}}))
    assert findings == ([finding] if finding else [])
    assert looked == f"{method} in the target's schema"


def test_what_hive_reads_is_compared_with_what_the_target_says(whole: Whole, clause: Any) -> None:
    (found,), _ = whole(clause({"schema": "box/list", "expect": {"offered": True, "compatible": True}}))
    assert (found.check, found.pointer) == ("response-type-wider", "response/count")
    assert found.actual.startswith("The target may send ")
