"""Integer formats such as `uint32` and `int64`, which validators take for mere remarks, made into ranges."""

from __future__ import annotations

from typing import Any

from hive_gate.drift.resolve import Json, rebuild


def _ranges() -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for bits in (8, 16, 32, 64, 128):
        found[f"uint{bits}"] = (0, 2**bits - 1)
        found[f"int{bits}"] = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    # The width of these two follows the machine; every machine that this server runs on has 64 bits.
    return {**found, "uint": found["uint64"], "int": found["int64"]}


RANGES = _ranges()
"""Format name to its lowest and highest value, both allowed."""


def limits(schema: dict[str, Any]) -> tuple[float | None, float | None]:
    """Return the lowest and highest number that `schema` itself allows; None where it says nothing.

    Formats and `minimum`/`maximum` are taken together: the tighter one holds. Exclusive limits are left out.
    """
    low, high = RANGES.get(_format(schema), (None, None))
    return _tighter(low, schema.get("minimum"), max), _tighter(high, schema.get("maximum"), min)


def bounded(schema: Json) -> Json:
    """Return a copy of `schema` in which each integer `format` is also a `minimum` and a `maximum`.

    jsonschema-rs compares integers of any size exactly (2**64 is over 2**64 - 1, as is 2**80), so a range in the
    schema is all it takes; no pass over the values is needed. Tighter limits that are there already stay.
    """
    return rebuild(schema, _bound)


def _bound(schema: dict[str, Json]) -> dict[str, Json]:
    if _format(schema) in RANGES:
        schema["minimum"], schema["maximum"] = limits(schema)
    return schema


def _format(schema: dict[str, Any]) -> str:
    value = schema.get("format")
    return value if isinstance(value, str) else ""


def _tighter(one: float | None, other: object, pick: Any) -> float | None:
    if not isinstance(other, int | float) or isinstance(other, bool):
        return one
    result: float = other if one is None else pick(one, other)
    return result
