"""Frozen dataclasses to JSON values and back, checked against their type hints.

The report's model is its own description: this module reads the hints of the dataclasses, so a field that is added
there is written, read and checked without a second list to keep in step. Only the shapes that the model uses are
known: dataclasses, `tuple[X, ...]`, `dict[str, X]`, literals, `X | None` and plain JSON values.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

T = TypeVar("T")


class ShapeError(Exception):
    """A JSON value does not have the shape that the model asks for.

    Args:
        pointer: JSON pointer of the value at fault.
        problem: what was expected and what is there, as a phrase.
    """

    def __init__(self, pointer: str, problem: str) -> None:
        super().__init__(f"{pointer}: {problem}")
        self.pointer = pointer
        self.problem = problem


def encode(value: Any) -> Any:
    """Return the JSON value of a model value: dataclasses become objects in the order of their fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    return value


def decode(hint: type[T], value: Any, pointer: str) -> T:
    """Return the model value of type `hint` that the JSON `value` stands for.

    Members that the model does not know are passed over, so that a report with additions can be read; members that
    the model has are all required.

    Raises:
        ShapeError: if a member is missing or has another type.
    """
    return typing.cast(T, _decode(hint, value, pointer))


def _decode(hint: Any, value: Any, pointer: str) -> Any:
    if hint is Any:
        return value
    if dataclasses.is_dataclass(hint):
        return _decode_dataclass(hint, value, pointer)
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = [arg for arg in args if arg is not type(None)]
        return None if value is None else _decode(inner[0], value, pointer)
    if origin is Literal:
        if not isinstance(value, str) or value not in args:
            raise ShapeError(pointer, f"one of {', '.join(args)} is expected, not {_name(value)}")
        return value
    if origin is tuple:
        _expect(list, value, pointer)
        return tuple(_decode(args[0], item, f"{pointer}/{i}") for i, item in enumerate(value))
    if origin is dict:
        _expect(dict, value, pointer)
        return {key: _decode(args[1], item, f"{pointer}/{escape(key)}") for key, item in value.items()}
    return _decode_plain(hint, value, pointer)


def _decode_dataclass(hint: Any, value: Any, pointer: str) -> Any:
    _expect(dict, value, pointer)
    hints = _hints(hint)
    missing = next((name for name in hints if name not in value), None)
    if missing is not None:
        raise ShapeError(f"{pointer}/{missing}", "it is missing")
    return hint(**{name: _decode(kind, value[name], f"{pointer}/{name}") for name, kind in hints.items()})


def _decode_plain(hint: type, value: Any, pointer: str) -> Any:
    if hint is float and type(value) is int:
        return float(value)
    _expect(hint, value, pointer)
    return value


@cache
def _hints(cls: Any) -> dict[str, Any]:
    """Return the resolved hints of a dataclass's fields, in their order; resolving is too slow to repeat."""
    hints = typing.get_type_hints(cls)
    return {f.name: hints[f.name] for f in dataclasses.fields(cls)}


_WORDS = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def _expect(kind: type, value: Any, pointer: str) -> None:
    # `type(...) is` and not isinstance: True is an int to Python, and is not one to JSON.
    if type(value) is not kind:
        raise ShapeError(pointer, f"{_WORDS[kind]} is expected, not {_name(value)}")


def _name(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return repr(value[:40])
    return _WORDS.get(type(value), type(value).__name__)


def escape(key: str) -> str:
    """Return `key` as one reference token of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")
