"""A schema as a list of alternatives, each for values of one JSON type, so that two schemas can be compared.

Both dialects come down to the same few forms here: type lists, `anyOf` with null, `allOf` around one reference, a
`oneOf` of one-member enums, tagged objects, `true`. What has no bearing on compatibility (`pattern`, `minLength`,
`uniqueItems`, ...) is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from hive_gate.drift.bounds import limits
from hive_gate.drift.resolve import Json, Scope

ANYTHING = "anything"
"""The type of a schema that says nothing."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One alternative of a schema; the schemas inside it are not looked into yet, so circles do no harm."""

    type: str
    """A JSON Schema type, or `ANYTHING`."""
    values: tuple[Json, ...] | None = None
    """The only values allowed (`enum`, `const`); None if any of the type is."""
    properties: Mapping[str, Json] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    additional: Json = None
    """What `additionalProperties` says; None if it says nothing."""
    items: Json = True
    low: float | None = None
    high: float | None = None

    @property
    def free(self) -> bool:
        """Whether this is an object of which nothing is said."""
        return self.type == "object" and not self.properties and self.additional in (None, True)

    def member(self, name: str) -> Json:
        """Return the schema of an object's member; None if this object is not said to have it."""
        if name in self.properties:
            return self.properties[name]
        if self.free:
            return True
        return self.additional if self.additional not in (None, False) else None


_ANY = Shape(ANYTHING)


def shapes(schema: Json, scope: Scope) -> tuple[Shape, ...]:
    """Return the alternatives of `schema`; none if it allows nothing.

    A schema that names members but no type is taken for an object's, and one with `items` for an array's: strictly
    they allow every other type too, but nobody who writes them means that.

    Raises:
        HiveGateError: (as the scope's `error`) if a reference leads nowhere.
    """
    return _join(_expand(schema, scope, frozenset()))


def closed(schema: Json, scope: Scope) -> tuple[Json, ...] | None:
    """Return the only values that `schema` allows, if it is limited to certain ones; else None."""
    found = shapes(schema, scope)
    if not found or any(shape.values is None for shape in found):
        return None
    return tuple(value for shape in found for value in shape.values or ())


def split(shape: Shape, names: Iterable[str], scope: Scope) -> list[Shape]:
    """Return `shape` once for each value of those members in `names` that are limited to several values."""
    parts = [shape]
    for name in names:
        values = closed(shape.properties[name], scope) if name in shape.properties else None
        if values and len(values) > 1:
            parts = [
                replace(part, properties={**part.properties, name: {"const": value}})
                for part in parts
                for value in values
            ]
    return parts


def _expand(schema: Json, scope: Scope, seen: frozenset[str]) -> list[Shape]:
    if not isinstance(schema, dict):
        return [] if schema is False else [_ANY]
    unions = [_own(schema)]
    if "$ref" in schema:
        # A schema that stands for itself alone says nothing new on the way round.
        ref = schema["$ref"]
        unions.append([] if ref in seen else _expand(scope.resolve(ref), scope, seen | {ref}))
    unions.extend(_expand(part, scope, seen) for part in schema.get("allOf", []))
    unions.extend(
        [shape for branch in schema[keyword] for shape in _expand(branch, scope, seen)]
        for keyword in ("anyOf", "oneOf")
        if keyword in schema
    )
    return reduce(_both, unions)


def _own(schema: dict[str, Json]) -> list[Shape]:
    """Return the alternatives that the schema's own keywords give, references and unions aside."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    types = schema.get("type")
    if types is None:
        types = _implied(schema, values)
    low, high = limits(schema)
    whole = Shape(
        ANYTHING,
        properties=schema.get("properties", {}),
        required=frozenset(schema.get("required", [])),
        additional=schema.get("additionalProperties"),
        items=schema.get("items", True),
    )
    found: list[Shape] = []
    for kind in [types] if isinstance(types, str) else types:
        if values is not None and kind not in (ANYTHING, "null"):
            fitting = tuple(value for value in values if _type_of(value) == kind or _is_whole(value, kind))
            found += [Shape(kind, values=fitting)] if fitting else []
        elif kind in ("integer", "number"):
            found.append(Shape(kind, low=low, high=high))
        elif kind == "object":
            found.append(replace(whole, type=kind, items=True))
        elif kind == "array":
            found.append(Shape(kind, items=whole.items))
        elif kind != "null" or values is None or None in values:
            found.append(Shape(kind))
    return found


def _implied(schema: dict[str, Json], values: list[Json] | None) -> list[str]:
    if values is not None:
        return list(dict.fromkeys(_type_of(value) for value in values))
    if schema.keys() & {"properties", "required", "additionalProperties"}:
        return ["object"]
    if "items" in schema:
        return ["array"]
    return ["number"] if schema.keys() & {"minimum", "maximum"} else [ANYTHING]


def _type_of(value: Json) -> str:
    names: dict[type, str] = {
        type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string", list: "array",
    }  # fmt: skip
    return names.get(type(value), "object")


def _is_whole(value: Json, kind: str) -> bool:
    return kind == "number" and isinstance(value, int) and not isinstance(value, bool)


def _both(one: list[Shape], other: list[Shape]) -> list[Shape]:
    pairs = (_meet(a, b) for a in one for b in other)
    return [shape for shape in pairs if shape is not None]


def _meet(a: Shape, b: Shape) -> Shape | None:
    """Return the shape of the values that both allow; None if there are none."""
    if a.type == ANYTHING or b.type == ANYTHING:
        return b if a.type == ANYTHING else a
    if {a.type, b.type} == {"integer", "number"}:
        a, b = replace(a, type="integer"), replace(b, type="integer")
    if a.type != b.type:
        return None
    values = b.values if a.values is None else a.values
    if a.values is not None and b.values is not None:
        values = tuple(value for value in a.values if value in b.values)
        if not values:
            return None
    return Shape(
        a.type,
        values=values,
        properties={
            name: _all_of([s.properties[name] for s in (a, b) if name in s.properties])
            for name in {**a.properties, **b.properties}
        },
        required=a.required | b.required,
        additional=False if False in (a.additional, b.additional) else a.additional or b.additional,
        items=_all_of([s.items for s in (a, b) if s.items is not True]),
        low=max((x for x in (a.low, b.low) if x is not None), default=None),
        high=min((x for x in (a.high, b.high) if x is not None), default=None),
    )


def _all_of(parts: list[Json]) -> Json:
    return True if not parts else parts[0] if len(parts) == 1 else {"allOf": parts}


def _join(found: list[Shape]) -> tuple[Shape, ...]:
    """Put the constants of one type together, as in a `oneOf` of enums with one member each."""
    constants: dict[str, list[Json]] = {}
    for shape in found:
        if shape.values is not None:
            constants.setdefault(shape.type, []).extend(v for v in shape.values if v not in constants[shape.type])
    open_ones = dict.fromkeys(id(shape) for shape in found if shape.values is None)
    joined = [Shape(kind, values=tuple(values)) for kind, values in constants.items()]
    return tuple(joined) + tuple(shape for shape in found if id(shape) in open_ones)
