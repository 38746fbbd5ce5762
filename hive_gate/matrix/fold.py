"""Twenty versions and two hundred clauses, folded to what differs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hive_gate.matrix.model import Cell, Column, Row, Sheet
from hive_gate.report.model import Verdict

_FAILED: tuple[Verdict, ...] = ("fail", "warn")
"""Verdicts that may be the same and yet mean another failure."""


@dataclass(frozen=True, slots=True)
class Span:
    """Adjacent columns that are equal in every row; a version that was not judged stands alone."""

    columns: tuple[int, ...]
    first: str
    last: str
    judged: bool

    @property
    def name(self) -> str:
        """Such as `0.143.0 - 0.144.6 (2)`."""
        if len(self.columns) == 1:
            return self.first
        return f"{self.first} - {self.last} ({len(self.columns)})"


def spans(sheet: Sheet) -> tuple[Span, ...]:
    """Return the columns of a sheet, folded."""
    found: list[Span] = []
    before: list[Verdict] | None = None
    for index, column in enumerate(sheet.columns):
        judged = column.state == "judged"
        verdicts = [cell.verdict for row in sheet.rows if (cell := row.cells[index]) is not None]
        if judged and found and before == verdicts:
            last = found.pop()
            found.append(Span((*last.columns, index), last.first, column.version, True))
        else:
            found.append(Span((index,), column.version, column.version, judged))
        before = verdicts
    return tuple(found)


def ranges(columns: Sequence[Column], chosen: Collection[int]) -> str:
    """Return columns as ranges over those that were judged: `0.125.0, 0.143.0 - 0.171.0`.

    A version between that was not judged breaks no range: nothing is known of it.
    """
    parts: list[list[str]] = []
    joined = False
    for index, column in enumerate(columns):
        if index in chosen:
            if joined:
                parts[-1] = [parts[-1][0], column.version]
            else:
                parts.append([column.version])
        if column.state == "judged":
            joined = index in chosen
    return ", ".join(" - ".join(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses of one suite for which the same is to be said."""

    suite: str
    rows: tuple[Row, ...]
    name: str


def grouped(sheet: Sheet, rows: Iterable[Row]) -> list[Group]:
    """Return rows of a sheet as groups of one suite with equal verdicts, in the order of the first of each."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.suite, verdicts(row)), []).append(row)
    return [group(sheet, members) for members in groups.values()]


def verdicts(row: Row) -> tuple[Verdict | None, ...]:
    """Return a row's verdicts, version by version."""
    return tuple(None if cell is None else cell.verdict for cell in row.cells)


def group(sheet: Sheet, rows: Sequence[Row]) -> Group:
    """Return rows of one suite under one name: `turns-list.page/* (4)`, `turns-list: page/*, view/full (5)`.

    A name ends in `*` only where all clauses are meant that it fits.
    """
    suite = rows[0].suite
    if len(rows) > 1 and len(rows) == sum(row.suite == suite for row in sheet.rows):
        return Group(suite, tuple(rows), f"{suite}.* ({len(rows)})")
    names = list(dict.fromkeys(_family_name(sheet, row, rows) for row in rows))
    if len(rows) == 1:
        return Group(suite, tuple(rows), names[0])
    if len(names) > 1:
        short = ", ".join(name.removeprefix(f"{suite}.") for name in names)
        return Group(suite, tuple(rows), f"{suite}: {short} ({len(rows)})")
    return Group(suite, tuple(rows), f"{names[0]} ({len(rows)})")


def _family_name(sheet: Sheet, row: Row, rows: Sequence[Row]) -> str:
    """Return the name of a row's whole family if all of it is among the rows, else of the row alone."""
    family = {each.clause for each in sheet.rows if each.family == row.family}
    return f"{row.family}/*" if len(family) > 1 and family <= {each.clause for each in rows} else row.clause


@dataclass(frozen=True, slots=True)
class Change:
    """Clauses that change in the same way from one version to the next."""

    group: Group
    before: Cell
    after: Cell
    alike: bool
    """Whether what came is the same for all of them; else the cells are those of the first."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """Two judged versions, one after the other, between which something changes."""

    before: str
    after: str
    between: tuple[str, ...]
    """Versions between them that were not judged."""
    changes: tuple[Change, ...]


def boundaries(sheet: Sheet) -> tuple[Boundary, ...]:
    """Return where the clauses change, oldest first."""
    found = []
    judged = sheet.judged
    for left, right in pairwise(judged):
        changes = _changes(sheet, left, right)
        if changes:
            between = tuple(column.version for column in sheet.columns[left + 1 : right])
            found.append(Boundary(sheet.columns[left].version, sheet.columns[right].version, between, changes))
    return tuple(found)


def _changes(sheet: Sheet, left: int, right: int) -> tuple[Change, ...]:
    groups: dict[tuple[object, ...], list[tuple[Row, Cell, Cell]]] = {}
    for row in sheet.rows:
        before, after = row.cells[left], row.cells[right]
        if before is not None and after is not None and _differ(before, after):
            same = (row.suite, before.verdict, after.verdict)
            groups.setdefault(same, []).append((row, before, after))
    return tuple(_change(sheet, members) for members in groups.values())


def _change(sheet: Sheet, members: Sequence[tuple[Row, Cell, Cell]]) -> Change:
    rows = [row for row, _, _ in members]
    _, before, after = members[0]
    alike = all(
        (one.fingerprint, other.fingerprint) == (before.fingerprint, after.fingerprint) for _, one, other in members
    )
    return Change(group(sheet, rows), before, after, alike)


def _differ(before: Cell, after: Cell) -> bool:
    if before.verdict != after.verdict:
        return True
    return before.verdict in _FAILED and before.fingerprint != after.fingerprint
