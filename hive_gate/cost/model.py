"""What one measurement found: the samples as they were taken, and what follows from them.

The model is the only source of every format; `cost.json` is exactly it (see `hive_gate.cost.jsonfile`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hive_gate.report.model import Target
from hive_gate.report.statement import Claim, Support

SCHEMA_ID = "hive-gate/cost/1"

Quantity = Literal["ms", "cpu_ms", "bytes_in"]
"""What is fitted: wall time, the server's CPU time, bytes of the replies."""

Over = Literal["turns", "records", "bytes"]
"""What of the stored thread it is fitted over."""


Kind = Literal["decision", "constraint"]
"""What of the contract rests on numbers."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One operation, done once."""

    round: int
    """Zero-based round; samples of one round were taken close to each other."""
    ms: float
    """Wall time in milliseconds, from the request to the last byte of the reply."""
    cpu_ms: float | None
    """CPU time of the server's processes meanwhile, in milliseconds; null where it cannot be told."""
    bytes_out: int
    """Bytes of the requests."""
    bytes_in: int
    """Bytes of the replies."""
    peak_mb: float | None
    """Most resident memory of the server while it worked, in MB; null where it cannot be told."""
    control_ms: float
    """Milliseconds that a constant computation of the gate took just before: how fast the machine was."""


@dataclass(frozen=True, slots=True)
class StoredThread:
    """A stored thread that was asked about."""

    target: int
    """Zero-based index of the target whose home it lies in."""
    shape: str
    """Name of its shape."""
    size: int
    """The size that was asked for; see the shape."""
    turns: int
    records: int
    """Lines of its file."""
    bytes: int
    """Bytes of its file."""
    items: int
    """Items of each turn as `full` shows them."""


@dataclass(frozen=True, slots=True)
class Absent:
    """A shape that a target does not have, or that could not be made."""

    target: int
    """Zero-based index of the target."""
    shape: str
    why: str


@dataclass(frozen=True, slots=True)
class Cell:
    """All samples of one operation on one stored thread."""

    target: int
    """Zero-based index of the target."""
    shape: str
    size: int
    operation: str
    """Name of the operation."""
    requests: int
    """Requests that one sample is made of; more than 1 for a walk."""
    samples: tuple[Sample, ...]
    missing: str | None = None
    """Why there are no samples, or fewer than asked for, in one phrase; null if they are all there."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How a quantity grows: `factor * x ** exponent`, a line through the logarithms of medians and sizes."""

    target: int
    """Zero-based index of the target."""
    shape: str
    operation: str
    quantity: Quantity
    over: Over
    points: int
    """Sizes that the line goes through."""
    center: float
    """Geometric mean of these sizes, where the line is known best."""
    floor: float
    """What was taken off each median before: the operation on a thread with one turn; 0 if nothing was."""
    factor: float
    exponent: float
    low: float
    """Lower end of the exponent's 95 % confidence interval."""
    high: float
    """Upper end of it."""
    scatter: float
    """Residual standard deviation of the logarithm: 0.1 means that a median lies about 10 % off the line."""
    noisy: bool
    """Whether the interval is too wide for the exponent to mean anything."""


@dataclass(frozen=True, slots=True)
class Price:
    """What one unit of stored history adds to an operation, from all hand-written shapes together."""

    target: int
    """Zero-based index of the target."""
    operation: str
    quantity: Quantity
    unit: Literal["request", "turn", "record", "MB"]
    each: float
    """Of the quantity for each unit; for `request`, the fixed part."""
    low: float
    """Lower end of its 95 % confidence interval."""
    high: float
    """Upper end of it."""
    scatter: float
    """Residual standard deviation of the whole model, relative to what was measured."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One answer in words, with its numbers."""

    id: str
    """What it answers, such as `step.1000`."""
    target: int | None
    """Zero-based index of the target; null if it compares two."""
    text: str
    noisy: bool
    """Whether it says that the measurement is too noisy, in place of a number."""
    values: dict[str, float]
    """Its numbers by name; one that is too noisy is left out."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision or a constraint of the contract, and what the numbers of one target say to it."""

    id: str
    kind: Kind
    target: int
    """Zero-based index of the target."""
    record: str | None
    """The page that argues it, as a path in the repository; null if there is none."""
    support: Support
    """What is said to all of its numbers: `supported` only if each of them is."""
    measured: tuple[Claim, ...]
    """Its numbers."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How steady the machine was."""

    control_ms: float
    """Median of the gate's constant computation, in milliseconds."""
    control_low: float
    """Its tenth percentile."""
    control_high: float
    """Its ninetieth percentile."""
    drift: float
    """Median of the last round over that of the first: 1.0 means no drift."""
    noisy_cells: int
    """Cells whose middle half of samples is spread over more than a quarter of their median."""
    cells: int
    """Cells with enough samples to tell."""
    load_before: float | None
    """The system's load over the last minute when the run began; null where it cannot be told."""
    load_after: float | None
    cpus: int
    """Processors that the gate may use."""


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
    rounds: int
    """Rounds that were asked for: at most so many samples of each cell."""
    time_limit: float
    """Seconds after which no new measurement was begun."""
    complete: bool
    """True if every cell has all its samples, or at least three; otherwise the cells say what is missing."""
    interrupted: bool
    problem: str | None
    """Why it could not be completed, in one sentence."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The measurement of one target, or of two side by side."""

    run: Run
    noise: Noise
    targets: tuple[Target, ...]
    sentences: tuple[Sentence, ...]
    decisions: tuple[Decision, ...]
    """What the sentences say to a contract: to the one by which they were told last."""
    absent: tuple[Absent, ...]
    threads: tuple[StoredThread, ...]
    fits: tuple[Fit, ...]
    prices: tuple[Price, ...]
    cells: tuple[Cell, ...]
