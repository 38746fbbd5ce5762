"""The folder that a measurement leaves: the data, every format that people read, and the plots."""

from __future__ import annotations

from pathlib import Path

from hive_gate.cost.compose import document
from hive_gate.cost.figures import figures
from hive_gate.cost.jsonfile import write_cost
from hive_gate.cost.model import Cost
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from hive_gate.report.jsonfile import write_text

DATA = "cost.json"
"""The file that holds every sample."""


def write_files(cost: Cost, folder: Path) -> None:
    """Write `cost.json`, `cost.*` in every format, and a plot for each operation.

    Raises:
        UsageError: if the folder cannot be written.
    """
    write_cost(cost, folder / DATA)
    write_notes(cost, folder)


def write_notes(cost: Cost, folder: Path) -> None:
    """Write what follows from `cost.json`: `cost.*` in every format, and a plot for each operation.

    Raises:
        UsageError: if the folder cannot be written.
    """
    told = document(cost)
    for name, (suffix, _) in DOCUMENT_FORMATS.items():
        write_text(write_document(told, name), folder / f"cost{suffix}")
    for drawn in figures(cost):
        write_text(drawn.svg, folder / drawn.file)
