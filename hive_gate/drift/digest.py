"""What a target says about itself, in small: its messages, and the definitions that they share."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from hive_gate.drift.bundle import Bundle, Part
from hive_gate.drift.resolve import Json, Scope
from hive_gate.drift.structure import definition, marked, reference, references, structure, text
from hive_gate.errors import HiveGateError, TargetError

DIGITS = 12
"""Hexadecimal digits of a hash: enough to tell a few thousand definitions apart."""


@dataclass(frozen=True, slots=True)
class Message:
    """One method or notification; its schemas refer to the digest's definitions as `#/$defs/NAME`."""

    params: Json = None
    """None: it takes none."""
    result: Json = None
    """None: not stated, or it is a notification."""
    experimental: bool = False
    """Whether only clients with the experimental capability may use it."""


Family = Literal["methods", "notifications", "server-requests", "client-notifications"]
"""What a client may ask; what the server tells; what the server may ask, with the client's answer as `result`; what a
client tells."""

FAMILIES: tuple[Family, ...] = ("methods", "notifications", "server-requests", "client-notifications")

Messages = Mapping[str, Message]


@dataclass(frozen=True, slots=True)
class Digest:
    """All that the comparison of two targets looks at."""

    version: str
    """What to call the target: a version, mostly."""
    messages: Mapping[Family, Messages]
    """Each family's messages by method; every family is there."""
    definitions: Mapping[str, Json]
    """Those that messages lead to, and the results that no method's name leads to: another version's may."""
    where: str
    """What it is read from, for errors."""
    error: type[HiveGateError] = field(default=TargetError, compare=False)
    """The error to raise where it is broken."""

    @property
    def scope(self) -> Scope:
        """The document in which references of its schemas are looked up."""
        return Scope({"$defs": self.definitions}, self.where, self.error)


def digest_of(version: str, experimental: Bundle, stable: Bundle | None) -> Digest:
    """Return the digest of a target from the two bundles of schemas that it generates.

    Args:
        version: what to call the target.
        experimental: with what needs the experimental capability.
        stable: without; None where the target makes no difference, so that everything counts as stable.

    Raises:
        TargetError: a file of a bundle is broken.
    """
    full = _Collector(experimental, experimental.spare_results)
    plain = _Collector(stable, experimental.spare_results) if stable else full

    def message(family: Family, name: str) -> Message:
        params, result = full.messages[family][name]
        return Message(params, result, experimental=name not in plain.messages[family])

    messages = {family: {name: message(family, name) for name in sorted(full.messages[family])} for family in FAMILIES}
    definitions = {
        name: marked(schema, plain.definitions[name]) if name in plain.definitions else schema
        for name, schema in sorted(full.definitions.items())
    }
    return Digest(version, messages, definitions, str(experimental.folder))


_PARTS: dict[Family, Callable[[Bundle], Mapping[str, tuple[Part | None, Part | None]]]] = {
    "methods": lambda bundle: {name: (params, bundle.result(name)) for name, params in bundle.methods.items()},
    "notifications": lambda bundle: {name: (params, None) for name, params in bundle.notifications.items()},
    "server-requests": lambda bundle: {
        name: (params, bundle.answer(name)) for name, params in bundle.server_requests.items()
    },
    "client-notifications": lambda bundle: {
        name: (params, None) for name, params in bundle.client_notifications.items()
    },
}


class _Collector:
    """Brings the definitions of a bundle's many documents together, each under a name of its own."""

    def __init__(self, bundle: Bundle, more: Iterable[str]) -> None:
        """Collect what the messages of a bundle lead to, and the files of these names."""
        self.definitions: dict[str, Json] = {}
        self.messages = {
            family: {name: (self._inline(params), self._named(result)) for name, (params, result) in of(bundle).items()}
            for family, of in _PARTS.items()
        }
        for name in more:
            self._named(bundle.file(name))

    def _inline(self, part: Part | None) -> Json:
        if part is None:
            return None
        names = self._document(part)
        return structure(part.schema, names.__getitem__)

    def _named(self, part: Part | None) -> Json:
        """Return a reference to a schema that is a file of its own, under the name of its file."""
        if part is None:
            return None
        schema = self._inline(part)
        name = self._free(part.name, schema)
        self.definitions[name] = schema
        return reference(name)

    def _document(self, part: Part) -> Mapping[str, str]:
        """Take in the definitions that a part needs; return what each name in its document is called here."""
        needed = {
            name: schema
            for group in ("definitions", "$defs")
            for name, schema in (part.whole() if part.pointer else part.schema).get(group, {}).items()
        }
        names = {name: name for name in needed}
        plain = {name: structure(schema) for name, schema in needed.items()}
        # Another thing of the same name, or one that refers to such, gets a name of its own.
        apart = {name for name in plain if self.definitions.get(name, plain[name]) != plain[name]}
        while True:
            more = {n for n, s in plain.items() if any(definition(r) in apart for r in references(s))} - apart
            if not more:
                break
            apart |= more
        names |= {name: f"{name}~{part.name}" for name in apart}
        for name, schema in needed.items():
            self.definitions[names[name]] = structure(schema, names.__getitem__)
        return names

    def _free(self, name: str, schema: Json) -> str:
        return name if self.definitions.get(name, schema) == schema else f"{name}~file"


def content_hash(value: Json) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of a JSON value's canonical text."""
    return hashlib.sha256(text(value).encode()).hexdigest()[:DIGITS]
