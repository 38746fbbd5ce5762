from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.compare import compare
from hive_gate.drift.difference import Difference, differences
from hive_gate.drift.digest import Message
from hive_gate.errors import TargetError
from tests.support.digests import digest, of, thing

TEXT: Any = {"type": "string"}


class Everything:
    def __contains__(self, name: object) -> bool:
        return True


def between(old: Any, new: Any, **definitions: tuple[Any, Any]) -> list[Difference]:
    sides = [digest(**{name: pair[i] for name, pair in definitions.items() if pair[i] is not None}) for i in (0, 1)]
    return differences(old, new, sides[0].scope, sides[1].scope, Everything()).differences


def told(found: list[Difference]) -> list[tuple[str, str]]:
    return [(one.kind, "/".join(one.path)) for one in found]


def variant(kind: str, **members: Any) -> Any:
    return thing("type", type={"enum": [kind]}, **members)


def test_two_ways_to_write_the_same_differ_in_nothing() -> None:
    pairs: list[tuple[Any, Any]] = [
        ({"type": ["string", "null"]}, {"anyOf": [TEXT, {"type": "null"}]}),
        ({"enum": ["a", "b"]}, {"oneOf": [{"const": "b"}, {"enum": ["a"], "type": "string"}]}),
        ({"allOf": [of("Box")], "default": {}}, of("Box")),
        ({"type": "integer", "format": "uint8"}, {"type": "integer", "minimum": 0, "maximum": 255}),
        (True, {}),
    ]
    for old, new in pairs:
        assert between(old, new, Box=(thing(), thing())) == []


def test_a_definition_that_takes_the_place_of_its_own_content_differs_in_nothing() -> None:
    assert between(thing(a=thing(b=TEXT)), thing(a=of("Inner")), Inner=(None, thing(b=TEXT))) == []


def test_definitions_of_the_same_name_are_left_to_be_compared_by_themselves() -> None:
    sides = digest(Box=thing(a=TEXT)), digest(Box=thing())
    found = differences(thing(x=of("Box")), thing(x=of("Box")), sides[0].scope, sides[1].scope, {"Box"})
    assert found.differences == []
    assert [(link.path, link.old, link.new) for link in found.links] == [(("x",), "Box", "Box")]


def test_a_definition_under_another_name_is_followed() -> None:
    sides = digest(Box=thing(a=TEXT)), digest(Crate=thing(a=TEXT))
    found = differences(of("Box"), of("Crate"), sides[0].scope, sides[1].scope, Everything())
    assert [(link.old, link.new) for link in found.links] == [("Box", "Crate")]


def test_objects_that_have_nothing_in_common_are_another_type_and_not_a_hundred_members() -> None:
    (found,) = between(
        thing(x=of("Box")), thing(x=of("Entry")), Box=(thing(a=TEXT, b=TEXT), None), Entry=(None, thing(box=TEXT))
    )
    assert (found.kind, found.path, found.old, found.new) == ("type-changed", ("x",), "`Box`", "`Entry`")


def test_what_all_variants_of_a_union_get_is_told_once() -> None:
    old = {"oneOf": [variant("a"), variant("b", x=TEXT)]}
    new = {"oneOf": [variant("a", id=TEXT), variant("b", x=TEXT, id=TEXT, y=TEXT), variant("c", id=TEXT)]}
    assert told(between(old, new)) == [
        ("variant-added", ""),
        ("field-added", "type=*/id"),
        ("field-added", "type=b/y"),
    ]


def test_variants_of_one_name_are_told_apart_by_their_members() -> None:
    old = {"oneOf": [variant("image", url=TEXT), variant("text")]}
    by_file = thing("type file", type={"const": "image"}, file=TEXT)
    (found,) = between(old, {"oneOf": [*old["oneOf"], by_file]})
    assert (found.kind, found.new) == ("variant-added", "`type=image` with `file`")


def test_a_name_that_is_new_is_told_once_however_many_variants_have_it() -> None:
    old = {"oneOf": [variant("text"), variant("none")]}
    new = {"oneOf": [*old["oneOf"], variant("audio", url=TEXT), variant("audio", file=TEXT)]}
    (found,) = between(old, new)
    assert (found.kind, found.new) == ("variant-added", "`type=audio`")


