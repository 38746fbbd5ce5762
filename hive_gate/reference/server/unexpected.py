"""How the real server's decoder (Rust's serde) names a JSON value that it did not expect."""

from __future__ import annotations

from typing import Any

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


def name(value: Any) -> str:
    """Return the decoder's words for a value, such as ``integer `5` `` or `sequence`."""
    match value:
        case None:
            return "null"
        case bool():
            return f"boolean `{str(value).lower()}`"
        case int():
            return f"integer `{value}`"
        case float():
            return f"floating point `{repr(value).replace('e-0', 'e-')}`"
        case str():
            return f"string {quoted(value)}"
        case list():
            return "sequence"
        case _:
            return "map"


def quoted(text: str) -> str:
    """Return a text between quotation marks with control characters escaped."""
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text) + '"'
