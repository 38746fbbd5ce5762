"""Values that Python's JSON parser lets through although the schema engine cannot judge them.

NaN and infinities are not JSON, and the engine reads them as null, so they pass wherever null may stand. A lone
surrogate, or a name that is not a string, makes it raise. It takes an integer of more digits than Python writes out
for null as well, and very deep nesting ends the process. All are found here, before the engine is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from hive_gate.drift.resolve import Json

Path = tuple[str | int, ...]

MAX_DEPTH = 200
"""Containers within containers: the engine stops at 255, and replies have about a dozen."""

_HUGE = 2**4096
"""About 1,200 digits: more than any number means, fewer than the 4,300 at which Python stops writing them out."""


def is_plain(instance: Json) -> bool:
    """Say whether the engine can judge `instance` (about 4 ms for a reply of 1 MB)."""
    level = [[instance]]
    depth = 0
    while level:
        deeper: list[list[Json]] = []
        for values in level:
            # One step of the outer loop for each container, not for each value: this runs over every reply.
            for value in values:
                kind = type(value)
                if kind is str:
                    if not value.isascii() and not _is_text(value):
                        return False
                elif kind is dict:
                    if not all(type(key) is str and (key.isascii() or _is_text(key)) for key in value):
                        return False
                    deeper.append(list(value.values()))
                elif kind is list:
                    deeper.append(value)
                elif value is not None and _fault(value) is not None:
                    return False
        if deeper and depth > MAX_DEPTH:
            return False
        level = deeper
        depth += 1
    return True


def outsiders(instance: Json) -> Iterator[tuple[Path, str, Json]]:
    """Yield the path of each value that the engine cannot judge, why, and the value."""
    stack: list[tuple[Path, Json]] = [((), instance)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict | list) and len(path) > MAX_DEPTH:
            yield path, "the value is nested too deeply to be checked", value
        elif isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    yield path, "the object has a name that is not a string", key
                elif not _is_text(key):
                    yield path, "the object has a name with a lone surrogate in it", key
            stack.extend(((*path, str(key)), inner) for key, inner in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend(((*path, index), inner) for index, inner in reversed(list(enumerate(value))))
        else:
            fault = _fault(value)
            if fault is not None:
                yield path, fault, value


def _fault(value: Json) -> str | None:
    if value is None or isinstance(value, int):
        return None if value is None or -_HUGE < value < _HUGE else "the integer is too long to be checked"
    if isinstance(value, str):
        return None if _is_text(value) else "the string has a lone surrogate in it"
    if isinstance(value, float):
        return None if isfinite(value) else "the number is not finite"
    return "the value is not JSON"


def _is_text(value: str) -> bool:
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
