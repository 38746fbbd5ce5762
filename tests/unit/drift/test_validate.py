from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from hive_gate.drift.outside import MAX_DEPTH
from hive_gate.drift.validate import MAX_ERRORS, SchemaError, Validator, preview
from hive_gate.errors import ContractError, TargetError

BOXES = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "data": {"type": "array", "items": {"$ref": "#/definitions/Box"}},
        "next": {"type": ["string", "null"]},
        "lid": {"anyOf": [{"$ref": "#/definitions/Lid"}, {"type": "null"}]},
        "seal": {"$ref": "#/definitions/Seal"},
    },
    "definitions": {
        "Box": {
            "oneOf": [
                {
                    "type": "object",
                    "required": ["id", "type"],
                    "properties": {
                        "id": {"type": "string"},
                        "type": {"type": "string", "enum": ["plain"]},
                        "inside": {"type": "array", "items": {"$ref": "#/definitions/Box"}},
                    },
                },
                {
                    "type": "object",
                    "required": ["id", "size", "type"],
                    "properties": {
                        "id": {"type": "string"},
                        "type": {"type": "string", "enum": ["sized"]},
                        "size": {"type": "integer", "format": "uint16"},
                    },
                },
            ]
        },
        "Lid": {"type": "object", "required": ["color"], "properties": {"color": {"enum": ["red", "blue"]}}},
        "Seal": {
            "oneOf": [
                {"type": "string", "enum": ["wax", "tape"]},
                {
                    "type": "object",
                    "required": ["glued"],
                    "properties": {"glued": {"type": "object", "properties": {"grams": {"type": "integer"}}}},
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "required": ["nailed"],
                    "properties": {"nailed": {"type": "object", "properties": {"nails": {"type": "integer"}}}},
                    "additionalProperties": False,
                },
            ]
        },
    },
}


def errors(instance: Any, schema: Any = BOXES) -> list[tuple[str, str]]:
    return [(error.pointer, error.value_preview) for error in Validator(schema, "test").errors(instance)]


def box(**members: Any) -> dict[str, Any]:
    return {"id": "b", "type": "plain", **members}


def test_a_valid_value_has_no_errors() -> None:
    assert errors({"data": [box(inside=[box()]), box(type="sized", size=3)], "lid": {"color": "red"}}) == []
    assert errors({"data": [], "lid": None, "seal": {"glued": {"grams": 1}}}) == []


def test_the_pointer_leads_into_the_branch_that_the_tag_chooses() -> None:
    page = [box() for _ in range(418)]
    page[417]["inside"] = [box(), box(), box(), box(id=17)]
    assert errors({"data": page}) == [("/data/417/inside/3/id", "17")]


def test_an_error_in_the_branch_says_what_was_expected() -> None:
    assert Validator(BOXES, "test").errors({"data": [box(id=17)]}) == [
        SchemaError("/data/0/id", 'the value is not of type "string"', "17")
    ]


def test_a_missing_member_is_reported_for_the_branch_of_the_tag_alone() -> None:
    found = Validator(BOXES, "test").errors({"data": [box(type="sized")]})
    assert found == [SchemaError("/data/0", '"size" is a required property', "object with id, type")]


def test_an_unknown_tag_is_the_error() -> None:
    found = Validator(BOXES, "test").errors({"data": [box(type="odd", id=17)]})
    assert found == [SchemaError("/data/0/type", 'the value is not one of "plain" or "sized"', '"odd"')]


@pytest.mark.parametrize("value", [{"id": "b"}, "box", None, 5])
def test_a_value_without_a_tag_is_one_error_at_its_place(value: Any) -> None:
    assert [pointer for pointer, _ in errors({"data": [value]})] == ["/data/0"]


def test_null_instead_of_an_object_is_no_reason_to_blame_null() -> None:
    assert errors({"data": [], "lid": {"color": "green"}}) == [("/lid/color", '"green"')]
    assert errors({"data": [], "lid": {}}) == [("/lid", "empty object")]


def test_a_value_of_none_of_the_types_is_told_all_of_them() -> None:
    found = Validator(BOXES, "test").errors({"data": [], "lid": 5})
    assert found == [SchemaError("/lid", 'the value is not of types "object", "null"', "5")]


def test_a_variant_named_by_its_only_member_is_recognized() -> None:
    assert errors({"data": [], "seal": {"nailed": {"nails": "two"}}}) == [("/seal/nailed/nails", '"two"')]
    assert errors({"data": [], "seal": "spit"}) == [("/seal", '"spit"')]


def test_several_faults_in_a_variant_are_all_named() -> None:
    schema = {
        "anyOf": [
            {"type": "object", "required": ["glue"], "properties": {"glue": {"items": {"type": "string"}}}},
            {"type": "object", "required": ["nails"], "properties": {"nails": {"items": {"type": "string"}}}},
        ]
    }
    assert errors({"nails": [1, "two", 3]}, schema) == [("/nails/0", "1"), ("/nails/2", "3")]


def test_the_variant_with_the_fewest_members_missing_was_meant() -> None:
    schema = {"anyOf": [{"required": ["a", "b", "c"]}, {"required": ["x", "y", "z"]}]}
    assert Validator(schema, "test").errors({"a": 1, "b": 2}) == [
        SchemaError("", '"c" is a required property', "object with a, b")
    ]


def test_the_same_error_from_two_parts_of_a_schema_is_reported_once() -> None:
    assert errors(5, {"allOf": [{"type": "string"}, {"type": "string"}]}) == [("", "5")]


