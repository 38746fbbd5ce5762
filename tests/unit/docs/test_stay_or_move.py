"""The figures with which the move is argued are those of the committed measurement."""

from __future__ import annotations

import json
import statistics
from typing import Any

from hive_gate.data import DEFAULT_CONTRACT

ROOT = DEFAULT_CONTRACT.parents[1]
PAGE = (ROOT / "docs" / "stay-or-move.md").read_text(encoding="utf-8")
COST: dict[str, Any] = json.loads(
    (ROOT / "reports" / "evidence" / "cost-0.142.5-and-0.171.0" / "cost.json").read_text(encoding="utf-8")
)


def median(shape: str, size: int, operation: str) -> float:
    """Return what an operation took on 0.171.0, in milliseconds."""
    (target,) = (index for index, one in enumerate(COST["targets"]) if one["spec"] == "0.171.0")
    wanted = (target, shape, size, operation)
    (cell,) = (one for one in COST["cells"] if (one["target"], one["shape"], one["size"], one["operation"]) == wanted)
    return float(statistics.median(sample["ms"] for sample in cell["samples"]))


def test_the_pages_take_what_was_measured() -> None:
    for view in ("notLoaded", "summary", "full"):
        row = next(line for line in PAGE.splitlines() if line.strip().startswith(f"| a page in `{view}`"))
        measured = [
            median(shape, size, f"page/{view}/20") for size in (100, 200) for shape in ("real-paginated", "real-legacy")
        ]
        assert [cell.strip() for cell in row.split("|")[2:6]] == [f"{ms:.1f} ms" for ms in measured]


def test_so_does_a_whole_thread() -> None:
    for said, operation in (
        ("`thread/read` with turns takes", "read/turns"),
        ("a resume with all turns", "restore/full"),
    ):
        paginated, legacy = (median(shape, 200, operation) for shape in ("real-paginated", "real-legacy"))
        told = PAGE.partition(said)[2].split("(")[0].split(",")[0]
        assert [word for word in told.split() if word.isdigit()] == [f"{paginated:.0f}", f"{legacy:.0f}"]
