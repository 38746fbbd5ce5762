"""What a glob names among the ids of clauses."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def named(clause_id: str, globs: Iterable[str]) -> bool:
    """Tell whether one of the globs names a clause; an id without its axes names all its products."""
    return any(fnmatchcase(clause_id, glob) or clause_id.startswith(glob + "/") for glob in globs)
