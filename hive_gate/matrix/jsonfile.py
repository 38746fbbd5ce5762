"""matrix.json: written whole or not at all, and refused when anything in it does not fit together."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import semver

from hive_gate.contract.check import form_faults
from hive_gate.contract.jsonfile import read_json
from hive_gate.errors import ContractError, UsageError
from hive_gate.matrix.model import SCHEMA_ID, Column, Matrix, Row, Sheet
from hive_gate.report.codec import ShapeError, decode, encode, escape
from hive_gate.report.jsonfile import write_text
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import VERDICTS, Baseline, Json, gate_of

_AGAIN = "take the matrix.json as hive-gate wrote it, or run `hive-gate matrix` again"


def to_json(matrix: Matrix) -> dict[str, Json]:
    """Return the JSON object of matrix.json."""
    return {"schema": SCHEMA_ID, **encode(matrix), "footer": _footer(matrix)}


def to_text(matrix: Matrix) -> str:
    """Return the text of matrix.json: each column and each row on a line of its own."""
    return "{\n" + ",\n".join(_lines(to_json(matrix), "  ")) + "\n}\n"


def digest(matrix: Matrix) -> str:
    """Return the SHA-256 of matrix.json as it is written."""
    return hashlib.sha256(to_text(matrix).encode()).hexdigest()


def write_matrix(matrix: Matrix, path: Path) -> None:
    """Write matrix.json whole or not at all.

    Raises:
        UsageError: if the folder cannot be written.
    """
    write_text(to_text(matrix), path)


def read_matrix(path: Path) -> Matrix:
    """Read a matrix.json.

    Raises:
        UsageError: if the file cannot be read, is not JSON, or is not a whole matrix: with a JSON pointer.
    """
    try:
        obj, _ = read_json(path, "matrix")
    except ContractError as error:
        raise UsageError(error.message, where=error.where, hint=_AGAIN) from None
    return from_json(obj, str(path))


def from_json(obj: Json, where: str = "the matrix") -> Matrix:
    """Return the matrix that `to_json` made `obj` from.

    Args:
        obj: the parsed document.
        where: what to call the document in errors, such as its path.

    Raises:
        UsageError: if it is no matrix, of another schema, if what it says does not fit together, or if it is not as
            `contracts/matrix.schema.json` describes it.
    """
    try:
        return _from_json(obj)
    except ShapeError as error:
        raise UsageError(
            f"This is not a whole matrix.json of hive-gate: at {error.pointer or '/'} {error.problem}.",
            where=f"{where}#{error.pointer}",
            hint=_AGAIN,
        ) from None


def _from_json(obj: Json) -> Matrix:
    if not isinstance(obj, dict):
        raise ShapeError("", "an object is expected")
    if obj.get("schema") != SCHEMA_ID:
        raise ShapeError("/schema", f"{SCHEMA_ID!r} is expected, not {obj.get('schema')!r:.60}")
    fault = next(_endless(obj, ""), None)
    if fault is not None:
        raise ShapeError(*fault)
    matrix = decode(Matrix, obj, "")
    fault = next(_faults(matrix, obj), None)
    if fault is not None:
        raise ShapeError(*fault)
    return matrix


def _footer(matrix: Matrix) -> dict[str, Any]:
    cells = [cell for sheet in matrix.sheets for row in sheet.rows for cell in row.cells]
    return {
        "contracts": len(matrix.sheets),
        "versions": len(matrix.versions) if matrix.sheets else 0,
        "clauses": sum(len(sheet.rows) for sheet in matrix.sheets),
        "verdicts": {verdict: sum(c is not None and c.verdict == verdict for c in cells) for verdict in VERDICTS},
        "complete": True,
    }


def _endless(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers that JSON does not have, as pointer and phrase: Python reads NaN and Infinity, and 1e999."""
    if isinstance(value, float) and not math.isfinite(value):
        yield pointer, f"a finite number is expected, not {value}"
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from _endless(member, f"{pointer}/{escape(str(key))}")


