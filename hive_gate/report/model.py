"""What a run found, as plain data: `report.json` is exactly this, and every other format is made from it alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hive_gate.report.statement import Claim, Measurement, Note
from hive_gate.wire.transcript import Exchange, Json, Message, Oddity

__all__ = [
    "OPENING",
    "SCHEMA_ID",
    "VERDICTS",
    "Baseline",
    "CarriedOut",
    "Claim",
    "ClauseResult",
    "Contract",
    "Exchange",
    "Finding",
    "Gate",
    "Json",
    "Level",
    "Measurement",
    "Message",
    "News",
    "Note",
    "Oddity",
    "Report",
    "Run",
    "Server",
    "Target",
    "Verdict",
    "Waiver",
    "gate_of",
]

Verdict = Literal["pass", "fail", "warn", "waived", "stale", "not-offered", "blocked", "error"]
Level = Literal["required", "advisory"]
Gate = Literal["open", "closed"]

VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "warn", "waived", "stale", "not-offered", "blocked", "error")
"""All verdicts, in the order in which tables count them."""

OPENING: frozenset[Verdict] = frozenset({"pass", "waived", "not-offered"})
"""The verdicts of a required clause that leave the gate open."""

SCHEMA_ID = "hive-gate/report/1"
"""The value of the report's `schema` member; it changes when a reader would have to."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One expectation that did not hold."""

    check: str
    """What was checked: `error`, `result`, an invariant's name such as `turns-match-scene`."""
    expected: str
    """What the contract expects, as a phrase."""
    actual: str
    """What came, as a phrase; long values are shortened."""
    step: int | None = None
    """Zero-based index of the clause's step."""
    pointer: str | None = None
    """JSON pointer into the reply's result, where one value is at fault."""
    message: int | None = None
    """Number of the transcript message (`Message.n`) that shows it."""


