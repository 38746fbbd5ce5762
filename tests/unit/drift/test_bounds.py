from __future__ import annotations

import copy
from typing import Any

import pytest

from hive_gate.drift.bounds import RANGES, bounded
from hive_gate.drift.validate import Validator


def accepts(schema: Any, value: Any) -> bool:
    return not Validator(schema, "test").errors(value)


@pytest.mark.parametrize("name", sorted(RANGES))
def test_both_ends_of_an_integer_format_are_allowed_and_one_beyond_is_not(name: str) -> None:
    low, high = RANGES[name]
    schema = {"type": "integer", "format": name}
    assert [accepts(schema, value) for value in (low - 1, low, high, high + 1)] == [False, True, True, False]


@pytest.mark.parametrize("name", ["uint64", "int64", "uint32", "uint", "int"])
def test_integers_far_beyond_64_bits_are_compared_exactly(name: str) -> None:
    assert not accepts({"type": "integer", "format": name}, 2**80)
    assert not accepts({"type": "integer", "format": name}, 2**64)


def test_a_negative_number_is_not_unsigned() -> None:
    assert not accepts({"type": ["integer", "null"], "format": "uint32"}, -1)
    assert accepts({"type": ["integer", "null"], "format": "uint32"}, None)


def test_tighter_limits_that_are_there_stay() -> None:
    schema = {"type": "integer", "format": "uint16", "minimum": 1.0, "maximum": 100}
    assert bounded(schema) == schema
    assert bounded({"format": "uint8", "minimum": -5, "maximum": 1000}) == {
        "format": "uint8",
        "minimum": 0,
        "maximum": 255,
    }


def test_formats_are_found_at_any_depth_and_the_schema_given_is_left_as_it_is() -> None:
    schema = {
        "definitions": {"Size": {"format": "int8", "type": "integer"}},
        "properties": {"sizes": {"items": {"anyOf": [{"$ref": "#/definitions/Size"}, {"format": "uint8"}]}}},
        "additionalProperties": {"format": "int8"},
    }
    before = copy.deepcopy(schema)
    found = bounded(schema)
    assert schema == before
    assert found["definitions"]["Size"] == {"format": "int8", "type": "integer", "minimum": -128, "maximum": 127}
    assert found["properties"]["sizes"]["items"]["anyOf"][1] == {"format": "uint8", "minimum": 0, "maximum": 255}
    assert found["additionalProperties"] == {"format": "int8", "minimum": -128, "maximum": 127}


def test_what_only_looks_like_a_format_is_left_alone() -> None:
    schema = {
        "default": {"format": "uint8"},
        "enum": [{"format": "uint8"}],
        "properties": {"format": {"type": "string"}, "when": {"format": "date-time"}},
    }
    assert bounded(schema) == schema
