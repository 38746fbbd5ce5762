"""A schema of a digest as its alternatives, with references left as they are where the two sides may share them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hive_gate.drift.resolve import Json, Scope
from hive_gate.drift.shapes import ANYTHING, Shape, shapes
from hive_gate.drift.structure import definition, reference

_ALONE = frozenset({"anyOf", "oneOf", "allOf", "default", "experimental"})


@dataclass(slots=True)
class Forms:
    """The alternatives of one schema."""

    null: bool = False
    names: dict[str, None] = field(default_factory=dict)
    """Definitions that a value may be of, in their order."""
    others: list[Json] = field(default_factory=list)
    """Schemas that are no reference and allow no null."""

    def take(self, schema: Json) -> None:
        """Add the alternatives of `schema`."""
        if not isinstance(schema, dict):
            self.others.append(schema)
        elif "$ref" in schema:
            self.names[definition(schema["$ref"])] = None
        elif "allOf" in schema and len(schema["allOf"]) == 1 and schema.keys() <= _ALONE:
            self.take(schema["allOf"][0])
        elif ("anyOf" in schema) != ("oneOf" in schema) and "allOf" not in schema and schema.keys() <= _ALONE:
            for branch in schema["anyOf" if "anyOf" in schema else "oneOf"]:
                self.take(branch)
        else:
            self._take_plain(schema)

    def _take_plain(self, schema: dict[str, Json]) -> None:
        types = schema.get("type")
        if types == "null":
            self.null = True
            return
        rest = dict(schema)
        if isinstance(types, list) and "null" in types:
            self.null = True
            left = [kind for kind in types if kind != "null"]
            rest["type"] = left[0] if len(left) == 1 else left
        if isinstance(rest.get("enum"), list) and None in rest["enum"]:
            self.null = True
            rest["enum"] = [value for value in rest["enum"] if value is not None]
        self.others.append(rest)


def forms(schema: Json) -> Forms:
    """Return the alternatives of a schema of a digest."""
    found = Forms()
    found.take(schema)
    return found


def alternatives(names: Iterable[str], others: Iterable[Json], scope: Scope) -> tuple[Shape, ...]:
    """Return definitions and schemas as shapes, one list for all of them.

    Raises:
        HiveGateError: (as the scope's `error`) if a reference leads nowhere.
    """
    branches = [*map(reference, names), *others]
    return shapes({"anyOf": branches}, scope) if branches else ()


def allows_anything(found: Iterable[Shape]) -> bool:
    """Say whether one of the shapes is that of a schema that says nothing."""
    return any(shape.type == ANYTHING for shape in found)
