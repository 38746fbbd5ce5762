"""Which object of one union is which of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hive_gate.drift.resolve import Scope
from hive_gate.drift.shapes import Shape, closed, split
from hive_gate.drift.structure import text

USUAL_TAGS = ("type", "kind", "method", "mode", "status")
"""Members that mostly tell the objects of a union apart, the likeliest first."""


class Variant(NamedTuple):
    """One object of a union."""

    step: str
    """How a path names it: `type=agentMessage`; empty where it is the only one, or named by its one member."""
    name: str
    """What tells it apart; several may share it, or have none."""
    shape: Shape


Pair = tuple["Variant | None", "Variant | None"]
"""What a variant was and is; None where it has no counterpart."""


def pairs(old: Sequence[Shape], new: Sequence[Shape], old_scope: Scope, new_scope: Scope) -> list[Pair]:
    """Return which object of the one side became which of the other: by name, and within a name the most alike."""
    tag = _tag([(shape, old_scope) for shape in old], [(shape, new_scope) for shape in new])
    before, after = _named(old, old_scope, tag), _named(new, new_scope, tag)
    found: list[Pair] = []
    for name in dict.fromkeys(variant.name for variant in [*before, *after]):
        found += _alike([v for v in before if v.name == name], [v for v in after if v.name == name])
    return found


def _alike(old: list[Variant], new: list[Variant]) -> list[Pair]:
    ranked = sorted(
        ((likeness([a.shape], [b.shape]), i, j) for i, a in enumerate(old) for j, b in enumerate(new)),
        key=lambda one: (-one[0], one[1] + one[2], abs(one[1] - one[2])),
    )
    taken: dict[int, int] = {}
    for _, i, j in ranked:
        if i not in taken and j not in taken.values():
            taken[i] = j
    found: list[Pair] = [(variant, new[taken[i]] if i in taken else None) for i, variant in enumerate(old)]
    return found + [(None, variant) for j, variant in enumerate(new) if j not in taken.values()]


def _named(shapes: Sequence[Shape], scope: Scope, tag: str) -> list[Variant]:
    if not tag:
        return [Variant("", _only_member(shape), shape) for shape in shapes]
    found: list[Variant] = []
    for shape in shapes:
        for part in split(shape, [tag], scope):
            value = (closed(part.properties[tag], scope) or ("",))[0]
            name = f"{tag}={value if isinstance(value, str) else text(value)}"
            found.append(Variant(name, name, part))
    return found


def _only_member(shape: Shape) -> str:
    """Return the name of the one member that an object of such a kind must have and may have."""
    is_it = len(shape.required) == 1 and shape.required == shape.properties.keys() and shape.additional is False
    return next(iter(shape.required)) if is_it else ""


def _tag(old: list[tuple[Shape, Scope]], new: list[tuple[Shape, Scope]]) -> str:
    """Return the member whose constants tell the objects of a side apart; empty if there is none or no need.

    Best is one that no two objects of a side share; next, one that is mostly used for this.
    """
    if len(old) < 2 and len(new) < 2:
        return ""
    every = [*old, *new]
    names = set.intersection(*(set(shape.required) & set(shape.properties) for shape, _ in every))
    ranks = {name: rank for rank, name in enumerate(USUAL_TAGS)}
    ordered = sorted(names, key=lambda name: (ranks.get(name, len(ranks)), name))
    ordered = [name for name in ordered if all(closed(shape.properties[name], scope) for shape, scope in every)]
    for name in ordered:
        if _disjoint(name, old) and _disjoint(name, new):
            return name
    return next((name for name in ordered if name in ranks and _tells(name, every)), "")


def _disjoint(name: str, side: list[tuple[Shape, Scope]]) -> bool:
    values = [text(value) for shape, scope in side for value in closed(shape.properties[name], scope) or ()]
    return len(values) == len(set(values))


def _tells(name: str, every: list[tuple[Shape, Scope]]) -> bool:
    values: set[str] = {text(value) for shape, scope in every for value in closed(shape.properties[name], scope) or ()}
    return len(values) > 1


def likeness(old: Sequence[Shape], new: Sequence[Shape]) -> float:
    """Return the share of members that the objects of two sides have in common, from 0 to 1."""
    mine, theirs = ({name for shape in side for name in shape.properties} for side in (old, new))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
