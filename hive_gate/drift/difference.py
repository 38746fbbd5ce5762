"""What differs between two schemas, as far as the definitions that both refer to, which are compared by themselves."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hive_gate.drift.describe import describe
from hive_gate.drift.forms import Forms, allows_anything, alternatives, forms
from hive_gate.drift.resolve import Json, Scope
from hive_gate.drift.shapes import ANYTHING, Shape
from hive_gate.drift.structure import EXPERIMENTAL, LIMITS, definition, references, text
from hive_gate.drift.variants import likeness

Path = tuple[str, ...]
"""Names of members, `*` for each item of an array or each value of a map, `type=x` for one variant of a union."""

EACH = "*"

_SAME_THING = 0.3
"""Share of members that two objects under different names must have in common to be compared one by one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs, whichever side sends it."""

    kind: str
    """A key of `KINDS`."""
    path: Path
    """Where, from the definition or message that was compared."""
    thing: str = ""
    """What exactly has changed, as text that is the same whatever else has changed."""
    old: str = ""
    """What it was, for people."""
    new: str = ""
    """What it is now, for people."""
    value: Json = None
    """What has come or gone: a constant, types (`type-changed`: the old and the new ones, as JSON types or names of
    definitions), the new ends of a range, a variant's step, or a member's schema."""
    written: bool = False
    """Of a member that may be missing: it may be null or has a default, which this server writes out."""


@dataclass(frozen=True, slots=True)
class Link:
    """A definition that both sides refer to at the same place."""

    path: Path
    old: str
    new: str
    """Mostly the same name as `old`."""


@dataclass(slots=True)
class Found:
    """What a comparison found, in the order of the schemas."""

    differences: list[Difference] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


def differences(old: Json, new: Json, old_scope: Scope, new_scope: Scope, touched: Container[str]) -> Found:
    """Compare two schemas of two digests.

    Args:
        old: the one before.
        new: the one now.
        old_scope: where the references of the one before are looked up.
        new_scope: where those of the one now are.
        touched: names of the definitions that differ or lead to one that does; only they are linked to.

    Raises:
        HiveGateError: (as a scope's `error`) if a reference leads nowhere.
    """
    comparison = Comparing(old_scope, new_scope, touched)
    comparison.compare(old, new, ())
    return comparison.found


class Comparing:
    """A comparison under way: of schemas, and of the members of objects; :mod:`.alternation` does the rest."""

    def __init__(self, old_scope: Scope, new_scope: Scope, touched: Container[str]) -> None:
        self.found = Found()
        self.old_scope = old_scope
        self.new_scope = new_scope
        self._touched = touched
        self._open: set[tuple[str, str]] = set()

    def add(self, difference: Difference) -> None:
        """Keep a difference."""
        self.found.differences.append(difference)

    @contextmanager
    def aside(self) -> Iterator[list[Difference]]:
        """Collect the differences that are found meanwhile, instead of keeping them."""
        kept, self.found.differences = self.found.differences, []
        yield self.found.differences
        self.found.differences = kept

    def compare(self, old: Json, new: Json, path: Path) -> None:
        """Compare two schemas at one place."""
        if old == new and not any(definition(ref) in self._touched for ref in references(old)):
            return
        before, after = forms(old), forms(new)
        shared = [name for name in before.names if name in after.names and name in self._touched]
        self.found.links.extend(Link(path, name, name) for name in shared)
        gone = [name for name in before.names if name not in after.names]
        come = [name for name in after.names if name not in before.names]
        if len(gone) == len(come) == 1 and not before.others and not after.others:
            self._null(before.null, after.null, path)
            self._other_name(gone[0], come[0], path)
            return
        # What only one side refers to is looked into here; a circle leads back to a pair that is being compared.
        pair = (text([gone, before.others]), text([come, after.others]))
        if pair in self._open:
            return
        self._open.add(pair)
        self._alternatives(before, after, gone, come, path)
        self._open.discard(pair)

    def members(self, old: Shape, new: Shape, path: Path) -> None:
        """Compare the members of two objects at one place."""
        names = [*old.properties, *(name for name in new.properties if name not in old.properties)]
        for name in names:
            here = (*path, name)
            if name not in new.properties:
                kind, schema = "field-removed", old.properties[name]
                kind = f"required-{kind}" if name in old.required else kind
                self.add(Difference(kind, here, old=describe(schema, self.old_scope), value=schema))
            elif name not in old.properties:
                kind, schema = "field-added", new.properties[name]
                kind = f"required-{kind}" if name in new.required else kind
                self.add(Difference(kind, here, new=describe(schema, self.new_scope), value=schema))
            else:
                self._member(name, old, new, here)
        self._others(old, new, path)

    def _other_name(self, old: str, new: str, path: Path) -> None:
        """Follow definitions of different names, unless they are objects that have hardly anything in common."""
        before, after = alternatives([old], (), self.old_scope), alternatives([new], (), self.new_scope)
        if all(shape.type == "object" for shape in (*before, *after)) and likeness(before, after) < _SAME_THING:
            self.add(Difference("type-changed", path, f"{old} {new}", f"`{old}`", f"`{new}`", [[old], [new]]))
        else:
            self.found.links.append(Link(path, old, new))

    def _alternatives(self, before: Forms, after: Forms, gone: list[str], come: list[str], path: Path) -> None:
        # Here and not above: the two modules need each other.
        from hive_gate.drift.alternation import Alternation

        old = alternatives(gone, before.others, self.old_scope)
        new = alternatives(come, after.others, self.new_scope)
        if not allows_anything((*old, *new)):
            nulls = [found.null or any(s.type == "null" for s in side) for found, side in ((before, old), (after, new))]
            self._null(nulls[0], nulls[1], path)
        Alternation(self, path, shared=bool(before.names.keys() & after.names.keys())).compare(old, new)
        if len(before.others) == len(after.others) == 1:
            self._limits(before.others[0], after.others[0], path)

    def _null(self, old: bool, new: bool, path: Path) -> None:
        if old != new:
            self.add(Difference("null-added" if new else "null-removed", path))

    def _limits(self, old: Json, new: Json, path: Path) -> None:
        before, after = _limits_of(old), _limits_of(new)
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                texts = [f"{name} {text(side[name])}" if name in side else f"no {name}" for side in (before, after)]
                self.add(Difference("limit-changed", path, " ".join(texts), texts[0], texts[1]))

    def _member(self, name: str, old: Shape, new: Shape, here: Path) -> None:
        before, after = old.properties[name], new.properties[name]
        if (name in old.required) != (name in new.required):
            if name in new.required:
                self.add(Difference("field-now-required", here, written=_is_written(before, self.old_scope)))
            else:
                self.add(Difference("field-now-optional", here, written=_is_written(after, self.new_scope)))
        marks = [isinstance(side, dict) and bool(side.get(EXPERIMENTAL)) for side in (before, after)]
        if marks[0] != marks[1]:
            self.add(Difference("field-now-experimental" if marks[1] else "field-now-stable", here))
        defaults = [side.get("default") if isinstance(side, dict) else None for side in (before, after)]
        if None not in defaults and text(defaults[0]) != text(defaults[1]):
            self.add(Difference("default-changed", here, text(defaults), text(defaults[0]), text(defaults[1])))
        self.compare(before, after, here)

    def _others(self, old: Shape, new: Shape, path: Path) -> None:
        before, after = old.additional, new.additional
        if isinstance(before, dict) and isinstance(after, dict):
            self.compare(before, after, (*path, EACH))
        elif (before is False) != (after is False):
            self.add(Difference("closed" if after is False else "opened", path))


def _limits_of(schema: Json) -> dict[str, Json]:
    if not isinstance(schema, dict):
        return {}
    found = {name: schema[name] for name in LIMITS if name in schema}
    if schema.get("type") == "string" and "format" in schema:
        found["format"] = schema["format"]
    return found


def _is_written(schema: Json, scope: Scope) -> bool:
    found = forms(schema)
    has_default = isinstance(schema, dict) and "default" in schema
    shapes = alternatives(found.names, found.others, scope)
    return has_default or found.null or any(shape.type in ("null", ANYTHING) for shape in shapes)
