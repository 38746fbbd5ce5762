"""What a schema of a digest allows, in a few words."""

from __future__ import annotations

from collections.abc import Iterable

from hive_gate.drift.bounds import RANGES
from hive_gate.drift.forms import alternatives, forms
from hive_gate.drift.phrases import any_of, kinds, quoted
from hive_gate.drift.resolve import Json, Scope
from hive_gate.drift.shapes import Shape, closed
from hive_gate.drift.structure import EXPERIMENTAL, reference

_VALUES = 6
"""Constants of a definition that are named beside its name."""

_WIDTHS = {ends: name for name, ends in RANGES.items() if name not in ("int", "uint")}


def describe(schema: Json, scope: Scope) -> str:
    """Return what a schema allows: `string or null`, "`Turn`", `array of integer (uint32)`."""
    found = forms(schema)
    parts = [_named(name, scope) for name in found.names]
    parts += [_shape(shape, scope) for shape in alternatives((), found.others, scope) if shape.type != "null"]
    if found.null:
        parts.append("null")
    text = any_of(dict.fromkeys(parts)) or "nothing"
    return f"{text} (experimental)" if isinstance(schema, dict) and schema.get(EXPERIMENTAL) else text


def types(found: Iterable[Shape]) -> str:
    """Return what shapes allow, looking into nothing."""
    return any_of(dict.fromkeys(_plain(shape) for shape in found)) or "nothing"


def names(members: Iterable[str]) -> str:
    """Return names of members, joined by "and"."""
    *first, last = [f"`{name}`" for name in members]
    return f"{', '.join(first)} and {last}" if first else last


def _named(name: str, scope: Scope) -> str:
    values = closed(reference(name), scope)
    return f"`{name}` ({quoted(values)})" if values and len(values) <= _VALUES else f"`{name}`"


def _shape(shape: Shape, scope: Scope) -> str:
    if shape.type == "array" and shape.items is not True:
        return f"array of {describe(shape.items, scope)}"
    return _plain(shape)


def _plain(shape: Shape) -> str:
    width = _WIDTHS.get((shape.low, shape.high))  # type: ignore[arg-type]
    if shape.type == "integer" and shape.values is None and width:
        return f"integer ({width})"
    return kinds([shape])
