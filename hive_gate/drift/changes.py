"""The changes between two targets: each with its rule, direction, level, place, sentence and fingerprint."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from hive_gate.drift.compare import Comparison, Node, Root
from hive_gate.drift.difference import Difference, Path
from hive_gate.drift.digest import DIGITS, Family
from hive_gate.drift.kinds import (
    DIRECTIONS,
    KINDS,
    LEVELS,
    SENT_BY_CLIENT,
    WHOLES,
    Direction,
    Flow,
    Level,
    level_of,
    rule_of,
    worse,
)
from hive_gate.drift.relevance import Relevance, Use
from hive_gate.drift.renames import renamed_fields, renamed_messages
from hive_gate.drift.resolve import Scope, pointer

SubjectKind = Literal["method", "notification", "server-request", "client-notification", "definition"]

_SUBJECTS: dict[Family, SubjectKind] = {
    "methods": "method",
    "notifications": "notification",
    "server-requests": "server-request",
    "client-notifications": "client-notification",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that another version of the target does differently."""

    rule: str
    """Flow and kind, such as `response-field-removed`; or one of `WHOLES`."""
    direction: Direction
    level: Level
    """For Hive where it is used, else for a client that uses just this."""
    subject: str
    """The message or the definition in which it is."""
    subject_kind: SubjectKind
    path: str
    """JSON pointer from the subject, with `*` for each item and `type=x` for one variant of a union."""
    methods: tuple[str, ...]
    """The messages that it concerns, sorted."""
    explanation: str
    """One sentence."""
    old: str
    """What it was, in a phrase; empty where that says nothing."""
    new: str
    fingerprint: str
    """12 hexadecimal digits that other changes between the same versions leave alone."""
    uses: tuple[Use, ...] = ()
    """Where Hive is concerned."""
    looks_like: str | None = None
    """What this may be under another name: the name, for a suggestion."""
    counterpart: str | None = None
    """The fingerprint of the change with which this may be one rename."""

    @property
    def used(self) -> bool:
        """Whether it concerns Hive."""
        return bool(self.uses)


