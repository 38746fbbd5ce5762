"""What a step may hold and where it may stand: what nobody would look at is a fault, for it would seem to be judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hive_gate.contract.fault import Fault
from hive_gate.contract.lint_expect import Place, expect_faults
from hive_gate.contract.model import STEP_KINDS, Clause, Contract, Step
from hive_gate.contract.recipes import turn_faults

_ASKING = frozenset({"result", "error", "any-answer", "or-refused", "notifications", "exactly", "invariants"})
_EXPECTS: Mapping[str, frozenset[str]] = {
    "call": _ASKING, "walk": _ASKING, "turn": _ASKING, "schema": frozenset({"offered", "compatible"}),
    "file": frozenset({"facts"}), "database": frozenset({"facts"}),
}  # fmt: skip
"""What is judged of a step, by its kind; of the other kinds nothing is."""

_TAKES = {
    "call": ("params", "capture", "as", "within", "changes", "second"),
    "walk": ("params", "capture", "as", "max-pages", "second"),
    "turn": ("capture", "as"), "notify": ("params",), "together": ("as",), "await": ("where", "within"),
    "restart": ("second",),
    "file": ("as",),
}  # fmt: skip
"""The members that have a meaning, by kind."""

_UNJUDGED = frozenset({"error", "any-answer", "invariants"})
"""Expectations that need no schema of the result."""


def step_faults(contract: Contract, clause: Clause, step: Step, place: Place, here: str) -> Iterator[Fault]:
    """Yield what is wrong with one step of a clause; `here` is its JSON pointer."""
    extra = [kind for kind in STEP_KINDS if kind in step.options]
    if extra:
        yield Fault(f"{here}/{extra[0]}", f"a step is one thing: {step.kind} or {extra[0]}, not both")
        return
    yield from _members(step, here)
    yield from _sharing(contract, clause, step, here)
    if step.kind in ("call", "walk"):
        yield from _method(contract, clause, step.value, step.expect, f"{here}/{step.kind}")
    if step.kind == "walk" and not (isinstance(step.params, Mapping) or str(step.params).startswith("${")):
        yield Fault(here, "a walk needs `params`, into which the cursor is put")
    if step.kind == "together":
        for index, call in enumerate(step.value):
            at = f"{here}/together/{index}"
            yield from _method(contract, clause, call["call"], call.get("expect", {}), f"{at}/call")
            yield from expect_faults(call.get("expect", {}), place, f"{at}/expect")
    if step.kind in ("store", "turn"):
        yield from _thread(step, place, here)
    if step.kind == "file":
        yield from _file(step, place, here)
    changed = step.options.get("changes", {}).get("thread")
    if changed is not None and changed not in place.threads:
        yield Fault(f"{here}/changes/thread", f"scene {place.scene!r} has no thread {changed!r}")
    if step.kind == "store":
        yield from turn_faults(step.value.get("append", ()), f"{here}/store/append")
    if step.kind == "schema" and step.expect.get("compatible") and step.value not in contract.methods:
        yield Fault(f"{here}/schema", f"{step.value} is not in /methods, so there is nothing to compare")
    yield from expect_faults(step.expect, place, f"{here}/expect")


def _file(step: Step, place: Place, here: str) -> Iterator[Fault]:
    rollout, since = step.value.get("rollout"), step.value.get("since")
    written = [name for name, thread in place.threads.items() if thread.get("made") != "by-turns"]
    if rollout is not None and rollout not in written:
        yield Fault(f"{here}/file/rollout", f"{rollout!r} is no thread of this scene whose file hive-gate wrote")
    if since is not None and since not in place.steps:
        yield Fault(f"{here}/file/since", f"no earlier step is called {since!r}")


def _members(step: Step, here: str) -> Iterator[Fault]:
    given = {"params": step.params, "capture": step.capture, "as": step.name}
    present = [*(name for name, value in given.items() if value), *step.options]
    for name in present:
        if name not in _TAKES.get(step.kind, ()):
            yield Fault(f"{here}/{name}", f"`{name}` means nothing in a `{step.kind}` step")
    for name in step.expect:
        if name not in _EXPECTS.get(step.kind, ()):
            yield Fault(f"{here}/expect/{name}", f"`{name}` is never judged in a `{step.kind}` step")


def _method(contract: Contract, clause: Clause, method: str, expect: Mapping[str, Any], here: str) -> Iterator[Fault]:
    known = contract.methods.get(method)
    if known is None and not (_UNJUDGED & set(expect)):
        yield Fault(here, f"{method} is not in /methods, so its result cannot be judged")
    if known is not None and known.effect == "changes" and clause.own == "nothing" and "error" not in expect:
        yield Fault(here, f"{method} changes a thread: the clause needs `own`, or it disturbs the others")


def _sharing(contract: Contract, clause: Clause, step: Step, here: str) -> Iterator[Fault]:
    if step.kind in ("store", "turn") and clause.own == "nothing" and "id" not in step.value:
        yield Fault(here, f"`{step.kind}` changes a thread: the clause needs `own`, or it disturbs the others")
    if step.kind == "model-input" and clause.own != "home":
        yield Fault(here, "what the model was sent is known by home: the clause needs `own` to be `home`")
    if "second" in step.options and clause.own != "home":
        yield Fault(f"{here}/second", "a second server would disturb the others: the clause needs `own` to be `home`")
    if step.kind == "restart" and clause.own != "home":
        yield Fault(here, "`restart` ends the server: the clause needs `own` to be `home`")
    if step.kind == "restart" and "second" not in step.options and _has_second(clause, step):
        yield Fault(here, "the first server outlives the second: restart the second one, or ask it later")
    connection = contract.connections.get(clause.connection)
    if step.kind not in ("schema", "traffic") and connection and connection.initialize is None and clause.own != "home":
        yield Fault(here, "a connection without a greeting cannot be shared: the clause needs `own` to be `home`")
    own_schema = step.kind == "schema" or (step.kind == "traffic" and step.value != "lines")
    if own_schema and "schema" not in clause.needs:
        yield Fault(here, f"this `{step.kind}` step needs the target's schema: the clause must say `needs` `schema`")
    aside = ("schema", "traffic")
    if step.kind in aside and any(other.kind not in aside for other in clause.steps):
        yield Fault(here, f"a `{step.kind}` step is judged after the run: it needs a clause without steps that ask")


def _has_second(clause: Clause, step: Step) -> bool:
    """Tell whether a second server was asked before a step."""
    before = clause.steps[: next(index for index, other in enumerate(clause.steps) if other is step)]
    return any("second" in other.options for other in before)


def _thread(step: Step, place: Place, here: str) -> Iterator[Fault]:
    at = f"{here}/{step.kind}"
    name = step.value.get("thread")
    if step.kind == "turn" and (name is None) == ("id" not in step.value):
        yield Fault(at, "a turn is of one thread: a `thread` of the scene, or an `id`")
    elif name is not None and name not in place.threads:
        yield Fault(f"{at}/thread", f"scene {place.scene!r} has no thread {name!r}")
    elif step.kind == "store" and place.threads[name].get("made") == "by-turns":
        yield Fault(f"{at}/thread", "the server wrote this thread: only one that hive-gate wrote can be changed")
