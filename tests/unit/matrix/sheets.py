"""Matrices that were never run, drawn as text: a row for each clause, a letter for each version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hive_gate.matrix import model
from hive_gate.report.model import VERDICTS, Baseline, Verdict, Waiver, gate_of

LETTERS: dict[str, Verdict] = {
    "p": "pass", "F": "fail", "f": "fail", "w": "warn", "v": "waived", "s": "stale", "-": "not-offered",
}  # fmt: skip
"""Letter to verdict; `f` is a fail that came in another way than `F`, and a space a version that was not judged."""

CONTRACT = model.Contract("hive", "1.0.0", "ab" * 32, "History", "0.142.5")
SUITES = {"read": "Reading", "walk": "Walking", "late": "Later on"}
WAIVER = Waiver("/waiver/0", "It is known.", "release", "2027-03-31", None, "fail")

STALE = Waiver("/waiver/1", "It was known.", "release", "2027-03-31", "Take it out.", "pass")


def cell(letter: str) -> model.Cell | None:
    if letter == " ":
        return None
    verdict = LETTERS[letter]
    waiver = None
    if verdict in ("waived", "stale"):
        waiver = WAIVER if verdict == "waived" else STALE
    print_of = {"F": "aaaaaaaaaaaa", "f": "bbbbbbbbbbbb", "w": "cccccccccccc", "v": "dddddddddddd"}.get(letter)
    return model.Cell(verdict, None if verdict == "pass" else f"it came as {letter}", print_of, waiver)


def row(clause: str, letters: str, **more: Any) -> model.Row:
    return model.Row(**{
        "clause": clause, "suite": clause.partition(".")[0], "family": clause.partition("/")[0],
        "level": "advisory" if clause == "late.start" or "w" in letters else "required",
        "expected": f"promise of {clause}", "why": f"why {clause}", "source": "#942",
        "cells": tuple(map(cell, letters)), **more,
    })  # fmt: skip


def sheet(
    versions: Sequence[str],
    drawn: Mapping[str, str],
    states: Mapping[str, str] | None = None,
    stale: Mapping[str, tuple[str, ...]] | None = None,
    **more: Any,
) -> model.Sheet:
    """Return a sheet; a version whose column is blank has the state that `states` names, else `not-fetched`."""
    rows = tuple(row(clause, letters) for clause, letters in drawn.items())
    columns = tuple(
        _column(version, index, rows, (states or {}).get(version, "not-fetched"), (stale or {}).get(version, ()))
        for index, version in enumerate(versions)
    )
    members = {"contract": CONTRACT, "baseline": None, "suites": SUITES, "columns": columns, "rows": rows, **more}
    return model.Sheet(**members)


def _column(version: str, index: int, rows: Sequence[model.Row], state: str, stale: tuple[str, ...]) -> model.Column:
    results = tuple(result for row in rows if (result := row.result(index)) is not None)
    raw = tuple(replace(r, verdict=r.waiver.was) if r.waiver and r.waiver.was else r for r in results)
    judged = bool(results)
    counts: dict[str, int] = {verdict: sum(r.verdict == verdict for r in results) for verdict in VERDICTS}
    return model.Column(
        version=version, state="judged" if judged else state,  # type: ignore[arg-type]
        problem=None if judged else "There is no such program.",
        program="cd" * 32 if judged else None, size=1_000 if judged else None, run=f"run-{version}" if judged else None,
        started="2026-11-30T12:00:00+00:00" if judged else None, seconds=4.5, from_cache=False,
        raw=gate_of(raw) if judged else None,
        gate=gate_of(results, Baseline("", "", 0, 0, stale)) if judged else None,
        counts={**counts, "total": len(results)} if judged else {}, stale=stale,
        report=f"{version}/report.json" if judged else None,
    )  # fmt: skip


def matrix(*sheets: model.Sheet) -> model.Matrix:
    return model.Matrix("0.1.0", "ef" * 32, "linux-x64", sheets)


VERSIONS = ("0.125.0", "0.130.0", "0.142.2", "0.142.5", "0.143.0", "0.144.6")

DRAWN = {
    "read.all/a": "pp ppp",
    "read.all/b": "pp ppp",
    "read.name": "pp ppp",
    "walk.page/a": "Fp ppp",
    "walk.page/b": "Fp ppp",
    "walk.page/c": "pp ppp",
    "walk.list": "Fp pFf",
    "late.mode": "-- -pp",
    "late.start": "ww p--",
}
"""A version in the middle could not be fetched; the last two differ only in how one clause fails."""


def sample() -> model.Matrix:
    return matrix(sheet(VERSIONS, DRAWN))
