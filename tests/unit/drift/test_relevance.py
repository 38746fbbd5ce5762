"""Whom a change concerns: a client that keeps boxes, as its contract says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Capability, Clause, Connection, Contract, Method, Step
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift.changes import Change
from hive_gate.drift.digest import Digest, Message
from hive_gate.drift.hive import view_of
from hive_gate.drift.sentence import concern
from tests.support.digests import changes, digest, of, thing

TEXT: Any = {"type": "string"}
LID = {"enum": ["open", "shut"]}
SHIPPED = load_contract(DEFAULT_CONTRACT)


def clause(*steps: Step) -> Clause:
    return replace(SHIPPED.clauses[0], id="boxes.some/one", steps=steps)


@pytest.fixture
def contract() -> Contract:
    """Lists boxes by shelf, reads their ids and lids; a clause tries `box/weigh` and looks at weights."""
    sends = thing(
        "shelf", shelf=TEXT, lid={"$ref": "#/$defs/Lid"}, most={"type": "integer", "minimum": 0, "maximum": 9}
    )
    reads = thing("boxes", boxes={"type": "array", "items": {"$ref": "#/$defs/Box"}})
    box = thing("id", id=TEXT, lid={"$ref": "#/$defs/Lid"}, kind=TEXT, note={"type": ["string", "null"]})
    weighed = {"properties": {"boxes": {"contains": {"properties": {"weight": {"const": 5}}}}}}
    moved = {"required": ["id"], "properties": {"id": {"const": "1"}}}
    return replace(
        SHIPPED,
        methods={"box/list": Method("box/list", sends, reads, "reads")},
        defs={"Box": box, "Lid": LID},
        avoided={"box/lose": "it is lost"},
        known_notifications=frozenset({"box/seen"}),
        known_fields={"box/list": frozenset({"/boxes/*/color"})},
        connections={"hive": Connection("hive", {"capabilities": {"experimentalApi": True}})},
        capabilities={"scale": Capability("scale", "", Step("call", "box/weigh", {"id": "1"}))},
        clauses=(
            clause(Step("call", "box/list", {"shelf": 5, "dust": None}, expect={"result": weighed})),
            clause(Step("together", [{"call": "box/open", "params": {"id": 1}}])),
            clause(Step("await", "box/moved", options={"where": moved})),
        ),
    )


def side(sent: Any = None, box: Any = None, **more: Any) -> Digest:
    """A target that lists boxes; `sent` and `box` are what it takes and sends."""
    params = thing("shelf", shelf=TEXT, lid={"$ref": "#/$defs/Lid"}, most={"type": "integer", "format": "uint8"})
    default = thing(
        "id lid", id=TEXT, lid=of("Lid"), kind={"enum": ["a"]}, note=TEXT, color=TEXT, far=TEXT, weight=TEXT
    )
    answer = thing("boxes", boxes={"type": "array", "items": of("Box")})
    definitions = {"Params": sent or params, "Answer": answer, "Box": box or default, "Lid": LID, **more}
    return digest({"box/list": Message(of("Params"), of("Answer"))}, **definitions)


PARAMS = side().definitions["Params"]
BOX = side().definitions["Box"]


def with_member(schema: Any, required: str = "", **members: Any) -> Any:
    """The schema with other members; None takes one away."""
    named = {name: value for name, value in {**schema["properties"], **members}.items() if value is not None}
    needed = {*schema.get("required", ()), *required.split()} & named.keys()
    return thing(" ".join(needed), **named)


def only(contract: Contract, old: Digest, new: Digest) -> Change:
    (change,) = changes(old, new, view_of(contract)).all
    return change


SENT: dict[str, tuple[Any, str]] = {
    "a member that Hive sends goes": (with_member(PARAMS, lid=None), "breaking"),
    "one that is new has to be sent": (with_member(PARAMS, "room", room=TEXT), "breaking"),
    "one that is new may be sent": (with_member(PARAMS, room=TEXT), ""),
    "one that Hive may leave out has to be sent": (with_member(PARAMS, "lid"), "breaking"),
    "a constant that Hive sends goes": (with_member(PARAMS, lid={"const": "open"}), "breaking"),
    "a constant comes that Hive does not send": (with_member(PARAMS, lid={"enum": ["open", "shut", "ajar"]}), ""),
    "what Hive sends as text must be a number": (with_member(PARAMS, shelf={"type": "integer"}), "breaking"),
    "null is taken as well": (with_member(PARAMS, shelf={"type": ["string", "null"]}), ""),
    "the range is too narrow for Hive": (with_member(PARAMS, most={"type": "integer", "minimum": 1, "maximum": 255}),
                                         "breaking"),
    "the range is still wide enough": (with_member(PARAMS, most={"type": "integer", "minimum": 0, "maximum": 99}), ""),
    "a member that only a clause sends is taken": (with_member(PARAMS, dust=TEXT), "news"),
    "a member needs the capability, which Hive has": (with_member(PARAMS, lid={**of("Lid"), "experimental": True}),
                                                      "risky"),
    "another default holds for what Hive leaves out": (with_member(PARAMS, lid={**of("Lid"), "default": "shut"}), ""),
}  # fmt: skip


@pytest.mark.parametrize("what", SENT)
def test_what_hive_sends_is_judged_by_what_is_accepted(contract: Contract, what: str) -> None:
    schema, level = SENT[what]
    found = changes(side(), side(schema), view_of(contract)).all
    assert [change.level for change in found if change.used] == ([level] if level else [])


def test_what_hive_never_sends_may_be_refused(contract: Contract) -> None:
    wide = with_member(PARAMS, lid={"enum": ["ajar", *LID["enum"]]}, shelf={"type": ["string", "null", "boolean"]})
    found = changes(side(wide), side(), view_of(contract)).all
    assert {change.rule for change in found} == {
        "request-value-removed",
        "request-null-removed",
        "request-type-removed",
    }
    assert not any(change.used for change in found)


READ: dict[str, tuple[Any, str]] = {
    "a member that Hive reads goes": (with_member(BOX, lid=None), "breaking"),
    "one that Hive does not read goes": (with_member(BOX, far=None), ""),
    "one that the contract knows of goes": (with_member(BOX, color=None), "risky"),
    "one that the contract knows of may be null": (with_member(BOX, color={"type": ["string", "null"]}), ""),
    "one that clauses look at goes": (with_member(BOX, weight=None), "risky"),
    "one is new that Hive does not read": (with_member(BOX, size=TEXT), ""),
    "what Hive reads as text may be null": (with_member(BOX, id={"type": ["string", "null"]}), "breaking"),
    "what Hive may read as null may be null": (with_member(BOX, note={"type": ["string", "null"]}), "news"),
    "a constant comes that Hive does not know": (with_member(BOX, lid={"enum": ["open", "shut", "ajar"]}), "risky"),
    "a constant comes where Hive takes any text": (with_member(BOX, kind={"enum": ["a", "b"]}), "news"),
    "a constant goes": (with_member(BOX, lid={"const": "open"}), "news"),
    "what Hive reads as text is a number": (with_member(BOX, id={"type": "integer"}), "breaking"),
    "what Hive relies on may be missing": (thing("lid", **BOX["properties"]), "breaking"),
    "what Hive does not rely on may be missing": (thing("id", **BOX["properties"]), "news"),
    "any text comes where Hive knows constants": (with_member(BOX, lid=TEXT), "risky"),
}


@pytest.mark.parametrize("what", READ)
def test_what_hive_reads_is_judged_by_what_may_come(contract: Contract, what: str) -> None:
    schema, level = READ[what]
    found = changes(side(), side(box=schema), view_of(contract)).all
    assert found
    assert [change.level for change in found if change.used] == ([level] if level else [])


def test_what_the_contract_knows_of_a_result_says_nothing_about_the_params(contract: Contract) -> None:
    known = replace(contract, known_fields={"box/list": frozenset({"/room"})})
    change = only(known, side(with_member(PARAMS, room=TEXT)), side())
    assert not change.used


def test_a_default_that_changes_concerns_whoever_leaves_the_member_out(contract: Contract) -> None:
    def take(default: str, name: str) -> Digest:
        member: dict[str, Any] = {name: {"type": "string", "default": default}}
        return side(with_member(PARAMS, **member))

    left_out = only(contract, take("x", "order"), take("y", "order"))
    assert (left_out.level, [use.reason for use in left_out.uses]) == ("risky", ["omits"])
    always_sent = only(contract, take("x", "shelf"), take("y", "shelf"))
    assert not always_sent.used


def test_one_line_says_where_a_shared_definition_concerns_hive(contract: Contract) -> None:
    change = only(contract, side(), side(box=with_member(BOX, lid=None)))
    assert (change.subject, change.subject_kind, change.path) == ("Box", "definition", "/lid")
    assert [(use.reason, use.method, use.pointer) for use in change.uses] == [("reads", "box/list", "/boxes/*/lid")]
    assert concern(change.uses) == "Hive reads it from `box/list`."


def test_the_params_of_one_method_are_told_as_its_params(contract: Contract) -> None:
    change = only(contract, side(), side(with_member(PARAMS, lid=None)))
    assert (change.subject, change.subject_kind) == ("box/list", "method")
    assert change.explanation == "`/lid` in the params of `box/list` is gone: the server ignores it without a word."


def test_whether_hive_allows_what_comes_is_said(contract: Contract) -> None:
    wider = only(contract, side(), side(box=with_member(BOX, kind={"enum": ["a", "b"]})))
    assert concern(wider.uses) == "Hive reads it from `box/list`, and its schemas allow that."
    unknown = changes(side(), side(Lid={"enum": ["ajar", *LID["enum"]]}), view_of(contract)).used
    assert [concern(change.uses) for change in unknown] == [
        "Hive reads it from `box/list`, and its schemas do not allow that."
    ]


def one(family: int, name: str, message: Message | None) -> Digest:
    return digest(*({name: message} if message and at == family else {} for at in range(4)))


METHOD, NOTIFICATION, ASKED = 0, 1, 2
STABLE, EXPERIMENTAL = Message(), Message(experimental=True)
WHOLES: dict[str, tuple[int, str, Message | None, Message | None, str, str]] = {
    "a method that Hive calls goes": (METHOD, "box/list", STABLE, None, "breaking", "sends"),
    "it moves behind the capability": (METHOD, "box/list", STABLE, EXPERIMENTAL, "risky", "sends"),
    "it comes": (METHOD, "box/list", None, STABLE, "news", "sends"),
    "one that clauses call goes": (METHOD, "box/open", STABLE, None, "risky", "clauses"),
    "one that a capability asks goes": (METHOD, "box/weigh", STABLE, None, "risky", "clauses"),
    "one that Hive avoids goes": (METHOD, "box/lose", STABLE, None, "risky", "avoids"),
    "one that nobody calls goes": (METHOD, "box/burn", STABLE, None, "breaking", ""),
    "a notification that clauses wait for goes": (NOTIFICATION, "box/moved", STABLE, None, "breaking", "waits"),
    "one that the contract knows goes": (NOTIFICATION, "box/seen", STABLE, None, "risky", "knows"),
    "one that it does not know comes": (NOTIFICATION, "box/felt", None, STABLE, "news", ""),
    "the server may ask something new": (ASKED, "box/mayI", None, STABLE, "risky", "every-client"),
    "the server asks something no more": (ASKED, "box/mayI", STABLE, None, "news", ""),
}


@pytest.mark.parametrize("what", WHOLES)
def test_whole_messages_concern_hive_as_its_contract_names_them(contract: Contract, what: str) -> None:
    family, name, before, after, level, reason = WHOLES[what]
    change = only(contract, one(family, name, before), one(family, name, after))
    assert (change.level, [use.reason for use in change.uses]) == (level, [reason] if reason else [])
    assert bool(concern(change.uses)) == bool(reason)


def test_without_the_capability_what_moves_behind_it_is_lost(contract: Contract) -> None:
    plain = replace(contract, connections={"hive": Connection("hive", {"clientInfo": {}})})
    moved = one(METHOD, "box/list", STABLE), one(METHOD, "box/list", EXPERIMENTAL)
    assert only(plain, *moved).level == "breaking"
    member = side(), side(with_member(PARAMS, lid={**of("Lid"), "experimental": True}))
    assert only(plain, *member).level == "breaking"


def test_what_clauses_wait_for_is_looked_into(contract: Contract) -> None:
    schemas = thing("id", id=TEXT, x=TEXT), thing()
    old, new = (one(NOTIFICATION, "box/moved", Message(schema)) for schema in schemas)
    found = changes(old, new, view_of(contract)).all
    assert [(change.path, change.level, change.used) for change in found] == [
        ("/id", "risky", True),
        ("/x", "breaking", False),
    ]


def test_a_variant_that_hive_tells_apart_is_another_matter_than_one_that_it_does_not(contract: Contract) -> None:
    def variant(kind: str, **members: Any) -> Any:
        return thing("type", type={"enum": [kind]}, **members)

    def reading(schema: Any) -> Contract:
        method = Method("box/list", thing(), thing(boxes={"type": "array", "items": schema}), "reads")
        return replace(contract, methods={"box/list": method}, clauses=())

    old, new = (
        side(box={"oneOf": [variant("a", id=TEXT), variant("b", id=TEXT)]}),
        side(box={"oneOf": [variant("a"), variant("b", id=TEXT), variant("c")]}),
    )
    either = reading(thing("type", type=TEXT, id=TEXT))
    some = reading(thing("type", type={"enum": ["b"]}, id=TEXT))

    def told(by: Contract) -> list[tuple[str, str, str]]:
        return [(change.rule, change.path, change.level) for change in changes(old, new, view_of(by)).used]

    assert told(either) == [
        ("response-field-removed", "/type=a/id", "breaking"),
        ("response-variant-added", "", "news"),
    ]
    # Of variants that Hive does not know it reads nothing.
    assert told(some) == [("response-variant-added", "", "risky")]


def test_what_concerns_hive_comes_first_then_the_worst(contract: Contract) -> None:
    old = side(PARAMS, BOX)
    new = side(with_member(PARAMS, lid=None), with_member(BOX, weight=None, kind={"enum": ["a", "b"]}, far=None))
    found = changes(old, new, view_of(contract))
    assert [(change.used, change.level) for change in found.all] == [
        (True, "breaking"), (True, "risky"), (True, "news"), (False, "breaking"),
    ]  # fmt: skip
    assert found.breaks
    assert found.all == (*found.used, *found.others)