@dataclass(frozen=True, slots=True)
class Counts:
    """Changes by level."""

    breaking: int = 0
    risky: int = 0
    news: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.breaking + self.risky + self.news


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes: those that concern Hive first, then the worst, then by method."""

    all: tuple[Change, ...]

    @property
    def used(self) -> tuple[Change, ...]:
        """Those that concern Hive."""
        return tuple(change for change in self.all if change.used)

    @property
    def others(self) -> tuple[Change, ...]:
        """Those that do not."""
        return tuple(change for change in self.all if not change.used)

    @property
    def breaks(self) -> bool:
        """Whether something that Hive uses can stop working."""
        return any(change.level == "breaking" for change in self.used)


def count(changes: Sequence[Change]) -> Counts:
    """Return how many changes there are of each level."""
    found = Counter(change.level for change in changes)
    return Counts(*(found[level] for level in LEVELS))


def changes_of(comparison: Comparison, relevance: Relevance) -> Changes:
    """Return a comparison as changes, as Hive sees them.

    Raises:
        HiveGateError: if a schema of a digest or of the contract is broken.
    """
    found = [*_wholes(comparison, relevance), *_values(comparison, relevance)]
    return Changes(tuple(sorted(found, key=_order)))


def _order(change: Change) -> tuple[bool, int, str, str, str, str]:
    first = change.uses[0].method if change.uses else change.methods[0]
    return (not change.used, LEVELS.index(change.level), first, change.subject, change.path, change.fingerprint)


def _wholes(comparison: Comparison, relevance: Relevance) -> Iterator[Change]:
    for family, subject_kind in _SUBJECTS.items():
        wholes = [whole for whole in comparison.wholes if whole.family == family]
        made: dict[str, Change] = {}
        for whole in wholes:
            kind, uses = WHOLES[whole.rule], relevance.of_whole(whole)
            made[f"{whole.rule} {whole.method}"] = Change(
                rule=whole.rule,
                direction=kind.direction,
                level=_worst(uses, kind.level),
                subject=whole.method,
                subject_kind=subject_kind,
                path="",
                methods=(whole.method,),
                explanation=kind.says.format(at=f"`{whole.method}`"),
                old="",
                new="",
                fingerprint=_fingerprint(whole.rule, kind.direction, whole.method, "", ""),
                uses=uses,
            )
        gone = [whole.method for whole in wholes if whole.rule == f"{subject_kind}-removed"]
        come = [whole.method for whole in wholes if whole.rule == f"{subject_kind}-added"]
        for old, new in renamed_messages(gone, come, comparison.old, comparison.new, family).items():
            keys = f"{subject_kind}-removed {old}", f"{subject_kind}-added {new}"
            made[keys[0]], made[keys[1]] = _joined(made[keys[0]], made[keys[1]], f"`{new}`", f"`{old}`")
        yield from made.values()


def _values(comparison: Comparison, relevance: Relevance) -> Iterator[Change]:
    scopes = comparison.old.scope, comparison.new.scope
    for root in comparison.roots:
        subject = Subject(root.method, _SUBJECTS[root.family], root.method)
        made = [
            _change(root.flow, one, subject, (root.method,), relevance.of_root(root, one))
            for one in root.found.differences
        ]
        yield from _with_renames(root.found.differences, made, scopes)
    owners = comparison.owners()
    for flow in DIRECTIONS:
        for node, methods in comparison.methods(flow).items():
            subject = _subject(node, owners.get(node))
            found = comparison.nodes[node].differences
            made = [_change(flow, one, subject, methods, relevance.of_node(flow, node, one)) for one in found]
            yield from _with_renames(found, made, scopes)


class Subject(NamedTuple):
    """What a change is in."""

    name: str
    kind: SubjectKind
    key: str
    """What stands for it in fingerprints: a definition's own name, also where it is told as a message's."""


def _subject(node: Node, owner: Root | None) -> Subject:
    name = node[0] if node[0] == node[1] else f"{node[0]} > {node[1]}"
    if owner is not None:
        return Subject(owner.method, _SUBJECTS[owner.family], name)
    return Subject(name, "definition", name)


def _change(flow: Flow, one: Difference, subject: Subject, methods: tuple[str, ...], uses: tuple[Use, ...]) -> Change:
    rule, direction, path = rule_of(flow, one.kind), DIRECTIONS[flow], pointer(one.path)
    kind = KINDS[one.kind]
    says = kind.says_sent if flow in SENT_BY_CLIENT else kind.says_read
    text = says.format(at=_at(flow, one.path, subject), old=one.old, new=one.new)
    return Change(
        rule=rule,
        direction=direction,
        level=_worst(uses, level_of(flow, one.kind)),
        subject=subject.name,
        subject_kind=subject.kind,
        path=path,
        methods=methods,
        explanation=text[:1].upper() + text[1:],
        old=one.old,
        new=one.new,
        fingerprint=_fingerprint(rule, direction, subject.key, path, one.thing),
        uses=uses,
    )


_PARTS: dict[Flow, str] = {
    "request": "the params of",
    "response": "the result of",
    "notification": "the params of",
    "server-request": "the params of",
    "answer": "the answer to",
}


def _at(flow: Flow, path: Path, subject: Subject) -> str:
    whole = f"`{subject.name}`" if subject.kind == "definition" else f"{_PARTS[flow]} `{subject.name}`"
    return f"`{pointer(path)}` in {whole}" if path else whole


def _with_renames(found: Sequence[Difference], made: list[Change], scopes: tuple[Scope, Scope]) -> list[Change]:
    for gone, come in renamed_fields(found, *scopes).items():
        names = [f"`{pointer(found[index].path)}`" for index in (gone, come)]
        made[gone], made[come] = _joined(made[gone], made[come], names[1], names[0])
    return made


def _joined(gone: Change, come: Change, new_name: str, old_name: str) -> tuple[Change, Change]:
    """Let two changes that may be one rename refer to each other; who uses the old name is concerned by the new one."""
    uses = come.uses or tuple(replace(use, reason="successor", level="news", note="") for use in gone.uses)
    suffix = "it may be a rename"
    return (
        replace(
            gone,
            explanation=f"{gone.explanation} It looks like {new_name}, which is new: {suffix}.",
            looks_like=new_name.strip("`"),
            counterpart=come.fingerprint,
        ),
        replace(
            come,
            explanation=f"{come.explanation} It looks like {old_name}, which is gone: {suffix}.",
            looks_like=old_name.strip("`"),
            counterpart=gone.fingerprint,
            uses=uses,
            level=_worst(uses, come.level),
        ),
    )


def _worst(uses: Sequence[Use], general: Level) -> Level:
    level: Level = "news"
    for use in uses:
        level = worse(level, use.level)
    return level if uses else general


def _fingerprint(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:DIGITS]
