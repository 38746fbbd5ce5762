"""What a clause expects of an answer: whether it can be judged at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hive_gate.contract.fault import Fault
from hive_gate.contract.lint_schema import schema_faults

_VIEWS = ("notLoaded", "summary", "full")
_ORDERS = ("asc", "desc")
_OF_WALKS = ("page-sizes", "cursor-advances")
_LATER = re.compile(r"\$\{[^}]*\}")
"""A value that only the run knows."""


@dataclass(frozen=True, slots=True)
class Place:
    """What an expectation may refer to where it stands."""

    kind: str
    """Kind of its step."""
    scene: str
    threads: Mapping[str, Any]
    """The scene's threads by name."""
    steps: frozenset[str]
    """The earlier steps with a name."""
    defs: Mapping[str, Any]
    """The contract's `$defs`."""


def expect_faults(expect: Mapping[str, Any], place: Place, here: str) -> Iterator[Fault]:
    """Yield what is wrong with one `expect`; `here` is its JSON pointer."""
    error = expect.get("error", {})
    if "message" in error:
        try:
            re.compile(_LATER.sub("x", error["message"]))
        except re.error as problem:
            yield Fault(f"{here}/error/message", f"not a regular expression: {problem}")
    if error and "result" in expect:
        yield Fault(here, "a step expects a result or an error, not both")
    if "result" in expect:
        yield from schema_faults(expect["result"], place.defs, f"{here}/result")
    for index, wanted in enumerate(expect.get("notifications", ())):
        if "params" in wanted:
            yield from schema_faults(wanted["params"], place.defs, f"{here}/notifications/{index}/params")
    if "facts" in expect:
        yield from schema_faults(expect["facts"], place.defs, f"{here}/facts")
    for index, wanted in enumerate(expect.get("exactly", ())):
        for number, schema in enumerate(wanted["params"]):
            yield from schema_faults(schema, place.defs, f"{here}/exactly/{index}/params/{number}")
    for index, invariant in enumerate(expect.get("invariants", ())):
        ((name, value),) = invariant.items()
        yield from _invariant(name, value, place, f"{here}/invariants/{index}/{name}")


def _invariant(name: str, value: Any, place: Place, at: str) -> Iterator[Fault]:
    named = {"step": value} if name.endswith(("-as", "-than")) else {}
    members = value if isinstance(value, Mapping) else named
    if "step" in members and members["step"] not in place.steps:
        yield Fault(at, f"no earlier step is called {members['step']!r}")
    if "of" in members and members["of"] not in place.threads:
        yield Fault(f"{at}/of", f"scene {place.scene!r} has no thread {members['of']!r}")
    for member, allowed in (("order", _ORDERS), ("view", _VIEWS)):
        if member in members and members[member] not in allowed:
            yield Fault(f"{at}/{member}", f"{members[member]!r} is not one of {', '.join(allowed)}")
    for member, least in (("skip", 0), ("take", 0), ("turn", 1)):
        if member in members:
            yield from _count(members[member], least, f"{at}/{member}")
    if name == "page-sizes":
        yield from _count(value, 1, at)
    if name in _OF_WALKS and place.kind != "walk":
        yield Fault(at, f"{name} speaks of a walk")


def _count(value: Any, least: int, at: str) -> Iterator[Fault]:
    later = isinstance(value, str) and _LATER.fullmatch(value)
    if not later and not (isinstance(value, int) and value >= least):
        yield Fault(at, f"{value!r} is not a whole number from {least} on")
