"""On which of the tried versions a clause holds, in words, from a matrix."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hive_gate.matrix.fold import ranges
from hive_gate.matrix.model import Row, Sheet
from hive_gate.report.markdown import escape
from hive_gate.report.model import Verdict
from hive_gate.report.plain import phrase
from tools.mdtext import Point, codes

_WORDS: dict[Verdict, str] = {
    "pass": "passes on", "fail": "fails on", "warn": "does not hold on", "not-offered": "not offered on",
    "blocked": "not judged on", "error": "not judged on",
}  # fmt: skip
"""Verdicts without the baseline, in the order in which they are told."""

_CAME = 200
"""Characters of what came."""


def rows_of(sheet: Sheet, family: str) -> list[Row]:
    """Return the rows of an entry of the contract, one for each product of its axes."""
    return [row for row in sheet.rows if row.family == family]


def holds_on(sheet: Sheet, rows: Sequence[Row]) -> str:
    """Return the versions on which all of these rows pass: `all`, `none`, or ranges of those that were tried.

    Without a row nothing is known.
    """
    if not rows:
        return "not tried"
    held = [i for i in sheet.judged if all((cell := row.cells[i]) and cell.raw == "pass" for row in rows)]
    return "all" if len(held) == len(sheet.judged) else ranges(sheet.columns, held) or "none"


def on_versions(sheet: Sheet, rows: Sequence[Row]) -> Point:
    """Return on which versions the products of an entry hold, and what came where they do not.

    Products that fare alike are told together. Without a row nothing is known.
    """
    if not rows:
        return Point("not tried since it was written or changed")
    groups: dict[tuple[Verdict | None, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(None if cell is None else cell.raw for cell in row.cells), []).append(row)
    told = []
    for verdicts, members in groups.items():
        names = "" if len(groups) == 1 else codes(row.clause.removeprefix(f"{row.family}/") for row in members) + ": "
        told.append(Point(f"{names}{_sentence(sheet, verdicts)}", None, tuple(_came(sheet, verdicts, members))))
    return told[0] if len(told) == 1 else Point("it depends", None, tuple(told))


def _sentence(sheet: Sheet, verdicts: Sequence[Verdict | None]) -> str:
    found: dict[str, list[int]] = {}
    for verdict, words in _WORDS.items():
        found.setdefault(words, []).extend(i for i, each in enumerate(verdicts) if each == verdict)
    return "; ".join(f"{words} {_where(sheet, where)}" for words, where in found.items() if where)


def _where(sheet: Sheet, where: Collection[int]) -> str:
    """Return columns as ranges, or that they are all there are."""
    if len(where) < len(sheet.judged):
        return ranges(sheet.columns, where)
    return f"all {len(where)} versions" if len(where) > 1 else f"{sheet.columns[sheet.judged[0]].version}, the only one"


def _came(sheet: Sheet, verdicts: Sequence[Verdict | None], rows: Sequence[Row]) -> Iterator[Point]:
    """Yield what came on the newest version on which these rows do not hold."""
    failed = [index for index, verdict in enumerate(verdicts) if verdict in ("fail", "warn")]
    for index in failed[-1:]:
        came = list(dict.fromkeys(cell.actual or "" for row in rows if (cell := row.cells[index])))
        such = "" if len(came) == 1 else ", for example"
        yield Point(f"what came on {sheet.columns[index].version}{such}: {escape(phrase(came[0], _CAME))}")
