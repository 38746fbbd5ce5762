"""The folder that a measurement leaves: the data, every format that people read, and the plots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hive_gate.cost.compose import document
from hive_gate.cost.figures import figure, figure_name, plotted
from hive_gate.cost.jsonfile import write_cost
from hive_gate.cost.model import Cost
from hive_gate.cost.operations import OPERATIONS
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from hive_gate.report.jsonfile import write_text


def write_files(cost: Cost, folder: Path) -> None:
    """Write `cost.json`, `cost.*` in every format, and a plot for each operation.

    Raises:
        UsageError: if the folder cannot be written.
    """
    write_cost(cost, folder / "cost.json")
    told = document(cost)
    for name, (suffix, _) in DOCUMENT_FORMATS.items():
        write_text(write_document(told, name), folder / f"cost{suffix}")
    for name, svg in figures(cost):
        write_text(svg, folder / name)


def figures(cost: Cost) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each plot."""
    for operation in OPERATIONS:
        if plotted(cost, operation):
            yield figure_name(operation), figure(cost, operation)
