"""Each rule is provoked by a pair that is as small as can be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift.changes import Change
from hive_gate.drift.digest import Digest, Message
from hive_gate.drift.hive import View
from hive_gate.drift.kinds import DIRECTIONS, KINDS, WHOLES, Flow, level_of, rule_of
from tests.support.digests import changes, digest, of, thing
from tools import make_drift_rules

NOBODY = View(load_contract(DEFAULT_CONTRACT), {}, {})
"""Uses nothing of boxes."""

TEXT: Any = {"type": "string"}
KIND = {"enum": ["round", "square"]}


def variant(kind: str, **members: Any) -> Any:
    return thing("type", type={"const": kind}, **members)


def whole(schema: Any) -> Any:
    return thing("a", a=schema)


PAIRS: dict[str, tuple[Any, Any]] = {
    "field-removed": (thing(a=TEXT), thing()),
    "field-added": (thing(), thing(a=TEXT)),
    "required-field-removed": (thing("a", a=TEXT), thing()),
    "required-field-added": (thing(), thing("a", a=TEXT)),
    "field-now-required": (thing(a=TEXT), thing("a", a=TEXT)),
    "field-now-optional": (thing("a", a=TEXT), thing(a=TEXT)),
    "field-now-experimental": (thing(a=TEXT), thing(a={**TEXT, "experimental": True})),
    "field-now-stable": (thing(a={**TEXT, "experimental": True}), thing(a=TEXT)),
    "null-removed": (whole({"type": ["string", "null"]}), whole(TEXT)),
    "null-added": (whole(TEXT), whole({"anyOf": [TEXT, {"type": "null"}]})),
    "type-changed": (whole(TEXT), whole({"type": "integer"})),
    "type-narrowed": (whole(True), whole(TEXT)),
    "type-widened": (whole(TEXT), whole({})),
    "type-removed": (whole({"type": ["string", "boolean"]}), whole(TEXT)),
    "type-added": (whole({"type": "integer"}), whole({"type": "number"})),
    "value-removed": (whole(KIND), whole({"const": "round"})),
    "value-added": (whole({"const": "round"}), whole(KIND)),
    "values-closed": (whole(TEXT), whole(KIND)),
    "values-opened": (whole(KIND), whole(TEXT)),
    "range-narrowed": (whole({"type": "integer"}), whole({"type": "integer", "format": "uint8"})),
    "range-widened": (
        whole({"type": "integer", "format": "uint8"}),
        whole({"type": "integer", "format": "uint16"}),
    ),
    "range-changed": (
        whole({"type": "integer", "format": "uint64"}),
        whole({"type": "integer", "format": "int64"}),
    ),
    "variant-removed": ({"oneOf": [variant("a"), variant("b")]}, {"oneOf": [variant("a")]}),
    "variant-added": ({"oneOf": [variant("a")]}, {"oneOf": [variant("a"), variant("b")]}),
    "default-changed": (thing(a={**TEXT, "default": "x"}), thing(a={**TEXT, "default": "y"})),
    "limit-changed": (whole({**TEXT, "minLength": 1}), whole({**TEXT, "minLength": 2})),
    "closed": (thing(), {**thing(), "additionalProperties": False}),
    "opened": ({**thing(), "additionalProperties": False}, thing()),
}


def put(flow: Flow, schema: Any) -> Digest:
    match flow:
        case "request":
            return digest({"box/list": Message(of("Box"), {})}, Box=schema)
        case "response":
            return digest({"box/list": Message(None, of("Box"))}, Box=schema)
        case "notification":
            return digest(None, {"box/list": Message(of("Box"))}, Box=schema)
        case "server-request":
            return digest(None, None, {"box/list": Message(of("Box"), {})}, Box=schema)
        case "answer":
            return digest(None, None, {"box/list": Message(None, of("Box"))}, Box=schema)


def found(old: Digest, new: Digest) -> list[Change]:
    return list(changes(old, new, NOBODY).all)


def test_there_is_a_pair_for_every_kind() -> None:
    assert PAIRS.keys() == KINDS.keys()


@pytest.mark.parametrize("flow", DIRECTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_minimal_pair_provokes_just_its_rule(kind: str, flow: Flow) -> None:
    old, new = (put(flow, schema) for schema in PAIRS[kind])
    (change,) = found(old, new)
    assert (change.rule, change.direction) == (rule_of(flow, kind), DIRECTIONS[flow])
    assert change.level == level_of(flow, kind)
    assert change.methods == ("box/list",)
    assert not change.used


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_back_is_the_inverse(kind: str) -> None:
    old, new = (put("response", schema) for schema in PAIRS[kind])
    (there,), (back,) = found(old, new), found(new, old)
    assert back.rule == rule_of("response", KINDS[kind].inverse)
    assert (there.path, there.old, there.new) == (back.path, back.new, back.old)


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_is_one_sentence_that_leaves_nothing_open(kind: str) -> None:
    for flow in DIRECTIONS:
        old, new = (put(flow, schema) for schema in PAIRS[kind])
        (change,) = found(old, new)
        assert re.fullmatch(r"[A-Z`][^{}]*[^ {}]\.", change.explanation), change.explanation
        assert change.explanation.count("`") % 2 == 0
        assert "box/list" in change.explanation


E1, E2 = Message(experimental=True), Message()
WHOLE_PAIRS: dict[str, tuple[Digest, Digest]] = {}
for _name, _position in (("method", 0), ("notification", 1), ("server-request", 2), ("client-notification", 3)):

    def _one(message: Message, at: int = _position) -> Digest:
        return digest(*({"box/list": message} if i == at else {} for i in range(4)))

    WHOLE_PAIRS[f"{_name}-removed"] = (_one(E2), digest())
    WHOLE_PAIRS[f"{_name}-added"] = (digest(), _one(E2))
    WHOLE_PAIRS[f"{_name}-now-experimental"] = (_one(E2), _one(E1))
    WHOLE_PAIRS[f"{_name}-now-stable"] = (_one(E1), _one(E2))
WHOLE_PAIRS["response-stated"] = (digest({"a": Message()}), digest({"a": Message(None, {})}))
WHOLE_PAIRS["response-unstated"] = (digest({"a": Message(None, {})}), digest({"a": Message()}))
WHOLE_PAIRS["answer-stated"] = (digest(None, None, {"a": Message()}), digest(None, None, {"a": Message(None, {})}))
WHOLE_PAIRS["answer-unstated"] = (digest(None, None, {"a": Message(None, {})}), digest(None, None, {"a": Message()}))


def test_there_is_a_pair_for_every_change_of_a_whole_message() -> None:
    assert WHOLE_PAIRS.keys() == WHOLES.keys()


@pytest.mark.parametrize("rule", WHOLES)
def test_a_whole_message_that_changes_provokes_just_its_rule(rule: str) -> None:
    (change,) = found(*WHOLE_PAIRS[rule])
    assert (change.rule, change.direction) == (rule, WHOLES[rule].direction)
    assert change.path == ""
    assert change.explanation.endswith(".")
    if rule not in ("server-request-added", "server-request-now-stable") and not rule.startswith("client-notification"):
        assert change.level == WHOLES[rule].level
        assert not change.used


@pytest.mark.parametrize("flow", ["response", "answer"])
def test_a_result_that_one_side_names_is_compared_with_the_other_sides_definition_of_that_name(flow: str) -> None:
    def one(message: Message, **members: Any) -> Digest:
        return digest(*([{"a": message}] if flow == "response" else [None, None, {"a": message}]), A=thing(**members))

    named, unnamed = Message(None, of("A")), Message()
    for old, new in ((one(unnamed), one(named, b=TEXT)), (one(named), one(unnamed, b=TEXT))):
        (change,) = found(old, new)
        assert (change.rule, change.path, change.subject) == (f"{flow}-field-added", "/b", "a")


def test_what_a_client_sends_and_what_it_reads_are_judged_from_opposite_ends() -> None:
    for kind, pair in KINDS.items():
        inverse = KINDS[pair.inverse]
        assert inverse.inverse == kind
        if "null" in kind or "type" in kind or "value-" in kind or "variant" in kind:
            # What breaks a sender when it goes is no trouble to a reader, and the other way round.
            assert (pair.sent == "breaking") == (inverse.read in ("breaking", "risky")), kind


def test_the_docs_tell_every_rule() -> None:
    assert make_drift_rules.main(["--check"]) == 0
