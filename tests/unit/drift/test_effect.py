"""How bad one difference is, by what Hive's own schema says at its place."""

from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.difference import differences
from hive_gate.drift.effect import on_read, on_sent
from hive_gate.drift.kinds import KINDS
from hive_gate.drift.place import Place
from hive_gate.drift.resolve import Scope
from tests.support.digests import digest, thing

TEXT: Any = {"type": "string"}
NULLABLE: Any = {"type": ["string", "null"]}
NUMBER: Any = {"type": "integer"}
BYTE: Any = {"type": "integer", "format": "uint8"}
SIGNED: Any = {"type": "integer", "format": "int8"}
A, AB = {"const": "a"}, {"enum": ["a", "b"]}
MARKED: Any = {"type": "string", "experimental": True}


def union(*kinds: str) -> Any:
    return {"oneOf": [thing("type", type={"const": kind}) for kind in kinds]}


def either(*parts: Any) -> Any:
    return {"anyOf": list(parts)}


OBJECT = {**thing("c", c=TEXT), "additionalProperties": False}

# kind: (old, new, then what Hive's schema says and the level) - of the member `a` of an object.
SENT: dict[str, tuple[Any, Any, list[tuple[Any, str | None]]]] = {
    "field-removed": (TEXT, None, [(TEXT, "breaking"), (None, None)]),
    "field-added": (None, TEXT, [(TEXT, "news"), (None, None)]),
    "field-now-experimental": (TEXT, MARKED, [(TEXT, "breaking"), (None, None)]),
    "field-now-stable": (MARKED, TEXT, [(TEXT, "news"), (None, None)]),
    "null-removed": (NULLABLE, TEXT, [(NULLABLE, "breaking"), (True, "breaking"), (TEXT, None), (None, None)]),
    "null-added": (TEXT, NULLABLE, [(NULLABLE, None), (TEXT, None)]),
    "type-changed": (TEXT, NUMBER, [(TEXT, "breaking"), (True, "breaking"), (NUMBER, None)]),
    "type-narrowed": (True, TEXT, [(TEXT, None), (NULLABLE, None), (NUMBER, "breaking"), (True, "breaking")]),
    "type-widened": (TEXT, True, [(TEXT, None)]),
    "type-removed": (either(TEXT, NUMBER), TEXT, [(NUMBER, "breaking"), (TEXT, None), (True, "breaking")]),
    "type-added": (TEXT, either(TEXT, NUMBER), [(NUMBER, None)]),
    "value-removed": (AB, A, [(AB, "breaking"), (TEXT, "breaking"), (A, None), (NUMBER, None)]),
    "value-added": (A, AB, [(AB, None)]),
    "values-closed": (TEXT, AB, [(A, None), (TEXT, "breaking"), ({"enum": ["a", "c"]}, "breaking")]),
    "values-opened": (AB, TEXT, [(TEXT, None)]),
    "range-narrowed": (
        NUMBER,
        BYTE,
        [
            ({"type": "integer", "minimum": 0, "maximum": 255}, None),
            ({"type": "integer", "minimum": -1, "maximum": 255}, "breaking"),
            ({"const": 256}, "breaking"),
            ({"const": 255}, None),
            (NUMBER, "risky"),
            (TEXT, None),
        ],
    ),
    "range-widened": (BYTE, NUMBER, [(NUMBER, None)]),
    "range-changed": (BYTE, SIGNED, [({"const": 200}, "breaking"), ({"const": 100}, None)]),
    "variant-removed": (union("x", "y"), union("x"), [(union("y"), "breaking"), (union("x"), None), (TEXT, None)]),
    "variant-added": (union("x"), union("x", "y"), [(union("y"), None)]),
    "limit-changed": (TEXT, {**TEXT, "minLength": 1}, [(TEXT, "risky"), (None, None)]),
    "closed": (thing(), {**thing(), "additionalProperties": False}, [(thing(b=TEXT), "risky"), (None, None)]),
    "opened": ({**thing(), "additionalProperties": False}, thing(), [(thing(b=TEXT), None)]),
}

READ: dict[str, tuple[Any, Any, list[tuple[Any, str | None]]]] = {
    "field-removed": (TEXT, None, [(TEXT, "breaking"), (None, None)]),
    "field-added": (None, TEXT, [(TEXT, "news"), (None, None)]),
    "field-now-experimental": (TEXT, MARKED, [(TEXT, "risky"), (None, None)]),
    "field-now-stable": (MARKED, TEXT, [(TEXT, "news"), (None, None)]),
    "null-removed": (NULLABLE, TEXT, [(NULLABLE, "news")]),
    "null-added": (TEXT, NULLABLE, [(NULLABLE, "news"), (True, "news"), (TEXT, "breaking"), (None, None)]),
    "type-changed": (TEXT, NUMBER, [(TEXT, "breaking"), (True, "news"), (either(TEXT, NUMBER), "news")]),
    "type-narrowed": (True, TEXT, [(True, "news")]),
    "type-widened": (TEXT, True, [(TEXT, "breaking"), (True, "news")]),
    "type-removed": (either(TEXT, NUMBER), TEXT, [(TEXT, "news")]),
    "type-added": (TEXT, either(TEXT, NUMBER), [(TEXT, "breaking"), (either(TEXT, {"type": "number"}), "news")]),
    "value-removed": (AB, A, [(AB, "news")]),
    "value-added": (A, AB, [(A, "risky"), (AB, "news"), (TEXT, "news")]),
    "values-closed": (TEXT, AB, [(TEXT, "news")]),
    "values-opened": (AB, TEXT, [(AB, "risky"), (TEXT, "news")]),
    "range-narrowed": (NUMBER, BYTE, [(NUMBER, "news")]),
    "range-widened": (BYTE, NUMBER, [(BYTE, "risky"), (NUMBER, "news")]),
    "range-changed": (BYTE, SIGNED, [({"type": "integer", "maximum": 9}, "risky"), (NUMBER, "news")]),
    "variant-removed": (union("x", "y"), union("x"), [(union("y"), "news")]),
    "variant-added": (
        union("x"),
        union("x", "y"),
        [(union("x"), "risky"), (union("y"), "news"), (thing(type=TEXT), "news"), (thing(), "news"), (True, "news")],
    ),
    "limit-changed": (TEXT, {**TEXT, "minLength": 1}, [(TEXT, None)]),
    "closed": (thing(), {**thing(), "additionalProperties": False}, [(thing(b=TEXT), None)]),
    "opened": ({**thing(), "additionalProperties": False}, thing(), [(thing(b=TEXT), None)]),
}

