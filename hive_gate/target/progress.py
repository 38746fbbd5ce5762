"""What a fetch reports while it goes on; the command line draws it, everybody else may leave it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Phase = Literal["waiting", "looking up", "downloading", "verifying", "unpacking"]
"""`waiting`: another hive-gate is fetching the same program; the others follow one another."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a phase has come."""

    phase: Phase
    done: int
    """Bytes done in this phase."""
    total: int | None
    """Bytes this phase will take; None where nobody knows (npm does not say how much it will download)."""
    subject: str = ""
    """What is being fetched: `codex 0.142.5 (linux-x64)`."""


OnProgress: TypeAlias = Callable[[Progress], None]
"""Called several times a second. It may raise: the fetch then ends, npm with it, and nothing is left behind."""


def silent(progress: Progress) -> None:
    """Take progress and do nothing."""
