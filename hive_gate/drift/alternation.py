"""What differs between the alternatives of two schemas: types, constants, ranges, and the objects of unions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hive_gate.drift.describe import names, types
from hive_gate.drift.difference import EACH, Comparing, Difference, Path
from hive_gate.drift.phrases import quoted
from hive_gate.drift.resolve import Json
from hive_gate.drift.shapes import ANYTHING, Shape
from hive_gate.drift.structure import text
from hive_gate.drift.variants import Variant, pairs


class Alternation:
    """Compares two lists of alternatives at one place.

    Args:
        outer: the comparison that this is part of.
        path: the place.
        shared: whether both sides have more alternatives, which are the same.
    """

    def __init__(self, outer: Comparing, path: Path, *, shared: bool) -> None:
        self._outer = outer
        self._path = path
        self._shared = shared

    def compare(self, before: Sequence[Shape], after: Sequence[Shape]) -> None:
        """Compare; whether null is allowed is not looked at."""
        old, new = ([shape for shape in side if shape.type != "null"] for side in (before, after))
        if self._anything(old, new):
            return
        alike = self._shared or any(
            _covered(mine.type, [theirs]) or _covered(theirs.type, [mine]) for mine in old for theirs in new
        )
        self._types(old, new, alike)
        for kind in dict.fromkeys(shape.type for shape in old):
            mine, theirs = _of_type(kind, old), _of_type(kind, new)
            if kind == "array" and theirs:
                self._outer.compare(_items(mine), _items(theirs), (*self._path, EACH))
            elif kind not in ("object", "array") and theirs:
                self._values(kind, mine, theirs)
                self._range(mine, theirs)
        self._objects(_of_type("object", old), _of_type("object", new), alike)

    def _anything(self, old: list[Shape], new: list[Shape]) -> bool:
        """Tell of a side that says nothing; return whether there is one."""
        free = [any(shape.type == ANYTHING for shape in side) for side in (old, new)]
        if free[0] != free[1]:
            said = types(new if free[0] else old)
            value = [shape.type for shape in (new if free[0] else old)]
            if free[0]:
                self._add("type-narrowed", said, "", said, value)
            else:
                self._add("type-widened", said, said, "", value)
        return any(free)

    def _add(self, kind: str, thing: str, old: str, new: str, value: Json) -> None:
        self._outer.add(Difference(kind, self._path, thing, old, new, value))

    def _types(self, old: list[Shape], new: list[Shape], alike: bool) -> None:
        gone = _firsts(shape for shape in old if not _covered(shape.type, new))
        come = _firsts(shape for shape in new if not _covered(shape.type, old))
        if gone and come and not alike:
            kinds = [[shape.type for shape in side] for side in (gone, come)]
            self._add("type-changed", f"{types(gone)} {types(come)}", types(gone), types(come), kinds)
            return
        for kind, shapes in (("type-removed", gone), ("type-added", come)):
            for shape in shapes:
                # An object that comes or goes beside other alternatives is a variant: `"cli"`, or an object.
                if shape.type != "object" or not alike:
                    said = types([shape])
                    old_text, new_text = (said, "") if kind == "type-removed" else ("", said)
                    self._add(kind, shape.type, old_text, new_text, [shape.type])

    def _values(self, kind: str, old: list[Shape], new: list[Shape]) -> None:
        before, after = _constants(old), _constants(new)
        if before is None and after is None:
            return
        if after is None:
            self._add("values-opened", kind, quoted(before or ()), kind, before)
        elif before is None:
            self._add("values-closed", kind, kind, quoted(after), after)
        else:
            for value in before:
                if value not in after:
                    self._add("value-removed", text(value), quoted([value]), "", value)
            for value in after:
                if value not in before:
                    self._add("value-added", text(value), "", quoted([value]), value)

    def _range(self, old: list[Shape], new: list[Shape]) -> None:
        before, after = ([shape for shape in side if shape.values is None] for side in (old, new))
        if len(before) != 1 or len(after) != 1:
            return
        (low, high), (new_low, new_high) = ((side[0].low, side[0].high) for side in (before, after))
        narrower = _above(new_low, low) or _below(new_high, high)
        wider = _above(low, new_low) or _below(high, new_high)
        if narrower or wider:
            kind = "range-changed" if narrower and wider else "range-narrowed" if narrower else "range-widened"
            texts = types(before), types(after)
            self._add(kind, " ".join(texts), *texts, [new_low, new_high])

    def _objects(self, old: list[Shape], new: list[Shape], alike: bool) -> None:
        """Compare the objects.

        Args:
            old: those before.
            new: those now.
            alike: whether the sides have alternatives in common, so that what only one of them has is a variant.
        """
        matched = pairs(old, new, self._outer.old_scope, self._outer.new_scope)
        known: dict[str, set[str]] = {}
        for one, other in matched:
            if one and other:
                known.setdefault(one.name, set()).update(one.shape.properties, other.shape.properties)
        kept: list[list[Difference]] = []
        told: dict[tuple[str, str], Variant] = {}
        for one, other in matched:
            if one and other:
                with self._outer.aside() as found:
                    step = (one.step,) if one.step else ()
                    self._outer.members(one.shape, other.shape, (*self._path, *step))
                kept.append(found)
            elif alike and (variant := one or other):
                # Of a name that is new altogether, or gone, it is said once, however many have it.
                kind = "variant-removed" if one else "variant-added"
                told.setdefault((kind, _told(variant, known.get(variant.name))), variant)
        for (kind, name), variant in told.items():
            old_text, new_text = (name, "") if kind == "variant-removed" else ("", name)
            self._add(kind, name, old_text, new_text, variant.step or variant.name)
        self._outer.found.differences.extend(_folded(kept, len(self._path)))


def _folded(groups: list[list[Difference]], depth: int) -> Iterator[Difference]:
    """Yield the differences of all variants of a union; one that all of them have comes once, under `type=*`.

    Args:
        groups: the differences of each variant.
        depth: where in their paths the variant's step is.
    """

    def key(one: Difference) -> tuple[str, ...]:
        return (one.kind, one.thing, one.old, one.new, *one.path[depth + 1 :])

    tagged = len(groups) > 1 and all(len(one.path) > depth and "=" in one.path[depth] for g in groups for one in g)
    common = set.intersection(*({key(one) for one in group} for group in groups)) if tagged else set()
    seen: set[tuple[str, ...]] = set()
    for one in (one for group in groups for one in group):
        if key(one) not in common:
            if (*one.path[: depth + 1], *key(one)) not in seen:
                yield one
            # Two variants of one name may differ in the same way.
            seen.add((*one.path[: depth + 1], *key(one)))
        elif key(one) not in seen:
            seen.add(key(one))
            tag = one.path[depth].partition("=")[0]
            yield replace(one, path=(*one.path[:depth], f"{tag}={EACH}", *one.path[depth + 1 :]))


def _told(variant: Variant, known: set[str] | None) -> str:
    """Return a variant in a few words.

    Args:
        variant: it.
        known: the members of the variants that have its name on both sides; None if it is the only one.
    """
    needed = sorted(variant.shape.required or variant.shape.properties)
    members = [name for name in needed if name not in (known or ())] or needed
    if variant.name:
        return f"`{variant.name}`" if known is None else f"`{variant.name}` with {names(members)}"
    return f"an object with {names(members)}" if members else "any other object"


def _of_type(kind: str, shapes: list[Shape]) -> list[Shape]:
    return [shape for shape in shapes if shape.type == kind]


def _firsts(shapes: Iterable[Shape]) -> list[Shape]:
    """Return the first shape of each type."""
    found: dict[str, Shape] = {}
    for shape in shapes:
        found.setdefault(shape.type, shape)
    return list(found.values())


def _items(shapes: list[Shape]) -> Json:
    return shapes[0].items if len(shapes) == 1 else {"anyOf": [shape.items for shape in shapes]}


def _covered(kind: str, others: Sequence[Shape]) -> bool:
    """Say whether a type is among those of other shapes; every integer is a number."""
    return any(shape.type in (kind, "number" if kind == "integer" else kind) for shape in others)


def _constants(found: list[Shape]) -> list[Json] | None:
    """Return the only values of one type that the shapes allow; None if any is."""
    if any(shape.values is None for shape in found):
        return None
    return [value for shape in found for value in shape.values or ()]


def _above(low: float | None, other: float | None) -> bool:
    return low is not None and (other is None or low > other)


def _below(high: float | None, other: float | None) -> bool:
    return high is not None and (other is None or high < other)
