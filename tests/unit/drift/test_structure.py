from __future__ import annotations

import json
from typing import Any

from hive_gate.drift.structure import marked, references, structure

SCHEMA: Any = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Box",
    "description": "A thing to put things in.",
    "type": "object",
    "required": ["size", "id"],
    "properties": {
        "title": {"type": "string", "description": "Not prose: a member of this name.", "title": "Title"},
        "size": {"description": "How large.", "type": ["null", "integer"], "format": "uint32", "minimum": 0.0},
        "lid": {"allOf": [{"$ref": "#/definitions/Lid"}], "default": "open", "description": "What closes it."},
        "description": {"enum": ["short", "long"], "type": "string"},
    },
    "definitions": {"Lid": {"type": "string"}},
}


def test_prose_is_left_out_and_members_that_are_called_like_it_stay() -> None:
    assert structure(SCHEMA) == {
        "type": "object",
        "required": ["id", "size"],
        "properties": {
            "title": {"type": "string"},
            "size": {"type": ["integer", "null"], "format": "uint32", "minimum": 0.0},
            "lid": {"allOf": [{"$ref": "#/$defs/Lid"}], "default": "open"},
            "description": {"enum": ["long", "short"], "type": "string"},
        },
    }


def test_the_order_in_which_a_target_writes_does_not_matter() -> None:
    turned = dict(reversed(SCHEMA.items())) | {"required": ["id", "size"]}
    assert json.dumps(structure(turned)) == json.dumps(structure(SCHEMA))


def test_a_keyword_that_is_not_known_may_be_prose_and_is_left_out() -> None:
    assert structure({"type": "string", "x-remark": "Do as I say.", "deprecated": True}) == {"type": "string"}


def test_a_default_that_is_too_long_for_anything_but_prose_is_left_out() -> None:
    assert structure({"type": "string", "default": "You are a helpful box. " * 20}) == {"type": "string"}


def test_definitions_can_be_called_otherwise() -> None:
    schema = structure(SCHEMA, lambda name: f"{name}~2")
    assert list(references(schema)) == ["#/$defs/Lid~2"]


def test_what_the_stable_schemas_lack_is_marked() -> None:
    full = {
        "properties": {
            "a": {"type": "string"},
            "b": True,
            "c": {"properties": {"d": {"type": "null"}, "e": {"type": "null"}}},
            "f": {"items": {"properties": {"g": {"type": "null"}}}},
        }
    }
    plain = {
        "properties": {
            "a": {"type": "string"},
            "c": {"properties": {"d": {"type": "null"}}},
            "f": {"items": {"properties": {}}},
        }
    }
    assert marked(full, plain) == {
        "properties": {
            "a": {"type": "string"},
            "b": {"experimental": True},
            "c": {"properties": {"d": {"type": "null"}, "e": {"type": "null", "experimental": True}}},
            "f": {"items": {"properties": {"g": {"type": "null", "experimental": True}}}},
        }
    }
    assert marked(full, full) == full


def test_alternatives_are_told_apart_by_their_constants_before_they_are_marked() -> None:
    def variant(kind: str, **members: Any) -> Any:
        return {"type": "object", "properties": {"type": {"enum": [kind]}, **members}, "required": ["type"]}

    full = {"oneOf": [variant("new"), variant("box", size={"type": "null"}), {"enum": ["none"]}]}
    plain = {"oneOf": [variant("box"), {"enum": ["none"]}]}
    assert marked(full, plain) == {
        "oneOf": [
            variant("new") | {"experimental": True},
            variant("box", size={"type": "null", "experimental": True}),
            {"enum": ["none"]},
        ]
    }
