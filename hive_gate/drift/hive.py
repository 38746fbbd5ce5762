"""What Hive uses of the protocol, as its contract says: what it sends and reads, what clauses ask, what it avoids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hive_gate.contract.model import Contract, Step
from hive_gate.drift.kinds import Flow
from hive_gate.drift.place import Place
from hive_gate.drift.resolve import Json, Scope, rebuild
from hive_gate.errors import ContractError

_ASKING = ("call", "walk")


@dataclass(slots=True)
class Mentions:
    """What the contract's clauses and capabilities say about one method, beside its schemas."""

    by: dict[str, None] = field(default_factory=dict)
    """Ids of clauses, and names of capabilities, in the contract's order."""
    sent: list[Json] = field(default_factory=list)
    read: list[Json] = field(default_factory=list)


@dataclass(frozen=True)
class View:
    """What Hive uses."""

    contract: Contract
    methods: Mapping[str, Mentions]
    """What clauses ask."""
    notifications: Mapping[str, Mentions]
    """What clauses wait for."""

    @property
    def experimental(self) -> bool:
        """Whether Hive declares the experimental capability."""
        hive = self.contract.connections.get("hive")
        return bool(hive and ((hive.initialize or {}).get("capabilities") or {}).get("experimentalApi"))

    def relied(self, flow: Flow, method: str) -> Place | None:
        """Return what Hive's schemas say it sends to a method or reads from it; None if they do not speak of it."""
        known = self.contract.methods.get(method)
        if known is None or flow not in ("request", "response"):
            return None
        return Place.of([dict(known.params if flow == "request" else known.result)], self._scope)

    def mentioned(self, flow: Flow, method: str) -> Place | None:
        """Return what clauses send to a method or read of a message; None if they do not."""
        found = (self.notifications if flow == "notification" else self.methods).get(method)
        if found is None or flow not in ("request", "response", "notification"):
            return None
        return Place.of(found.sent if flow == "request" else found.read, self._scope)

    @property
    def _scope(self) -> Scope:
        return Scope({"$defs": dict(self.contract.defs)}, str(self.contract.path), ContractError)


def view_of(contract: Contract) -> View:
    """Return what Hive uses according to a contract."""
    methods: dict[str, Mentions] = {}
    notifications: dict[str, Mentions] = {}
    for ident, step in _steps(contract):
        for asked in _asked(step):
            mentions = methods.setdefault(asked["call"], Mentions())
            mentions.by[ident] = None
            if asked.get("params") is not None:
                mentions.sent.append(_like(asked["params"]))
            read = asked.get("expect", {}).get("result")
            if read is not None:
                mentions.read.append(rebuild(read, _each_for_some))
        for method, params in _awaited(step):
            mentions = notifications.setdefault(method, Mentions())
            mentions.by[ident] = None
            mentions.read += [rebuild(schema, _each_for_some) for schema in params]
    return View(contract, methods, notifications)


def _steps(contract: Contract) -> Iterator[tuple[str, Step]]:
    for capability in contract.capabilities.values():
        yield f"capability {capability.name}", capability.step
    for clause in contract.clauses:
        for step in clause.steps:
            # The products of `over` are one clause to whoever reads of it.
            yield clause.id.partition("/")[0], step


def _asked(step: Step) -> Sequence[Mapping[str, Any]]:
    if step.kind in _ASKING:
        return [{"call": step.value, "params": step.params, "expect": step.expect}]
    if step.kind == "schema":
        return [{"call": step.value}]
    return [entry for entry in step.value if "call" in entry] if step.kind == "together" else []


def _awaited(step: Step) -> Iterator[tuple[str, Sequence[Json]]]:
    if step.kind == "await":
        yield str(step.value), [step.options["where"]] if "where" in step.options else []
    together = step.value if step.kind == "together" else ()
    for expect in [step.expect, *(entry.get("expect", {}) for entry in together)]:
        for entry in expect.get("notifications", ()):
            yield entry["method"], [entry["params"]] if "params" in entry else []
        for entry in expect.get("exactly", ()):
            yield entry["method"], entry["params"]


def _like(value: Json) -> Json:
    """Return a schema for values that have the members of `value`, whatever stands in them."""
    if isinstance(value, dict):
        return {
            "type": "object",
            "required": list(value),
            "properties": {name: _like(inner) for name, inner in value.items()},
        }
    if isinstance(value, list):
        return {"type": "array", "items": {"anyOf": [_like(inner) for inner in value]}} if value else {"type": "array"}
    return True


def _each_for_some(schema: dict[str, Json]) -> dict[str, Json]:
    """Read `contains` as a statement about each item: what is looked for is read wherever it may be."""
    if "contains" in schema and "items" not in schema:
        schema["items"] = schema.pop("contains")
    return schema
