"""A baseline file as typed data. What it does to a report is said in `apply`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path

from hive_gate.baseline.versions import Versions


def is_glob(clause: str) -> bool:
    """Tell whether what an entry calls `clause` stands for several clauses."""
    return any(sign in clause for sign in "*?[")


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted failure."""

    pointer: str
    """JSON pointer of the entry in its file, such as `/waiver/2`."""
    clause: str
    """Id of a clause, or a glob."""
    at_most: int | None
    """How many clauses a glob may cover; None where `clause` is an id."""
    versions: Versions
    fingerprints: tuple[str, ...]
    reason: str
    owner: str
    expires: date
    """The last day on which the entry holds."""

    def covered(self, clause_ids: Iterable[str]) -> tuple[str, ...]:
        """Return those ids that the entry names, in their order."""
        if is_glob(self.clause):
            return tuple(ident for ident in clause_ids if fnmatchcase(ident, self.clause))
        return tuple(ident for ident in clause_ids if ident == self.clause)


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """A baseline file, checked."""

    path: Path
    sha256: str
    accepted: str | None
    """The newest codex version that the team has accepted; None: the one that the contract pins."""
    entries: tuple[Entry, ...]
