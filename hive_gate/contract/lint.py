"""What a JSON Schema cannot say about a contract: that its parts fit together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hive_gate.contract.fault import Fault
from hive_gate.contract.globs import named
from hive_gate.contract.lint_expect import Place
from hive_gate.contract.lint_rule import rule_faults
from hive_gate.contract.lint_schema import schema_faults
from hive_gate.contract.lint_statement import Measures, statement_faults
from hive_gate.contract.lint_step import step_faults
from hive_gate.contract.model import Clause, Contract, Step
from hive_gate.contract.names import UnknownName, escape, look_up, names_in

RUN_NAMES = ("home", "codexHome", "work")
"""Names that every run gives: the scratch HOME, the scratch CODEX_HOME, the folder the threads work in."""

_LEANS = re.compile(r"(?:The same|It|So|Meanwhile)\b")
"""How a promise begins that leans on the one before it; a note shows each alone."""


def lint(contract: Contract, entries: list[tuple[int, list[Clause]]], measures: Measures | None = None) -> list[Fault]:
    """Return every fault.

    Args:
        contract: what is checked.
        entries: the file's clauses by index, with what each expands to.
        measures: what can be measured; None: nobody here knows.
    """
    faults = [*_whole(contract), *statement_faults(contract, measures)]
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
    for suite in contract.remedies:
        if suite not in contract.suites:
            yield Fault(f"/if-broken/{escape(suite)}", f"the suite {suite!r} is not in /suites")
    for feature in contract.features:
        for place, glob in enumerate(feature.evidence):
            if not any(named(clause.id, (glob,)) for clause in contract.clauses):
                yield Fault(f"/features/{escape(feature.name)}/evidence/{place}", f"{glob!r} names no clause")
    yield from rule_faults(contract.adapter, contract.defs)
    for name, connection in contract.connections.items():
        for unknown, pointer in _unknown(connection.initialize, contract.values, ""):
            at = f"/connections/{escape(name)}/initialize{pointer}"
            yield Fault(at, f"${{{unknown}}} stands for nothing here: a greeting may use /values only")
    for name, method in contract.methods.items():
        for part, schema in (("params", method.params), ("result", method.result)):
            yield from schema_faults(schema, contract.defs, f"/methods/{escape(name)}/{part}")
    for name, schema in contract.defs.items():
        yield from schema_faults(schema, contract.defs, f"/$defs/{escape(name)}")


def _clause(contract: Contract, clause: Clause, at: str) -> Iterator[Fault]:
    leaning = _LEANS.match(clause.promise)
    if leaning:
        told = f"a promise is read alone, and {leaning[0]!r} leans on another: name what is promised, and of what"
        yield Fault(f"{at}/promise", told)
    if clause.suite not in contract.suites:
        yield Fault(f"{at}/id", f"the suite {clause.suite!r} is not in /suites")
    if clause.connection not in contract.connections:
        yield Fault(f"{at}/connection", f"{clause.connection!r} is not in /connections")
    if clause.scene not in contract.scenes:
        yield Fault(f"{at}/scene", f"{clause.scene!r} is not in /scenes")
        return
    for number, need in enumerate(clause.needs):
        kind, _, name = need.partition(":")
        if kind == "capability" and name not in contract.capabilities:
            yield Fault(f"{at}/needs/{number}", f"{name!r} is not in /capabilities")
    threads = contract.scenes[clause.scene]["threads"]
    asking = [step for step in clause.steps if step.kind in ("call", "walk", "together", "turn")]
    if asking and len(asking) == len(clause.steps) and all("any-answer" in step.expect for step in asking):
        yield Fault(f"{at}/steps", "nothing is expected of any step: such a clause cannot fail")
    names: dict[str, Any] = dict.fromkeys((*RUN_NAMES, *threads), "") | dict(contract.values)
    steps: set[str] = set()
    for index, step in enumerate(clause.steps):
        here = f"{at}/steps/{index}"
        yield from _names(step, names, here)
        place = Place(step.kind, clause.scene, threads, frozenset(steps), contract.defs)
        yield from step_faults(contract, clause, step, place, here)
        names |= dict.fromkeys(step.capture, "")
        if step.name:
            steps.add(step.name)


def _names(step: Step, names: dict[str, Any], here: str) -> Iterator[Fault]:
    parts = {step.kind: step.value, "params": step.params, "expect": dict(step.expect), **step.options}
    known = names | dict.fromkeys(step.capture, "")  # what a step captures, its own expectations may use
    for part, value in parts.items():
        for name, pointer in _unknown(value, known, f"/{escape(part)}"):
            yield Fault(f"{here}{pointer}", f"${{{name}}} stands for nothing here: no axis, thread, value or capture")


def _unknown(value: Any, names: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield (name, JSON pointer) for each `${name}` in a value that stands for nothing."""
    for name, at in names_in(value, pointer):
        try:
            look_up(name, names)
        except UnknownName:
            yield name, at
