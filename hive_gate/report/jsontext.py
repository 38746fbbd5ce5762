"""JSON text that any reader takes: UTF-8, no raw control or format characters, no lone surrogates, no NaN.

`json.dumps(ensure_ascii=True)` would be safe as well, and would turn every Korean or Japanese message into a row of
escapes; here only what breaks readers is escaped.
"""

from __future__ import annotations

import json
import re
from typing import Any

# Everything here can only occur inside a JSON string, where an escape means the same as the character.
# Lone surrogates cannot be UTF-8; U+2028 and U+2029 are line ends to some readers; the rest changes how a terminal or
# a browser shows the text around it (DEL and C1 controls, bidirectional marks, byte order mark, noncharacters).
_AWKWARD = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")

# A JSON string, or one of the three words that Python writes for numbers that JSON does not have.
_STRING_OR_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')

# 1e999 is a JSON number that every reader takes for infinity. Nothing stands for NaN, so it becomes a string.
_NUMBERS = {"Infinity": "1e999", "-Infinity": "-1e999", "NaN": '"NaN"'}

DEPTH = 100
"""Levels that are written of a value that is nested too deeply to be written whole."""


def dumps(value: Any, *, indent: int | None = None, compact: bool = False) -> str:
    """Return `value` as JSON text; on one line unless `indent` is given, without spaces if `compact`."""
    separators = (",", ":") if compact else None
    try:
        return _dumps(value, indent, separators)
    except RecursionError:
        # Python's limit counts the frames below as well: what could be read may be too deep to write.
        return _dumps(_shallow(value, 0), indent, separators)


def _dumps(value: Any, indent: int | None, separators: tuple[str, str] | None) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    except ValueError:
        text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
        text = _STRING_OR_NUMBER.sub(lambda m: _NUMBERS.get(m[0], m[0]), text)
    return escape_awkward(text)


def _shallow(value: Any, depth: int) -> Any:
    """Return the value with what is nested deeper than `DEPTH` replaced by an ellipsis."""
    if isinstance(value, (list, tuple, dict)) and depth >= DEPTH:
        return "…"
    if isinstance(value, (list, tuple)):
        return [_shallow(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _shallow(member, depth + 1) for key, member in value.items()}
    return value


def escape_awkward(text: str) -> str:
    """Return JSON text with the characters that break readers written as escapes."""
    return _AWKWARD.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
