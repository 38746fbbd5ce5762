"""What a JSON Schema cannot say about a contract: that its parts fit together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from hive_gate.contract.model import STEP_KINDS, Clause, Contract, Step
from hive_gate.contract.names import UnknownName, escape, look_up, names_in

RUN_NAMES = ("home", "codexHome", "work")
"""Names that every run gives: the scratch HOME, the scratch CODEX_HOME, the folder the threads work in."""

_VIEWS = ("notLoaded", "summary", "full")
_ORDERS = ("asc", "desc")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault and the JSON pointer of the value that is at fault."""

    pointer: str
    text: str


def lint(contract: Contract, entries: list[tuple[int, list[Clause]]]) -> list[Fault]:
    """Return every fault; `entries` are the file's clauses by index with what each expands to."""
    faults = list(_whole(contract))
    seen: dict[str, int] = {}
    for index, clauses in entries:
        for clause in clauses:
            if clause.id in seen:
                faults.append(
                    Fault(f"/clauses/{index}/id", f"the id {clause.id!r} is taken by clause {seen[clause.id]}")
                )
            seen[clause.id] = index
        # The products of one entry differ only in values, so most faults would repeat for each of them.
        unique = dict.fromkeys(fault for clause in clauses for fault in _clause(contract, clause, f"/clauses/{index}"))
        faults.extend(unique)
    return faults


def _whole(contract: Contract) -> Iterator[Fault]:
    for name in contract.avoided:
        if name in contract.methods:
            yield Fault(
                f"/methods/{escape(name)}", f"{name} is avoided ({contract.avoided[name]}) and cannot be relied on"
            )
    used = {clause.suite for clause in contract.clauses}
    for suite in contract.suites:
        if suite not in used:
            yield Fault(f"/suites/{escape(suite)}", "no clause belongs to this suite")
    for kind, statements in (("constraints", contract.constraints), ("decisions", contract.decisions)):
        for index, statement in enumerate(statements):
            for place, glob in enumerate(statement.evidence):
                if not any(fnmatchcase(clause.id, glob) for clause in contract.clauses):
                    yield Fault(f"/{kind}/{index}/evidence/{place}", f"{glob!r} names no clause")
    for name, method in contract.methods.items():
        for part, schema in (("params", method.params), ("result", method.result)):
            yield from _references(contract, schema, f"/methods/{escape(name)}/{part}")
    yield from _references(contract, contract.defs, "/$defs")


