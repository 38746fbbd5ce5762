"""How every clause fares across versions, as plain data: `matrix.json` is exactly this."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate.matrix.runs import State
from hive_gate.report.model import ClauseResult, Gate, Level, Verdict, Waiver

SCHEMA_ID = "hive-gate/matrix/1"
"""The value of the `schema` member; it changes when a reader would have to."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Which contract was judged."""

    name: str
    version: str
    sha256: str
    title: str
    pinned: str
    """The codex version that the contract pins."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The list of accepted failures that was applied."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Column:
    """One version, judged by one contract."""

    version: str
    state: State
    problem: str | None
    """Why it was not judged, in one sentence; None if it was."""
    program: str | None
    """SHA-256 of the program."""
    size: int | None
    """Bytes of the program."""
    run: str | None
    """Id of the run; None where there was nothing to run."""
    started: str | None
    """When the run began: ISO 8601, UTC."""
    seconds: float
    from_cache: bool
    """Whether an earlier run of the same program, contract and gate stands for it."""
    raw: Gate | None
    """The gate without the baseline; None if it was not judged, as all that follows."""
    gate: Gate | None
    """The gate."""
    counts: dict[str, int]
    """Number of clauses by verdict, and `total`; empty if it was not judged."""
    stale: tuple[str, ...]
    """Entries of the baseline that name no clause, or too many, each in a sentence; any closes the gate."""
    report: str | None
    """Where the run's report.json is, from the folder of matrix.json."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one clause in one version."""

    verdict: Verdict
    actual: str | None
    """What came, in one phrase; None for a pass."""
    fingerprint: str | None
    """How it failed: the same in all runs that fail alike; None where nothing failed."""
    waiver: Waiver | None
    """The entry of the baseline that names this failure."""

    @property
    def raw(self) -> Verdict:
        """The verdict without the baseline."""
        return (self.waiver.was if self.waiver else None) or self.verdict


@dataclass(frozen=True, slots=True)
class Row:
    """One clause, version by version."""

    clause: str
    suite: str
    family: str
    """Id of the contract's entry that the clause is a product of."""
    level: Level
    expected: str
    """What is promised, in one sentence."""
    why: str
    """What breaks in Hive without it."""
    source: str
    cells: tuple[Cell | None, ...]
    """One for each column; None where the version was not judged."""

    def result(self, index: int) -> ClauseResult | None:
        """Return what came in a version, as in the report of its run; None if it was not judged."""
        cell = self.cells[index]
        if cell is None:
            return None
        return ClauseResult(
            id=self.clause,
            suite=self.suite,
            level=self.level,
            verdict=cell.verdict,
            why=self.why,
            source=self.source,
            expected=self.expected,
            actual=cell.actual or "as expected",
            seconds=0.0,
            fingerprint=cell.fingerprint,
            waiver=cell.waiver,
        )


@dataclass(frozen=True, slots=True)
class Sheet:
    """One contract, version by version."""

    contract: Contract
    baseline: Baseline | None
    suites: dict[str, str]
    """Suite id to title, in the contract's order."""
    columns: tuple[Column, ...]
    """The versions, oldest first."""
    rows: tuple[Row, ...]
    """The clauses, in the contract's order."""

    @property
    def name(self) -> str:
        """The contract's name and version."""
        return f"{self.contract.name} {self.contract.version}"

    @property
    def judged(self) -> tuple[int, ...]:
        """Indices of the columns that were judged."""
        return tuple(index for index, column in enumerate(self.columns) if column.state == "judged")

    @property
    def holding(self) -> tuple[int, ...]:
        """Indices of the columns with an open gate."""
        return tuple(index for index, column in enumerate(self.columns) if column.gate == "open")


@dataclass(frozen=True, slots=True)
class Matrix:
    """Contracts by versions."""

    hive_gate: str
    """Version of hive-gate."""
    gate_sha256: str
    """Of what judged: two matrices with the same can be joined."""
    platform: str
    sheets: tuple[Sheet, ...]
    """One for each contract, all over the same versions."""

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions, oldest first."""
        return tuple(column.version for column in self.sheets[0].columns)
