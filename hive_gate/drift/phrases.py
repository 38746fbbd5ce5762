"""Shapes and values as phrases for people."""

from __future__ import annotations

import json
from collections.abc import Iterable

from hive_gate.drift.resolve import Json
from hive_gate.drift.shapes import ANYTHING, Shape

_MEMBERS = 12


def kinds(found: Iterable[Shape]) -> str:
    """Return what the shapes allow, such as `string or null`, `"asc" or "desc"`, `integer (0 to 4294967295)`."""
    parts = [_kind(shape) for shape in found]
    return any_of(dict.fromkeys(parts)) or "nothing"


def quoted(values: Iterable[Json]) -> str:
    """Return the values as JSON, joined by "or"; a long list is cut and says so."""
    return any_of(json.dumps(value, ensure_ascii=True) for value in values)


def any_of(parts: Iterable[str]) -> str:
    """Join phrases by commas and a final "or"."""
    texts = list(parts)
    if len(texts) > _MEMBERS:
        texts = [*texts[: _MEMBERS - 1], f"{len(texts) - _MEMBERS + 1} more"]
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def number(shape: Shape) -> str:
    """Return a numeric shape with its range."""
    if shape.low is None and shape.high is None:
        return shape.type
    low, high = ("any" if end is None else str(end).removesuffix(".0") for end in (shape.low, shape.high))
    return f"{shape.type} ({low} to {high})"


def _kind(shape: Shape) -> str:
    if shape.values is not None:
        return quoted(shape.values)
    if shape.type in ("integer", "number"):
        return number(shape)
    return shape.type if shape.type != ANYTHING else "anything"
