"""What a real reply holds that Hive's schema does not speak of: members, and constants of open or closed lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

from hive_gate.drift.resolve import Json, Scope, child
from hive_gate.drift.shapes import ANYTHING, Shape, closed, shapes
from hive_gate.drift.validate import preview
from hive_gate.errors import ContractError

_EACH = "*"
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", list: "array"}


class ReplyNews(NamedTuple):
    """One thing that Hive does not know."""

    pointer: str
    """JSON pointer into the reply, with `*` for every index of an array and every name of a map."""
    kind: Literal["field", "enum-member"]
    text: str
    """For a field its type, for a constant its value, shortened."""


def news_in_reply(hive_schema: Json, defs: Mapping[str, Any], instance: Json) -> list[ReplyNews]:
    """Return what `instance` holds beyond Hive's schema, each once, the outermost first.

    A list of constants may be open: `anyOf` of an `enum` and a plain string is valid for any string, and a string
    that is not in the `enum` is news. Where Hive's schema says nothing (`true`, or an object without members) there
    is nothing to be new. This is no check: a value of the wrong type is passed over.

    Args:
        hive_schema: JSON Schema (2020-12) of what Hive reads.
        defs: the contract's `$defs`.
        instance: the result of a reply.

    Raises:
        ContractError: if Hive's schema refers to something that is not there.
    """
    scope = Scope({"$defs": dict(defs)}, "the contract", ContractError)
    found: dict[ReplyNews, None] = {}
    todo: list[tuple[_Place, Json]] = [(_Place([hive_schema], "", scope), instance)]
    for place, value in todo:
        if isinstance(value, dict):
            variant = place.variant(value)
            for name, inner in value.items():
                known = variant.place(name)
                if known is not None:
                    todo.append((known, inner))
                elif not variant.silent:
                    text = _TYPES.get(type(inner), "null")
                    found.setdefault(ReplyNews(child(place.at, name), "field", text))
            if variant.clash is not None:
                at = child(place.at, variant.clash)
                found.setdefault(ReplyNews(at, "enum-member", preview(value[variant.clash])))
        elif isinstance(value, list):
            if place.each is not None:
                todo.extend([(place.each, inner) for inner in value])
        elif not place.knows(value):
            found.setdefault(ReplyNews(place.at, "enum-member", preview(value)))
    return list(found)


class _Place:
    """A place in the reply and what Hive's schemas say about it, worked out once for all the values seen there."""

    def __init__(self, schemas: list[Json], at: str, scope: Scope) -> None:
        self.at = at
        self._scope = scope
        kinds = [shape for schema in schemas for shape in shapes(schema, scope)]
        if any(shape.type == ANYTHING for shape in kinds):
            kinds = []
        self._objects = [(shape, self._tags(shape)) for shape in kinds if shape.type == "object"]
        self._arrays = [shape.items for shape in kinds if shape.type == "array"]
        self._constants: dict[str, list[Json]] = {}
        for shape in kinds:
            if shape.values is not None:
                self._constants.setdefault(shape.type, []).extend(shape.values)
        self._variants: dict[tuple[int, ...] | str, _Variant] = {}

    @cached_property
    def each(self) -> _Place | None:
        """The place of an array's items; None if Hive knows of no array here."""
        return _Place(self._arrays, child(self.at, _EACH), self._scope) if self._arrays else None

    def knows(self, value: Json) -> bool:
        """Say whether a scalar is one of the constants, if there are any of its type."""
        known = self._constants.get(_TYPES.get(type(value), "null"))
        return known is None or value in known

    def variant(self, value: dict[str, Json]) -> _Variant:
        """Return what Hive knows of objects that have the constants that `value` has."""
        fitting, clash = [], ""
        for index, (_, tags) in enumerate(self._objects):
            wrong = next((name for name, values in tags if name in value and value[name] not in values), None)
            if wrong is None:
                fitting.append(index)
            else:
                clash = clash or wrong
        key = tuple(fitting) or clash
        if key not in self._variants:
            known = [self._objects[index][0] for index in fitting]
            self._variants[key] = _Variant(known, self.at, self._scope, clash if self._objects and not known else None)
        return self._variants[key]

    def _tags(self, shape: Shape) -> list[tuple[str, tuple[Json, ...]]]:
        named = [(name, closed(shape.properties[name], self._scope)) for name in shape.required & set(shape.properties)]
        return [(name, values) for name, values in named if values is not None]


class _Variant:
    """What Hive knows of one kind of object: the schemas of its members, by name."""

    def __init__(self, kinds: list[Shape], at: str, scope: Scope, clash: str | None) -> None:
        self.clash = clash
        """The member whose constant fits no kind that Hive knows."""
        self.silent = not kinds or any(shape.free for shape in kinds)
        """Whether nothing is new here: Hive speaks of no members, or does not know the kind at all."""
        self._kinds = kinds
        self._at = at
        self._scope = scope
        self._places: dict[str, _Place | None] = {}

    def place(self, name: str) -> _Place | None:
        """Return the place of a member; None if Hive does not name it."""
        if name not in self._places:
            named = [shape.properties[name] for shape in self._kinds if name in shape.properties]
            maps = [shape.additional for shape in self._kinds if shape.additional not in (None, False)]
            at = child(self._at, name if named else _EACH)
            self._places[name] = _Place(named or maps, at, self._scope) if named or maps else None
        return self._places[name]
