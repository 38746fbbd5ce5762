"""Matrices of shards into one, as if all had been run at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import semver

from hive_gate.errors import UsageError
from hive_gate.matrix.jsonfile import read_matrix
from hive_gate.matrix.model import Cell, Column, Matrix, Row, Sheet

FILE = "matrix.json"


Source: TypeAlias = tuple[Path, Matrix]
"""A matrix.json that was read."""


def read(paths: Sequence[Path]) -> list[Source]:
    """Read matrices.

    Args:
        paths: files, or folders with a matrix.json.

    Raises:
        UsageError: nothing is named, or a file is not whole.
    """
    if not paths:
        raise UsageError("there is nothing to join", hint="name matrix.json files, or folders that hold one")
    files = [path / FILE if path.is_dir() else path for path in paths]
    return [(path, read_matrix(path)) for path in files]


def merge(sources: Sequence[Source]) -> Matrix:
    """Join matrices; at least one.

    Raises:
        UsageError: they are of different contracts, baselines, gates or platforms, or say different things of one
            version.
    """
    joined = sources[0][1]
    for path, matrix in sources[1:]:
        joined = _joined(joined, matrix, path)
    return joined


def runs_beside(sources: Sequence[Source]) -> Iterator[tuple[Path, Path]]:
    """Yield each folder of a run that lies beside one of the matrices, and where it belongs beside the joined one."""
    for path, matrix in sources:
        for report in (column.report for sheet in matrix.sheets for column in sheet.columns):
            if report is not None and (path.parent / report).is_file():
                yield (path.parent / report).parent, Path(report).parent


def _joined(one: Matrix, other: Matrix, path: Path) -> Matrix:
    for name in ("hive_gate", "gate_sha256", "platform"):
        if getattr(one, name) != getattr(other, name):
            raise _unlike(path, f"/{name}", f"{getattr(other, name)!r}, and the first has {getattr(one, name)!r}")
    if len(one.sheets) != len(other.sheets):
        raise _unlike(path, "/sheets", f"{len(other.sheets)} contracts, and the first has {len(one.sheets)}")
    sheets = [
        _sheet(mine, theirs, path, f"/sheets/{index}")
        for index, (mine, theirs) in enumerate(zip(one.sheets, other.sheets, strict=True))
    ]
    return replace(one, sheets=tuple(sheets))


def _sheet(one: Sheet, other: Sheet, path: Path, at: str) -> Sheet:
    if one.contract.sha256 != other.contract.sha256:
        raise _unlike(path, f"{at}/contract/sha256", f"another contract, {other.name}; the first has {one.name}")
    mine, theirs = (None if sheet.baseline is None else sheet.baseline.sha256 for sheet in (one, other))
    if mine != theirs:
        raise _unlike(path, f"{at}/baseline", "another list of accepted failures")
    if [_clause(row) for row in one.rows] != [_clause(row) for row in other.rows]:
        raise _unlike(path, f"{at}/rows", "other clauses")
    have = {column.version: index for index, column in enumerate(one.columns)}
    for index, column in enumerate(other.columns):
        if column.version in have:
            _agree(one, have[column.version], other, index, path, at)
    places = [(column, one, index) for index, column in enumerate(one.columns)]
    places += [(column, other, index) for index, column in enumerate(other.columns) if column.version not in have]
    places.sort(key=lambda place: semver.Version.parse(place[0].version))
    rows = tuple(
        replace(row, cells=tuple(sheet.rows[number].cells[index] for _, sheet, index in places))
        for number, row in enumerate(one.rows)
    )
    return replace(one, columns=tuple(column for column, _, _ in places), rows=rows)


def _agree(one: Sheet, mine: int, other: Sheet, theirs: int, path: Path, at: str) -> None:
    """Refuse a version of which two runs say different things; what differs from run to run does not count."""
    here, there = one.columns[mine], other.columns[theirs]
    if _column(here) != _column(there):
        told = f"{there.version} is {_told(there)}, and {_told(here)} in another"
        raise _unlike(path, f"{at}/columns/{theirs}", told)
    for number, (row, same) in enumerate(zip(one.rows, other.rows, strict=True)):
        if _cell(row.cells[mine]) != _cell(same.cells[theirs]):
            told = f"{row.clause} on {there.version} came out differently in another"
            raise _unlike(path, f"{at}/rows/{number}/cells/{theirs}", told)


def _told(column: Column) -> str:
    return f"{column.state} ({column.gate})" if column.gate else column.state


def _clause(row: Row) -> tuple[str, str]:
    return row.clause, row.level


def _column(column: Column) -> tuple[object, ...]:
    return column.state, column.program, column.gate, column.raw, column.stale


def _cell(cell: Cell | None) -> tuple[object, ...]:
    return () if cell is None else (cell.verdict, cell.fingerprint)


def _unlike(path: Path, pointer: str, what: str) -> UsageError:
    return UsageError(
        f"these matrices cannot be joined: there is {what}",
        where=f"{path}#{pointer}",
        hint="join what the same hive-gate made of the same contract and baseline, and run the odd one again",
    )
