"""History modes: how a thread's history is stored, and who may read it."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate.reference.store.errors import PAGINATED_THREADS, UnknownHistoryMode, Unsupported


@dataclass(frozen=True, slots=True)
class HistoryMode:
    """A history mode by its stored text; a text that is not known stays what it is and is never taken for `legacy`."""

    text: str

    @property
    def known(self) -> bool:
        """Whether this is a mode that this store has heard of."""
        return self in (LEGACY, PAGINATED)

    @classmethod
    def stored(cls, value: object) -> HistoryMode:
        """Return the mode that a stored `history_mode` stands for.

        Args:
            value: the value as stored; None (absent or null) is `legacy`, as threads older than the field are.
        """
        if value is None:
            return LEGACY
        return cls(value if isinstance(value, str) else repr(value))


LEGACY = HistoryMode("legacy")
"""Events in one file, replayed as a whole at each read."""

PAGINATED = HistoryMode("paginated")
"""Known by name only: such threads are listed and described, their history is refused."""


def refuse_history(thread_id: str, mode: HistoryMode) -> None:
    """Raise unless a thread's history may be read, replayed or added to.

    Raises:
        Unsupported: the mode is `paginated`; the operation is `paginated_threads`.
        UnknownHistoryMode: the mode is not known.
    """
    if mode == PAGINATED:
        raise Unsupported(PAGINATED_THREADS)
    refuse_unknown(thread_id, mode)


def refuse_unknown(thread_id: str, mode: HistoryMode) -> None:
    """Raise if a thread's mode is one that the store has never heard of.

    Raises:
        UnknownHistoryMode: the mode is not known.
    """
    if not mode.known:
        raise UnknownHistoryMode(thread_id, mode.text)
