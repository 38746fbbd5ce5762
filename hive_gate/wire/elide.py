"""Long strings in a transcript are replaced by a stand-in that still tells them apart.

A stored thread may hold megabytes of text, and a report that repeats it in each exchange would be unusable. The
stand-in keeps the length and a SHA-256 of the text, and it is a pure function of the text: two elided values are equal
exactly if the originals are. So what is judged on elided values, live or later from the report, is judged on the text.
"""

from __future__ import annotations

import hashlib
from typing import Any

LIMIT = 16_384
"""Characters above which a string is elided; far above any id, cursor or error message of the protocol."""

_HEAD = 80


def elide_text(text: str) -> str:
    """Return `text`, or its stand-in when it is longer than `LIMIT` characters."""
    if len(text) <= LIMIT:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:_HEAD]}…‹{len(text)} characters, sha256 {digest[:32]}›"


def elide(value: Any) -> Any:
    """Return the JSON value with each long string elided; a value without any is returned as it is, not copied."""
    if isinstance(value, str):
        return elide_text(value)
    if isinstance(value, list):
        items = [elide(item) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, dict):
        members = {elide_text(key): elide(item) for key, item in value.items()}
        unchanged = len(members) == len(value) and all(members.get(k) is v for k, v in value.items())
        return value if unchanged else members
    return value
