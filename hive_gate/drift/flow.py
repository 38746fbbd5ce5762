"""Is every value that one side may send allowed by the other? What both directions have in common."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from hive_gate.drift import phrases
from hive_gate.drift.mismatch import Direction, Mismatch
from hive_gate.drift.resolve import Json, Scope, child
from hive_gate.drift.shapes import ANYTHING, Shape, closed, shapes, split

_EACH = "*"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule ids of one direction."""

    direction: Direction
    type: str
    """The sender may send a type that is not allowed."""
    null: str
    """The same for null."""
    enum: str
    """The sender may send a constant that is not allowed."""
    open: str
    """The sender may send any value of a type of which only some are allowed."""
    range: str | None
    """The sender says that it may send numbers outside of the range; None: ranges are not compared."""


class Flow(ABC):
    """Compares what is sent with what is allowed, schema by schema, from the root down.

    Args:
        sender: the document of the schemas of what is sent.
        accepter: the document of the schemas of what is allowed.
    """

    rules: ClassVar[Rules]

    def __init__(self, sender: Scope, accepter: Scope) -> None:
        self.sender = sender
        self.accepter = accepter
        self._open: set[tuple[str, str]] = set()

    def compare(self, sent: Json, allowed: Json, at: str) -> list[Mismatch]:
        """Return where a value under `sent` may not be one under `allowed`; `at` is the pointer so far."""
        # A pair that is being compared already, further up, is one that a recursive schema leads back to.
        pair = (json.dumps(sent, sort_keys=True), json.dumps(allowed, sort_keys=True))
        if pair in self._open:
            return []
        self._open.add(pair)
        try:
            return list(dict.fromkeys(self._compare(shapes(sent, self.sender), shapes(allowed, self.accepter), at)))
        finally:
            self._open.discard(pair)

    def mismatch(self, rule: str, at: str, expected: str, actual: str) -> Mismatch:
        """Return a mismatch in this flow's direction."""
        return Mismatch(self.rules.direction, at, rule, expected, actual)

    @abstractmethod
    def members(self, sent: Shape, allowed: Shape, at: str) -> list[Mismatch]:
        """Compare the members of an object that is sent with those of an object that is allowed."""

    def afterwards(self, allowed: Shape, sent: list[Shape], at: str) -> list[Mismatch]:  # noqa: ARG002
        """Compare an object that is allowed with all the objects that may be sent in its place."""
        return []

    def _compare(self, sent: Iterable[Shape], allowed: tuple[Shape, ...], at: str) -> list[Mismatch]:
        if any(shape.type == ANYTHING for shape in allowed):
            return []
        found: list[Mismatch] = []
        refused: list[Shape] = []
        objects: list[Shape] = []
        for shape in sent:
            fitting = [other for other in allowed if _takes(other.type, shape.type)]
            if not fitting:
                refused.append(shape)
            elif shape.type == "object":
                objects.append(shape)
            elif shape.type == "array":
                options = [self.compare(shape.items, other.items, child(at, _EACH)) for other in fitting]
                found += _fewest(options)
            else:
                found += self._scalar(shape, fitting, at)
        for rule, group in (
            (self.rules.null, [shape for shape in refused if shape.type == "null"]),
            (self.rules.type, [shape for shape in refused if shape.type != "null"]),
        ):
            if group:
                found.append(self.mismatch(rule, at, phrases.kinds(allowed), phrases.kinds(group)))
        return found + self._objects(objects, [shape for shape in allowed if shape.type == "object"], at)

    def _scalar(self, shape: Shape, fitting: list[Shape], at: str) -> list[Mismatch]:
        opens = [other for other in fitting if other.values is None]
        expected = phrases.kinds(fitting)
        if opens:
            return self._range(shape, opens, at) if self.rules.range else []
        if shape.values is None:
            return [self.mismatch(self.rules.open, at, expected, f"any {shape.type}")]
        known = [value for other in fitting for value in other.values or ()]
        unknown = [value for value in shape.values if value not in known]
        return [self.mismatch(self.rules.enum, at, expected, phrases.quoted(unknown))] if unknown else []

    def _range(self, shape: Shape, opens: list[Shape], at: str) -> list[Mismatch]:
        # An end that the sender leaves open says nothing: a contract that means it writes it down.
        numbers = [value for value in shape.values or () if isinstance(value, int | float)]
        low, high = (min(numbers), max(numbers)) if numbers else (shape.low, shape.high)
        inside = any(
            (low is None or other.low is None or low >= other.low)
            and (high is None or other.high is None or high <= other.high)
            for other in opens
        )
        if inside or self.rules.range is None:
            return []
        return [self.mismatch(self.rules.range, at, phrases.kinds(opens), phrases.kinds([shape]))]

    def _objects(self, sent: list[Shape], allowed: list[Shape], at: str) -> list[Mismatch]:
        found: list[Mismatch] = []
        takers: list[list[Shape]] = [[] for _ in allowed]
        parts = [part for shape in sent for part in split(shape, self._tags(allowed), self.sender)]
        for part in parts:
            fitting = [index for index, other in enumerate(allowed) if self._clash(part, other) is None]
            if not fitting:
                found.append(self._unknown_kind(part, allowed, at))
                continue
            for index in fitting:
                takers[index].append(part)
            found += _fewest([self.members(part, allowed[index], at) for index in fitting])
        for other, senders in zip(allowed, takers, strict=True):
            found += self.afterwards(other, senders, at) if senders else []
        return found

    def _tags(self, allowed: list[Shape]) -> list[str]:
        """Return the members whose constants differ from one of the allowed objects to the next."""
        if len(allowed) < 2:
            return []
        shared = set.intersection(*(set(shape.properties) for shape in allowed))
        return [name for name in sorted(shared) if _disjoint([self._constants(s, name) for s in allowed])]

    def _constants(self, shape: Shape, name: str) -> tuple[Json, ...] | None:
        return closed(shape.properties[name], self.accepter)

    def _clash(self, part: Shape, other: Shape) -> str | None:
        """Return the member that shows that `part` is not meant for `other`; None if it may be."""
        for name in part.properties:
            if name not in other.properties:
                continue
            mine, theirs = closed(part.properties[name], self.sender), self._constants(other, name)
            if mine is not None and theirs is not None and not any(value in theirs for value in mine):
                return name
        return None

    def _unknown_kind(self, part: Shape, allowed: list[Shape], at: str) -> Mismatch:
        clashes = [(other, self._clash(part, other)) for other in allowed]
        name = clashes[0][1] or ""
        known = [v for other, clash in clashes if clash == name for v in self._constants(other, name) or ()]
        sent = closed(part.properties[name], self.sender) or ()
        return self.mismatch(self.rules.enum, child(at, name), phrases.quoted(known), phrases.quoted(sent))


def _fewest(options: list[list[Mismatch]]) -> list[Mismatch]:
    """Return the mismatches with the alternative that fits best: it is the one that was meant."""
    return min(options, key=lambda found: len(found))


def _takes(allowed: str, sent: str) -> bool:
    return allowed == sent or (allowed, sent) == ("number", "integer")


def _disjoint(groups: list[tuple[Json, ...] | None]) -> bool:
    flat = [value for group in groups for value in group or ()]
    return all(groups) and all(value not in flat[:index] for index, value in enumerate(flat))
