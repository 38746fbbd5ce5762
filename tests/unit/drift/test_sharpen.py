from __future__ import annotations

from typing import Any

from hive_gate.drift.resolve import Scope
from hive_gate.drift.sharpen import find_tag, sharpened
from hive_gate.drift.validate import Validator


def variant(tag: str, *values: str, **members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [tag, *members],
        "properties": {tag: {"type": "string", "enum": list(values)}, **members},
    }


def tag_of(*branches: Any, **definitions: Any) -> Any:
    return find_tag(list(branches), Scope({"definitions": definitions}, "test"))


def test_a_tag_is_a_required_member_with_other_constants_in_each_branch() -> None:
    assert tag_of(variant("type", "a"), variant("type", "b", "c")) == ("type", [["a"], ["b", "c"]])
    assert tag_of(variant("shape", "a"), variant("shape", "b")) == ("shape", [["a"], ["b"]])


def test_a_tag_is_found_through_references() -> None:
    assert tag_of({"$ref": "#/definitions/A"}, variant("type", "b"), A=variant("type", "a")) == (
        "type",
        [["a"], ["b"]],
    )


def test_a_constant_may_be_written_as_const() -> None:
    branch = {"type": "object", "required": ["type"], "properties": {"type": {"const": "b"}}}
    assert tag_of(variant("type", "a"), branch) == ("type", [["a"], ["b"]])


def test_constants_that_overlap_or_are_optional_or_partly_missing_are_no_tag() -> None:
    optional = {"type": "object", "properties": {"type": {"enum": ["b"]}}}
    assert tag_of(variant("type", "a", "b"), variant("type", "b")) is None
    assert tag_of(variant("type", "a"), optional) is None
    assert tag_of(variant("type", "a"), {"type": "string"}) is None
    assert tag_of(variant("type", "a")) is None


def test_null_may_stand_beside_the_tagged_objects() -> None:
    schema = {"oneOf": [variant("type", "a"), {"type": "null"}, variant("type", "b", size={"type": "integer"})]}
    assert Validator(schema, "test").errors(None) == []
    assert Validator(schema, "test").errors({"type": "a"}) == []
    assert [error.pointer for error in Validator(schema, "test").errors({"type": "b", "size": "x"})] == ["/size"]
    assert [error.pointer for error in Validator(schema, "test").errors({"type": "c"})] == ["/type"]


def test_a_union_next_to_a_reference_stays_as_it_is() -> None:
    schema = {"$ref": "#/definitions/A", "oneOf": [variant("type", "a"), variant("type", "b")]}
    document = {"definitions": {"A": {"type": "object"}}, "properties": {"x": schema}}
    assert sharpened(document, Scope(document, "test")) == document


def test_constraints_beside_the_union_are_kept() -> None:
    schema = {"oneOf": [variant("type", "a"), variant("type", "b")], "allOf": [{"minProperties": 2}]}
    found = sharpened(schema, Scope(schema, "test"))
    assert "oneOf" not in found
    assert found["allOf"][0] == {"minProperties": 2}
    assert len(found["allOf"]) == 2
