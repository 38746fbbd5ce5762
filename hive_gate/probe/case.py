"""What an invariant is judged on, and what it says where it does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hive_gate.probe.seen import Seen
from hive_gate.scene.truth import Truth


@dataclass(frozen=True, slots=True)
class Broken:
    """One invariant that does not hold, and where."""

    expected: str
    actual: str
    pointer: str | None = None
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """What an invariant is judged on."""

    seen: Seen
    truth: Truth
    earlier: Mapping[str, Seen]
    """The steps before this one, by their `as`."""
