from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.news import news_in_reply
from hive_gate.errors import ContractError

STRING = {"type": "string"}
KIND = {"anyOf": [{"enum": ["plain", "sized"]}, STRING]}
DEFS = {
    "box": {
        "type": "object",
        "required": ["id"],
        "properties": {"id": STRING, "kind": KIND, "inside": {"items": {"$ref": "#/$defs/box"}}},
    }
}
PAGE = {"type": "object", "properties": {"data": {"type": "array", "items": {"$ref": "#/$defs/box"}}}}


def news(schema: Any, instance: Any) -> list[tuple[str, str, str]]:
    return [(one.pointer, one.kind, one.text) for one in news_in_reply(schema, DEFS, instance)]


def test_a_reply_that_holds_what_hive_knows_is_no_news() -> None:
    assert news(PAGE, {"data": [{"id": "b", "kind": "plain", "inside": [{"id": "c"}]}]}) == []
    assert news(PAGE, {"data": []}) == []


def test_a_field_that_hive_does_not_know_is_news_once_for_all_items() -> None:
    data = [{"id": "a", "color": "red"}, {"id": "b", "color": "blue", "inside": [{"id": "c", "tape/2": None}]}]
    assert news(PAGE, {"data": data, "total": 2}) == [
        ("/total", "field", "integer"),
        ("/data/*/color", "field", "string"),
        ("/data/*/inside/*/tape~12", "field", "null"),
    ]


def test_a_constant_beyond_an_open_list_is_news() -> None:
    data = [{"id": "a", "kind": kind} for kind in ("plain", "odd", "odd", "flat")]
    assert news(PAGE, {"data": data}) == [
        ("/data/*/kind", "enum-member", '"odd"'),
        ("/data/*/kind", "enum-member", '"flat"'),
    ]


def test_a_constant_beyond_a_closed_list_is_news_too() -> None:
    assert news({"enum": ["a", None]}, "b") == [("", "enum-member", '"b"')]
    assert news({"enum": ["a", None]}, None) == []


def test_nothing_is_new_where_hive_says_nothing() -> None:
    schema = {"properties": {"a": True, "b": {"type": "object"}, "c": {"type": "object", "additionalProperties": True}}}
    assert news(schema, {"a": {"x": 1}, "b": {"y": [1]}, "c": {"z": 1}}) == []


def test_the_names_of_a_map_are_data_and_not_fields() -> None:
    schema = {"type": "object", "additionalProperties": {"$ref": "#/$defs/box"}}
    reply = {"one": {"id": "a", "color": "red"}, "two": {"id": "b", "color": "red"}}
    assert news(schema, reply) == [("/*/color", "field", "string")]


TAGGED = {
    "anyOf": [
        {"type": "object", "required": ["type"], "properties": {"type": {"const": "plain"}, "text": STRING}},
        {"type": "object", "required": ["type"], "properties": {"type": {"const": "sized"}, "size": True}},
        {"type": "null"},
    ]
}


def test_a_variant_is_read_with_the_fields_of_its_tag() -> None:
    assert news(TAGGED, {"type": "plain", "text": "t"}) == []
    assert news(TAGGED, {"type": "plain", "size": 3}) == [("/size", "field", "integer")]
    assert news(TAGGED, None) == []


def test_a_variant_that_hive_does_not_know_is_news_and_its_fields_are_not() -> None:
    assert news({"items": TAGGED}, [{"type": "odd", "x": 1}, {"type": "plain"}, {"type": "odd"}]) == [
        ("/*/type", "enum-member", '"odd"')
    ]


@pytest.mark.parametrize("reply", [5, "text", [1], {"data": 5}, {"data": [None, 5, "x", [[]]]}])
def test_a_reply_of_another_type_is_passed_over(reply: Any) -> None:
    assert news(PAGE, reply) == []


def test_a_reference_that_leads_nowhere_is_an_error_of_the_contract() -> None:
    with pytest.raises(ContractError):
        news({"$ref": "#/$defs/none"}, {})
