"""Two digests compared: what differs in each definition and message, and which methods it concerns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hive_gate.drift.difference import Found, Link, differences
from hive_gate.drift.digest import FAMILIES, Digest, Family, Message
from hive_gate.drift.kinds import Flow
from hive_gate.drift.resolve import Json
from hive_gate.drift.structure import definition, references

Node = tuple[str, str]
"""A definition of the old digest and one of the new, mostly of the same name, that stand at the same places."""

_FLOWS: dict[Family, tuple[Flow, Flow | None]] = {
    "methods": ("request", "response"),
    "notifications": ("notification", None),
    "server-requests": ("server-request", "answer"),
    "client-notifications": ("request", None),
}

WHOLE_NAMES: dict[Family, str] = {
    "methods": "method",
    "notifications": "notification",
    "server-requests": "server-request",
    "client-notifications": "client-notification",
}
"""Family of messages to what the rules call one of them."""

_NOTHING = {"type": "null"}
"""What a message without params takes."""


@dataclass(frozen=True, slots=True)
class Root:
    """The params or the result of one message on both sides."""

    flow: Flow
    family: Family
    method: str
    found: Found


@dataclass(frozen=True, slots=True)
class WholeDifference:
    """A message that has come, gone or changed as a whole."""

    rule: str
    """A key of `WHOLES`."""
    family: Family
    method: str


@dataclass(slots=True)
class Comparison:
    """All that differs between two digests."""

    old: Digest
    new: Digest
    wholes: list[WholeDifference] = field(default_factory=list)
    roots: list[Root] = field(default_factory=list)
    nodes: dict[Node, Found] = field(default_factory=dict)
    """Every pair of definitions that a message leads to and below which something differs."""
    uncompared: list[str] = field(default_factory=list)
    """The messages on both sides for whose result or answer one side or both have no schema."""

    def methods(self, flow: Flow) -> Mapping[Node, tuple[str, ...]]:
        """Return the methods that lead to each pair of definitions in one flow, sorted."""
        found: dict[Node, set[str]] = {}
        for root in self.roots:
            if root.flow != flow:
                continue
            todo = [_node(link) for link in root.found.links]
            seen: set[Node] = set()
            while todo:
                node = todo.pop()
                if node in seen or node not in self.nodes:
                    continue
                seen.add(node)
                found.setdefault(node, set()).add(root.method)
                todo.extend(_node(link) for link in self.nodes[node].links)
        return {node: tuple(sorted(methods)) for node, methods in found.items()}

    def owners(self) -> Mapping[Node, Root]:
        """Return the message of each pair of definitions that is the whole params or result of just this one."""
        leads: dict[Node, list[Root | None]] = {}
        for root in self.roots:
            for link in root.found.links:
                leads.setdefault(_node(link), []).append(None if link.path else root)
        for found in self.nodes.values():
            for link in found.links:
                leads.setdefault(_node(link), []).append(None)
        return {node: roots[0] for node, roots in leads.items() if len(roots) == 1 and roots[0] is not None}


def compare(old: Digest, new: Digest) -> Comparison:
    """Compare two digests.

    Raises:
        HiveGateError: (as a digest's `error`) if a reference leads nowhere.
    """
    result = Comparison(old, new)
    changed = _changed(old, new)
    for family in FAMILIES:
        before, after = old.messages[family], new.messages[family]
        for name in sorted(before.keys() | after.keys()):
            result.wholes.extend(_wholes(family, name, before.get(name), after.get(name)))
            if name in before and name in after:
                _compare_both(result, family, name, changed)
    todo = [_node(link) for root in result.roots for link in root.found.links]
    while todo:
        node = todo.pop()
        if node not in result.nodes:
            before, after = old.definitions[node[0]], new.definitions[node[1]]
            result.nodes[node] = differences(before, after, old.scope, new.scope, changed)
            todo.extend(_node(link) for link in result.nodes[node].links)
    return result


def _wholes(family: Family, name: str, old: Message | None, new: Message | None) -> Iterator[WholeDifference]:
    what = WHOLE_NAMES[family]
    if old is None or new is None:
        yield WholeDifference(f"{what}-{'added' if old is None else 'removed'}", family, name)
        return
    if old.experimental != new.experimental:
        yield WholeDifference(f"{what}-now-{'experimental' if new.experimental else 'stable'}", family, name)


def _compare_both(result: Comparison, family: Family, name: str, changed: frozenset[str]) -> None:
    """Compare a message that both sides have, and keep what cannot be compared."""
    before, after = (side.messages[family][name] for side in (result.old, result.new))
    sent, answered = _FLOWS[family]

    def add(flow: Flow, old: Json, new: Json) -> None:
        found = differences(old, new, result.old.scope, result.new.scope, changed)
        result.roots.append(Root(flow, family, name, found))

    if before.params is not None or after.params is not None:
        old, new = (_NOTHING if side.params is None else side.params for side in (before, after))
        add(sent, old, new)
    if answered is None:
        return
    old = _or_same(before.result, after.result, result.old)
    new = _or_same(after.result, before.result, result.new)
    if old is not None and new is not None:
        add(answered, old, new)
        return
    result.uncompared.append(name)
    if old is not None or new is not None:
        result.wholes.append(WholeDifference(f"{answered}-{'stated' if old is None else 'unstated'}", family, name))


def _or_same(own: Json, other: Json, digest: Digest) -> Json:
    """Return a side's own schema of a result, else what it has under the name of the other side's; None: neither.

    Which schema is a result's is told from names, and params that came or went can hide it on one side only.
    """
    if own is not None or not isinstance(other, dict) or "$ref" not in other:
        return own
    return other if definition(other["$ref"]) in digest.definitions else None


def _changed(old: Digest, new: Digest) -> frozenset[str]:
    """Return the names of the definitions that differ, or that refer to one that does."""
    names = old.definitions.keys() | new.definitions.keys()
    changed = {name for name in names if old.definitions.get(name) != new.definitions.get(name)}
    users: dict[str, set[str]] = {}
    for name in names - changed:
        for ref in references(new.definitions[name]):
            users.setdefault(definition(ref), set()).add(name)
    todo = list(changed)
    while todo:
        for user in users.get(todo.pop(), set()) - changed:
            changed.add(user)
            todo.append(user)
    return frozenset(changed)


def _node(link: Link) -> Node:
    return link.old, link.new
