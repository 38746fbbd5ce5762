"""Which schema file describes a method's result: the target names no results, so this goes by its naming habits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hive_gate.drift.resolve import Json

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")
RESULT = "Response"
"""How the name of a file ends that has the schema of a result."""


def result_name(method: str, params: Json, files: Iterable[str]) -> str | None:
    """Return the name (no suffix) of the file with the schema of the method's result; None if there is none to trust.

    Three habits are known, and a wrong schema would be worse than none, so anything else is left unknown:

    1. `ThreadReadParams` goes with `ThreadReadResponse`;
    2. without params the method's own words: `memory/reset` goes with `MemoryResetResponse`;
    3. the same words in another order, `get` counting as `read`, if just one file has them: `account/logout` goes
       with `LogoutAccountResponse`.

    Args:
        method: such as `thread/read`.
        params: the schema of the method's params as the request union gives it, mostly a reference.
        files: the names (no suffix) of all files in the bundle.
    """
    known = {name for name in files if name.endswith(RESULT)}
    definition = next(_definitions(params), None)
    if definition is not None:
        name = definition.removesuffix("Params") + RESULT
        return name if definition.endswith("Params") and name in known else None
    words = _words(method)
    name = "".join(word[:1].upper() + word[1:] for word in _WORDS.findall(method)) + RESULT
    if name in known:
        return name
    same = [name for name in known if _words(name.removesuffix(RESULT)) == words]
    return same[0] if len(same) == 1 else None


def _definitions(params: Json) -> Iterator[str]:
    """Yield the names of the definitions that params refer to, also where null may stand in their place."""
    if not isinstance(params, dict):
        return
    if "$ref" in params:
        yield str(params["$ref"]).rpartition("/")[2]
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in params.get(keyword, []):
            yield from _definitions(branch)


def _words(name: str) -> list[str]:
    found = (word.lower() for word in _WORDS.findall(name))
    return sorted("read" if word == "get" else word for word in found)
