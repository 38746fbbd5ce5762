"""Where the files of a home are.

- `sessions/YYYY/MM/DD/rollout-YYYY-MM-DDThh-mm-ss-<thread id>.jsonl`: local time of the thread's beginning
- `archived_sessions/<same name>`: archived threads, flat
- `session_index.jsonl`: names
- `thread_store.lock`: held while a thread is archived or brought back
- `thread_store.sqlite`: what is known of the threads, made from the files above. The name is our own: the real server's
  `state_5.sqlite` is never opened, so the two cannot fight over one.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hive_gate.reference.store.rules import is_thread_id

_NAME = re.compile(r"rollout-(\d{4})-(\d\d)-(\d\d)T\d\d-\d\d-\d\d-([0-9a-f-]{36})\.jsonl")

_MOMENT = 1.0
"""Seconds; far more than it takes to look for a thread, and than the grain of a folder's time of change."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one content of a file from another without reading it."""

    size: int
    mtime_ns: int

    @property
    def modified(self) -> datetime:
        """When the file last changed, in UTC."""
        return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC)

    @classmethod
    def of(cls, stat: os.stat_result) -> Stamp:
        """Return the stamp in a file's status."""
        return cls(stat.st_size, stat.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Rollout:
    """A rollout that is there."""

    thread_id: str
    path: Path
    archived: bool
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one home."""

    home: Path

    @property
    def sessions(self) -> Path:
        """Root of the rollouts that are not archived."""
        return self.home / "sessions"

    @property
    def archived(self) -> Path:
        """Folder of the archived rollouts."""
        return self.home / "archived_sessions"

    @property
    def names(self) -> Path:
        """The file of names."""
        return self.home / "session_index.jsonl"

    @property
    def index(self) -> Path:
        """The database."""
        return self.home / "thread_store.sqlite"

    @property
    def moves(self) -> Path:
        """The lock that is held while a rollout is moved from one side to the other."""
        return self.home / "thread_store.lock"

    def fresh(self, thread_id: str, created_at: datetime) -> Path:
        """Return where a new thread's rollout belongs."""
        local = created_at.astimezone()
        return self.sessions / f"{local:%Y/%m/%d}" / f"rollout-{local:%Y-%m-%dT%H-%M-%S}-{thread_id}.jsonl"

    def restored(self, archived: Path) -> Path:
        """Return where an archived rollout belongs when it is brought back: the folders follow its name."""
        found = _NAME.fullmatch(archived.name)
        year, month, day = found.group(1, 2, 3) if found else ("1970", "01", "01")
        return self.sessions / year / month / day / archived.name

    def rollouts(self, *, archived: bool) -> Iterator[Rollout]:
        """Return the rollouts of one side; of several for one thread the one with the latest name."""
        latest: dict[str, Rollout] = {}
        for entry in _files(self.archived if archived else self.sessions, 0 if archived else 3):
            found = _NAME.fullmatch(entry.name)
            if found is None:
                continue
            thread_id, known = found.group(4), latest.get(found.group(4))
            if known is None or known.path.name < entry.name:
                try:
                    stamp = Stamp.of(entry.stat())
                except FileNotFoundError:  # moved while we looked
                    continue
                latest[thread_id] = Rollout(thread_id, Path(entry.path), archived, stamp)
        yield from latest.values()

    def find(self, thread_id: str, *, archived: bool) -> Path | None:
        """Return the rollout of a thread on one side, the one with the latest name; None if there is none."""
        if not is_thread_id(thread_id):
            return None
        root, below = (self.archived, "") if archived else (self.sessions, "*/*/*/")
        found = [path for path in root.glob(f"{below}rollout-*-{thread_id}.jsonl") if _NAME.fullmatch(path.name)]
        return max(found, key=lambda path: path.name, default=None)

    def moving(self) -> bool:
        """Whether a rollout was archived or brought back a moment ago, by whomever."""
        try:
            return time.time() - self.archived.stat().st_mtime < _MOMENT
        except FileNotFoundError:
            return False

    def identify(self, path: Path) -> tuple[str, bool] | None:
        """Return the thread id in a rollout's path and whether it is archived; None if it is none of this home's."""
        found = _NAME.fullmatch(path.name)
        if found is None:
            return None
        for root, archived in ((self.archived, True), (self.sessions, False)):
            if path.is_relative_to(root):
                return found.group(4), archived
        return None


def _files(folder: Path, depth: int) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if depth and entry.is_dir():
                    yield from _files(Path(entry.path), depth - 1)
                elif not depth and entry.is_file():
                    yield entry
    except FileNotFoundError:
        return
