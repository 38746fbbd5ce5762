from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.compat import Mismatch

STRING = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
ORDER = {
    "definitions": {"Order": {"oneOf": [{"type": "string", "enum": ["up"]}, {"type": "string", "enum": ["down"]}]}}
}
ORDER_OR_NULL = {"anyOf": [{"$ref": "#/definitions/Order"}, {"type": "null"}]}


def params(required: tuple[str, ...] = (), **members: Any) -> Any:
    return {"type": "object", "required": list(required), "properties": members}


def found(mismatches: list[Mismatch]) -> list[tuple[str, str]]:
    assert all(m.direction == "request" for m in mismatches)
    return [(m.rule, m.pointer) for m in mismatches]


@pytest.mark.parametrize(
    ("sends", "accepts"),
    [
        (params(a=STRING), params(a=TEXT_OR_NULL, b=STRING)),
        (params(a=TEXT_OR_NULL), params(a=True)),
        (params(a={"enum": ["up"]}), params(a=ORDER_OR_NULL)),
        (params(a={"enum": ["up", "down", None]}), params(a=ORDER_OR_NULL)),
        (params(a={"const": "up"}), params(a=STRING)),
        (params(a={"type": "integer"}), params(a={"type": "number"})),
        (params(a={"type": "integer", "minimum": 1}), params(a={"type": ["integer", "null"], "format": "uint32"})),
        (params(a={"type": "integer"}), params(a={"type": "integer", "format": "uint32", "minimum": 0.0})),
        (params(a={"enum": [1, 2]}), params(a={"type": "integer", "format": "uint8"})),
        (params(("a",), a=STRING), params(("a",), a=STRING)),
        (params(("a",), a=STRING), params(a=STRING)),
        (params(a={"items": STRING}), params(a={"type": ["array", "null"], "items": STRING})),
        (params(a=params(b=STRING)), params(a={"type": "object", "additionalProperties": True})),
        (params(a=params(b=STRING)), params(a={"type": ["object", "null"]})),
        (params(a={"additionalProperties": STRING}), params(a={"additionalProperties": TEXT_OR_NULL})),
        (params(a={"type": "object"}), params(a=params(b=STRING))),
        (params(a=params(c=STRING)), params(a={"anyOf": [params(b=STRING), params(c=STRING)]})),
        (params(a={"items": STRING}), params(a={"anyOf": [{"items": {"type": "null"}}, {"items": STRING}]})),
    ],
)
def test_what_the_target_accepts_is_no_mismatch(compare: Any, sends: Any, accepts: Any) -> None:
    assert compare(sends=sends, accepts=accepts, **ORDER) == []


@pytest.mark.parametrize(
    ("sends", "accepts", "expected"),
    [
        (params(b=STRING), params(a=STRING), [("request-field-unknown", "/b")]),
        (params(a=params(b=STRING)), params(a=params()), []),
        (params(a=params(b=STRING)), params(a=params(c=STRING)), [("request-field-unknown", "/a/b")]),
        (params(b=STRING), {"additionalProperties": False}, [("request-field-unknown", "/b")]),
        (params(a={"additionalProperties": STRING}), params(a=params(b=STRING)), [("request-field-unknown", "/a/*")]),
        (params(a=TEXT_OR_NULL), params(a=STRING), [("request-type-refused", "/a")]),
        (params(a=STRING), params(a={"type": "integer"}), [("request-type-refused", "/a")]),
        (params(a={"type": "number"}), params(a={"type": "integer"}), [("request-type-refused", "/a")]),
        (params(a=True), params(a=STRING), [("request-type-refused", "/a")]),
        (params(a={"items": STRING}), params(a={"items": {"type": "null"}}), [("request-type-refused", "/a/*")]),
        (params(a={"enum": ["up", "left"]}), params(a=ORDER_OR_NULL), [("request-enum-refused", "/a")]),
        (params(a=STRING), params(a=ORDER_OR_NULL), [("request-enum-refused", "/a")]),
        (params(a={"type": "integer", "minimum": -1}), params(a={"type": "integer", "format": "uint8"}),
         [("request-range-refused", "/a")]),
        (params(a={"type": "integer", "maximum": 256}), params(a={"type": "integer", "format": "uint8"}),
         [("request-range-refused", "/a")]),
        (params(a={"const": 0}), params(a={"type": "integer", "minimum": 1}), [("request-range-refused", "/a")]),
        (params(), params(("a",), a=STRING), [("request-field-required", "/a")]),
        (params(a=STRING), params(("a",), a=STRING), [("request-field-required", "/a")]),
    ],
)  # fmt: skip
def test_what_the_target_refuses_or_ignores_is_named(compare: Any, sends: Any, accepts: Any, expected: Any) -> None:
    assert found(compare(sends=sends, accepts=accepts, **ORDER)) == expected


def test_hive_may_refer_to_the_definitions_of_its_contract(compare: Any) -> None:
    sends = params(a={"$ref": "#/$defs/order"})
    accepts = params(a={"$ref": "#/definitions/Order"})
    assert compare(sends=sends, accepts=accepts, defs={"order": {"enum": ["up"]}}, **ORDER) == []
    mismatches = compare(sends=sends, accepts=accepts, defs={"order": {"enum": ["left"]}}, **ORDER)
    assert found(mismatches) == [("request-enum-refused", "/a")]


CURSOR = {
    "oneOf": [
        params(("type", "id"), type={"enum": ["item"]}, id=STRING),
        params(("type", "at"), type={"enum": ["time"]}, at={"type": "integer"}),
    ]
}


def test_a_variant_is_compared_with_the_one_of_the_same_tag(compare: Any) -> None:
    fits = params(("type", "at"), type={"const": "time"}, at={"type": "integer"})
    lacks = params(("type",), type={"const": "time"}, at={"type": "integer"})
    assert compare(sends=fits, accepts=CURSOR) == []
    assert found(compare(sends=lacks, accepts=CURSOR)) == [("request-field-required", "/at")]


def test_a_variant_that_the_target_does_not_know_is_named_by_its_tag(compare: Any) -> None:
    (mismatch,) = compare(sends=params(("type",), type={"const": "page"}), accepts=CURSOR)
    assert (mismatch.rule, mismatch.pointer, mismatch.actual) == ("request-enum-refused", "/type", '"page"')
    assert mismatch.expected == '"item" or "time"'


def test_several_variants_in_one_object_are_told_apart(compare: Any) -> None:
    sends = params(("type", "id"), type={"enum": ["item", "page"]}, id=STRING)
    mismatches = compare(sends=sends, accepts=CURSOR)
    assert [(m.rule, m.pointer, m.actual) for m in mismatches] == [("request-enum-refused", "/type", '"page"')]


def test_without_params_nothing_may_be_required(compare: Any) -> None:
    assert compare(sends=None, accepts=params(a=STRING)) == []
    assert compare(sends=False, accepts={"anyOf": [params(("a",)), {"type": "null"}]}) == []
    assert found(compare(sends=None, accepts=params(("a",), a=STRING))) == [("request-field-required", "/a")]
