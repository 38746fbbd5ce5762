"""Ids: parsing them as the real server does (Rust's uuid), and making new ones."""

from __future__ import annotations

import re
import secrets
import time
import uuid

_GROUPS = (8, 4, 4, 4, 12)


class BadId(ValueError):
    """A text that is no UUID; `str(error)` is the parser's text."""


def parse(text: str) -> str:
    """Return a UUID in its usual form.

    Args:
        text: with or without hyphens, in braces, or after `urn:uuid:`.

    Raises:
        BadId: it is none; the text says why.
    """
    prefix = _prefix(text)
    digits = text[prefix:-1] if prefix == 1 else text[prefix:]
    if re.fullmatch(r"[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", digits):
        return str(uuid.UUID(digits))
    raise BadId(_reason(digits, prefix))


def new() -> str:
    """Return a new UUID of version 7: the time in milliseconds, then random bits, so that ids sort by time."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value))


def new_item() -> str:
    """Return a new id for an item of a running turn."""
    return str(uuid.uuid4())


def _prefix(text: str) -> int:
    """Return how many characters come before the digits."""
    if text.startswith("{") and text.endswith("}"):
        return 1
    return len("urn:uuid:") if text.startswith("urn:uuid:") else 0


def _reason(digits: str, prefix: int) -> str:
    wrong = re.search(r"[^0-9a-fA-F-]", digits)
    if wrong:
        return (
            "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], "
            f"found `{wrong[0]}` at {prefix + wrong.start() + 1}"
        )
    groups = digits.split("-")
    if len(groups) == 1 and not prefix:
        return f"invalid length: expected length 32 for simple format, found {len(digits)}"
    if len(groups) != len(_GROUPS):
        return f"invalid group count: expected 5, found {len(groups)}"
    lengths = zip(groups, _GROUPS, strict=True)
    number, group, length = next((n, g, want) for n, (g, want) in enumerate(lengths) if len(g) != want)
    return f"invalid group length in group {number}: expected {length}, found {len(group)}"
