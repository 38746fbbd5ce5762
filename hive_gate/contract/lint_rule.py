"""What a JSON Schema cannot say about the rules for Hive's client."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hive_gate.contract.fault import Fault
from hive_gate.contract.lint_schema import schema_faults
from hive_gate.contract.model import Rule
from hive_gate.contract.names import escape


def rule_faults(rules: Sequence[Rule], defs: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the rules; `defs` are the contract's `$defs`."""
    seen: dict[str, int] = {}
    for index, rule in enumerate(rules):
        if rule.id in seen:
            yield Fault(f"/adapter/{index}/id", f"the id {rule.id!r} is taken by rule {seen[rule.id]}")
        seen[rule.id] = index
        at = f"/adapter/{index}/params"
        if rule.check == "params":
            for method, schema in rule.params.items():
                yield from schema_faults(schema, defs, f"{at}/{escape(method)}")
        for place, error in _errors(rule):
            try:
                re.compile(error.get("message", ""))
            except re.error as problem:
                yield Fault(f"{at}{place}/message", f"not a regular expression: {problem}")


def _errors(rule: Rule) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the errors that a rule tells by their messages, each with its place in the params."""
    if rule.check == "not-again":
        yield from ((f"/after/{number}", error) for number, error in enumerate(rule.params["after"]))
    elif rule.check in ("cursor-given", "cursor-once", "stops-at-end") and "lost" in rule.params:
        yield "/lost", rule.params["lost"]
