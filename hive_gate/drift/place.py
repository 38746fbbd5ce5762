"""A place in a message, and what Hive's own schemas say about the values there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from hive_gate.drift.difference import EACH, Path
from hive_gate.drift.resolve import Json, Scope
from hive_gate.drift.shapes import ANYTHING, Shape, closed, shapes
from hive_gate.drift.structure import text

_TYPES: dict[type, tuple[str, ...]] = {
    str: ("string",), bool: ("boolean",), int: ("integer", "number"), float: ("number",), type(None): ("null",),
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """What Hive says about the values at one place: all its alternatives, from however many schemas."""

    shapes: tuple[Shape, ...]
    scope: Scope

    @classmethod
    def of(cls, schemas: Iterable[Json], scope: Scope) -> Place | None:
        """Return the place of some schemas; None if there are none.

        Raises:
            HiveGateError: (as the scope's `error`) if a reference leads nowhere.
        """
        found = tuple(shape for schema in schemas for shape in shapes(schema, scope))
        return cls(found, scope) if found else None

    def walk(self, path: Path) -> Place | None:
        """Return the place that a path leads to; None where Hive speaks of no such place."""
        place: Place | None = self
        for step in path:
            place = place.step(step) if place else None
        return place

    def step(self, step: str) -> Place | None:
        """Return the place one step further: a member, each item or value, or one variant of a union."""
        if step == EACH:
            return Place.of(self._inner(), self.scope)
        name, is_variant, value = step.partition("=")
        if is_variant:
            left = tuple(shape for shape in self.objects if self._may_be(shape, name, value))
            return Place(left, self.scope) if left else None
        named = [shape for shape in self.objects if name in shape.properties or name in shape.required]
        return Place.of([shape.properties.get(name, True) for shape in named], self.scope)

    @cached_property
    def objects(self) -> tuple[Shape, ...]:
        """The alternatives that are objects."""
        return tuple(shape for shape in self.shapes if shape.type == "object")

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that a value may have; `ANYTHING` where a schema says nothing."""
        return frozenset(shape.type for shape in self.shapes)

    @property
    def null(self) -> bool:
        """Whether a value may be null."""
        return bool(self.types & {"null", ANYTHING})

    def always(self, name: str) -> bool:
        """Say whether every object here has the member."""
        return bool(self.objects) and all(name in shape.required for shape in self.objects)

    def may_be(self, value: Json) -> bool:
        """Say whether Hive's schemas allow a scalar here."""
        return any(
            shape.type == ANYTHING
            or (shape.type in _TYPES.get(type(value), ()) and (shape.values is None or value in shape.values))
            for shape in self.shapes
        )

    def has_variant(self, step: str) -> bool:
        """Say whether Hive's schemas allow a variant of a union, such as `type=agentMessage`, or tell none apart."""
        name, is_tagged, value = step.partition("=")
        if not is_tagged:
            return bool(self.objects)
        return any(self._may_be(shape, name, value) for shape in self.objects)

    def is_open(self, kind: str) -> bool:
        """Say whether Hive's schemas allow any value of a type."""
        return any(shape.type in (kind, ANYTHING) and shape.values is None for shape in self.shapes)

    def constants(self) -> list[Json]:
        """Return the values that Hive's schemas name one by one."""
        return [value for shape in self.shapes for value in shape.values or ()]

    def exceeds(self, low: float | None, high: float | None) -> bool | None:
        """Say whether numbers here may be outside of a range; None if Hive's schemas give no end there."""
        unknown = False
        for shape in self.shapes:
            numbers = [value for value in shape.values or () if isinstance(value, int | float)]
            ends = (min(numbers), max(numbers)) if numbers else (shape.low, shape.high)
            if shape.type not in ("integer", "number"):
                continue
            if (ends[0] is not None and low is not None and ends[0] < low) or (
                ends[1] is not None and high is not None and ends[1] > high
            ):
                return True
            unknown |= (low is not None and ends[0] is None) or (high is not None and ends[1] is None)
        return None if unknown else False

    def _inner(self) -> Iterator[Json]:
        for shape in self.shapes:
            if shape.type == "array" and shape.items is not True:
                yield shape.items
            elif shape.type == "object" and isinstance(shape.additional, dict):
                yield shape.additional

    def _may_be(self, shape: Shape, name: str, value: str) -> bool:
        values = closed(shape.properties[name], self.scope) if name in shape.properties else None
        return value == EACH or values is None or any(value in (one, text(one)) for one in values)
