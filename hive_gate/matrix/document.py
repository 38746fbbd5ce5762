"""What a matrix says, as a document for every format that people read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from hive_gate.matrix import table
from hive_gate.matrix.fold import Boundary, Change, boundaries, group, ranges
from hive_gate.matrix.jsonfile import digest
from hive_gate.matrix.model import Cell, Matrix, Row, Sheet
from hive_gate.report.compose import Unit
from hive_gate.report.document import Document
from hive_gate.report.model import Verdict
from hive_gate.report.note import Block, Bullets, Code, Heading, Inline, Line, Paragraph, Strong, Tone, Toned
from hive_gate.report.paths import PathRedactor
from hive_gate.report.plain import cut, phrase

_CAME = 200
"""Characters of what came."""

_SAYS = 320
"""Characters of what the baseline says."""


def document(matrix: Matrix, width: int | None = None, *, everything: bool = False) -> Document:
    """Return what a matrix says.

    Args:
        matrix: what came of the runs.
        width: columns of the terminal it is for; None where any width will do.
        everything: list every clause, not only those that differ.
    """
    first, last = matrix.versions[0], matrix.versions[-1]
    title = f"codex {first}" if first == last else f"codex {first} to {last}"
    marker = f"hive-gate matrix, matrix.json sha256 {digest(matrix)[:16]}"
    return Document(title, headline(matrix), tuple(_units(matrix, width, everything)), marker)


def headline(matrix: Matrix) -> Line:
    """Return for each contract on which versions it holds, in one line."""
    line: list[Inline] = []
    for sheet in matrix.sheets:
        line += ["; "] if line else []
        line += _holds(sheet)
    return (*line, ".")


def headline_text(matrix: Matrix) -> str:
    """Return `headline` as plain text."""
    return "".join(str(part) for part in headline(matrix))


def _holds(sheet: Sheet) -> Line:
    held, unjudged = sheet.holding, len(sheet.columns) - len(sheet.judged)
    total = f"{len(sheet.columns)} version{'' if len(sheet.columns) == 1 else 's'}"
    of = f" of {total}" + (f", {unjudged} of which could not be judged" if unjudged else "")
    name = cut(sheet.name, 80)
    if not held:
        return (name, " ", Toned("holds on none", "bad"), of)
    tone: Tone = "good" if len(held) == len(sheet.columns) else "warn"
    return (name, " ", Toned(f"holds on {len(held)}", tone), f"{of}: {ranges(sheet.columns, held)}")


def _units(matrix: Matrix, width: int | None, everything: bool) -> Iterator[Unit]:
    yield Unit(1, "table of versions", "", None, (table.gates(matrix),))
    for sheet in matrix.sheets:
        blocks = tuple(_clauses(sheet, width, everything))
        if blocks:
            yield Unit(2, "tables of clauses", sheet.name, f"Clause by version: {cut(sheet.name, 80)}", blocks)
    for sheet in matrix.sheets:
        for boundary in boundaries(sheet):
            name = f"{boundary.before} to {boundary.after}"
            yield Unit(
                3, "lists of changes", name, f"Where it changes: {cut(sheet.name, 80)}", tuple(_boundary(boundary))
            )
    for sheet in matrix.sheets:
        accepted = tuple(_accepted(sheet))
        if accepted:
            yield Unit(3, "lists of accepted failures", "", f"Accepted: {cut(sheet.name, 80)}", (Bullets(accepted),))


def _clauses(sheet: Sheet, width: int | None, everything: bool) -> Iterator[Block]:
    listed = table.clauses(sheet, width, everything=everything)
    if listed is not None:
        yield listed
    same = None if everything else table.same(sheet)
    if same is not None:
        yield Heading(("The same on every version that was judged",), small=True)
        yield same


def _boundary(boundary: Boundary) -> Iterator[Block]:
    missing = f" (not judged between them: {', '.join(boundary.between)})" if boundary.between else ""
    yield Paragraph((Strong(f"{boundary.before} → {boundary.after}"), missing))
    yield Bullets(tuple(_change(change) for change in boundary.changes))


def _change(change: Change) -> Line:
    before, after = change.before, change.after
    how: Line = (table.word(before.verdict), " → ", table.word(after.verdict))
    if before.verdict == after.verdict:
        how = (table.word(after.verdict), ", but in another way")
    shown = after if after.actual is not None else before
    came = "what came" if shown is after else "what came before"
    such = "" if change.alike else ", for example"
    said = f"; {came}{such}: {_said(shown)}" if shown.actual else ""
    return (Code(change.group.name), " ", *how, said)


def _said(cell: Cell) -> str:
    return phrase(PathRedactor.knowing(())(cell.actual or ""), _CAME)


def _accepted(sheet: Sheet) -> Iterator[Line]:
    """Yield what the baseline says, once for each entry and what it comes to."""
    covered: dict[tuple[Verdict, str], dict[str, Row]] = {}
    columns: dict[tuple[Verdict, str], set[int]] = {}
    for row in sheet.rows:
        for index, cell in enumerate(row.cells):
            if cell is not None and cell.waiver is not None:
                waiver = cell.waiver
                says = waiver.problem or f"{waiver.reason} ({waiver.owner}, until {waiver.expires})"
                covered.setdefault((cell.verdict, says), {})[row.clause] = row
                columns.setdefault((cell.verdict, says), set()).add(index)
    for (verdict, says), rows in covered.items():
        suites = [list(members) for _, members in groupby(rows.values(), lambda row: row.suite)]
        names = ", ".join(group(sheet, members).name for members in suites)
        where = ranges(sheet.columns, columns[verdict, says])
        yield (table.word(verdict), " ", Code(names), f" on {where}: {phrase(says, _SAYS)}")
    for column in sheet.columns:
        for problem in column.stale:
            yield (table.word("stale"), f" {column.version}: {phrase(problem, _SAYS)}")
