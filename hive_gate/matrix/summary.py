"""What a matrix amounts to: the exit code, and why in one sentence."""

from __future__ import annotations

from hive_gate.exits import Exit
from hive_gate.matrix.fold import ranges
from hive_gate.matrix.model import Matrix, Sheet
from hive_gate.report.plain import cut


def exit_code(matrix: Matrix) -> Exit:
    """Return 1 if a judged version is closed, else 3 if any could not be judged, else 0.

    So known drift is told even where something else went wrong, and a failure of the network is told from drift.
    """
    columns = [column for sheet in matrix.sheets for column in sheet.columns]
    if any(column.gate == "closed" for column in columns):
        return Exit.CLOSED
    return Exit.OPEN if all(column.state == "judged" for column in columns) else Exit.TARGET


def sentence(matrix: Matrix) -> str:
    """Return why the exit code is what it is."""
    return "; ".join(_sentence(sheet, named=len(matrix.sheets) > 1) for sheet in matrix.sheets) + "."


def _sentence(sheet: Sheet, *, named: bool) -> str:
    closed = [index for index, column in enumerate(sheet.columns) if column.gate == "closed"]
    unjudged = [column for column in sheet.columns if column.state != "judged"]
    of = f"of {len(sheet.columns)} version{'' if len(sheet.columns) == 1 else 's'}"
    parts = []
    if closed:
        parts.append(f"the gate is closed on {len(closed)} {of} ({ranges(sheet.columns, closed)})")
    if unjudged:
        first = unjudged[0]
        why = f"{first.version}: {cut(first.problem or '', 300)}"
        parts.append(f"{len(unjudged)} {of} could not be judged ({why})")
    if not parts:
        parts.append(
            f"the gate is open on {'the version' if len(sheet.columns) == 1 else f'all {len(sheet.columns)} versions'}"
        )
    return (f"{cut(sheet.name, 80)}: " if named else "") + ", and ".join(parts)
