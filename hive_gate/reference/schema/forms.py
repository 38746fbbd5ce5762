"""Small pieces that schemas are put together from."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
BOOLEAN: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
INTEGER: Schema = {"type": "integer", "format": "int64"}
ANYTHING: Schema = {}


def ref(name: str) -> Schema:
    """Return a reference to a definition of the same file."""
    return {"$ref": f"#/definitions/{name}"}


def nullable(schema: Schema) -> Schema:
    """Return the schema that also takes null."""
    if not schema:
        return schema
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def array(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def enum(*values: str) -> Schema:
    """Return the schema of one of some words."""
    return {"type": "string", "enum": list(values)}


def members(**properties: Schema) -> Schema:
    """Return the schema of an object whose members are all written, null where there is nothing to say."""
    return {"type": "object", "required": sorted(properties), "properties": properties}


def variant(kind: str, **properties: Schema) -> Schema:
    """Return the schema of one variant of an object that its `type` tells apart."""
    return members(type=enum(kind), **properties)