OF_THE_WHOLE_OBJECT = {
    "required-field-removed", "required-field-added", "field-now-required", "field-now-optional", "default-changed",
}  # fmt: skip


class Everything:
    def __contains__(self, name: object) -> bool:
        return True


def place(schema: Any) -> Place:
    made = Place.of([schema], Scope({}, "a test"))
    assert made
    return made


def holding(member: Any) -> Any:
    return thing() if member is None else thing(a=member)


def one(old: Any, new: Any) -> Any:
    scope = digest().scope
    (found,) = differences(old, new, scope, scope, Everything()).differences
    return found


def test_every_kind_is_tried() -> None:
    assert SENT.keys() == READ.keys() == KINDS.keys() - OF_THE_WHOLE_OBJECT


@pytest.mark.parametrize("kind", SENT)
def test_what_is_accepted_is_held_against_what_hive_sends(kind: str) -> None:
    old, new, cases = SENT[kind]
    found = one(holding(old), holding(new))
    assert found.kind == kind
    assert [(hive, on_sent(found, place(holding(hive)))) for hive, _ in cases] == cases


@pytest.mark.parametrize("kind", READ)
def test_what_may_come_is_held_against_what_hive_reads(kind: str) -> None:
    old, new, cases = READ[kind]
    found = one(holding(old), holding(new))
    assert found.kind == kind
    assert [(hive, on_read(found, place(holding(hive)))) for hive, _ in cases] == cases


ALWAYS, SOMETIMES, NEVER, NOWHERE = thing("a", a=TEXT), thing(a=TEXT), thing(b=TEXT), TEXT


@pytest.mark.parametrize(
    ("old", "new", "sent"),
    [
        (thing(), thing("a", a=TEXT), ["news", "breaking", "breaking", None]),
        (thing(a=TEXT), thing("a", a=TEXT), ["news", "breaking", "breaking", None]),
        (thing("a", a=TEXT), thing(), ["breaking", "breaking", None, None]),
        (thing("a", a=TEXT), thing(a=TEXT), [None, None, None, None]),
        (thing(a={**TEXT, "default": ""}), thing(a={**TEXT, "default": "x"}), [None, "risky", "risky", None]),
    ],
)
def test_what_must_be_sent_concerns_whoever_sends_the_object(old: Any, new: Any, sent: list[str | None]) -> None:
    found = one(old, new)
    assert [on_sent(found, place(hive)) for hive in (ALWAYS, SOMETIMES, NEVER, NOWHERE)] == sent


@pytest.mark.parametrize(
    ("member", "read"),
    [
        (TEXT, ["breaking", "news", None, None]),
        ({**TEXT, "default": ""}, ["risky", "news", None, None]),
    ],
)
def test_what_may_be_missing_breaks_whoever_relies_on_it(member: Any, read: list[str | None]) -> None:
    found = one(thing("a", a=member), thing(a=member))
    assert [on_read(found, place(hive)) for hive in (ALWAYS, SOMETIMES, NEVER, NOWHERE)] == read
    assert on_read(found, place(thing("a", a=NULLABLE))) == "risky"


def test_an_object_without_a_tag_cannot_be_told_from_others() -> None:
    plain = either({"const": "x"}, OBJECT), {"const": "x"}
    gone, come = one(holding(plain[0]), holding(plain[1])), one(holding(plain[1]), holding(plain[0]))
    assert on_sent(gone, place(holding(thing(c=TEXT)))) == "risky"
    assert on_sent(gone, place(holding({"const": "x"}))) is None
    assert on_read(come, place(holding(thing(c=TEXT)))) == "risky"
    assert on_read(come, place(holding({"const": "x"}))) == "risky"
    assert on_read(come, place(holding(True))) == "news"


def test_another_definition_in_the_place_breaks_both_ways() -> None:
    boxes = {"Box": thing(p=TEXT, q=TEXT), "Entry": thing(box=TEXT)}
    scope = digest(**boxes).scope
    old, new = (thing(a={"$ref": f"#/$defs/{name}"}) for name in boxes)
    (found,) = differences(old, new, scope, scope, Everything()).differences
    assert found.kind == "type-changed"
    assert on_sent(found, place(holding(thing(p=TEXT)))) == on_read(found, place(holding(thing(p=TEXT)))) == "breaking"