def test_objects_beside_constants_are_variants_by_their_one_member() -> None:
    custom = {**thing("custom", custom=TEXT), "additionalProperties": False}
    (found,) = between({"enum": ["a"]}, {"oneOf": [{"enum": ["a"]}, custom]})
    assert (found.kind, found.new) == ("variant-added", "`custom`")
    deeper = {**thing("custom", custom={"type": "integer"}), "additionalProperties": False}
    pair = {"oneOf": [{"enum": ["a"]}, custom]}, {"oneOf": [{"enum": ["a"]}, deeper]}
    assert told(between(*pair)) == [("type-changed", "custom")]


def test_an_object_that_takes_the_place_of_something_else_is_a_type_and_no_variant() -> None:
    assert told(between(thing(a=TEXT), thing(a=thing(b=TEXT)))) == [("type-changed", "a")]
    assert told(between(thing(a=thing(b=TEXT)), thing(a={"type": ["object", "string"]}))) == [
        ("type-added", "a"),
        ("field-removed", "a/b"),
    ]


def test_items_and_values_of_maps_are_looked_into() -> None:
    old = thing(a={"type": "array", "items": TEXT}, b={"type": "object", "additionalProperties": TEXT})
    new = thing(
        a={"type": "array", "items": {"type": ["string", "null"]}},
        b={"type": "object", "additionalProperties": {"type": "integer"}},
    )
    assert told(between(old, new)) == [("null-added", "a/*"), ("type-changed", "b/*")]


def test_definitions_that_refer_to_themselves_come_to_an_end() -> None:
    tree = thing(children={"type": "array", "items": of("Tree")})
    other = thing(children={"type": "array", "items": {"anyOf": [of("Node"), {"type": "null"}]}})
    assert told(between(of("Tree"), other, Tree=(tree, tree), Node=(None, other))) == [("null-added", "children/*")]
    grown = thing(**tree["properties"], x=TEXT)
    comparison = compare(*(digest({"a": Message(of("Tree"))}, Tree=schema) for schema in (tree, grown)))
    assert told(comparison.nodes["Tree", "Tree"].differences) == [("field-added", "x")]


def test_alternatives_that_lead_back_to_themselves_come_to_an_end() -> None:
    tree = thing(inner={"anyOf": [of("Tree"), TEXT]})
    node = thing(inner={"anyOf": [of("Node"), TEXT]}, size=TEXT)
    found = between(tree["properties"]["inner"], node["properties"]["inner"], Tree=(tree, None), Node=(None, node))
    assert told(found) == [("field-added", "size")]


def test_a_member_is_described_by_what_it_may_be() -> None:
    colors = {"enum": ["blue", "red"]}
    listed, number = {"type": "array", "items": of("Color")}, {"type": "integer", "format": "uint32"}
    schema = {"anyOf": [listed, number, {"type": "null"}]}
    (found,) = between(thing(), thing(a=schema), Color=(colors, colors))
    assert found.new == 'array of `Color` ("blue" or "red"), integer (uint32) or null'
    (found,) = between(thing(), thing(a={"experimental": True, "type": "boolean"}))
    assert found.new == "boolean (experimental)"


def test_a_reference_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(TargetError, match="cannot be resolved"):
        between(of("Nowhere"), TEXT)


def test_only_what_differs_below_is_compared() -> None:
    old = digest({"a": Message(of("A")), "b": Message(of("B"))}, A=thing(x=of("C")), B=thing(x=of("D")), C=TEXT, D=TEXT)
    new = digest({"a": Message(of("A")), "b": Message(of("B"))}, A=thing(x=of("C")), B=thing(x=of("D")),
                 C={"type": "integer"}, D=TEXT)  # fmt: skip
    comparison = compare(old, new)
    assert set(comparison.nodes) == {("A", "A"), ("C", "C")}
    assert comparison.methods("request") == {("A", "A"): ("a",), ("C", "C"): ("a",)}
    assert comparison.methods("response") == {}
    assert {node: root.method for node, root in comparison.owners().items()} == {("A", "A"): "a"}
