from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.phrases import kinds
from hive_gate.drift.resolve import Scope
from hive_gate.drift.shapes import ANYTHING, closed, shapes, split

DEFINITIONS = {
    "Text": {"type": "string"},
    "Loop": {"anyOf": [{"$ref": "#/definitions/Loop"}, {"type": "null"}]},
    "Size": {"type": "integer", "format": "uint8", "maximum": 9},
}
SCOPE = Scope({"definitions": DEFINITIONS}, "test")


def ref(name: str) -> Any:
    return {"$ref": f"#/definitions/{name}"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, "anything"),
        ({}, "anything"),
        ({"description": "words"}, "anything"),
        (False, "nothing"),
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"anyOf": [ref("Text"), {"type": "null"}]}, "string or null"),
        ({"allOf": [ref("Text")], "default": "x"}, "string"),
        ({"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}, {"type": "null"}]}, '"a" or "b" or null'),
        ({"type": ["string", "null"], "enum": ["a", None]}, '"a" or null'),
        ({"type": ["string", "null"], "enum": ["a"]}, '"a"'),
        ({"const": 3}, "3"),
        ({"type": "number", "enum": [1, 2.5]}, "1 or 2.5"),
        ({"enum": [True, 1, "a"]}, 'true, 1 or "a"'),
        (ref("Size"), "integer (0 to 9)"),
        ({"type": "number", "minimum": 0.0}, "number (0 to any)"),
        ({"minimum": 1}, "number (1 to any)"),
        (
            {"type": "integer", "allOf": [{"minimum": 1, "maximum": 9}, {"minimum": 3, "maximum": 7}]},
            "integer (3 to 7)",
        ),
        ({"properties": {"a": True}}, "object"),
        ({"items": {}}, "array"),
        (ref("Loop"), "null"),
        ({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, "object"),
        ({"allOf": [{"type": "string"}, {"type": "null"}]}, "nothing"),
        ({"allOf": [{"type": "number"}, {"type": "integer"}]}, "integer"),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}, '"b"'),
        ({"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, "nothing"),
    ],
)
def test_the_alternatives_of_a_schema(schema: Any, expected: str) -> None:
    assert kinds(shapes(schema, SCOPE)) == expected


def test_parts_of_an_object_from_several_places_are_put_together() -> None:
    schema = {
        "required": ["kind"],
        "properties": {"kind": {"type": "string"}, "size": True},
        "oneOf": [
            {"type": "object", "required": ["a"], "properties": {"kind": {"enum": ["a"]}, "a": True}},
            {"type": "object", "properties": {"b": True}, "additionalProperties": False},
        ],
    }
    one, other = shapes(schema, SCOPE)
    assert (sorted(one.properties), sorted(one.required)) == (["a", "kind", "size"], ["a", "kind"])
    assert closed(one.properties["kind"], SCOPE) == ("a",)
    assert (other.additional, other.required) == (False, frozenset({"kind"}))


def test_an_object_that_is_closed_anywhere_is_closed() -> None:
    parts = [{"properties": {"a": True}, "additionalProperties": False}, {"additionalProperties": {"type": "null"}}]
    for order in (parts, parts[::-1]):
        (found,) = shapes({"type": "object", "allOf": order}, SCOPE)
        assert found.additional is False


def test_items_of_an_array_from_several_places_all_hold() -> None:
    (found,) = shapes({"allOf": [{"items": {"enum": ["a", "b"]}}, {"items": {"enum": ["b"]}}]}, SCOPE)
    assert closed(found.items, SCOPE) == ("b",)


@pytest.mark.parametrize("schema", [True, {"type": "string"}, {"anyOf": [{"enum": ["a"]}, {"type": "string"}]}, False])
def test_a_schema_that_is_not_limited_to_constants_is_not_closed(schema: Any) -> None:
    assert closed(schema, SCOPE) is None


def test_an_object_is_split_by_the_constants_of_a_member() -> None:
    (shape,) = shapes({"properties": {"kind": {"enum": ["a", "b"]}, "size": {"enum": ["s", "l"]}}}, SCOPE)
    parts = split(shape, ["kind", "none"], SCOPE)
    assert [closed(part.properties["kind"], SCOPE) for part in parts] == [("a",), ("b",)]
    assert split(shape, [], SCOPE) == [shape]


def test_an_object_of_which_nothing_is_said_has_every_member() -> None:
    (free,) = shapes({"type": "object"}, SCOPE)
    (mapped,) = shapes({"additionalProperties": {"type": "null"}}, SCOPE)
    (named,) = shapes({"properties": {"a": {}}}, SCOPE)
    (shut,) = shapes({"properties": {"a": {}}, "additionalProperties": False}, SCOPE)
    assert [shape.member("x") for shape in (free, mapped, named, shut)] == [True, {"type": "null"}, None, None]
    assert shapes(True, SCOPE)[0].type == ANYTHING
