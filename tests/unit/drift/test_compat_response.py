from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.compat import Mismatch

STRING = {"type": "string"}
NUMBER = {"type": "integer"}
TEXT_OR_NULL = {"type": ["string", "null"]}
STATE = {"definitions": {"State": {"type": "string", "enum": ["open", "shut"]}}}


def result(required: tuple[str, ...] = (), **members: Any) -> Any:
    return {"type": "object", "required": list(required), "properties": members}


def found(mismatches: list[Mismatch]) -> list[tuple[str, str]]:
    assert all(m.direction == "response" for m in mismatches)
    return [(m.rule, m.pointer) for m in mismatches]


PLAIN = result(("type", "id"), type={"enum": ["plain"]}, id=STRING, text=STRING)
SIZED = result(("type", "id"), type={"enum": ["sized"]}, id=STRING, size=NUMBER)
UNNAMED = result(("type",), type={"enum": ["odd"]})
UNION = {"anyOf": [PLAIN, SIZED, UNNAMED]}
PAIR = {"oneOf": [PLAIN, SIZED]}
KIND = {"anyOf": [{"enum": ["plain"]}, STRING]}


@pytest.mark.parametrize(
    ("reads", "answers"),
    [
        (result(("a",), a=STRING), result(("a", "b"), a=STRING, b=STRING)),
        (result(a=TEXT_OR_NULL), result(a=STRING)),
        (result(a={"type": "number"}), result(a=NUMBER)),
        (result(a=True), result(a=TEXT_OR_NULL)),
        (result(a=STRING), result(("a",), a={"$ref": "#/definitions/State"})),
        (result(a={"enum": ["open", "shut", "ajar"]}), result(a={"$ref": "#/definitions/State"})),
        (result(a={"anyOf": [{"enum": ["open"]}, STRING]}), result(a={"allOf": [{"$ref": "#/definitions/State"}]})),
        (result(a={"items": STRING}), result(a={"type": "array", "items": STRING})),
        (result(a={"type": "object"}), result(a={"type": "object", "properties": {"b": STRING}})),
        (result(a=NUMBER), result(a={"type": "integer", "format": "int64"})),
        (result(a={"additionalProperties": TEXT_OR_NULL}), result(a={"additionalProperties": STRING})),
        (result(a={"additionalProperties": STRING}), result(a=result(b=STRING))),
        ({**result(a=STRING), "additionalProperties": False}, result(a=STRING)),
        # Required by Hive, optional in the target, and yet always written.
        (result(("a",), a=TEXT_OR_NULL), result(a=TEXT_OR_NULL)),
        (result(("a",), a={"enum": ["open", "shut"]}),
         result(a={"allOf": [{"$ref": "#/definitions/State"}], "default": "open"})),
        (result(("a",), a=TEXT_OR_NULL), result(a=STRING)),
        # Variants.
        ({"anyOf": [result(("type",), type={"const": "plain"}, id=STRING), result(("type",), type={"const": "sized"})]},
         result(("type", "id"), type={"enum": ["plain", "sized"]}, id=STRING)),
        (result(("type", "id"), type=KIND, id=STRING, text=STRING, size=NUMBER), PAIR),
        ({"anyOf": [result(("type", "text"), type={"const": "plain"}, text=TEXT_OR_NULL),
                    result(("type",), type={"const": "sized"}, size=NUMBER),
                    result(("type",), type={"const": "gone"}, never=NUMBER)]},
         {"oneOf": [result(("type", "text"), type={"enum": ["plain"]}, text=STRING), SIZED]}),
    ],
)  # fmt: skip
def test_what_hive_can_read_is_no_mismatch(compare: Any, reads: Any, answers: Any) -> None:
    assert compare(reads=reads, answers=answers, **STATE) == []


