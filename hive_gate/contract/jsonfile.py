"""Read a JSON file that a person wrote, and say where it is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hive_gate.contract.names import escape
from hive_gate.errors import ContractError


class _Doubled(dict[str, Any]):
    """An object in which keys stand twice."""

    keys_twice: tuple[str, ...] = ()


def beside(file: Path, relative: str) -> Path | None:
    """Return the file at a path relative to another one's folder; None if there is none, or can be none."""
    try:
        path = file.parent.joinpath(relative)
        return path.resolve() if path.is_file() else None
    except (OSError, ValueError):  # a name too long, a null character
        return None


def read_json(path: Path, what: str) -> tuple[Any, bytes]:
    """Return the parsed file and its bytes.

    Args:
        path: the file.
        what: what it is, for the error: `contract`, `scene recipe`.

    Raises:
        ContractError: if the file cannot be read, is not UTF-8 or not JSON, or has a key twice in one object.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ContractError(
            f"the {what} cannot be read: {error.strerror or error}",
            where=str(path),
            hint="check the path, or leave the option out to use the one that ships with hive-gate",
        ) from error
    doubled: list[_Doubled] = []

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(members)
        if len(found) == len(members):
            return found
        keys = [key for key, _ in members]
        marked = _Doubled(found)
        marked.keys_twice = tuple(key for key in found if keys.count(key) > 1)
        doubled.append(marked)
        return marked

    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=pairs)
    except UnicodeDecodeError as error:
        raise ContractError(
            f"the {what} is not UTF-8: byte {error.start}", where=str(path), hint="save the file as UTF-8"
        ) from error
    except json.JSONDecodeError as error:
        raise ContractError(
            f"the {what} is not JSON: {error.msg}",
            where=f"{path}, line {error.lineno}, column {error.colno}",
            hint="correct the file there; a comma too many or too few is the usual cause",
        ) from error
    except ValueError as error:
        raise ContractError(f"the {what} holds a number with too many digits", where=str(path)) from error
    except RecursionError as error:
        raise ContractError(f"the {what} is nested too deeply", where=str(path)) from error
    if doubled:
        # The first in the file that can be found: what stands under a key that comes again is lost.
        pointer, keys = next(_places(value, ""), ("", doubled[0].keys_twice))
        raise ContractError(
            f"the {what} has a key twice in one object: {', '.join(map(repr, keys))}",
            where=f"{path}#{pointer}",
            hint="remove one of the two; JSON would silently keep the last",
        )
    return value, data


def _places(value: Any, pointer: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(value, _Doubled):
        yield pointer, value.keys_twice
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from _places(member, f"{pointer}/{escape(str(key))}")
