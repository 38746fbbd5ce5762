"""The same verdict as the `jsonschema` library, which is slow and independent, on whatever hypothesis thinks of."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hive_gate.drift.validate import Validator

TAGGED: Any = {
    "$ref": "#/definitions/Box",
    "definitions": {
        "Box": {
            "oneOf": [
                {
                    "type": "object",
                    "required": ["id", "type"],
                    "properties": {
                        "id": {"type": "string"},
                        "type": {"enum": ["plain"]},
                        "inside": {"type": "array", "items": {"$ref": "#/definitions/Box"}},
                    },
                },
                {
                    "type": "object",
                    "required": ["size", "type"],
                    "properties": {"type": {"const": "sized"}, "size": {"type": "integer", "format": "uint8"}},
                },
                {"$ref": "#/definitions/Crate"},
            ]
        },
        "Crate": {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["crate", "chest"]}}},
    },
}
NULLABLE = {
    "type": "object",
    "properties": {
        "id": {"type": ["integer", "null"], "format": "int8"},
        "size": {"anyOf": [{"type": "object", "required": ["id"]}, {"type": "null"}]},
        "type": {"allOf": [{"enum": ["plain", "sized"]}]},
    },
    "additionalProperties": {"type": "boolean"},
}
NAMED_BY_MEMBER = {
    "oneOf": [
        {"type": "string", "enum": ["plain", "sized"]},
        {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}, "additionalProperties": False},
        {"type": "object", "required": ["size"], "properties": {"size": {"minimum": 2}}, "additionalProperties": False},
    ]
}
OVERLAPPING = {
    "oneOf": [
        {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["plain", "sized"]}}},
        {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["sized", "crate"]}}},
    ]
}
TAGGED_WITH_MORE = {
    "required": ["id"],
    "properties": {"id": {"maxLength": 3}},
    "anyOf": [
        {"type": "object", "required": ["type", "size"], "properties": {"type": {"enum": ["plain"]}}},
        {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["sized"]}, "size": {"type": "null"}}},
    ],
}
TAGGED_OR_NULL = {
    "oneOf": [*TAGGED["definitions"]["Box"]["oneOf"][1:], {"type": "null"}],
    "definitions": TAGGED["definitions"],
}
SCHEMAS = {
    "tagged-or-null": TAGGED_OR_NULL,
    "tagged": TAGGED,
    "nullable": NULLABLE,
    "named-by-member": NAMED_BY_MEMBER,
    "overlapping": OVERLAPPING,
    "tagged-with-more": TAGGED_WITH_MORE,
}

NAMES = st.sampled_from(["id", "type", "size", "inside", "other"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-129, -128, -1, 0, 1, 2, 127, 128, 255, 256, 2**64, 2**80]),
    st.floats(min_value=-4, max_value=4, width=16),
    st.sampled_from(["plain", "sized", "crate", "chest", "", "long text"]),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)
BOXES = st.fixed_dictionaries(
    {"type": st.sampled_from(["plain", "sized", "crate"])},
    optional={"id": SCALARS, "size": SCALARS, "inside": st.lists(VALUES, max_size=2)},
)


def oracle(schema: Any) -> jsonschema.Draft7Validator:
    formats = jsonschema.FormatChecker(formats=())
    for name, low, high in (("uint8", 0, 255), ("int8", -128, 127)):
        formats.checks(name)(_within(low, high))
    return jsonschema.Draft7Validator(schema, format_checker=formats)


def _within(low: int, high: int) -> Any:
    return lambda value: isinstance(value, bool) or not isinstance(value, int | float) or low <= value <= high


@pytest.mark.parametrize("name", sorted(SCHEMAS))
@settings(max_examples=80, derandomize=True, database=None, deadline=None)
@given(instance=VALUES | BOXES | st.lists(BOXES, max_size=2).map(lambda inside: {"type": "plain", "inside": inside}))
def test_the_verdict_is_that_of_another_library(name: str, instance: Any) -> None:
    found = Validator(SCHEMAS[name], name).errors(instance)
    assert bool(found) == bool(list(oracle(SCHEMAS[name]).iter_errors(instance)))
    # That the explaining form of the schema has the same meaning shows in that it always finds something to say.
    assert "the value is not valid" not in [error.message for error in found]


def test_the_oracle_and_the_examples_know_both_verdicts() -> None:
    cases = [{"type": "sized", "size": 255}, {"type": "sized", "size": 256}]
    assert [oracle(TAGGED).is_valid(case) for case in cases] == [True, False]
    assert [Validator(TAGGED, "test").errors(case) == [] for case in cases] == [True, False]
