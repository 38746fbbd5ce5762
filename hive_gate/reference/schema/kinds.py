"""Schemas of params, from the kinds that the server decodes them by.

A struct may also be sent as a list of its members; like the real server's, these schemas do not say so.
"""

from __future__ import annotations

from hive_gate.reference.schema import forms
from hive_gate.reference.schema.forms import Schema
from hive_gate.reference.server import serde
from hive_gate.reference.server.serde import Choice, Either, Kind, ListOf, Maybe, Plain
from hive_gate.reference.server.structs import Member, Struct, Tagged

_NUMBERS = ((serde.U32, "uint32"), (serde.USIZE, "uint64"))
_PLAIN = {str: forms.STRING, bool: forms.BOOLEAN, dict: forms.OBJECT}


def of_kind(kind: Kind, *, experimental: bool) -> Schema:
    """Return the schema of what a kind takes.

    Args:
        kind: one of the kinds of `serde` and `structs`.
        experimental: whether members that need the capability are in it.
    """
    for number, name in _NUMBERS:
        if kind is number:
            return {"type": "integer", "format": name, "minimum": 0}
    match kind:
        case Plain():
            return _PLAIN[kind.type]
        case Maybe():
            return forms.nullable(of_kind(kind.inner, experimental=experimental))
        case ListOf():
            return forms.array(of_kind(kind.inner, experimental=experimental))
        case Choice():
            return _choice(kind, experimental=experimental)
        case Either():
            return {"anyOf": [of_kind(one, experimental=experimental) for one in kind.kinds]}
        case Struct():
            return of_struct(kind, experimental=experimental)
        case Tagged():
            return {"oneOf": [_tagged(name, one, experimental=experimental) for name, one in kind.structs.items()]}
    return forms.ANYTHING if kind is serde.ANYTHING else forms.STRING


def _choice(choice: Choice, *, experimental: bool) -> Schema:
    plain = forms.enum(*(name for name in choice.names if name not in choice.content))
    filled = [
        {
            "type": "object",
            "required": [name],
            "properties": {name: of_kind(content, experimental=experimental)},
            "additionalProperties": False,
        }
        for name, content in choice.content.items()
    ]
    return {"oneOf": [plain, *filled]} if filled else plain


def of_struct(struct: Struct, *, experimental: bool) -> Schema:
    """Return the schema of an object with a struct's members."""
    offered = [member for member in struct.members if experimental or not member.experimental]
    required = [member.name for member in offered if member.default is serde.REQUIRED]
    schema: Schema = {"type": "object"}
    if required:
        schema["required"] = sorted(required)
    schema["properties"] = {member.name: _member(member, experimental=experimental) for member in offered}
    return schema


def _member(member: Member, *, experimental: bool) -> Schema:
    schema = of_kind(member.kind, experimental=experimental)
    if member.default is None or member.default is serde.REQUIRED:
        return schema
    return {**schema, "default": list(member.default) if isinstance(member.default, tuple) else member.default}


def _tagged(name: str, struct: Struct, *, experimental: bool) -> Schema:
    schema = of_struct(struct, experimental=experimental)
    return {
        **schema,
        "required": sorted(["type", *schema.get("required", ())]),
        "properties": {"type": forms.enum(name), **schema["properties"]},
    }
