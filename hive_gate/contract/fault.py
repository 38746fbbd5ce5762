"""A fault in a contract or recipe, and where it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault and the JSON pointer of the value that is at fault."""

    pointer: str
    text: str
    file: Path | None = None
    """The file it is in; None: the one that was checked."""
