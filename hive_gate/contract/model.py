"""The contract as typed data. Nothing here judges or asks; it only says what the file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

Level = Literal["required", "advisory"]
Own = Literal["nothing", "thread", "home"]
Bound = Literal["at-most", "at-least"]
StepKind = Literal[
    "call",
    "notify",
    "raw",
    "walk",
    "together",
    "restart",
    "store",
    "turn",
    "await",
    "schema",
    "traffic",
    "file",
    "database",
    "model-input",
    "release",
]

STEP_KINDS: tuple[StepKind, ...] = (
    "call", "notify", "raw", "walk", "together", "restart", "store", "turn", "await", "schema", "traffic",
    "file", "database", "model-input", "release",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a clause, with the axes of `over` filled in and the names of the run still as `${name}`."""

    kind: StepKind
    value: Any
    """What stands under the kind's key: a method name, a line, a list of calls, a change, a turn."""
    params: Any = None
    """Parameters of `call`, `walk`, `notify`; None if the file has none."""
    name: str | None = None
    """`as`: how later steps refer to this one."""
    capture: Mapping[str, str] = field(default_factory=dict)
    """Names for values of the result, by JSON pointer."""
    expect: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    """The step's other members, such as `max-pages` of a walk."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One promise, ready to be asked: each product of `over` is a clause of its own."""

    id: str
    suite: str
    level: Level
    promise: str
    """What is promised, in one sentence."""
    why: str
    """What breaks in Hive without it."""
    source: str
    scene: str
    connection: str
    own: Own
    """What this clause gets for itself because it changes it: `nothing`, `thread` (copies of the scene's), `home`."""
    needs: tuple[str, ...]
    """What without the clause is `not-offered`: `schema`, `method:NAME`, `capability:NAME`."""
    steps: tuple[Step, ...]
    axes: Mapping[str, str] = field(default_factory=dict)
    """Axis name to the label of this product."""
    remedy: str | None = None
    """What Hive must do when this no longer holds: the clause's own `if-broken`, or its suite's."""


@dataclass(frozen=True, slots=True)
class Method:
    """What Hive sends to and reads from one method, as JSON Schemas whose `$ref`s point into the contract."""

    name: str
    params: Mapping[str, Any]
    result: Mapping[str, Any]
    effect: Literal["reads", "adds", "changes"]
    """`reads` nothing else; `adds` a new thread; `changes` the state of a thread, so that a clause needs its own."""


@dataclass(frozen=True, slots=True)
class Capability:
    """Something a target may or may not be able to do; it can, if the step's expectation holds."""

    name: str
    why: str
    step: Step


@dataclass(frozen=True, slots=True)
class Connection:
    """How a clause's server is greeted; `initialize` None: not at all, the steps do it."""

    name: str
    initialize: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A number of `hive-gate cost` that supports a statement as long as it keeps to its bound."""

    measurement: str
    """Id of an answer in cost.json, such as `restore.1000`."""
    value: str
    """Which of its numbers, such as `ms.ratio`."""
    bound: Bound
    limit: float
    """In the number's own unit; the bound itself still holds."""
    means: str
    """What holds as long as the number does, as a sentence without its full stop."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A constraint or decision."""

    id: str
    text: str
    source: str
    status: str | None = None
    evidence: tuple[str, ...] = ()
    record: str | None = None
    """Where it is argued: the path of a page in the repository."""
    measured: tuple[Measured, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A clause, constraint or decision of the extended contract that is left out, with all its products."""

    id: str
    glob: str
    """What named it."""
    reason: str


@dataclass(frozen=True, slots=True)
class Lineage:
    """What a contract has of the one that it extends; ids are those of entries, without the labels of products."""

    extends: Path
    origin: Mapping[str, Path]
    """By id of a clause, constraint or decision, the file in which it stands."""
    overridden: frozenset[str]
    """Ids of the extended contract that this one gives anew."""
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that Hive's client must do, or never do."""

    id: str
    level: Level
    must: str
    """What it must do, as an order."""
    why: str
    source: str
    check: str
    """How a transcript shows it: a name of `hive_gate.adapter.checks`."""
    params: Mapping[str, Any]
    """What the check is given."""


@dataclass(frozen=True, slots=True)
class Feature:
    """What Hive's app asks for at run time instead of a version."""

    name: str
    text: str
    """What Hive can do with it."""
    method: str
    """The method that offers it."""
    param: str | None
    """The member of the method's params that it is; None: the method itself."""
    evidence: tuple[str, ...]
    """Ids or globs of the clauses that show that it behaves as the contract says."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract file, checked."""

    name: str
    version: str
    title: str
    source: str
    gates: tuple[str, ...]
    pinned: str
    path: Path
    sha256: str
    """Of the contract file, those it extends, and the scene recipes they name, in the order in which they do."""
    values: Mapping[str, Any]
    connections: Mapping[str, Connection]
    capabilities: Mapping[str, Capability]
    suites: Mapping[str, str]
    scenes: Mapping[str, Mapping[str, Any]]
    """Scene name to its recipe."""
    methods: Mapping[str, Method]
    known_notifications: frozenset[str]
    """Notifications that the pinned version sends; any other is news."""
    known_fields: Mapping[str, frozenset[str]]
    """By method, the fields that the pinned version sends beyond what Hive reads; any other is news."""
    avoided: Mapping[str, str]
    """Methods that Hive must not depend on, with the reason."""
    defs: Mapping[str, Any]
    """`$defs` that the methods' schemas refer to."""
    clauses: tuple[Clause, ...]
    constraints: tuple[Statement, ...]
    decisions: tuple[Statement, ...]
    remedies: Mapping[str, str] = field(default_factory=dict)
    """Suite to what Hive must do when one of its clauses no longer holds and says nothing itself."""
    lineage: Lineage | None = None
    """None: it extends no other."""
    features: tuple[Feature, ...] = ()
    adapter: tuple[Rule, ...] = ()
    """The other side of the line: what Hive's own client must send and never send."""


def stands_in(contract: Contract, clause: Clause) -> Path:
    """Return the file in which a clause stands."""
    return contract.path if contract.lineage is None else contract.lineage.origin[clause.id.partition("/")[0]]


def own_clauses(contract: Contract) -> Contract:
    """Return a contract with only those clauses that stand in its own file, not in one that it extends."""
    return replace(contract, clauses=tuple(c for c in contract.clauses if stands_in(contract, c) == contract.path))
