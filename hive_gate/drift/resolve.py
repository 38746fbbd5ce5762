"""JSON pointers, references, and walking through a schema: what draft-07 and 2020-12 have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import unquote

from hive_gate.errors import HiveGateError, TargetError

Json: TypeAlias = Any
"""A parsed JSON value: None, bool, int, float, str, list of Json, dict of str to Json."""

# Where schemas are found within a schema.
MAPS = ("properties", "patternProperties", "definitions", "$defs", "dependentSchemas")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
SINGLES = (
    "items",
    "additionalItems",
    "additionalProperties",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
)
_DEFINITIONS = ("definitions", "$defs")


def pointer(path: Iterable[str | int]) -> str:
    """Return the JSON pointer (RFC 6901) of a path; the empty path is the empty string."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def child(base: str, name: str) -> str:
    """Return the pointer `base` extended by one member name."""
    return base + pointer([name])


@dataclass(frozen=True, slots=True)
class Scope:
    """The document in which a schema's references are looked up."""

    document: Json
    """The whole document; references such as `#/definitions/Turn` start at its root."""
    where: str
    """What to call the document in an error: a file, or the contract."""
    error: type[HiveGateError] = TargetError
    """The error to raise: whose document it is decides whose fault a broken reference is."""

    def resolve(self, ref: str) -> Json:
        """Return the schema that `ref` names.

        Only references into the same document are followed: nothing is ever fetched.

        Raises:
            HiveGateError: (as `error`) if the reference leads nowhere or out of the document.
        """
        if ref != "#" and not ref.startswith("#/"):
            raise self._dangling(ref, "only references within the same document are followed")
        node = self.document
        for step in ref.split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and name in node:
                node = node[name]
            elif isinstance(node, list) and name.isascii() and name.isdigit() and int(name) < len(node):
                node = node[int(name)]
            else:
                raise self._dangling(ref, f"there is no `{name}` on the way")
        return node

    def follow(self, schema: Json) -> Json:
        """Return `schema`, or what it stands for if it is a `$ref` (through a chain; a circle gives `{}`)."""
        seen: set[str] = set()
        while isinstance(schema, dict) and "$ref" in schema:
            if schema["$ref"] in seen:
                return {}
            seen.add(schema["$ref"])
            schema = self.resolve(schema["$ref"])
        return schema

    def _dangling(self, ref: object, why: str) -> HiveGateError:
        return self.error(
            f"A schema refers to {ref!r}, which cannot be resolved: {why}.",
            where=self.where,
            hint="Correct the reference, or generate the schemas again.",
        )


def subschemas(schema: Json) -> Iterator[Json]:
    """Yield the schemas directly inside `schema`; values such as `default` or `enum` are not schemas."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key in MAPS and isinstance(value, dict):
            yield from value.values()
        elif key in LISTS and isinstance(value, list):
            yield from value
        elif key in SINGLES:
            yield value


def rebuild(schema: Json, change: Callable[[dict[str, Json]], dict[str, Json]]) -> Json:
    """Return a copy of `schema` with `change` applied to each schema object in it, the innermost first.

    Args:
        schema: a schema; it is not changed.
        change: takes a fresh dict (its own to change) and returns the one to use.
    """
    if not isinstance(schema, dict):
        return schema
    copy: dict[str, Json] = {}
    for key, value in schema.items():
        if key in MAPS and isinstance(value, dict):
            copy[key] = {name: rebuild(inner, change) for name, inner in value.items()}
        elif key in LISTS and isinstance(value, list):
            copy[key] = [rebuild(inner, change) for inner in value]
        else:
            copy[key] = rebuild(value, change) if key in SINGLES else value
    return change(copy)


def standalone(schema: Json, scope: Scope) -> dict[str, Json]:
    """Return `schema` with those of its document's definitions that it needs, and no others.

    A union file such as the one of all notifications holds hundreds of definitions, and one notification needs few.

    Raises:
        HiveGateError: (as the scope's `error`) if a reference leads nowhere.
    """
    kept: dict[str, dict[str, Json]] = {}
    todo, seen = [schema], set[str]()
    while todo:
        node = todo.pop()
        ref = node.get("$ref") if isinstance(node, dict) else None
        if ref is not None and ref not in seen:
            seen.add(ref)
            todo.append(scope.resolve(ref))
            group, _, name = ref.removeprefix("#/").partition("/")
            # A reference deeper into a definition keeps that whole definition, so its pointer stays true.
            name = unquote(name.split("/")[0]).replace("~1", "/").replace("~0", "~")
            if group in _DEFINITIONS and name not in kept.setdefault(group, {}):
                kept[group][name] = scope.document[group][name]
                todo.append(scope.document[group][name])
        todo.extend(subschemas(node))
    # In draft-07 the siblings of a `$ref` do not count; below `allOf` it is alone.
    return {"allOf": [schema], **kept}
