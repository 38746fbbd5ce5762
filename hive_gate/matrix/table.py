"""The tables of a matrix: versions with their gates, and clauses by version."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from hive_gate.matrix.fold import Group, Span, group, grouped, ranges, spans, verdicts
from hive_gate.matrix.model import Cell, Column, Matrix, Row, Sheet
from hive_gate.report.model import VERDICTS, Verdict
from hive_gate.report.note import Bullets, Code, Inline, Line, Table, Tone, Toned
from hive_gate.report.plain import cut, phrase

WORDS: dict[Verdict, str] = {
    "pass": "pass", "fail": "FAIL", "warn": "warn", "waived": "waived", "stale": "STALE", "not-offered": "n/a",
    "blocked": "?", "error": "ERROR",
}  # fmt: skip
"""Verdicts as they stand in a cell: what closes a gate is in capitals."""

TONES: dict[Verdict, Tone] = {
    "pass": "good", "fail": "bad", "warn": "warn", "waived": "warn", "stale": "bad", "not-offered": "dim",
    "blocked": "bad", "error": "bad",
}  # fmt: skip

STATES = {
    "judged": "judged", "not-fetched": "not fetched", "not-started": "not started", "not-judged": "not judged",
    "interrupted": "interrupted",
}  # fmt: skip

_UNKNOWN = "?"
"""A cell of a version that was not judged."""

_NAME = 28
"""Characters of a row's name that must fit beside the columns in a terminal; a longer one is folded."""

_AROUND = 3
"""Columns of a terminal between two columns of a table."""

_PROBLEM = 300


def word(verdict: Verdict) -> Toned:
    """Return a verdict as it stands in a cell."""
    return Toned(WORDS[verdict], TONES[verdict])


def gates(matrix: Matrix) -> Table:
    """Return versions by contracts: how each gate is, and why."""
    rows = tuple(
        ((Code(version),), *(_gate(sheet, sheet.columns[index]) for sheet in matrix.sheets))
        for index, version in enumerate(matrix.versions)
    )
    return Table(("Version", *(cut(sheet.name, 60) for sheet in matrix.sheets)), rows)


def _gate(sheet: Sheet, column: Column) -> Line:
    pinned = ("; pinned",) if column.version == sheet.contract.pinned else ()
    if column.state != "judged":
        said = phrase(column.problem or "the reason is not known", _PROBLEM)
        return (Toned(STATES[column.state], "bad"), f": {said}", *pinned)
    gate = Toned("open", "good") if column.gate == "open" else Toned("CLOSED", "bad")
    return (gate, f": {counted(column)}", *pinned)


def counted(column: Column, *, briefly: bool = False) -> str:
    """Return a column's counts as a phrase: what is not a pass first, `3 fail, 1 warn, 135 pass, 24 n/a`.

    Args:
        column: a version that was judged.
        briefly: leave out what passed and what is not offered.
    """
    order = [v for v in VERDICTS if v not in ("pass", "not-offered")]
    order += [] if briefly else ["pass", "not-offered"]
    told = [f"{column.counts[v]} {'n/a' if v == 'not-offered' else v}" for v in order if column.counts.get(v)]
    entries = "1 entry" if len(column.stale) == 1 else f"{len(column.stale)} entries"
    stale = [f"{entries} of the baseline not true"] if column.stale else []
    return ", ".join([*stale, *told])


@dataclass(frozen=True, slots=True)
class _Shape:
    """Rows and columns of a table of clauses."""

    spans: tuple[Span, ...]
    groups: tuple[Group, ...]

    def needed(self) -> int:
        """Columns of a terminal for the short form."""
        widest = [max(len(_short(span)), *(len(WORDS[v]) for v in WORDS)) for span in self.spans]
        return _NAME + sum(widest) + _AROUND * (len(self.spans) + 1) - 1


def clauses(sheet: Sheet, width: int | None, *, everything: bool = False) -> Table | None:
    """Return clauses by version, folded; None if there is nothing to list.

    Args:
        sheet: one contract.
        width: columns of a terminal; None where any width will do. Where the versions do not fit side by side, each
            row says on which of them it is not passed.
        everything: list every clause in a row of its own.
    """
    if everything:
        groups = [group(sheet, [row]) for row in sheet.rows]
    else:
        groups = grouped(sheet, (row for row in sheet.rows if not _is_same(row)))
    shape = _Shape(spans(sheet), tuple(groups))
    if not groups or not sheet.judged:
        return None
    if width is not None and shape.needed() > width:
        return _by_range(sheet, shape)
    return _by_version(shape, short=width is not None)


def _by_version(shape: _Shape, *, short: bool) -> Table:
    head = ("Clause", *(_short(span) if short else _full(span) for span in shape.spans))
    rows = tuple(
        (_name(each), *(_cell(each.rows[0].cells[span.columns[0]]) for span in shape.spans)) for each in shape.groups
    )
    return Table(head, rows)


def _by_range(sheet: Sheet, shape: _Shape) -> Table:
    rows = tuple((_name(each), told(sheet, each.rows[0])) for each in shape.groups)
    return Table(("Clause", "On which versions"), rows)


def told(sheet: Sheet, row: Row) -> Line:
    """Return on which versions a clause is not passed, and how."""
    shown = verdicts(row)
    if all(verdict in (None, "pass") for verdict in shown):
        return (word("pass"),)
    line: list[Inline] = []
    order = [v for v in VERDICTS if v != "pass"]
    for verdict in (v for v in order if v in shown):
        where = ranges(sheet.columns, {index for index, found in enumerate(shown) if found == verdict})
        line += ["; "] if line else []
        line += [word(verdict), f" {where}"]
    return tuple(line)


def _name(each: Group) -> Line:
    name, _, count = each.name.rpartition(" (")
    return (Code(name), f" ({count}") if name else (Code(each.name),)


def _cell(cell: Cell | None) -> Line:
    return (Toned(_UNKNOWN, "dim"),) if cell is None else (word(cell.verdict),)


def _short(span: Span) -> str:
    return f"{span.first}+" if len(span.columns) > 1 else span.first


def _full(span: Span) -> str:
    return span.name if span.judged else f"{span.name} (not judged)"


def _is_same(row: Row) -> bool:
    """Tell whether a row says the same of every version, and that nothing is wrong."""
    shown = {verdict for verdict in verdicts(row) if verdict is not None}
    return shown in ({"pass"}, {"not-offered"})


def same(sheet: Sheet) -> Bullets | None:
    """Return a line for each suite with clauses that are not listed: they say the same of every version."""
    items: list[Line] = []
    left = [row for row in sheet.rows if _is_same(row)]
    for suite, members in groupby(sorted(left, key=lambda row: list(sheet.suites).index(row.suite)), lambda r: r.suite):
        listed = list(members)
        absent = sum("not-offered" in verdicts(row) for row in listed)
        whole = len(listed) == sum(row.suite == suite for row in sheet.rows)
        parts = [
            f"{'all ' if whole and not absent else ''}{len(listed) - absent} pass" if len(listed) > absent else "",
            f"{absent} n/a" if absent else "",
        ]
        items.append((f"{cut(sheet.suites[suite], 60)}: ", ", ".join(part for part in parts if part)))
    return Bullets(tuple(items)) if items and sheet.judged else None
