"""Small digests of a library of boxes, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hive_gate.drift.changes import Changes, changes_of
from hive_gate.drift.compare import compare
from hive_gate.drift.digest import Digest, Family, Message
from hive_gate.drift.hive import View
from hive_gate.drift.relevance import Relevance

Schema = Any


def of(name: str) -> Schema:
    """A reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def thing(required: str = "", **members: Schema) -> Schema:
    """An object with members; `required` names those that must be there."""
    return {"type": "object", "properties": members, **({"required": sorted(required.split())} if required else {})}


def digest(
    methods: Mapping[str, Message] | None = None,
    notifications: Mapping[str, Message] | None = None,
    server_requests: Mapping[str, Message] | None = None,
    client_notifications: Mapping[str, Message] | None = None,
    *,
    version: str = "1.2.3",
    **definitions: Schema,
) -> Digest:
    """A digest with these messages and definitions."""
    messages: dict[Family, Mapping[str, Message]] = {
        "methods": methods or {},
        "notifications": notifications or {},
        "server-requests": server_requests or {},
        "client-notifications": client_notifications or {},
    }
    return Digest(version, messages, definitions, "a test")


def changes(old: Digest, new: Digest, view: View) -> Changes:
    """All changes between two digests, as a client sees them that uses what `view` says."""
    comparison = compare(old, new)
    return changes_of(comparison, Relevance(comparison, view))
