"""Whether the JSON Schemas in a contract can be used: their form, and where their references lead."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator

from hive_gate.contract.fault import Fault
from hive_gate.contract.names import escape, names_in, resolve

_META = Draft202012Validator(Draft202012Validator.META_SCHEMA)


def schema_faults(schema: Any, defs: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    """Yield what is wrong with one schema; names in it, as `${main}`, stand for values that fit."""
    wrong = _form_fault(json.dumps(schema))
    if wrong is not None:
        yield Fault(pointer + wrong.pointer, wrong.text)
        return
    yield from _references(schema, defs, pointer)


@lru_cache(1024)
def _form_fault(text: str) -> Fault | None:
    """Return the first thing that is wrong with a schema's form; half of a contract's schemas stand in it before."""
    for error in _META.iter_errors(json.loads(text)):
        if not any(names_in(error.instance)):
            at = "".join(f"/{escape(str(part))}" for part in error.absolute_path)
            return Fault(at, f"not a JSON Schema: {error.message[:200]}")
    return None


def _references(schema: Any, defs: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    if isinstance(schema, Mapping):
        target = schema.get("$ref")
        if isinstance(target, str) and not _leads_somewhere(target, defs):
            yield Fault(f"{pointer}/$ref", f"{target} names no schema under /$defs")
        for key, value in schema.items():
            yield from _references(value, defs, f"{pointer}/{escape(key)}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from _references(value, defs, f"{pointer}/{index}")


def _leads_somewhere(target: str, defs: Mapping[str, Any]) -> bool:
    if not target.startswith("#/$defs/"):
        return False
    try:
        resolve({"$defs": dict(defs)}, target.removeprefix("#"))
    except LookupError:
        return False
    return True
