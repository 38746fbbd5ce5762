"""Every thread of a home: what the files say, with the index to spare reading them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hive_gate.reference.store.local.index import Index, Row
from hive_gate.reference.store.local.layout import Layout, Rollout, Stamp
from hive_gate.reference.store.local.lines import decode
from hive_gate.reference.store.local.names import Names
from hive_gate.reference.store.records import StoredThread
from hive_gate.reference.store.summary import Summary, summarize, thread_of


def head(thread_id: str, path: Path) -> Summary | None:
    """Return the head of a thread's rollout; None without a usable `session_meta`.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return summarize(thread_id, decode(file))


class Catalog:
    """The threads of one home. Not safe for several threads at once."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self._layout = layout
        self._names = names
        self._index = Index(layout.index)

    def threads(self, *, archived: bool) -> list[StoredThread]:
        """Return the threads of one side in no order, and bring the index up to date.

        The files count: a rollout that the index does not know as it is now is read, a row without a rollout is
        forgotten. A rollout without a usable `session_meta` is left out.
        """
        if not self._layout.home.is_dir():
            return []
        known = self._index.rows(archived=archived)
        rows = list(self._rows(archived, known))
        self._index.put(row for _, row in rows if known.get(row.thread_id) != row)
        self._index.drop(known.keys() - {row.thread_id for _, row in rows}, archived=archived)
        return [self.thread(rollout, row.summary) for rollout, row in rows]

    def enter(self, thread_id: str, path: Path) -> None:
        """Put a thread that was just stored into the index; if it cannot be, the next list does it."""
        try:
            rollout = Rollout(thread_id, path, False, Stamp.of(path.stat()))
        except OSError:  # moved already
            return
        row = _row(self._layout, rollout)
        if row is not None:
            self._index.put([row])

    def thread(self, rollout: Rollout, summary: Summary) -> StoredThread:
        """Return one thread from its rollout and the head of it."""
        return thread_of(
            rollout.thread_id,
            summary,
            updated_at=rollout.stamp.modified,
            archived=rollout.archived,
            name=self._names.all().get(rollout.thread_id),
            path=rollout.path,
        )

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    def _rows(self, archived: bool, known: Mapping[str, Row]) -> Iterator[tuple[Rollout, Row]]:
        for rollout in self._layout.rollouts(archived=archived):
            path = str(rollout.path.relative_to(self._layout.home))
            row = known.get(rollout.thread_id)
            if row is not None and (row.path, row.stamp) == (path, rollout.stamp):
                yield rollout, row
                continue
            fresh = _row(self._layout, rollout)
            if fresh is not None:
                yield rollout, fresh


def _row(layout: Layout, rollout: Rollout) -> Row | None:
    try:
        summary = head(rollout.thread_id, rollout.path)
    except OSError:  # moved or removed while we looked
        return None
    if summary is None:
        return None
    path = str(rollout.path.relative_to(layout.home))
    return Row(rollout.thread_id, path, rollout.archived, rollout.stamp, summary)