def _references(contract: Contract, schema: Any, pointer: str) -> Iterator[Fault]:
    if isinstance(schema, dict):
        target = schema.get("$ref")
        if isinstance(target, str) and target.removeprefix("#/$defs/") not in contract.defs:
            yield Fault(f"{pointer}/$ref", f"{target} names no schema under /$defs")
        for key, value in schema.items():
            yield from _references(contract, value, f"{pointer}/{escape(key)}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from _references(contract, value, f"{pointer}/{index}")


def _clause(contract: Contract, clause: Clause, at: str) -> Iterator[Fault]:
    if clause.suite not in contract.suites:
        yield Fault(f"{at}/id", f"the suite {clause.suite!r} is not in /suites")
    if clause.connection not in contract.connections:
        yield Fault(f"{at}/connection", f"{clause.connection!r} is not in /connections")
    if clause.scene not in contract.scenes:
        yield Fault(f"{at}/scene", f"{clause.scene!r} is not in /scenes")
        return
    threads = contract.scenes[clause.scene]["threads"]
    if clause.own == "thread" and any(thread.get("made") == "by-turns" for thread in threads.values()):
        yield Fault(f"{at}/own", "a thread made by turns cannot be copied: give the clause its own `home`")
    names: dict[str, Any] = dict.fromkeys((*RUN_NAMES, *threads), "") | dict(contract.values)
    steps: set[str] = set()
    for index, step in enumerate(clause.steps):
        here = f"{at}/steps/{index}"
        yield from _names(step, names, here)
        yield from _kind(contract, clause, step, here)
        yield from _expect(clause, step, steps, set(threads), here)
        names |= dict.fromkeys(step.capture, "")
        if step.name:
            steps.add(step.name)


def _names(step: Step, names: dict[str, Any], here: str) -> Iterator[Fault]:
    parts = {step.kind: step.value, "params": step.params, "expect": dict(step.expect), **step.options}
    known = names | dict.fromkeys(step.capture, "")  # what a step captures, its own expectations may use
    for part, value in parts.items():
        for name, pointer in names_in(value, f"/{escape(part)}"):
            try:
                look_up(name, known)
            except UnknownName:
                yield Fault(
                    f"{here}{pointer}", f"${{{name}}} stands for nothing here: no axis, thread, value or capture"
                )


def _kind(contract: Contract, clause: Clause, step: Step, here: str) -> Iterator[Fault]:
    extra = [kind for kind in STEP_KINDS if kind in step.options]
    if extra:
        yield Fault(f"{here}/{extra[0]}", f"a step is one thing: {step.kind} or {extra[0]}, not both")
    methods = [step.value] if step.kind in ("call", "walk") else []
    methods += [call["call"] for call in step.value] if step.kind == "together" else []
    for method in methods:
        known = contract.methods.get(method)
        if known is None and method != "initialize" and not ({"error", "any-answer", "invariants"} & set(step.expect)):
            yield Fault(f"{here}/{step.kind}", f"{method} is not in /methods, so its result cannot be judged")
        if known is not None and known.effect == "changes" and clause.own == "nothing" and "error" not in step.expect:
            yield Fault(here, f"{method} changes a thread: the clause needs `own`, or it disturbs the others")
    if step.kind in ("store", "turn") and clause.own == "nothing" and "id" not in (step.value or {}):
        yield Fault(here, f"`{step.kind}` changes a thread: the clause needs `own`, or it disturbs the others")
    if step.kind == "restart" and clause.own != "home":
        yield Fault(here, "`restart` ends the server: the clause needs `own` to be `home`")
    connection = contract.connections.get(clause.connection)
    if connection is not None and connection.initialize is None and clause.own != "home":
        yield Fault(here, "a connection without a greeting cannot be shared: the clause needs `own` to be `home`")
    if step.kind == "schema" and "schema" not in clause.needs:
        yield Fault(here, "a `schema` step needs the target's schema: the clause must say `needs` `schema`")
    threads = contract.scenes[clause.scene]["threads"]
    if step.kind in ("store", "turn") and step.value.get("thread", next(iter(threads), None)) not in threads:
        yield Fault(f"{here}/{step.kind}/thread", f"scene {clause.scene!r} has no thread {step.value.get('thread')!r}")


def _expect(clause: Clause, step: Step, steps: set[str], threads: set[str], here: str) -> Iterator[Fault]:
    error = step.expect.get("error", {})
    if "message" in error:
        try:
            re.compile(error["message"])
        except re.error as problem:
            yield Fault(f"{here}/expect/error/message", f"not a regular expression: {problem}")
    if error and "result" in step.expect:
        yield Fault(f"{here}/expect", "a step expects a result or an error, not both")
    for index, invariant in enumerate(step.expect.get("invariants", ())):
        ((name, value),) = invariant.items()
        at = f"{here}/expect/invariants/{index}/{name}"
        named = value.get("step") if isinstance(value, dict) else value if name.endswith(("-as", "-than")) else None
        if named is not None and named not in steps:
            yield Fault(at, f"no earlier step is called {named!r}")
        if isinstance(value, dict) and value.get("of", next(iter(threads), None)) not in threads:
            yield Fault(f"{at}/of", f"scene {clause.scene!r} has no thread {value['of']!r}")
        if name == "turns-match-scene" and value["order"] not in _ORDERS:
            yield Fault(f"{at}/order", f"{value['order']!r} is not one of {', '.join(_ORDERS)}")
        if name == "items-match-view" and value["view"] not in _VIEWS:
            yield Fault(f"{at}/view", f"{value['view']!r} is not one of {', '.join(_VIEWS)}")
        if name in ("page-sizes", "cursor-advances") and step.kind != "walk":
            yield Fault(at, f"{name} speaks of a walk")