def test_a_schema_cannot_make_the_gate_fetch_anything() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        with pytest.raises(TargetError):
            Validator({"items": {"$ref": f"http://127.0.0.1:{port}/schema.json"}}, "test").errors([1])
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_variant_that_nobody_knows_is_an_error_of_the_union() -> None:
    assert errors({"data": [], "seal": {"welded": {}}}) == [("/seal", "object with welded")]


def test_integer_formats_are_enforced() -> None:
    assert errors({"data": [box(type="sized", size=2**80)]}) == [("/data/0/size", str(2**80))]
    assert errors({"data": [box(type="sized", size=-1)]}) == [("/data/0/size", "-1")]


@pytest.mark.parametrize("name", ["7", "007", "-7", "1e3", "99999999999999999999"])
def test_a_member_whose_name_looks_like_a_number_is_named_as_it_is(name: str) -> None:
    schema = {"additionalProperties": {"additionalProperties": {"type": "string"}}}
    (error,) = Validator(schema, "boxes").errors({"boxes": {"a": "x", name: 5}})
    assert (error.pointer, error.value_preview) == (f"/boxes/{name}", "5")


def test_the_number_of_errors_is_bounded() -> None:
    page = {"data": [box(id=17) for _ in range(MAX_ERRORS + 5)]}
    assert len(errors(page)) == MAX_ERRORS
    assert len(Validator(BOXES, "test").errors(page, limit=3)) == 3


@pytest.mark.parametrize("schema", [True, {}, {"type": ["number", "null"]}, {"type": "string"}])
@pytest.mark.parametrize(
    ("value", "shown"),
    [(float("nan"), "NaN"), (float("-inf"), "-Infinity"), ("a\ud800", '"a\\ud800"'), ({"\udfff": 1}, '"\\udfff"')],
)
def test_what_no_json_document_can_mean_is_an_error_under_every_schema(value: Any, shown: str, schema: Any) -> None:
    assert errors(value, schema) == [("", shown)]
    assert errors([{"a": value}], True) == [("/0/a", shown)]


def test_values_that_are_not_json_are_errors() -> None:
    assert [pointer for pointer, _ in errors({"a": [b"x", {1: 2}, (1, 2)]}, True)] == ["/a/0", "/a/1", "/a/2"]


def nested(levels: int) -> Any:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize("schema", [True, {"type": "array", "items": {"$ref": "#"}}])
def test_nesting_is_checked_down_to_a_limit_and_an_error_beyond_it(schema: Any) -> None:
    assert errors(nested(MAX_DEPTH + 1), schema) == []
    assert errors(nested(MAX_DEPTH + 2), schema) == [("/0" * (MAX_DEPTH + 1), "empty array")]
    assert errors(nested(100_000), schema) == [("/0" * (MAX_DEPTH + 1), "array of 1")]


def test_an_error_at_the_deepest_level_is_explained() -> None:
    value = nested(MAX_DEPTH + 1)
    deepest = value
    for _ in range(MAX_DEPTH):
        deepest = deepest[0]
    deepest.append(5)
    schema = {"type": "array", "items": {"$ref": "#"}}
    assert errors(value, schema) == [("/0" * (MAX_DEPTH + 1), "5")]


def test_an_integer_too_long_to_be_written_out_is_an_error_that_can_be_shown() -> None:
    for schema in ({"items": {"type": "integer", "format": "int64"}}, {"items": {"type": ["integer", "null"]}}, True):
        assert errors([-(2**20_000)], schema) == [("/0", "integer of 20001 bits")]


def test_messages_hold_no_text_of_the_value() -> None:
    found = Validator(BOXES, "test").errors({"data": [box(id=["secret"])], "next": {"x": "secret"}})
    assert len(found) == 2
    assert not [error for error in found if "secret" in error.message]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x" * 100, f'"{"x" * 60}…"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("빵🍞", '"빵🍞"'),
        ({}, "empty object"),
        (dict.fromkeys("abcdef"), "object with a, b, c, d, …"),
        ([1, 2], "array of 2"),
        ([], "empty array"),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
    ],
)
def test_a_preview_is_short(value: Any, text: str) -> None:
    assert preview(value) == text


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nonsense"},
        {"$ref": "#/definitions/none"},
        {"$ref": "https://example.org/schema.json"},
        {"properties": {"a": {"minimum": "low"}}},
        5,
    ],
)
def test_a_schema_that_cannot_be_used_is_an_error_that_names_it(schema: Any) -> None:
    with pytest.raises(TargetError, match=r"cannot be used|cannot be resolved") as caught:
        Validator(schema, "BoxListResponse.json#").errors({})
    assert caught.value.where is not None
    assert caught.value.where.startswith("BoxListResponse.json#")
    with pytest.raises(ContractError):
        Validator(schema, "contract", error=ContractError).prepare()


def test_the_dialect_decides_whether_constraints_beside_a_reference_count() -> None:
    schema = {"$ref": "#/$defs/text", "maxLength": 1, "$defs": {"text": {"type": "string"}}}
    assert Validator(schema, "test", dialect="draft-07").errors("long") == []
    assert Validator(schema, "test", dialect="2020-12").errors("long") != []


def test_the_schema_given_is_not_changed() -> None:
    before = json.dumps(BOXES)
    Validator(BOXES, "test").errors({"data": [box(type="odd")]})
    assert json.dumps(BOXES) == before