@dataclass(frozen=True, slots=True)
class Waiver:
    """What the baseline says of a clause that fails as it says, or no longer does."""

    entry: str
    """JSON pointer of the entry in the baseline file, such as `/waiver/2`."""
    reason: str
    owner: str
    expires: str
    """ISO 8601 date; the entry holds up to and including this day."""
    problem: str | None = None
    """For `stale`: why the entry does not hold, and what to do, in one sentence."""
    was: Verdict | None = None
    """The verdict without the baseline."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """One step that was carried out, with what a judge needs beside its exchanges."""

    step: int
    """Zero-based index of the clause's step."""
    awaited: int | None = None
    """Of an `await` step, the number of the message that came; None: it did not come in time."""
    facts: Json = None
    """What a look at a file, a database or the model's input found."""
    trouble: str | None = None
    """Why the clause stopped here, where that is not the server's fault to be judged."""


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """One clause (one product, where `over` multiplies it) and its verdict."""

    id: str
    suite: str
    level: Level
    verdict: Verdict
    why: str
    """Why Hive relies on this; from the contract."""
    source: str
    """Where the promise comes from: an issue or an upstream change."""
    expected: str
    """In one phrase, what the clause promises."""
    actual: str
    """In one phrase, what came; for a pass, what was seen."""
    seconds: float
    scene: str | None = None
    findings: tuple[Finding, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    fingerprint: str | None = None
    """How it failed, as 12 hex digits that are the same in every run that fails alike; None where nothing failed."""
    waiver: Waiver | None = None
    """The entry of the baseline that names this failure."""
    steps: tuple[CarriedOut, ...] = ()
    """The steps that were carried out, in order."""
    asked: str | None = None
    """What was asked (scene, connection and steps without their expectations), as 12 hex digits: a judge may judge the
    clause again exactly if its contract still asks this."""


@dataclass(frozen=True, slots=True)
class Server:
    """One start of the target."""

    index: int
    scene: str
    connection: str
    """Name of the connection profile: `hive`, `stable`, `raw`."""
    purpose: str
    """What it was started for: `clauses`, `scene` (to make stored threads by real turns), or a clause id."""
    start_ms: float
    """Milliseconds from the spawn to the answer to `initialize` (or to readiness where there is none)."""
    exit_code: int | None
    stderr_tail: str
    stop: str
    """How it ended: `eof`, `term`, `kill`, `died`; `not started` if it never ran."""
    survivors: tuple[str, ...] = ()
    """Processes that it left behind; they were killed."""


@dataclass(frozen=True, slots=True)
class Target:
    """What really ran."""

    spec: str
    """As the user named it: `0.142.5`, `path`, a path, or a command line."""
    kind: Literal["codex", "command"]
    version: str | None
    """The version that the program itself reports; None where it reports none."""
    path: str | None
    """The resolved native program."""
    sha256: str | None
    argv: tuple[str, ...]
    size: int | None = None
    """Bytes of the program."""
    handshake_version: str | None = None
    """The version in `initialize`'s `userAgent`."""
    user_agent: str | None = None
    resolved_from: tuple[str, ...] = ()
    """The steps from the spec to the program: links and launchers that were followed."""
    schema_from: str | None = None
    """Where the target's own JSON Schemas came from; None: it has none here."""
    platform: str | None = None
    warnings: tuple[str, ...] = ()
    """What a reader must know about what ran: versions that disagree, other codex on PATH, inherited variables."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Which contract was judged."""

    name: str
    version: str
    sha256: str
    path: str
    title: str
    source: str
    gates: tuple[str, ...]
    """The work that the verdict holds up or lets go, such as `#944`."""
    pinned: str
    """The codex version that the contract pins."""


@dataclass(frozen=True, slots=True)
class News:
    """Something the run saw that the contract does not speak of; it never changes a verdict."""

    kind: str
    """`notification`, `server-request`, `enum-member`, `field`, `config-warning`, `deprecation-notice`, `banner` or
    `wire`."""
    text: str
    count: int = 1
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Baseline:
    """The list of accepted failures that was applied."""

    path: str
    sha256: str
    entries: int
    """Entries in the file."""
    applied: int
    """Entries whose version range holds for the target."""
    problems: tuple[str, ...] = ()
    """Entries that match no clause, or too many: each in a sentence that names it and says what to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """When and how it ran."""

    id: str
    started: str
    """ISO 8601, UTC."""
    seconds: float
    hive_gate: str
    """Version of hive-gate."""
    python: str
    partial: bool
    """True if a selection left clauses out: such a run speaks only of what it ran."""
    selection: dict[str, Json] = field(default_factory=dict)
    interrupted: bool = False
    problem: str | None = None
    """Why the target could not be judged at all, in one sentence."""
    redacted: bool = False
    """True if user text and folders were replaced: such a report can be read, and not be judged again."""


@dataclass(frozen=True, slots=True)
class Report:
    """One contract against one target."""

    gate: Gate
    run: Run
    target: Target
    contract: Contract
    clauses: tuple[ClauseResult, ...]
    constraints: tuple[Note, ...] = ()
    decisions: tuple[Note, ...] = ()
    suites: dict[str, str] = field(default_factory=dict)
    """Suite id to title, in the contract's order."""
    news: tuple[News, ...] = ()
    servers: tuple[Server, ...] = ()
    messages: tuple[Message, ...] = ()
    scenes: dict[str, Json] = field(default_factory=dict)
    """The truth that was judged against: scene name to its threads and their turns."""
    baseline: Baseline | None = None
    """None: no list of accepted failures was applied."""
    oddities: tuple[Oddity, ...] = ()
    """What was not as it should be on the wire, tolerated or not."""
    lacking: dict[str, Json] = field(default_factory=dict)
    """Capabilities that the target was asked for and does not have, with what came instead."""
    measurement: Measurement | None = None
    """None: constraints and decisions were judged by clauses alone."""

    @property
    def counts(self) -> dict[str, int]:
        """Number of clauses by verdict, every verdict named, and `total`."""
        found: dict[str, int] = {verdict: sum(1 for c in self.clauses if c.verdict == verdict) for verdict in VERDICTS}
        return {**found, "total": len(self.clauses)}

    def message(self, n: int) -> Message:
        """Return the transcript message with number `n`.

        Raises:
            KeyError: if there is none.
        """
        if 0 <= n < len(self.messages) and self.messages[n].n == n:
            return self.messages[n]
        raise KeyError(n)


def gate_of(clauses: tuple[ClauseResult, ...], baseline: Baseline | None = None) -> Gate:
    """Open only if each required clause is `pass`, `waived` or `not-offered`, and at least one was seen to pass.

    A run that saw nothing shows nothing. A `stale` clause closes the gate whatever its level, and so does an entry of
    the baseline that names no clause: a list of accepted failures that is not true is not a list.
    """
    if baseline is not None and baseline.problems:
        return "closed"
    required = [c for c in clauses if c.level == "required"]
    if any(c.verdict == "stale" for c in clauses) or not any(c.verdict == "pass" for c in required):
        return "closed"
    return "open" if all(c.verdict in OPENING for c in required) else "closed"
