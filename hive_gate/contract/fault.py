"""A fault in a contract or recipe, and where it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault and the JSON pointer of the value that is at fault."""

    pointer: str
    text: str
