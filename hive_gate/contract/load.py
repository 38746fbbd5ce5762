"""A contract file into a :class:`Contract`, or every fault in it by file and JSON pointer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from hive_gate.contract.expand import expand
from hive_gate.contract.jsonfile import read_json
from hive_gate.contract.lint import Fault, lint
from hive_gate.contract.model import Clause, Connection, Contract, Method, Statement
from hive_gate.contract.names import escape
from hive_gate.data import CONTRACTS, FIXTURES
from hive_gate.errors import ContractError

_SHOWN = 12
"""Faults shown in one error; the count says how many there are."""


def load_contract(path: Path) -> Contract:
    """Read, check and model a contract and the scene recipes it names.

    Raises:
        ContractError: with each fault, where it is and what was expected there.
    """
    raw, data = read_json(path, "contract")
    _check(raw, CONTRACTS / "contract.schema.json", path, "contract")
    digest = hashlib.sha256(data)
    scenes: dict[str, Mapping[str, Any]] = {}
    for name, relative in raw["scenes"].items():
        recipe_path = (path.parent / relative).resolve()
        recipe, recipe_data = read_json(recipe_path, f"recipe of scene {name!r}")
        _check(recipe, FIXTURES / "scene.schema.json", recipe_path, "scene recipe")
        digest.update(recipe_data)
        scenes[name] = recipe
    entries = [(index, list(expand(entry))) for index, entry in enumerate(raw["clauses"])]
    contract = _model(raw, path, digest.hexdigest(), scenes, [c for _, clauses in entries for c in clauses])
    faults = lint(contract, entries)
    if faults:
        raise _error(path, "contract", faults)
    return contract


def _check(value: Any, schema_path: Path, path: Path, what: str) -> None:
    schema, _ = read_json(schema_path, "schema that ships with hive-gate")
    faults = [_fault(error) for error in Draft202012Validator(schema).iter_errors(value)]
    if faults:
        raise _error(path, what, faults)


def _fault(error: ValidationError) -> Fault:
    deepest = best_match([error]) or error  # of an anyOf, the branch that came closest
    pointer = "".join(f"/{escape(str(part))}" for part in deepest.absolute_path)
    message = deepest.message if len(deepest.message) <= 200 else deepest.message[:200] + "…"
    description = deepest.schema.get("description") if isinstance(deepest.schema, Mapping) else None
    return Fault(pointer, message + (f" (expected: {description})" if description else ""))


def _error(path: Path, what: str, faults: list[Fault]) -> ContractError:
    first, *others = faults
    detail = "\n".join(f"{fault.pointer or '/'}: {fault.text}" for fault in others[: _SHOWN - 1])
    if len(others) >= _SHOWN:
        detail += f"\n… and {len(others) - _SHOWN + 1} more"
    count = "" if not others else f" ({len(faults)} faults)"
    return ContractError(
        f"the {what} is not valid: {first.text}{count}",
        where=f"{path}#{first.pointer}",
        detail=detail or None,
        hint=f"correct it, then check it with: hive-gate contract lint {path}",
    )


def _model(
    raw: Mapping[str, Any], path: Path, sha256: str, scenes: Mapping[str, Mapping[str, Any]], clauses: list[Clause]
) -> Contract:
    known = raw.get("known", {})
    return Contract(
        name=raw["name"],
        version=raw["version"],
        title=raw["title"],
        source=raw["source"],
        gates=tuple(raw["gates"]),
        pinned=raw["pinned"],
        path=path,
        sha256=sha256,
        values=raw.get("values", {}),
        connections={name: Connection(name, entry["initialize"]) for name, entry in raw["connections"].items()},
        suites=raw["suites"],
        scenes=scenes,
        methods={
            name: Method(name, entry["params"], entry["result"], entry["effect"])
            for name, entry in raw["methods"].items()
        },
        known_notifications=frozenset(known.get("notifications", ())),
        known_fields={method: frozenset(fields) for method, fields in known.get("fields", {}).items()},
        avoided=raw.get("avoided", {}),
        defs=raw.get("$defs", {}),
        clauses=tuple(clauses),
        constraints=tuple(_statement(entry) for entry in raw.get("constraints", ())),
        decisions=tuple(_statement(entry) for entry in raw.get("decisions", ())),
    )


def _statement(entry: Mapping[str, Any]) -> Statement:
    return Statement(entry["id"], entry["text"], entry["source"], entry.get("status"), tuple(entry.get("evidence", ())))