def _faults(matrix: Matrix, obj: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield what does not fit together, as pointer and phrase."""
    if not matrix.sheets:
        yield "/sheets", "there is no contract"
    hashes = [sheet.contract.sha256 for sheet in matrix.sheets]
    for index, sheet in enumerate(matrix.sheets):
        at = f"/sheets/{index}"
        if sheet.contract.sha256 in hashes[:index]:
            yield f"{at}/contract/sha256", "the contract is there twice"
        if tuple(column.version for column in sheet.columns) != matrix.versions:
            yield f"{at}/columns", "all contracts have the same versions"
        yield from _order_faults(f"{at}/columns", matrix.versions)
        for number, row in enumerate(sheet.rows):
            yield from _row_faults(f"{at}/rows/{number}", row, sheet)
        seen: set[str] = set()
        for number, row in enumerate(sheet.rows):
            if row.clause in seen:
                yield f"{at}/rows/{number}/clause", f"{row.clause!r} is there twice"
            seen.add(row.clause)
        for number, column in enumerate(sheet.columns):
            yield from _column_faults(f"{at}/columns/{number}", column, number, sheet)
    footer = _footer(matrix)
    if obj.get("footer") != footer:
        yield "/footer", f"{dumps(footer)} is expected from the lists"
    # Last: what does not fit together is told in words of its own.
    yield from ((fault.pointer, fault.text) for fault in form_faults(obj, "matrix"))


def _order_faults(at: str, versions: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not versions:
        yield at, "there is no version"
    for number, version in enumerate(versions):
        if not semver.Version.is_valid(version):
            yield f"{at}/{number}/version", f"{version[:40]!r} is no version"
            return
        if number and semver.Version.parse(versions[number - 1]) >= semver.Version.parse(version):
            yield f"{at}/{number}/version", "versions go from old to new, each once"


def _row_faults(at: str, row: Row, sheet: Sheet) -> Iterator[tuple[str, str]]:
    if len(row.cells) != len(sheet.columns):
        yield f"{at}/cells", f"{len(sheet.columns)} cells are expected, one for each column, not {len(row.cells)}"
        return
    if row.suite not in sheet.suites:
        yield f"{at}/suite", f"there is no suite {row.suite[:40]!r}"
    for index, cell in enumerate(row.cells):
        if (cell is not None) != (sheet.columns[index].state == "judged"):
            yield f"{at}/cells/{index}", "there is a cell exactly if the version was judged"


def _column_faults(at: str, column: Column, index: int, sheet: Sheet) -> Iterator[tuple[str, str]]:
    judged = column.state == "judged"
    if judged != (column.problem is None):
        yield f"{at}/problem", "there is a problem exactly if the version was not judged"
    for name in ("raw", "gate"):
        if judged != (getattr(column, name) is not None):
            yield f"{at}/{name}", "there is a gate exactly if the version was judged"
    if column.report is not None and not _is_inside(column.report):
        yield f"{at}/report", "a path below the folder of matrix.json is expected"
    results = tuple(result for row in sheet.rows if (result := row.result(index)) is not None)
    counts: dict[str, int] = {verdict: sum(r.verdict == verdict for r in results) for verdict in VERDICTS}
    expected = {**counts, "total": len(results)} if judged else {}
    if column.counts != expected:
        yield f"{at}/counts", f"{dumps(expected)} is expected from the cells"
    if judged and column.gate != gate_of(results, Baseline("", "", 0, 0, column.stale)):
        yield f"{at}/gate", "the gate does not follow from the cells"
    without = tuple(r if r.waiver is None else replace(r, verdict=r.waiver.was or r.verdict) for r in results)
    if judged and column.raw != gate_of(without):
        yield f"{at}/raw", "the gate without the baseline does not follow from the cells"


def _is_inside(path: str) -> bool:
    return bool(path) and not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts


def _lines(obj: dict[str, Json], indent: str) -> Iterator[str]:
    """Yield the members of an object; lists of objects have one element a line, however deep."""
    for name, value in obj.items():
        head = f"{indent}{dumps(name)}: "
        if name == "sheets" and value:
            sheets = (
                f"{indent}  {{\n" + ",\n".join(_lines(sheet, f"{indent}    ")) + f"\n{indent}  }}" for sheet in value
            )
            yield f"{head}[\n" + ",\n".join(sheets) + f"\n{indent}]"
        elif name in ("columns", "rows") and value:
            elements = (f"{indent}  {dumps(element)}" for element in value)
            yield f"{head}[\n" + ",\n".join(elements) + f"\n{indent}]"
        else:
            yield head + dumps(value)
