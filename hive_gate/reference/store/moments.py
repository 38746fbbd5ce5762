"""Moments as they are stored: RFC 3339 in UTC with milliseconds and `Z`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present as an aware datetime; tests plug in their own."""


def now() -> datetime:
    """Return the present in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Return a moment as it is stored."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(text: object) -> datetime | None:
    """Return the moment that a stored text stands for, in UTC; None if it is none. Without an offset it is UTC."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
