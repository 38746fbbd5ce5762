"""A contract file into a :class:`Contract`, or every fault in it by file and JSON pointer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hive_gate.contract.check import form_faults, invalid
from hive_gate.contract.expand import expand, step
from hive_gate.contract.jsonfile import read_json
from hive_gate.contract.lint import lint
from hive_gate.contract.model import Capability, Clause, Connection, Contract, Method, Statement
from hive_gate.contract.recipes import read_recipe
from hive_gate.contract.texts import repeated


def load_contract(path: Path) -> Contract:
    """Read, check and model a contract and the scene recipes it names.

    Raises:
        ContractError: with each fault, where it is and what was expected there.
    """
    raw, data = read_json(path, "contract")
    faults = form_faults(raw, "contract")
    if faults:
        raise invalid(path, "contract", faults)
    digest = hashlib.sha256(data)
    scenes: dict[str, Mapping[str, Any]] = {}
    for name, relative in raw["scenes"].items():
        scenes[name], recipe_data = read_recipe(path, name, relative)
        digest.update(recipe_data)
    entries = [(index, list(expand(entry))) for index, entry in enumerate(raw["clauses"])]
    contract = _model(raw, path, digest.hexdigest(), scenes, [c for _, clauses in entries for c in clauses])
    faults = lint(contract, entries)
    if faults:
        raise invalid(path, "contract", faults)
    return contract


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
        values={name: _value(value) for name, value in raw.get("values", {}).items()},
        connections={name: Connection(name, entry["initialize"]) for name, entry in raw["connections"].items()},
        capabilities={
            name: Capability(name, entry["why"], step(entry)) for name, entry in raw.get("capabilities", {}).items()
        },
        suites=raw["suites"],
        scenes=scenes,
        methods={
            name: Method(name, _as_object(entry["params"]), _as_object(entry["result"]), entry["effect"])
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


def _as_object(schema: Any) -> Mapping[str, Any]:
    """Return a schema as an object, for `true` and `false` are schemas, too."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return dict(schema)


def _statement(entry: Mapping[str, Any]) -> Statement:
    return Statement(entry["id"], entry["text"], entry["source"], entry.get("status"), tuple(entry.get("evidence", ())))


def _value(value: Any) -> Any:
    """Return a value, or the long text that it describes as a scene recipe does."""
    is_recipe = isinstance(value, Mapping) and set(value) == {"repeat", "characters"}
    return repeated(value) if is_recipe else value
