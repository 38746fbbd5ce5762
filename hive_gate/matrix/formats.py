"""A matrix in every format, by name."""

from __future__ import annotations

from collections.abc import Iterator

from hive_gate.errors import UsageError
from hive_gate.matrix import table
from hive_gate.matrix.document import document
from hive_gate.matrix.fold import grouped
from hive_gate.matrix.jsonfile import to_text
from hive_gate.matrix.model import Column, Matrix, Sheet
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from hive_gate.report.model import Verdict

FORMATS = (*DOCUMENT_FORMATS, "json", "junit", "annotations")
"""Names of the formats."""

SUFFIXES = {**{name: suffix for name, (suffix, _) in DOCUMENT_FORMATS.items()}, "json": ".json", "junit": ".xml"}
"""What is written beside each other, and the endings of the files."""

WIDTH = 120
"""Columns of the text in a file; see `hive_gate.report.blocktext.WIDTH`."""

_FAILED: tuple[Verdict, ...] = ("fail", "stale", "error", "blocked", "warn")


def check_format(name: str) -> None:
    """Refuse a format that there is not.

    Raises:
        UsageError: with those there are.
    """
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r:.60}", hint=f"choose one of {', '.join(FORMATS)}")


def render(matrix: Matrix, name: str, *, everything: bool = False) -> str:
    """Return a matrix in a format, with a newline at its end.

    Args:
        matrix: what came of the runs.
        name: one of `FORMATS`.
        everything: list every clause, not only those that differ.

    Raises:
        UsageError: there is no such format.
    """
    check_format(name)
    if name == "json":
        return to_text(matrix)
    if name == "junit":
        return _junit(matrix)
    if name == "annotations":
        return "".join(_annotations(matrix))
    # The tables of a terminal depend on its width; its text in a file is as wide as such texts are here.
    return write_document(document(matrix, WIDTH if name == "text" else None, everything=everything), name)


def _junit(matrix: Matrix) -> str:
    """Return JUnit XML: a test suite for each version (and contract), a test case for each clause."""
    from junitparser import Error, JUnitXml, TestCase, TestSuite

    from hive_gate.report.junit import test_case, written
    from hive_gate.report.plain import cut

    xml = JUnitXml("hive-gate matrix")
    for sheet in matrix.sheets:
        for index, column in enumerate(sheet.columns):
            suite = TestSuite(_suite_name(matrix, sheet, column))
            classname = f"{sheet.contract.name}.{column.version}"
            results = (row.result(index) for row in sheet.rows)
            # All at once: each addition counts the whole suite again.
            suite.add_testcases([test_case(result, classname) for result in results if result is not None])
            for problem in (column.problem,) if column.problem else column.stale:
                # Without it a version that was not judged would be a suite without failures, which CI takes for green.
                case = TestCase(
                    "the baseline is true" if column.stale else "the version can be judged", classname=classname
                )
                case.result = [Error(cut(problem, 2_000), "stale" if column.stale else column.state)]
                suite.add_testcase(case)
            xml.add_testsuite(suite)
    return written(xml)


def _annotations(matrix: Matrix) -> Iterator[str]:
    """Yield GitHub annotations: one for each version that was not judged and for what fails alike."""
    from hive_gate.report.annotations import annotation

    for sheet in matrix.sheets:
        for column in sheet.columns:
            if column.state != "judged":
                title = f"codex {column.version}: {table.STATES[column.state]}"
                yield annotation("error", title, f"{sheet.name}: {column.problem}")
        failed = [row for row in sheet.rows if any(cell is not None and cell.verdict in _FAILED for cell in row.cells)]
        for each in grouped(sheet, failed):
            row = each.rows[0]
            cells = [cell for cell in row.cells if cell is not None and cell.verdict in _FAILED]
            closing = row.level == "required" or any(cell.verdict == "stale" for cell in cells)
            told = "".join(map(str, table.told(sheet, row)))
            came = next((cell.actual for cell in cells if cell.actual), "")
            yield annotation("error" if closing else "warning", each.name, f"{sheet.name}: {told}. {came}")


def _suite_name(matrix: Matrix, sheet: Sheet, column: Column) -> str:
    return column.version if len(matrix.sheets) == 1 else f"{column.version} {sheet.name}"
