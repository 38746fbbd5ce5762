"""Decoding of params with the words of the real server's decoder (Rust's serde).

A kind decodes one JSON value or raises :class:`DecodeError`, whose text follows `Invalid request: `. Members are judged
in the order in which they were sent, then missing ones in the order in which the struct declares them; unknown members
are ignored; a struct may be sent as a sequence of its members. Optional members that are absent decode to None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hive_gate.reference.server import unexpected

REQUIRED: Any = object()
"""Default of a member without one."""


class DecodeError(Exception):
    """A value is not of its kind; `str(error)` is the decoder's text."""


class Kind(Protocol):
    """What a value has to be."""

    def decode(self, value: Any) -> Any:
        """Return the decoded value or raise `DecodeError`."""


def _refuse(value: Any, expected: str) -> DecodeError:
    return DecodeError(f"invalid type: {unexpected.name(value)}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of one JSON type, called `expected` in texts."""

    type: type
    expected: str

    def decode(self, value: Any) -> Any:
        """Return the value."""
        if isinstance(value, self.type) and (self.type is bool or not isinstance(value, bool)):
            return value
        raise _refuse(value, self.expected)


STRING = Plain(str, "a string")
BOOLEAN = Plain(bool, "a boolean")
MAP = Plain(dict, "a map")


@dataclass(frozen=True, slots=True)
class _Unsigned:
    bits: int
    expected: str

    def decode(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _refuse(value, self.expected)
        if not 0 <= value < 1 << self.bits:
            raise DecodeError(f"invalid value: integer `{value}`, expected {self.expected}")
        return value


U32 = _Unsigned(32, "u32")
USIZE = _Unsigned(64, "usize")


class _Anything:
    def decode(self, value: Any) -> Any:
        return value


ANYTHING = _Anything()


class _AbsolutePath:
    def decode(self, value: Any) -> str:
        path = STRING.decode(value)
        if not path.startswith("/"):
            raise DecodeError("AbsolutePathBuf deserialized without a base path")
        return str(path)


ABSOLUTE_PATH = _AbsolutePath()


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or null."""

    inner: Kind

    def decode(self, value: Any) -> Any:
        """Return None for null."""
        return None if value is None else self.inner.decode(value)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A sequence of one kind."""

    inner: Kind

    def decode(self, value: Any) -> list[Any]:
        """Return the decoded members."""
        if not isinstance(value, list):
            raise _refuse(value, "a sequence")
        return [self.inner.decode(member) for member in value]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some names; a name with `content` is sent as a map `{name: content}`."""

    names: Sequence[str]
    content: Mapping[str, Kind] = field(default_factory=dict)

    def decode(self, value: Any) -> Any:
        """Return the name, or for one with content a map of it."""
        if isinstance(value, str):
            self._known(value)
            if value in self.content:
                raise DecodeError("invalid type: unit variant, expected struct variant")
            return value
        if not isinstance(value, dict):
            raise _refuse(value, "string or map")
        if len(value) != 1:
            raise DecodeError("invalid value: map, expected map with a single key")
        name, content = next(iter(value.items()))
        self._known(name)
        if name in self.content:
            return {name: self.content[name].decode(content)}
        if content is not None:
            raise _refuse(content, "unit")
        return name

    def _known(self, name: str) -> None:
        if name not in self.names:
            raise DecodeError(unknown_variant(name, self.names))


def unknown_variant(name: str, names: Sequence[str]) -> str:
    """Return the text for a name that is none of `names`."""
    listed = [f"`{one}`" for one in names]
    expected = " or ".join(listed) if len(listed) <= 2 else "one of " + ", ".join(listed)
    return f"unknown variant `{name}`, expected {expected}"


@dataclass(frozen=True, slots=True)
class Either:
    """The first of several kinds that fits."""

    name: str
    kinds: Sequence[Kind]

    def decode(self, value: Any) -> Any:
        """Return what the first kind that fits makes of it."""
        for kind in self.kinds:
            try:
                return kind.decode(value)
            except DecodeError:
                continue
        raise DecodeError(f"data did not match any variant of untagged enum {self.name}")
