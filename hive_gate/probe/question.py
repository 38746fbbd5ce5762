"""What a clause asks, apart from what it expects: by it a recorded run is matched with a contract."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from hive_gate.contract.model import Clause, Contract, Step
from hive_gate.contract.names import names_in

_DIGITS = 12


def question(contract: Contract, clause: Clause) -> str:
    """Return 12 hex digits that are the same for two clauses exactly if the same is asked of the same stored threads.

    Levels, texts and expectations do not count, so a recorded answer can be held against a stricter contract.
    """
    connection = contract.connections[clause.connection].initialize
    steps = [_asked(step) for step in clause.steps]
    named = {name.partition(".")[0] for name, _ in names_in([steps, connection])}
    what = {
        "scene": contract.scenes[clause.scene],
        "name": clause.scene,
        "own": clause.own,
        "connection": connection,
        "steps": steps,
        "values": {name: contract.values[name] for name in sorted(named & contract.values.keys())},
    }
    text = json.dumps(what, sort_keys=True, ensure_ascii=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _asked(step: Step) -> dict[str, Any]:
    value = step.value
    if step.kind == "together":
        value = [{key: part for key, part in call.items() if key != "expect"} for call in value]
    return {
        "kind": step.kind,
        "value": value,
        "params": step.params,
        "capture": dict(step.capture),
        "options": dict(step.options),
    }
