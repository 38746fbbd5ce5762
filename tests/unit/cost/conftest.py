"""Measurements whose numbers are known, since they follow from a formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.cost.derive import derived
from hive_gate.cost.model import Absent, Cell, Cost, Run, Sample, StoredThread
from hive_gate.cost.operations import OPERATIONS
from hive_gate.report.model import Target

SIZES = (100, 200, 500, 1000, 2000)
FEW = (100, 200, 500, 1000)

Formula = Callable[[StoredThread, str], float]
"""Milliseconds of an operation on a thread."""

COUNTS: dict[str, Callable[[int], tuple[int, int, int]]] = {
    "plain": lambda n: (n, 16 * n + 1, 7080 * n),
    "long-answers": lambda n: (100, 1601, 7080 * n),
    "same-bytes": lambda n: (n, 16 * n + 1, 7_080_000),
    "many-items": lambda n: (100, 400 + 12 * n, 6000 * n + 108_000),
    "images": lambda n: (20, 321, 7080 * n),
    "real-legacy": lambda n: (n, 18 * n + 3, 28_000 + 9300 * n),
    "real-paginated": lambda n: (n, 19 * n + 5, 30_000 + 23_000 * n),
}
"""Turns, records and bytes of a shape's thread by its size, as the real ones have them."""


def target(version: str | None = "0.142.5", **members: Any) -> Target:
    about: dict[str, Any] = {
        "spec": version or "path", "kind": "codex", "version": version, "path": f"/x/somebody/{version}/bin/codex",
        "sha256": "ab" * 32, "argv": (f"/x/somebody/{version}/bin/codex", "app-server"), "platform": "linux-x86_64",
    }  # fmt: skip
    return Target(**{**about, **members})


def linear(thread: StoredThread, operation: str) -> float:
    """Nearly as 0.142.5 behaves: 2 ms for a request, 4 µs a record and 4 ms a megabyte, more for a restore.

    Other views than `full` take four fifths of that, which they do not: so it shows of which one a sentence speaks.
    """
    each = (2.0 + 0.004 * thread.records + 4e-6 * thread.bytes) * (0.8 if _short(operation) else 1.0)
    if operation == "restore/full":
        return 30 + 5 * each
    if operation.startswith("restore/"):
        return 30 + 4 * each
    if operation.startswith("walk/"):
        return each * -(-thread.turns // 100)
    return each if operation.startswith(("page/", "read/turns")) else 1.0


def _short(operation: str) -> bool:
    return "summary" in operation or "notLoaded" in operation


def sent(thread: StoredThread, operation: str) -> int:
    """Bytes of the replies: 2,950 a turn in `full`, 740 in `summary`, 195 without items."""
    if operation in ("restore/full", "read/turns", "read/turns/cold"):
        return 500 + 2950 * thread.turns
    asked = OPERATIONS[operation]
    each = 740 if "summary" in operation else 195 if "notLoaded" in operation else 2950
    turns = thread.turns if asked.phase == "walk" else min(thread.turns, asked.page)
    return asked.at_once * (200 + each * turns)


def sample(number: int, ms: float, bytes_in: int = 100, **members: Any) -> Sample:
    return Sample(**{"round": number, "ms": ms, "cpu_ms": ms, "bytes_out": 60, "bytes_in": bytes_in, "peak_mb": 90.0,
                     "control_ms": 2.0, **members})  # fmt: skip


def run(**members: Any) -> Run:
    about = {
        "id": "20261130T100000Z-abcdef", "started": "2026-11-30T10:00:00+00:00", "seconds": 100.0, "hive_gate": "0.1.0",
        "python": "3.11.7", "rounds": 5, "time_limit": 120.0, "complete": True, "interrupted": False, "problem": None,
    }  # fmt: skip
    return Run(**{**about, **members})


def build(
    *formulas: Formula,
    shapes: tuple[str, ...] = ("plain", "long-answers", "same-bytes", "many-items", "images", "real-legacy"),
    sizes: tuple[int, ...] = SIZES,
    jitter: float = 0.02,
    absent: tuple[Absent, ...] = (),
    targets: tuple[Target, ...] | None = None,
    **members: Any,
) -> Cost:
    """Return a measurement in which every operation took what the target's formula says, give or take `jitter`."""
    threads, cells = [], []
    wobble = (0.0, 1.0, -1.0, 0.5, -0.5)
    for index, formula in enumerate(formulas or (linear,)):
        for shape in shapes:
            grown = sizes if shape == "plain" else (20, 50, 100, 200) if shape.startswith("real") else FEW
            floor = (1,) if shape == "plain" or shape.startswith("real") else ()
            for size in (*floor, *grown):
                items = 1 + 6 * (size // 100 or 1) if shape == "many-items" else 7
                thread = StoredThread(index, shape, size, *COUNTS[shape](size), items)
                threads.append(thread)
                for name, operation in OPERATIONS.items():
                    if operation.applies(thread):
                        ms = formula(thread, name)
                        samples = tuple(
                            sample(n, ms * (1 + jitter * off), sent(thread, name)) for n, off in enumerate(wobble)
                        )
                        cells.append(Cell(index, shape, size, name, 1, samples))
    named = targets or tuple(target(v) for v in ("0.142.5", "0.171.0")[: len(formulas) or 1])
    return derived(run(**members), (0.5, 0.6), named, tuple(threads), tuple(cells), absent)


@pytest.fixture
def made() -> Callable[..., Cost]:
    return build


@pytest.fixture(scope="session")
def steady() -> Cost:
    return build()


@pytest.fixture
def text_of() -> Callable[[Cost, str], str]:
    def find(cost: Cost, name: str) -> str:
        return next(s.text for s in cost.sentences if s.id == name)

    return find
