"""cost.json: written whole or not at all, and refused when anything in it does not fit together."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hive_gate.contract.jsonfile import read_json
from hive_gate.cost.model import SCHEMA_ID, Cost
from hive_gate.cost.operations import OPERATIONS
from hive_gate.cost.shapes import SHAPES
from hive_gate.errors import ContractError, UsageError
from hive_gate.report.codec import ShapeError, decode, encode
from hive_gate.report.jsonfile import write_text
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import Json, Target
from hive_gate.report.paths import PathRedactor, is_absolute, shorten

_AGAIN = "take the cost.json as hive-gate wrote it, or run `hive-gate cost` again"

_MOST = 2
"""Targets of one measurement."""


def to_json(cost: Cost) -> dict[str, Json]:
    """Return the JSON object of cost.json."""
    return {"schema": SCHEMA_ID, **encode(cost), "footer": _footer(cost)}


def to_text(cost: Cost) -> str:
    """Return the text of cost.json: standard JSON, one element of each list on a line of its own."""
    members = (f"  {dumps(name)}: {_member(value)}" for name, value in to_json(cost).items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def digest(cost: Cost) -> str:
    """Return the SHA-256 of cost.json as it is written."""
    return hashlib.sha256(to_text(cost).encode()).hexdigest()


def write_cost(cost: Cost, path: Path) -> None:
    """Write cost.json whole or not at all.

    Raises:
        UsageError: if the folder cannot be written.
    """
    write_text(to_text(cost), path)


def read_cost(path: Path) -> Cost:
    """Read a cost.json.

    Raises:
        UsageError: if the file cannot be read, is not JSON, or is not whole: with a JSON pointer.
    """
    try:
        obj, _ = read_json(path, "measurement")
    except ContractError as error:
        raise UsageError(error.message, where=error.where, hint=_AGAIN) from None
    return from_json(obj, str(path))


def from_json(obj: Json, where: str = "the measurement") -> Cost:
    """Return the measurement that `to_json` made `obj` from.

    Args:
        obj: the parsed document.
        where: what to call the document in errors, such as its path.

    Raises:
        UsageError: if it is no measurement, of another schema, or if what it says does not fit together.
    """
    try:
        return _from_json(obj)
    except ShapeError as error:
        raise UsageError(
            f"This is not a whole cost.json of hive-gate: at {error.pointer or '/'} {error.problem}.",
            where=f"{where}#{error.pointer}",
            hint=_AGAIN,
        ) from None


def redacted(cost: Cost) -> Cost:
    """Return the measurement without the machine's folders, for notes and for evidence that is kept."""
    return replace(cost, targets=tuple(map(_redacted, cost.targets)))


def _redacted(target: Target) -> Target:
    known = [text for text in (target.spec, target.path, *target.argv) if text and is_absolute(text)]
    without = PathRedactor.knowing(known)
    return replace(
        target,
        spec=without(target.spec),
        path=None if target.path is None else shorten(target.path),
        argv=tuple(map(without, target.argv)),
        resolved_from=tuple(map(without, target.resolved_from)),
        warnings=tuple(map(without, target.warnings)),
    )


def _from_json(obj: Json) -> Cost:
    if not isinstance(obj, dict):
        raise ShapeError("", "an object is expected")
    if obj.get("schema") != SCHEMA_ID:
        raise ShapeError("/schema", f"{SCHEMA_ID!r} is expected, not {obj.get('schema')!r:.60}")
    # What the numbers say to a contract is no part of what was measured: a file of before can be told once more.
    cost = decode(Cost, {"decisions": [], **obj}, "")
    fault = next(_faults(cost, obj), None)
    if fault is not None:
        raise ShapeError(*fault)
    return cost


def _footer(cost: Cost) -> dict[str, Any]:
    return {
        "targets": len(cost.targets),
        "threads": len(cost.threads),
        "cells": len(cost.cells),
        "samples": sum(len(cell.samples) for cell in cost.cells),
        "whole": True,
    }


def _faults(cost: Cost, obj: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield what does not fit together, as pointer and phrase."""
    if not 1 <= len(cost.targets) <= _MOST:
        yield "/targets", "one or two targets are expected"
    for name in ("decisions", "absent", "threads", "fits", "prices", "cells"):
        for index, element in enumerate(getattr(cost, name)):
            if not 0 <= element.target < len(cost.targets):
                yield f"/{name}/{index}/target", f"there is no target {element.target}"
            if getattr(element, "shape", "plain") not in SHAPES:
                yield f"/{name}/{index}/shape", f"there is no shape {element.shape[:40]!r}"
            if getattr(element, "operation", "list") not in OPERATIONS:
                yield f"/{name}/{index}/operation", f"there is no operation {element.operation[:40]!r}"
    stored = {(t.target, t.shape, t.size) for t in cost.threads}
    for index, cell in enumerate(cost.cells):
        if (cell.target, cell.shape, cell.size) not in stored:
            yield f"/cells/{index}/size", "there is no such thread"
        if not cell.samples and cell.missing is None:
            yield f"/cells/{index}/missing", "a cell without samples says why"
        for number, sample in enumerate(cell.samples):
            if not (sample.ms >= 0 and sample.bytes_in >= 0 and 0 <= sample.round < cost.run.rounds):
                yield (
                    f"/cells/{index}/samples/{number}",
                    "times and sizes are not negative, rounds are those of the run",
                )
    footer = _footer(cost)
    if obj.get("footer") != footer:
        yield "/footer", f"{dumps(footer)} is expected from the lists"


def _member(value: Json) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {dumps(item)}" for item in value) + "\n  ]"
    return dumps(value)
