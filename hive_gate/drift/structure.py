"""What of a schema decides which values it allows: no prose, and the same text for the same meaning."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from hive_gate.drift.resolve import LISTS, MAPS, SINGLES, Json, subschemas

EXPERIMENTAL = "experimental"
"""The keyword that a digest adds to what only clients with the experimental capability may use."""

LIMITS = (
    "pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
    "multipleOf", "exclusiveMinimum", "exclusiveMaximum",
)  # fmt: skip
"""Keywords that narrow values in ways whose effect cannot be told from the schema alone."""

_VALUES = frozenset(
    {"$ref", "type", "enum", "const", "format", "minimum", "maximum", "required", "default", EXPERIMENTAL, *LIMITS}
)
_SETS = frozenset({"required", "enum", "type"})
_OWN = "#/$defs/"
_LONGEST_DEFAULT = 200


def structure(schema: Json, name_of: Callable[[str], str] = str) -> Json:
    """Return a copy of `schema` with only what decides which values it allows.

    Titles, descriptions, examples and whatever else is written for people are left out; so is a `default` of more than
    200 characters, which can only be prose. Lists whose order means nothing are sorted.

    Args:
        schema: a schema of a document whose definitions are in `definitions` or `$defs`.
        name_of: what to call the definition of a name in the copy, where all of them are in `$defs`.
    """
    if not isinstance(schema, dict):
        return schema
    copy: dict[str, Json] = {}
    for key, value in sorted(schema.items()):
        if key in ("definitions", "$defs"):
            continue
        if key == "$ref":
            copy[key] = _OWN + name_of(str(value).rpartition("/")[2])
        elif key in MAPS and isinstance(value, dict):
            copy[key] = {name: structure(inner, name_of) for name, inner in sorted(value.items())}
        elif key in LISTS and isinstance(value, list):
            copy[key] = [structure(inner, name_of) for inner in value]
        elif key in SINGLES:
            copy[key] = structure(value, name_of)
        elif key == "default" and len(text(value)) > _LONGEST_DEFAULT:
            continue
        elif key in _VALUES:
            copy[key] = sorted(value, key=text) if key in _SETS and isinstance(value, list) else value
    return copy


def text(value: Any) -> str:
    """Return a JSON value as its one canonical line."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def definition(ref: str) -> str:
    """Return the name of the definition that a `$ref` of a digest leads to."""
    return ref.removeprefix(_OWN)


def reference(name: str) -> Json:
    """Return the schema that stands for a definition of a digest."""
    return {"$ref": _OWN + name}


def references(schema: Json) -> Iterator[str]:
    """Yield every `$ref` in a schema as it is written, those of the schemas inside it too."""
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            yield node["$ref"]
        todo.extend(subschemas(node))


def marked(schema: Json, stable: Json) -> Json:
    """Return `schema` with the members and alternatives that its stable form lacks marked as experimental.

    Args:
        schema: a structural copy from the schemas with what is experimental.
        stable: that of the same thing from the schemas without.
    """
    if not isinstance(schema, dict) or not isinstance(stable, dict) or schema == stable:
        return schema
    copy = dict(schema)
    for key, value in schema.items():
        other = stable.get(key)
        if key == "properties" and isinstance(other, dict):
            copy[key] = {
                name: marked(inner, other[name]) if name in other else _experimental(inner)
                for name, inner in value.items()
            }
        elif key in LISTS and isinstance(value, list) and isinstance(other, list):
            copy[key] = _marked_list(value, other)
        elif key in SINGLES and other is not None:
            copy[key] = marked(value, other)
    return copy


def _marked_list(schemas: list[Json], stable: list[Json]) -> list[Json]:
    left = list(stable)
    found: list[Json] = []
    for schema in schemas:
        twin = next((index for index, other in enumerate(left) if _twins(schema, other)), None)
        found.append(_experimental(schema) if twin is None else marked(schema, left.pop(twin)))
    return found


def _twins(schema: Json, stable: Json) -> bool:
    """Say whether two alternatives are the same one, what is experimental in it aside."""
    if schema == stable or not isinstance(schema, dict) or not isinstance(stable, dict):
        return bool(schema == stable)
    members, others = schema.get("properties", {}), stable.get("properties", {})
    rest = {key: value for key, value in schema.items() if key != "properties"}
    return (
        bool(members)
        and rest == {key: value for key, value in stable.items() if key != "properties"}
        and others.keys() <= members.keys()
        and all(members[name].get("enum") == other.get("enum") for name, other in others.items() if _is_closed(other))
    )


def _is_closed(schema: Json) -> bool:
    return isinstance(schema, dict) and "enum" in schema


def _experimental(schema: Json) -> Json:
    return {**schema, EXPERIMENTAL: True} if isinstance(schema, dict) else {EXPERIMENTAL: True}
