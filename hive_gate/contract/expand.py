"""One clause of the file into one clause for each product of its `over` axes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from hive_gate.contract.model import STEP_KINDS, Clause, Step
from hive_gate.contract.names import fill

_STEP_MEMBERS = {"params", "as", "capture", "expect", "why"}


def axis_values(axis: Any) -> list[tuple[str, Any]]:
    """Return the (label, value) pairs of an axis: a list labels itself, an object has labels for keys."""
    if isinstance(axis, Mapping):
        return list(axis.items())
    return [(str(value), value) for value in axis]


def expand(entry: Mapping[str, Any], remedies: Mapping[str, str] | None = None) -> Iterator[Clause]:
    """Yield the clauses of one entry of `clauses`; it must be valid under the contract's schema.

    The id of a product is the entry's id and the axes' labels, `turns-list.walk/desc/7`.

    Args:
        entry: the entry.
        remedies: suite id to the `if-broken` of clauses that have none of their own.
    """
    axes: Mapping[str, Any] = entry.get("over", {})
    for product in itertools.product(*(axis_values(axis) for axis in axes.values())):
        names = {axis: value for axis, (_, value) in zip(axes, product, strict=True)}
        labels = {axis: label for axis, (label, _) in zip(axes, product, strict=True)}
        filled = fill({key: value for key, value in entry.items() if key != "over"}, names, partly=True)
        suite = entry["id"].partition(".")[0]
        yield Clause(
            id="/".join([entry["id"], *labels.values()]),
            suite=suite,
            level=filled.get("level", "required"),
            promise=filled["promise"],
            why=filled["why"],
            source=filled["source"],
            scene=filled.get("scene", "empty"),
            connection=filled.get("connection", "hive"),
            own=filled.get("own", "nothing"),
            needs=tuple(filled.get("needs", ())),
            steps=tuple(step(data) for data in filled["steps"]),
            axes=labels,
            remedy=filled.get("if-broken", (remedies or {}).get(suite)),
        )


def step(data: Mapping[str, Any]) -> Step:
    """Return one entry of `steps`."""
    kind = next(kind for kind in STEP_KINDS if kind in data)
    return Step(
        kind=kind,
        value=data[kind],
        params=data.get("params"),
        name=data.get("as"),
        capture=data.get("capture", {}),
        expect=data.get("expect", {}),
        options={key: value for key, value in data.items() if key not in _STEP_MEMBERS and key != kind},
    )
