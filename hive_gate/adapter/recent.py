"""Memory that does not grow: what a connection of days has shown, as far back as it can matter."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Generic, TypeVar

V = TypeVar("V")

KEPT = 50_000
"""Entries kept; the oldest goes first. Far more than threads, pages or open requests of any session."""


class Recent(Generic[V]):
    """A mapping that forgets its oldest entries."""

    def __init__(self, kept: int | None = None) -> None:
        self._entries: dict[str, V] = {}
        self._kept = KEPT if kept is None else kept

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> V | None:
        """Return the value of a key; None if it is not there (any more)."""
        return self._entries.get(key)

    def put(self, key: str, value: V) -> None:
        """Set a value; it becomes the newest."""
        self._entries.pop(key, None)
        self._entries[key] = value
        if len(self._entries) > self._kept:
            del self._entries[next(iter(self._entries))]

    def pop(self, key: str) -> V | None:
        """Remove a key and return its value; None if it is not there."""
        return self._entries.pop(key, None)

    def items(self) -> list[tuple[str, V]]:
        """Return what is there, the oldest first."""
        return list(self._entries.items())

    def values(self) -> list[V]:
        """Return the values that are there, the oldest first."""
        return list(self._entries.values())


def key_of(*values: Any) -> str:
    """Return a short text that is the same exactly for equal JSON values; 1, 1.0, true and "1" are not equal."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return text if len(text) <= 64 else hashlib.sha256(text.encode()).hexdigest()
