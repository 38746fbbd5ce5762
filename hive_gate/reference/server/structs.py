"""Kinds with named members: structs, and maps whose `type` says which struct they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hive_gate.reference.server import unexpected
from hive_gate.reference.server.serde import REQUIRED, DecodeError, Kind, unknown_variant


@dataclass(frozen=True, slots=True)
class Member:
    """A named member of a struct."""

    name: str
    kind: Kind
    default: Any = None
    """`REQUIRED` if it must be sent. Only None may be left out of the middle of a sequence."""
    experimental: bool = False
    """Sending it (other than as null or false) needs the experimental capability."""


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct by the real server's name for it, its members in the order of its declaration."""

    name: str
    members: Sequence[Member]
    called: str = ""
    """What a value of another type should have been; by default `struct` and the name."""

    def decode(self, value: Any) -> dict[str, Any]:
        """Return every member by its name, defaults filled in."""
        if isinstance(value, list):
            return self._from_sequence(value)
        if not isinstance(value, dict):
            raise DecodeError(
                f"invalid type: {unexpected.name(value)}, expected {self.called or f'struct {self.name}'}"
            )
        known = {member.name: member for member in self.members}
        sent = {name: known[name].kind.decode(one) for name, one in value.items() if name in known}
        for member in self.members:
            if member.default is REQUIRED and member.name not in sent:
                raise DecodeError(f"missing field `{member.name}`")
        return {member.name: sent.get(member.name, member.default) for member in self.members}

    def _from_sequence(self, values: list[Any]) -> dict[str, Any]:
        decoded: dict[str, Any] = {}
        for index, member in enumerate(self.members):
            if index < len(values):
                decoded[member.name] = member.kind.decode(values[index])
            elif member.default is None or member.default is REQUIRED:
                raise DecodeError(f"invalid length {index}, expected struct {self.name} with {self._count()}")
            else:
                decoded[member.name] = member.default
        if len(values) > len(self.members):
            raise DecodeError(f"invalid length {len(values)}, expected {self._count()} in sequence")
        return decoded

    def _count(self) -> str:
        count = len(self.members)
        return "1 element" if count == 1 else f"{count} elements"


@dataclass(frozen=True, slots=True)
class Tagged:
    """A map whose `type` names the struct that the other members make; `type` stays in the decoded map."""

    name: str
    structs: Mapping[str, Struct]

    def decode(self, value: Any) -> dict[str, Any]:
        """Return the members and the `type`."""
        if not isinstance(value, dict):
            raise DecodeError(f"invalid type: {unexpected.name(value)}, expected internally tagged enum {self.name}")
        if "type" not in value:
            raise DecodeError("missing field `type`")
        tag = value["type"]
        names = tuple(self.structs)
        if isinstance(tag, bool) or not isinstance(tag, int | str):
            raise DecodeError(f"invalid type: {unexpected.name(tag)}, expected variant identifier")
        if isinstance(tag, int):
            if not 0 <= tag < len(names):
                raise DecodeError(
                    f"invalid value: {unexpected.name(tag)}, expected variant index 0 <= i < {len(names)}"
                )
            tag = names[tag]
        if tag not in self.structs:
            raise DecodeError(unknown_variant(tag, names))
        return {"type": tag, **self.structs[tag].decode(value)}
