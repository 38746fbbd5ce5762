"""What came may be what went under another name: a suggestion from names and shapes, never more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from hive_gate.drift.difference import Difference
from hive_gate.drift.digest import Digest, Family, Message
from hive_gate.drift.forms import alternatives, forms
from hive_gate.drift.resolve import Json, Scope
from hive_gate.drift.structure import text

LIKELY = 0.7
"""Likeness from which a rename is suggested; half of it is the name's, half the shape's."""

_LEAST = 0.55
"""Likeness that name and shape must each have."""

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")

T = TypeVar("T")


def renamed_messages(
    gone: Iterable[str], come: Iterable[str], old: Digest, new: Digest, family: Family
) -> dict[str, str]:
    """Return for each message that went the one that came and looks like it, if there is such a one.

    Args:
        gone: methods of the family that only the old digest has.
        come: those that only the new one has.
        old: the old digest.
        new: the new digest.
        family: theirs.
    """
    before, after = old.messages[family], new.messages[family]

    def likeness(one: str, other: str) -> tuple[float, float]:
        mine, theirs = _members(before[one], old.scope), _members(after[other], new.scope)
        return name_likeness(one, other), _overlap(mine, theirs)

    return _matched(sorted(gone), sorted(come), likeness)


def renamed_fields(found: Sequence[Difference], old: Scope, new: Scope) -> dict[int, int]:
    """Return for each member that went, by its index, the index of the one that came beside it and looks like it."""
    gone = [i for i, one in enumerate(found) if one.kind in ("field-removed", "required-field-removed")]
    come = [i for i, one in enumerate(found) if one.kind in ("field-added", "required-field-added")]

    def likeness(one: int, other: int) -> tuple[float, float]:
        mine, theirs = found[one], found[other]
        if mine.path[:-1] != theirs.path[:-1]:
            return 0.0, 0.0
        same = text(mine.value) == text(theirs.value)
        shape = 1.0 if same else _overlap(_kinds(mine.value, old), _kinds(theirs.value, new))
        return name_likeness(mine.path[-1], theirs.path[-1]), shape

    return _matched(gone, come, likeness)


def name_likeness(one: str, other: str) -> float:
    """Return how alike two names are, from 0 to 1: by the words that they share, or by their letters."""
    mine, theirs = ([word.lower() for word in _WORDS.findall(name)] for name in (one, other))
    letters = SequenceMatcher(None, one.lower(), other.lower(), autojunk=False).ratio()
    return max(_overlap(set(mine), set(theirs)), letters)


def _matched(gone: Sequence[T], come: Sequence[T], likeness: Callable[[T, T], tuple[float, float]]) -> dict[T, T]:
    """Pair what is most alike first; each is used once."""
    ranked: list[tuple[float, int, int]] = []
    for i, one in enumerate(gone):
        for j, other in enumerate(come):
            name, shape = likeness(one, other)
            if min(name, shape) >= _LEAST and (name + shape) / 2 >= LIKELY:
                ranked.append((-(name + shape) / 2, i, j))
    found: dict[T, T] = {}
    for _, i, j in sorted(ranked):
        if gone[i] not in found and come[j] not in found.values():
            found[gone[i]] = come[j]
    return found


def _members(message: Message, scope: Scope) -> set[str]:
    """Return the names of the members of a message's params and result, with which of the two they are in."""
    found: set[str] = set()
    for part, schema in (("params", message.params), ("result", message.result)):
        if schema is not None:
            for shape in alternatives((), [schema], scope):
                found |= {f"{part}/{name}" for name in shape.properties}
    return found


def _kinds(schema: Json, scope: Scope) -> set[str]:
    """Return the names of the definitions, and the types, that a schema allows."""
    found = forms(schema)
    return {
        *found.names,
        *(shape.type for shape in alternatives((), found.others, scope)),
        *({"null"} if found.null else ()),
    }


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0
