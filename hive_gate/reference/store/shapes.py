"""Small checks of parsed JSON values, and what an object must and may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Check = Callable[[Any], bool]


def text(value: Any) -> bool:
    """Whether it is a string."""
    return isinstance(value, str)


def whole(value: Any) -> bool:
    """Whether it is an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def natural(value: Any) -> bool:
    """Whether it is an integer that fits 32 bits without a sign."""
    return whole(value) and 0 <= value < 2**32


def truth(value: Any) -> bool:
    """Whether it is true or false."""
    return isinstance(value, bool)


def table(value: Any) -> bool:
    """Whether it is an object."""
    return isinstance(value, dict)


def anything(value: Any) -> bool:  # noqa: ARG001 - a check like the others
    """Whether it is there at all."""
    return True


def maybe(check: Check) -> Check:
    """Return the check that also takes null."""
    return lambda value: value is None or check(value)


def every(check: Check) -> Check:
    """Return the check of a list whose members all pass."""
    return lambda value: isinstance(value, list) and all(check(member) for member in value)


def one_of(*values: str) -> Check:
    """Return the check of a string out of a few."""
    return lambda value: text(value) and value in values


@dataclass(frozen=True, slots=True)
class Shape:
    """What an object must hold and what it may; other members are let through."""

    must: Mapping[str, Check] = field(default_factory=dict)
    may: Mapping[str, Check] = field(default_factory=dict)

    def __call__(self, value: Any) -> bool:
        """Whether the value is such an object."""
        return (
            isinstance(value, dict)
            and all(name in value and check(value[name]) for name, check in self.must.items())
            and all(name not in value or check(value[name]) for name, check in self.may.items())
        )
