"""Long texts, described in a file rather than written out in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def repeated(recipe: Mapping[str, Any]) -> str:
    """Return the text that `{"repeat": PIECE, "characters": N}` describes: the piece over and over, N characters."""
    piece, characters = str(recipe["repeat"]), int(recipe["characters"])
    return (piece * (characters // len(piece) + 1))[:characters]
