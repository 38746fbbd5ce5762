"""A value against a schema that ships with hive-gate, and faults as one error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from hive_gate.contract.fault import Fault
from hive_gate.contract.jsonfile import read_json
from hive_gate.contract.names import escape
from hive_gate.data import CONTRACTS, FIXTURES
from hive_gate.errors import ContractError

_FILES = {
    "contract": CONTRACTS / "contract.schema.json",
    "scene recipe": FIXTURES / "scene.schema.json",
    "baseline": CONTRACTS / "baseline.schema.json",
    "matrix": CONTRACTS / "matrix.schema.json",
}
_CHECKS = {
    "contract": "hive-gate contract lint {path}",
    "scene recipe": "hive-gate contract lint",
    "baseline": "hive-gate baseline check --baseline {path}",
}
_OF_WHOLE = ("required", "additionalProperties", "dependentRequired")
_SHOWN = 12
"""Faults shown in one error; the count says how many there are."""


def form_faults(value: Any, what: str, part: str | None = None, pointer: str = "") -> list[Fault]:
    """Return what is wrong with the form of a value.

    Args:
        value: any JSON value.
        what: whose schema: `contract`, `scene recipe`, `baseline` or `matrix`.
        part: the name of one of the schema's `$defs`, where the value is only that.
        pointer: where the value is in its file.
    """
    errors = _validator(what, part).iter_errors(value)
    # A misspelled member is two errors, one that is not known and one that is missing: the first says more.
    return [_fault(error, pointer) for error in sorted(errors, key=lambda e: e.validator != "additionalProperties")]


@cache
def _validator(what: str, part: str | None) -> Draft202012Validator:
    schema, _ = read_json(_FILES[what], "schema that ships with hive-gate")
    return Draft202012Validator(schema if part is None else {"$ref": f"#/$defs/{part}", "$defs": schema["$defs"]})


def _fault(error: ValidationError, pointer: str) -> Fault:
    deepest = best_match([error]) or error  # of an anyOf, the branch that came closest
    at = "".join(f"/{escape(str(part))}" for part in deepest.absolute_path)
    message = _choice(deepest) or deepest.message
    message = message if len(message) <= 200 else message[:200] + "…"
    # Of a member that is missing or too many, the description would be that of the object around it.
    schema: Any = {} if deepest.validator in _OF_WHOLE else deepest.schema
    description = schema.get("description") if isinstance(schema, Mapping) else None
    return Fault(pointer + at, message + (f" (expected: {description})" if description else ""))


def _choice(error: ValidationError) -> str | None:
    """Return what to say where one of several members is needed."""
    branches: Any = error.validator_value
    if error.validator not in ("anyOf", "oneOf") or not all(set(branch) == {"required"} for branch in branches):
        return None
    names = ", ".join(name for branch in branches for name in branch["required"])
    return f"{'one' if error.validator == 'anyOf' else 'exactly one'} of these members is needed: {names}"


def invalid(path: Path, what: str, faults: Sequence[Fault]) -> ContractError:
    """Return the error that tells these faults; there must be at least one."""
    first, *others = faults
    at = first.file or path

    def place(fault: Fault) -> str:
        file = fault.file or path
        return (fault.pointer or "/") if file == at else f"{file}#{fault.pointer}"

    detail = "\n".join(f"{place(fault)}: {fault.text}" for fault in others[: _SHOWN - 1])
    if len(others) >= _SHOWN:
        detail += f"\n… and {len(others) - _SHOWN + 1} more"
    count = "" if not others else f" ({len(faults)} faults)"
    return ContractError(
        f"the {what} is not valid: {first.text}{count}",
        where=f"{at}#{first.pointer}",
        detail=detail or None,
        hint=f"correct it, then check it with: {_CHECKS[what].format(path=path)}",
    )