@pytest.mark.parametrize(
    ("reads", "answers", "expected"),
    [
        (result(("a",), a=STRING), result(b=STRING), [("response-field-missing", "/a")]),
        (result(a=STRING), result(b=STRING), [("response-field-missing", "/a")]),
        ({"required": ["a"]}, result(b=STRING), [("response-field-missing", "/a")]),
        (result(("a",), a=STRING), result(a=STRING), [("response-field-optional", "/a")]),
        (result(("a",), a=STRING), result(a=TEXT_OR_NULL), [("response-null", "/a")]),
        (result(a=STRING), result(("a",), a={"anyOf": [STRING, {"type": "null"}]}), [("response-null", "/a")]),
        (result(a=NUMBER), result(a={"type": "number"}), [("response-type-wider", "/a")]),
        (result(a=STRING), result(a=NUMBER), [("response-type-wider", "/a")]),
        (result(a=STRING), result(a=True), [("response-type-wider", "/a")]),
        (result(a=STRING), {"type": "object"}, [("response-type-wider", "/a")]),
        (result(a={"enum": ["open"]}), result(a=STRING), [("response-type-wider", "/a")]),
        (result(a={"enum": ["open"]}), result(a={"$ref": "#/definitions/State"}), [("response-enum-new", "/a")]),
        (result(a={"items": result(b=STRING)}), result(a={"items": result(b=NUMBER)}),
         [("response-type-wider", "/a/*/b")]),
        (result(a={"additionalProperties": STRING}), result(a={"additionalProperties": NUMBER}),
         [("response-type-wider", "/a/*")]),
        ({**result(a=STRING), "additionalProperties": False}, result(a=STRING, b=STRING),
         [("response-field-new", "/b")]),
        # Variants.
        (result(("id",), id=STRING), UNION, [("response-field-missing", "/id")]),
        (result(type=STRING, color=STRING), UNION, [("response-field-missing", "/color")]),
        (result(("type",), type={"enum": ["plain"]}), PAIR, [("response-enum-new", "/type")]),
        ({"anyOf": [result(("type",), type={"const": "plain"}), result(("type",), type={"const": "gone"})]}, PAIR,
         [("response-enum-new", "/type")]),
        ({"anyOf": [result(("type",), type={"const": "plain"}, text=NUMBER),
                    result(("type",), type={"const": "sized"})]},
         PAIR, [("response-type-wider", "/text")]),
    ],
)  # fmt: skip
def test_what_hive_cannot_read_is_named(compare: Any, reads: Any, answers: Any, expected: Any) -> None:
    assert found(compare(reads=reads, answers=answers, **STATE)) == expected


def test_the_variant_that_lacks_a_member_is_named(compare: Any) -> None:
    (mismatch,) = compare(reads=result(("id",), id=STRING), answers=UNION)
    assert mismatch.actual == 'absent where `type` is "odd"'


def test_only_the_new_members_of_a_list_of_constants_are_named(compare: Any) -> None:
    (mismatch,) = compare(reads=result(a={"enum": ["open"]}), answers=result(a={"enum": ["open", "ajar", "shut"]}))
    assert (mismatch.expected, mismatch.actual) == ('"open"', '"ajar" or "shut"')


def test_a_page_whose_cursors_the_target_declares_optional_fits(compare: Any) -> None:
    page = result(
        ("data", "next", "back"), data={"items": result(("id",), id=STRING)}, next=TEXT_OR_NULL, back=TEXT_OR_NULL
    )
    answers = result(
        ("data",), data={"type": "array", "items": {"$ref": "#/definitions/Box"}}, next=TEXT_OR_NULL, back=TEXT_OR_NULL
    )
    assert compare(reads=page, answers=answers, definitions={"Box": result(("id",), id=STRING)}) == []


def test_schemas_that_lead_back_to_themselves_are_compared_once_around(compare: Any) -> None:
    definitions = {"Box": result(("id",), id=STRING, inside={"items": {"$ref": "#/definitions/Box"}})}
    defs = {"box": result(("id",), id=NUMBER, inside={"items": {"$ref": "#/$defs/box"}})}
    reads, answers = result(a={"$ref": "#/$defs/box"}), result(a={"$ref": "#/definitions/Box"})
    mismatches = compare(reads=reads, answers=answers, definitions=definitions, defs=defs)
    assert found(mismatches) == [("response-type-wider", "/a/id")]


@pytest.mark.parametrize("reads", [None, True, {}])
def test_hive_may_read_nothing_of_a_result(compare: Any, reads: Any) -> None:
    assert compare(reads=reads, answers=result(a=STRING)) == []
