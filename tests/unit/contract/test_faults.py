"""Each way in which a contract can be wrong is told with the JSON pointer of the fault and a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.errors import ContractError
from hive_gate.exits import Exit

Raw = dict[str, Any]
LIST = "thread/turns/list"
MAIN = {"threadId": "${main}"}


def member(*path: str, **values: Any) -> Any:
    """A change that sets members of the object at a path."""

    def mutate(raw: Raw) -> None:
        for key in path:
            raw = raw[key]
        raw.update(values)

    return mutate


def clause(*steps: Raw, **more: Any) -> Any:
    """A change that puts one more clause first, with these steps."""
    made = {"id": "read.mine", "promise": "p", "why": "w", "source": "s", "scene": "five-turns", "steps": list(steps)}
    return lambda raw: raw["clauses"].insert(0, {**made, **more})


def call(method: str = LIST, params: Any = None, **more: Any) -> Raw:
    return {"call": method, "params": MAIN if params is None else params, **more}


def invariant(name: str, value: Any, **more: Any) -> Raw:
    return call(expect={"invariants": [{name: value}]}, **more)


def walk(*invariants: Raw) -> Raw:
    return {"walk": LIST, "params": MAIN, "expect": {"invariants": list(invariants)}}


def together(**expect: Any) -> Raw:
    return {"together": [{"call": LIST, "params": MAIN}, {"call": LIST, "params": MAIN, "expect": expect}]}


FORM: dict[str, tuple[Any, str, str]] = {
    "missing member": (lambda raw: raw.pop("pinned"), "", "'pinned' is a required property"),
    "unknown member": (member(pined="0.142.5"), "", "'pined' was unexpected"),
    "wrong type": (member(gates="#944"), "/gates", "'#944' is not of type 'array'"),
    "no version": (member(version="1"), "/version", "'1' does not match"),
    "no clauses": (member(clauses=[]), "/clauses", "[] should be non-empty"),
    "clause without steps": (clause(), "/clauses/0/steps", "[] should be non-empty"),
    "clause without why": (lambda raw: raw["clauses"][3].pop("why"), "/clauses/3", "'why' is a required property"),
    "clause with a bad id": (clause(call(), id="Read.Mine"), "/clauses/0/id", "'Read.Mine' does not match"),
    "unknown level": (clause(call(), level="hard"), "/clauses/0/level", "'hard' is not one of"),
    "unknown own": (clause(call(), own="all"), "/clauses/0/own", "'all' is not one of"),
    "unknown need": (clause(call(), needs=["luck"]), "/clauses/0/needs/0", "'luck' does not match"),
    "empty axis": (clause(call(), over={"a": []}), "/clauses/0/over/a", "[] should be non-empty"),
    "unknown step": (clause({"cal": LIST}), "/clauses/0/steps/0", "'cal' was unexpected"),
    "no kind of step": (
        clause({"params": {}}), "/clauses/0/steps/0", "one of these members is needed: call, notify, raw, walk,"),
    "stored change of two kinds": (
        clause({"store": {"thread": "main"}}, own="thread"),
        "/clauses/0/steps/0/store", "exactly one of these members is needed: append, rollback"),
    "unknown expectation": (
        clause(call(expect={"results": {}})), "/clauses/0/steps/0/expect", "'results' was unexpected"),
    "unknown invariant": (
        clause(invariant("turns-match", {})),
        "/clauses/0/steps/0/expect/invariants/0", "'turns-match' was unexpected"),
    "two invariants in one": (
        clause(call(expect={"invariants": [{"cursor-advances": True, "page-sizes": 2}]})),
        "/clauses/0/steps/0/expect/invariants/0", "has too many properties"),
    "captured pointer": (
        clause(call(capture={"x": "data"})), "/clauses/0/steps/0/capture/x", "'data' does not match"),
    "unknown effect": (member("methods", LIST, effect="none"), "/methods/thread~1turns~1list/effect", "'none' is not"),
    "open without status": (
        lambda raw: raw["decisions"][1].pop("status"), "/decisions/1", "'status' is a required property"),
    "record that is no page of the repository": (
        lambda raw: raw["decisions"][0].update(record="../secrets/0001.md"),
        "/decisions/0/record", "'../secrets/0001.md' does not match"),
    "measured without a bound": (
        lambda raw: raw["decisions"][0]["measured"][0].pop("at-most"),
        "/decisions/0/measured/0", "exactly one of these members is needed: at-most, at-least"),
    "measured with two bounds": (
        lambda raw: raw["decisions"][0]["measured"][0].update({"at-least": 0}),
        "/decisions/0/measured/0", "exactly one of these members is needed: at-most, at-least"),
    "bound that is no number": (
        lambda raw: raw["decisions"][0]["measured"][1].update({"at-most": "1"}),
        "/decisions/0/measured/1/at-most", "'1' is not of type 'number'"),
    "measured without its meaning": (
        lambda raw: raw["constraints"][0]["measured"][0].pop("means"),
        "/constraints/0/measured/0", "'means' is a required property"),
    "measured by nothing": (
        lambda raw: raw["decisions"][0].update(measured=[]), "/decisions/0/measured", "[] should be non-empty"),
    "rolled back by nothing": (
        clause({"store": {"thread": "main", "rollback": 0}}, own="thread"),
        "/clauses/0/steps/0/store/rollback", "0 is less than the minimum of 1"),
}  # fmt: skip

SENSE: dict[str, tuple[Any, str, str]] = {
    "duplicate id": (
        lambda raw: raw["clauses"].append(raw["clauses"][0]), "/clauses/{last}/id",
        "the id 'handshake.initialize' is taken by clause 0"),
    "duplicate product": (
        clause(call(), over={"a": ["x", "x"]}), "/clauses/0/id", "the id 'read.mine/x' is taken by clause 0"),
    "unknown suite": (clause(call(), id="reed.mine"), "/clauses/0/id", "the suite 'reed' is not in /suites"),
    "suite without clauses": (
        member("suites", **{"thread/x": "X"}), "/suites/thread~1x", "no clause belongs to this suite"),
    "unknown scene": (clause(call(), scene="six-turns"), "/clauses/0/scene", "'six-turns' is not in /scenes"),
    "unknown connection": (
        clause(call(), connection="fast"), "/clauses/0/connection", "'fast' is not in /connections"),
    "unknown name in params": (
        clause(call(params={"threadId": "${mein}"})), "/clauses/0/steps/0/params/threadId",
        "${mein} stands for nothing here"),
    "name before its capture": (
        clause(call(params={"cursor": "${next}"}), call(capture={"next": "/nextCursor"})),
        "/clauses/0/steps/0/params/cursor", "${next} stands for nothing here"),
    "unknown member of an axis": (
        clause(call(params="${a.y}"), over={"a": {"one": {"x": 1}}}), "/clauses/0/steps/0/params", "${a.y} stands for"),
    "unknown name in a greeting": (
        member("connections", "stable", initialize={"clientInfo": "${me}"}),
        "/connections/stable/initialize/clientInfo", "a greeting may use /values only"),
    "unknown step": (
        clause(invariant("same-turns-as", {"step": "cold"})),
        "/clauses/0/steps/0/expect/invariants/0/same-turns-as", "no earlier step is called 'cold'"),
    "step that comes later": (
        clause(invariant("same-error-as", "control"), call(**{"as": "control"})),
        "/clauses/0/steps/0/expect/invariants/0/same-error-as", "no earlier step is called 'control'"),
    "unknown step of a size": (
        clause(invariant("reply-size-like", {"step": "small", "slack": 1})),
        "/clauses/0/steps/0/expect/invariants/0/reply-size-like", "no earlier step is called 'small'"),
    "unknown thread of the scene": (
        clause(invariant("turns-match-scene", {"of": "second", "order": "asc"})),
        "/clauses/0/steps/0/expect/invariants/0/turns-match-scene/of", "scene 'five-turns' has no thread 'second'"),
    "unknown order": (
        clause(invariant("turns-match-scene", {"of": "main", "order": "newest"})),
        "/clauses/0/steps/0/expect/invariants/0/turns-match-scene/order", "'newest' is not one of asc, desc"),
    "unknown view": (
        clause(invariant("items-match-view", {"of": "main", "view": "all"})),
        "/clauses/0/steps/0/expect/invariants/0/items-match-view/view", "'all' is not one of notLoaded, summary, full"),
    "a number that is none": (
        clause(invariant("turns-match-scene", {"of": "main", "order": "asc", "take": "two"})),
        "/clauses/0/steps/0/expect/invariants/0/turns-match-scene/take", "'two' is not a whole number from 0 on"),
    "pages of nothing": (
        clause(walk({"page-sizes": 0})),
        "/clauses/0/steps/0/expect/invariants/0/page-sizes", "0 is not a whole number from 1 on"),
    "a walk's invariant on a call": (
        clause(invariant("cursor-advances", True)),
        "/clauses/0/steps/0/expect/invariants/0/cursor-advances", "cursor-advances speaks of a walk"),
    "nothing expected": (
        clause(call(expect={"any-answer": True})),
        "/clauses/0/steps", "nothing is expected of any step: such a clause cannot fail"),
    "walk without params": (
        clause({"walk": LIST}), "/clauses/0/steps/0", "a walk needs `params`, into which the cursor is put"),
    "bad regex": (
        clause(call(expect={"error": {"message": "^thread (not loaded"}})),
        "/clauses/0/steps/0/expect/error/message", "not a regular expression: missing )"),
    "error and result": (
        clause(call(expect={"error": {"code": -32600}, "result": {}})),
        "/clauses/0/steps/0/expect", "a step expects a result or an error, not both"),
    "two kinds in one step": (
        clause(call(walk=LIST)), "/clauses/0/steps/0/walk", "a step is one thing: call or walk, not both"),
    "unknown method": (
        clause(call("thread/turns/lists")), "/clauses/0/steps/0/call", "thread/turns/lists is not in /methods"),
    "change without own": (
        clause(call("thread/resume")), "/clauses/0/steps/0/call", "resume changes a thread: the clause needs `own`"),
    "stored turn without own": (
        clause({"store": {"thread": "main", "rollback": 1}}),
        "/clauses/0/steps/0", "`store` changes a thread: the clause needs `own`"),
    "real turn without own": (
        clause({"turn": {"thread": "main", "user": "u"}}), "/clauses/0/steps/0", "`turn` changes a thread"),
    "restart of a shared server": (
        clause({"restart": True}, own="thread"), "/clauses/0/steps/0", "the clause needs `own` to be `home`"),
    "shared server without a greeting": (
        clause(call(), connection="raw"), "/clauses/0/steps/0", "a connection without a greeting cannot be shared"),
    "second server in a shared home": (
        clause(call(second=True), own="thread"), "/clauses/0/steps/0/second", "the clause needs `own` to be `home`"),
    "second server of a step that asks nothing": (
        clause({"await": "x", "second": True}, own="home"), "/clauses/0/steps/0/second", "`second` means nothing in"),
    "first server restarted under the second": (
        clause(call(second=True), {"restart": True}, own="home"),
        "/clauses/0/steps/1", "the first server outlives the second"),
    "change of a thread made by turns": (
        clause({"store": {"thread": "main", "rollback": 1}}, scene="by-turns", own="home"),
        "/clauses/0/steps/0/store/thread", "only one that hive-gate wrote can be changed"),
    "stored turn of an unknown thread": (
        clause({"store": {"thread": "mine", "rollback": 1}}, own="thread"),
        "/clauses/0/steps/0/store/thread", "scene 'five-turns' has no thread 'mine'"),
    "stored turn that is none": (
        clause({"store": {"thread": "main", "append": [{"usr": "u"}]}}, own="thread"),
        "/clauses/0/steps/0/store/append/0", "('usr' was unexpected) (2 faults)"),
    "turn of no thread": (
        clause({"turn": {"user": "u"}}, own="thread"), "/clauses/0/steps/0/turn", "a turn is of one thread"),
    "turn of two threads": (
        clause({"turn": {"user": "u", "thread": "main", "id": "${main}"}}, own="thread"),
        "/clauses/0/steps/0/turn", "a turn is of one thread"),
    "schema step without need": (
        clause({"schema": LIST, "expect": {"offered": True}}),
        "/clauses/0/steps/0", "the clause must say `needs` `schema`"),
    "traffic under a schema without need": (
        clause({"traffic": "replies"}), "/clauses/0/steps/0", "the clause must say `needs` `schema`"),
    "schema of a method that is not relied on": (
        clause({"schema": "x/y", "expect": {"compatible": True}}, needs=["schema"]),
        "/clauses/0/steps/0/schema", "x/y is not in /methods, so there is nothing to compare"),
    "traffic beside a call": (
        clause(call(), {"traffic": "lines"}), "/clauses/0/steps/1", "a `traffic` step is judged after the run"),
    "expectation that nobody judges": (
        clause({"notify": "x", "expect": {"result": {}}}),
        "/clauses/0/steps/0/expect/result", "`result` is never judged in a `notify` step"),
    "expectation of another kind": (
        clause(call(expect={"offered": True})),
        "/clauses/0/steps/0/expect/offered", "`offered` is never judged in a `call` step"),
    "member of another kind": (
        clause({**call(), "max-pages": 3}), "/clauses/0/steps/0/max-pages", "`max-pages` means nothing in a `call`"),
    "capture where nothing comes": (
        clause({"notify": "x", "capture": {"y": "/z"}}), "/clauses/0/steps/0/capture", "means nothing in a `notify`"),
    "avoided method relied on": (
        lambda raw: raw["methods"].update({"thread/turns/items/list": raw["methods"]["thread/read"]}),
        "/methods/thread~1turns~1items~1list", "thread/turns/items/list is avoided"),
    "evidence that names nothing": (
        lambda raw: raw["constraints"][0]["evidence"].append("turns-list.wolk/*"),
        "/constraints/0/evidence/2", "'turns-list.wolk/*' names no clause"),
    "the same number with the same bound twice": (
        lambda raw: raw["decisions"][0]["measured"].append(raw["decisions"][0]["measured"][0]),
        "/decisions/0/measured/2", "ms.ratio of restore.1000 has its at-most in /decisions/0/measured/0"),
    "dangling reference of a method": (
        lambda raw: raw["methods"][LIST].update(result={"anyOf": [{"$ref": "#/$defs/TurnPage"}]}),
        "/methods/thread~1turns~1list/result/anyOf/0/$ref", "#/$defs/TurnPage names no schema under /$defs"),
    "dangling reference of a definition": (
        lambda raw: raw["$defs"]["Turn"]["properties"].update(status={"$ref": "TurnStatus"}),
        "/$defs/Turn/properties/status/$ref", "TurnStatus names no schema under /$defs"),
    "dangling reference of a clause": (
        clause(call(expect={"result": {"$ref": "#/$defs/TurnPage"}})),
        "/clauses/0/steps/0/expect/result/$ref", "#/$defs/TurnPage names no schema under /$defs"),
    "schema that is none": (
        member("$defs", "Item", properties={"id": {"type": "strnig"}}),
        "/$defs/Item/properties/id/type", "not a JSON Schema: 'strnig' is not"),
    "expected result that is no schema": (
        clause(call(expect={"result": {"required": "data"}})),
        "/clauses/0/steps/0/expect/result/required", "not a JSON Schema: 'data' is not of type 'array'"),
    "expected notification that is no schema": (
        clause(call(expect={"notifications": [{"method": "x", "params": {"minimum": "one"}}]})),
        "/clauses/0/steps/0/expect/notifications/0/params/minimum", "not a JSON Schema: 'one' is not of type 'number'"),
    "items of no turn": (
        clause(invariant("items-match-scene", {"of": "main", "order": "asc", "turn": 0})),
        "/clauses/0/steps/0/expect/invariants/0/items-match-scene/turn", "0 is not a whole number from 1 on"),
    "items of an unknown thread": (
        clause(invariant("items-match-scene", {"of": "mine", "order": "asc"})),
        "/clauses/0/steps/0/expect/invariants/0/items-match-scene/of", "has no thread 'mine'"),
    "items in an unknown order": (
        clause(invariant("items-match-scene", {"of": "main", "order": "newest"})),
        "/clauses/0/steps/0/expect/invariants/0/items-match-scene/order", "'newest' is not one of asc, desc"),
    "together: bad regex": (
        clause(together(error={"message": "("})), "/clauses/0/steps/0/together/1/expect/error/message", "not a reg"),
    "together: unknown thread": (
        clause(together(invariants=[{"items-match-view": {"of": "x", "view": "full"}}])),
        "/clauses/0/steps/0/together/1/expect/invariants/0/items-match-view/of", "has no thread 'x'"),
    "together: unknown method": (
        clause({"together": [{"call": "a/b"}, {"call": LIST}]}),
        "/clauses/0/steps/0/together/0/call", "a/b is not in /methods"),
}  # fmt: skip


@pytest.mark.parametrize("case", [*FORM, *(f"{name} (sense)" for name in SENSE)])
def test_a_fault_is_told_with_its_pointer(case: str, refused: Any, raw: Raw, place: Path) -> None:
    mutate, pointer, sentence = FORM[case] if case in FORM else SENSE[case.removesuffix(" (sense)")]
    error = refused(mutate)
    assert error.where == f"{place}#{pointer.replace('{last}', str(len(raw['clauses']) - 1))}"
    assert error.message.startswith("the contract is not valid: ")
    assert sentence in error.message
    assert str(place) in str(error.hint)
    assert error.exit_code is Exit.USAGE


def test_every_fault_is_told_and_counted(refused: Any, place: Path) -> None:
    def mutate(raw: Raw) -> None:
        for number in range(15):
            raw["clauses"].append({**raw["clauses"][0], "id": f"reed.mine-{number}", "scene": "nowhere"})

    error = refused(mutate)
    assert "(30 faults)" in error.message
    lines = error.detail.splitlines()
    assert lines[0].endswith("/scene: 'nowhere' is not in /scenes")
    assert (len(lines), lines[-1]) == (12, "… and 18 more")


def test_a_product_that_repeats_a_fault_tells_it_once(refused: Any) -> None:
    error = refused(clause(call(), scene="nowhere", over={"a": ["x", "y", "z"]}))
    assert "faults)" not in error.message


def test_an_id_in_the_error_pattern_is_not_taken_for_a_pattern(raw: Raw, place: Path) -> None:
    clause(call(expect={"error": {"message": "^thread ${main} (is|was) gone$"}}))(raw)
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert load_contract(place).clauses[0].id == "read.mine"


def test_a_second_server_may_be_restarted_and_a_thread_made_by_turns_be_owned(raw: Raw, place: Path) -> None:
    steps = call(second=True), {"restart": True, "second": True}, call(second=True)
    clause(*steps, own="home")(raw)
    clause(call("thread/resume"), own="thread", scene="by-turns", id="read.other")(raw)
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert [each.own for each in load_contract(place).clauses[:2]] == ["thread", "home"]


def test_a_turn_of_a_thread_outside_of_the_scene_is_no_fault(raw: Raw, place: Path) -> None:
    start = call("thread/start", {"cwd": "${work}"}, capture={"new": "/thread/id"})
    clause(start, {"turn": {"id": "${new}", "user": "u"}}, scene="empty")(raw)
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert load_contract(place).clauses[0].id == "read.mine"


def test_a_reference_into_a_definition_is_no_fault(raw: Raw, place: Path) -> None:
    clause(call(expect={"result": {"properties": {"data": {"$ref": "#/$defs/TurnsPage/properties/data"}}}}))(raw)
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert load_contract(place).clauses[0].id == "read.mine"


@pytest.mark.parametrize(("schema", "meant"), [(True, {}), (False, {"not": {}})])
def test_true_and_false_are_schemas(schema: bool, meant: Raw, raw: Raw, place: Path) -> None:
    raw["methods"]["thread/start"]["result"] = schema
    place.write_text(json.dumps(raw), encoding="utf-8")
    assert load_contract(place).methods["thread/start"].result == meant


def test_no_contract_there(place: Path) -> None:
    with pytest.raises(ContractError, match="cannot be read: No such file") as caught:
        load_contract(place)
    assert caught.value.where == str(place)
