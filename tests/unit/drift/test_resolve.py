from __future__ import annotations

import pytest

from hive_gate.drift.resolve import Scope, pointer, standalone
from hive_gate.errors import ContractError, TargetError

DOCUMENT = {
    "definitions": {
        "a/b": {"type": "string"},
        "Node": {"properties": {"next": {"$ref": "#/definitions/Node"}, "label": {"$ref": "#/definitions/a~1b"}}},
        "Other": {"type": "null"},
        "Loop": {"$ref": "#/definitions/Loop"},
        "Named": {"$ref": "#/definitions/a~1b"},
    },
    "oneOf": [{"type": "null"}, {"type": "object"}],
}
SCOPE = Scope(DOCUMENT, "file.json")


def test_a_pointer_escapes_what_separates_its_steps() -> None:
    assert pointer(["a/b", 3, "c~d"]) == "/a~1b/3/c~0d"
    assert pointer([]) == ""


def test_a_reference_is_followed_through_objects_and_lists() -> None:
    assert SCOPE.resolve("#") is DOCUMENT
    assert SCOPE.resolve("#/definitions/a~1b") == {"type": "string"}
    assert SCOPE.resolve("#/definitions/a%7E1b") == {"type": "string"}
    assert SCOPE.resolve("#/oneOf/1") == {"type": "object"}


@pytest.mark.parametrize("ref", ["#/definitions/none", "#/oneOf/2", "#/oneOf/x", "other.json", "https://example.org/x"])
def test_a_reference_that_leads_nowhere_or_elsewhere_is_an_error_that_names_it(ref: str) -> None:
    with pytest.raises(TargetError) as caught:
        SCOPE.resolve(ref)
    assert ref in caught.value.message
    assert caught.value.where == "file.json"
    with pytest.raises(ContractError):
        Scope(DOCUMENT, "contract", ContractError).resolve(ref)


def test_following_a_chain_ends_at_a_schema_and_a_circle_at_nothing() -> None:
    assert SCOPE.follow({"$ref": "#/definitions/Named"}) == {"type": "string"}
    assert SCOPE.follow({"$ref": "#/definitions/Loop"}) == {}
    assert SCOPE.follow(True) is True


def test_a_standalone_schema_keeps_the_definitions_it_needs_and_drops_the_others() -> None:
    found = standalone({"$ref": "#/definitions/Node"}, SCOPE)
    assert set(found["definitions"]) == {"Node", "a/b"}
    assert found["allOf"] == [{"$ref": "#/definitions/Node"}]
