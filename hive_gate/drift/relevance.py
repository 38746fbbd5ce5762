"""Which of all differences concern Hive, where, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hive_gate.drift.compare import Comparison, Node, Root, WholeDifference
from hive_gate.drift.difference import Difference, Path
from hive_gate.drift.effect import on_known, on_read, on_sent
from hive_gate.drift.hive import View
from hive_gate.drift.kinds import SENT_BY_CLIENT, Flow, Level
from hive_gate.drift.place import Place
from hive_gate.drift.resolve import pointer

Reason = Literal["sends", "omits", "reads", "clauses", "waits", "knows", "avoids", "successor", "every-client"]
"""Why something concerns Hive.

`sends`, `reads`: its own schemas say so; `omits`: it sends the object, and not always this; `clauses`: those of the
contract ask for it or look at it; `waits`: clauses wait for it; `knows`: the pinned version sends it, and Hive does not
read it; `avoids`: the X
that concerns Hive; `every-client`: whoever starts the server has to do with it.
"""

_EVERY_CLIENT = frozenset(
    {
        "server-request-added",
        "server-request-now-stable",
        "client-notification-removed",
        "client-notification-now-experimental",
    }
)

_DEEPEST = 24
"""Steps from a message's root that are looked at; Hive's schemas have about half a dozen."""


@dataclass(frozen=True, slots=True)
class Use:
    """One place in the contract that a change concerns."""

    reason: Reason
    method: str
    pointer: str
    """JSON pointer into the params or result of the method, with `*` for each item; empty for the whole."""
    level: Level
    """How bad the change is there."""
    note: str = ""
    """More about it: why it is avoided; whether Hive's schemas allow what has come."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A pair of definitions, or a message, where Hive gets to it."""

    method: str
    path: Path
    relied: Place | None
    """By the method's own schema in the contract."""
    mentioned: Place | None
    """By its clauses."""


class Relevance:
    """Finds what concerns Hive in a comparison."""

    def __init__(self, comparison: Comparison, view: View) -> None:
        self._view = view
        self._reached: dict[tuple[Flow, Node], list[Reached]] = {}
        for root in comparison.roots:
            self._walk(root, comparison)

    def of_root(self, root: Root, difference: Difference) -> tuple[Use, ...]:
        """Return the uses that a difference in a message itself concerns."""
        start = self._start(root)
        return tuple(self._uses(root.flow, difference, [start] if start else []))

    def of_node(self, flow: Flow, node: Node, difference: Difference) -> tuple[Use, ...]:
        """Return the uses that a difference in a pair of definitions concerns in one flow."""
        return tuple(self._uses(flow, difference, self._reached.get((flow, node), [])))

    def of_whole(self, whole: WholeDifference) -> tuple[Use, ...]:
        """Return the uses that a change of a whole message concerns."""
        return tuple(_of_whole(whole, self._view))

    def _start(self, root: Root) -> Reached | None:
        relied = self._view.relied(root.flow, root.method)
        mentioned = self._view.mentioned(root.flow, root.method)
        return Reached(root.method, (), relied, mentioned) if relied or mentioned else None

    def _walk(self, root: Root, comparison: Comparison) -> None:
        start = self._start(root)
        todo = [(start, root.found)] if start else []
        seen: set[tuple[Node, str]] = set()
        while todo:
            here, found = todo.pop(0)
            for link in found.links:
                node, path = (link.old, link.new), (*here.path, *link.path)
                relied = here.relied.walk(link.path) if here.relied else None
                mentioned = here.mentioned.walk(link.path) if here.mentioned else None
                key = (node, pointer(_steps(path)))
                if not (relied or mentioned) or key in seen or len(path) > _DEEPEST or node not in comparison.nodes:
                    continue
                seen.add(key)
                there = Reached(root.method, path, relied, mentioned)
                self._reached.setdefault((root.flow, node), []).append(there)
                todo.append((there, comparison.nodes[node]))

    def _uses(self, flow: Flow, difference: Difference, places: list[Reached]) -> Iterator[Use]:
        is_sent = flow in SENT_BY_CLIENT
        judge = on_sent if is_sent else on_read
        for reached in places:
            at = pointer(_steps((*reached.path, *difference.path)))
            level = judge(difference, reached.relied) if reached.relied else None
            if level is not None:
                reason = _reason(is_sent, difference, reached.relied)
                note = "" if is_sent else _allowed(difference, level)
                yield Use(reason, reached.method, at, self._eased(difference, level), note)
            elif reached.mentioned and (level := _mention(flow, difference, reached.mentioned)):
                yield Use("clauses", reached.method, at, level)
            elif flow == "response" and self._knows(reached.method, at) and (level := on_known(difference)):
                yield Use("knows", reached.method, at, level)

    def _knows(self, method: str, at: str) -> bool:
        return at in self._view.contract.known_fields.get(method, ())

    def _eased(self, difference: Difference, level: Level) -> Level:
        is_experimental = difference.kind == "field-now-experimental"
        return "risky" if is_experimental and self._view.experimental else level


def _reason(is_sent: bool, difference: Difference, relied: Place | None) -> Reason:
    if not is_sent:
        return "reads"
    named = relied is not None and relied.walk(difference.path) is not None
    return "sends" if named and difference.kind != "default-changed" else "omits"


def _allowed(difference: Difference, level: Level) -> str:
    """Say whether Hive's schemas allow what has come, where that is what decides."""
    if difference.kind == "field-now-optional":
        return ", and does not rely on it" if level == "news" else ", and relies on it"
    if difference.kind in ("value-added", "values-opened", "variant-added", "null-added", "type-added", "type-widened"):
        return ", and its schemas allow that" if level == "news" else ", and its schemas do not allow that"
    return ""


def _mention(flow: Flow, difference: Difference, place: Place) -> Level | None:
    """Return the level for what only clauses name; it is never breaking, as Hive itself does not depend on it."""
    if flow in SENT_BY_CLIENT:
        # What clauses send is often wrong on purpose: that they name a member is all that counts.
        level = on_sent(difference, place) if "field" in difference.kind else None
    else:
        level = on_read(difference, place)
    return "risky" if level == "breaking" else level


def _of_whole(whole: WholeDifference, view: View) -> Iterator[Use]:
    method, contract = whole.method, view.contract
    is_gone = whole.rule.endswith("-removed")
    is_bad = is_gone or whole.rule.endswith("-now-experimental")
    # What moves to the experimental capability still works for a client that has it, as long as it stays.
    worst: Level = "breaking" if is_gone or not view.experimental else "risky"
    if whole.rule.endswith("stated"):
        if whole.family == "methods" and method in contract.methods:
            yield Use("reads", method, "", "risky")
    elif whole.family == "methods":
        if method in contract.methods:
            yield Use("sends", method, "", worst if is_bad else "news")
        elif method in contract.avoided:
            yield Use("avoids", method, "", "risky" if is_bad else "news", contract.avoided[method])
        elif method in view.methods:
            yield Use("clauses", method, "", "risky" if is_bad else "news")
    elif whole.family == "notifications":
        if method in view.notifications:
            yield Use("waits", method, "", worst if is_bad else "news")
        elif method in contract.known_notifications:
            yield Use("knows", method, "", "risky" if is_bad else "news")
    elif whole.rule in _EVERY_CLIENT:
        yield Use("every-client", method, "", "risky")


def _steps(path: Path) -> list[str]:
    """Return a path without the steps that name a variant: they are no members."""
    return [step for step in path if "=" not in step]
