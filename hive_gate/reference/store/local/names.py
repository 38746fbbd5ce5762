"""Names of threads: `session_index.jsonl`, to which lines are only added; the last line for a thread counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from hive_gate.reference.store import moments
from hive_gate.reference.store.local import durable
from hive_gate.reference.store.local.layout import Stamp


class Names:
    """The names of one home; read again whenever the file changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[Stamp, Mapping[str, str]] | None = None

    def all(self) -> Mapping[str, str]:
        """Return the names by thread id; broken lines are skipped."""
        try:
            stamp = Stamp.of(self._path.stat())
            if self._read is None or self._read[0] != stamp:
                self._read = stamp, _names(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        return self._read[1]

    def add(self, thread_id: str, name: str, now: datetime) -> None:
        """Store a thread's new name.

        Raises:
            OSError: it could not be written.
        """
        entry = {"id": thread_id, "thread_name": name, "updated_at": moments.stamp(now)}
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        durable.append(self._path, line, now, make=True)


def _names(content: bytes) -> dict[str, str]:
    names: dict[str, str] = {}
    for line in content.split(b"\n"):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            thread_id, name = entry.get("id"), entry.get("thread_name")
            if isinstance(thread_id, str) and isinstance(name, str):
                names[thread_id] = name
    return names
