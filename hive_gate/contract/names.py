"""`${name}` in a contract: values that are known only when the clause is expanded or run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_NAME = re.compile(r"\$\{([A-Za-z][\w.-]*)\}")


class UnknownName(LookupError):
    """A `${name}` stands for nothing; the argument is the name."""


def look_up(name: str, names: Mapping[str, Any]) -> Any:
    """Return the value of a dotted name: `bad.params` is the member `params` of the value `bad`.

    Raises:
        UnknownName: if there is none.
    """
    if name in names:
        return names[name]
    head, _, rest = name.partition(".")
    value = names.get(head)
    if rest and isinstance(value, Mapping):
        try:
            return look_up(rest, value)
        except UnknownName:
            raise UnknownName(name) from None
    raise UnknownName(name)


def fill(value: Any, names: Mapping[str, Any], *, partly: bool = False) -> Any:
    """Return a copy of a JSON value with each `${name}` replaced.

    A string that is one name and nothing else becomes the named value with its type; inside a longer string the value
    is put in as text.

    Args:
        value: any JSON value.
        names: the values by name.
        partly: leave unknown names as they are instead of raising.

    Raises:
        UnknownName: for a name that is not in `names`, unless `partly`.
    """
    if isinstance(value, str):
        whole = _NAME.fullmatch(value)
        if whole:
            try:
                return look_up(whole[1], names)
            except UnknownName:
                if partly:
                    return value
                raise
        return _NAME.sub(lambda found: _text(found, names, partly), value)
    if isinstance(value, list):
        return [fill(item, names, partly=partly) for item in value]
    if isinstance(value, Mapping):
        return {key: fill(item, names, partly=partly) for key, item in value.items()}
    return value


def _text(found: re.Match[str], names: Mapping[str, Any], partly: bool) -> str:
    try:
        return str(look_up(found[1], names))
    except UnknownName:
        if partly:
            return found[0]
        raise


def names_in(value: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name, JSON pointer of the string that holds it) for every `${name}` in a JSON value."""
    if isinstance(value, str):
        for found in _NAME.finditer(value):
            yield found[1], pointer
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from names_in(item, f"{pointer}/{index}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from names_in(item, f"{pointer}/{escape(key)}")


def escape(key: str) -> str:
    """Return a key as a token of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def resolve(value: Any, pointer: str) -> Any:
    """Return what a JSON pointer (RFC 6901) names in a JSON value.

    Raises:
        LookupError: if it names nothing.
    """
    if pointer and not pointer.startswith("/"):
        raise LookupError(pointer)
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise LookupError(pointer)
    return value
