"""Is this JSON value valid under that schema, and if not, exactly where?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

import jsonschema_rs

from hive_gate.drift import blame
from hive_gate.drift.bounds import bounded
from hive_gate.drift.outside import is_plain, outsiders
from hive_gate.drift.resolve import Json, Scope, pointer
from hive_gate.drift.sharpen import sharpened
from hive_gate.errors import HiveGateError, TargetError

MAX_ERRORS = 20
"""How many errors one check returns: enough to see what is wrong, and a bound on what a report holds."""

_PREVIEW = 60
_NAMES = 4
_DIGITS = 40
_MASK = "the value"
_NOT_VALID = "the value is not valid"

Dialect = Literal["draft-07", "2020-12"]
_ENGINES = {"draft-07": jsonschema_rs.Draft7Validator, "2020-12": jsonschema_rs.Draft202012Validator}


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One value that the schema does not allow."""

    pointer: str
    """JSON pointer into the value that was checked."""
    message: str
    """What is wrong with it, as a phrase in which it is called "the value"; it holds nothing from the value except
    the names of members."""
    value_preview: str
    """The value at the pointer, shortened: a scalar as JSON, an object by the names of its first members."""


class Validator:
    """A schema, compiled when it is first needed.

    Args:
        schema: the whole document, references and all; it is not changed.
        where: the file and pointer of the schema, for errors.
        dialect: the JSON Schema version to read it as, whatever its `$schema` says.
        error: the error to raise if the schema cannot be used: whose schema it is decides whose fault that is.
    """

    def __init__(
        self,
        schema: Json,
        where: str,
        *,
        dialect: Dialect = "draft-07",
        error: type[HiveGateError] = TargetError,
    ) -> None:
        self._scope = Scope(schema, where, error)
        self._dialect: Dialect = dialect

    def errors(self, instance: Json, *, limit: int = MAX_ERRORS) -> list[SchemaError]:
        """Return what is wrong with `instance`, at most `limit` errors; empty if it is valid.

        Args:
            instance: a parsed JSON value. What the parser lets through although it is not JSON (NaN, infinities, lone
                surrogates) or cannot be judged (see :mod:`.outside`) is an error under every schema.
            limit: how many errors to return; at least 1.

        Raises:
            HiveGateError: (as `error`) if the schema itself cannot be used.
        """
        found: Iterator[SchemaError]
        if not is_plain(instance):
            found = (_error(path, text, value) for path, text, value in outsiders(instance))
        elif self._engine.is_valid(instance):
            return []
        else:
            found = _located(self._explainer.iter_errors(instance), instance)
        # Should yes-or-no and the explanation ever disagree, a value that is not valid still is not.
        return list(islice(found, limit)) or [_error((), _NOT_VALID, instance)]

    def prepare(self) -> None:
        """Compile the schema now.

        Raises:
            HiveGateError: (as `error`) if it cannot be used.
        """
        _ = self._engine

    @cached_property
    def _engine(self) -> jsonschema_rs.Validator:
        """Says yes or no, which is all that most replies need: 1 ms for 1 MB, where explaining takes 4."""
        return self._compile(explain=False)

    @cached_property
    def _explainer(self) -> jsonschema_rs.Validator:
        """Says what is wrong."""
        return self._compile(explain=True)

    def _compile(self, *, explain: bool) -> jsonschema_rs.Validator:
        scope = self._scope
        try:
            schema = bounded(scope.document)
            schema = sharpened(schema, scope) if explain else schema
            # `offline`: a schema must never make the gate fetch something. `mask`: no user text in messages.
            return _ENGINES[self._dialect](schema, mask=_MASK, offline=True, validate_formats=False)
        except (ValueError, TypeError, AttributeError, RecursionError) as fault:
            why = getattr(fault, "message", None) or str(fault)
            raise scope.error(
                f"A schema cannot be used: {why}.",
                where=scope.where + pointer(getattr(fault, "instance_path", ())),
                hint="Generate the schemas again, or name another source for them.",
            ) from fault


def _located(found: Iterator[jsonschema_rs.ValidationError], instance: Json) -> Iterator[SchemaError]:
    seen: set[tuple[str, str]] = set()
    for error in found:
        for told, message in blame.leaves(error):
            path, value = _at(instance, told)
            key = (pointer(path), message)
            if key not in seen:
                seen.add(key)
                yield _error(path, message, value)


def _at(instance: Json, told: tuple[str | int, ...]) -> tuple[tuple[str | int, ...], Json]:
    """Return the path and the value that are meant: the engine takes a name for a number where it looks like one."""
    path: list[str | int] = []
    for step in told:
        found = step
        if isinstance(instance, dict) and isinstance(step, int):
            names = (name for name in instance if name.isascii() and name.isdecimal() and int(name) == step)
            found = str(step) if str(step) in instance else next(names)
        path.append(found)
        instance = instance[found]
    return tuple(path), instance


def _error(path: tuple[str | int, ...], message: str, value: Json) -> SchemaError:
    return SchemaError(pointer(path), message, preview(value))


def preview(value: Json) -> str:
    """Return `value` in a few words: scalars as JSON and cut, containers by size and first names."""
    if isinstance(value, dict):
        names = ", ".join(str(name)[:_PREVIEW] for name in islice(value, _NAMES))
        text = f"object with {names}{', …' if len(value) > _NAMES else ''}" if value else "empty object"
    elif isinstance(value, list):
        text = f"array of {len(value)}" if value else "empty array"
    elif isinstance(value, str):
        text = json.dumps(value[: _PREVIEW + 1], ensure_ascii=False)
        text = text if len(value) <= _PREVIEW else f'{json.dumps(value[:_PREVIEW], ensure_ascii=False)[:-1]}…"'
    elif isinstance(value, int) and value.bit_length() > 4 * _DIGITS:
        # Python refuses to write very long integers out.
        text = f"integer of {value.bit_length()} bits"
    else:
        text = json.dumps(value, default=repr)
    # A lone surrogate cannot be printed or written to a file; its escape can.
    return text.encode("utf-8", "backslashreplace").decode()
