"""Baseline files as text, and reports for which they speak."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from hive_gate.baseline.load import parse_baseline
from hive_gate.baseline.model import BaselineFile
from hive_gate.report import model
from hive_gate.report.model import ClauseResult, Report, gate_of

A, B, C = "a" * 12, "b" * 12, "c" * 12
TODAY = date(2026, 12, 1)


def clause(ident: str, told: str, level: str = "required") -> ClauseResult:
    """A clause with this verdict, which may be followed by the letter of its fingerprint: `fail a`."""
    verdict, _, letter = told.partition(" ")
    return ClauseResult(
        id=ident, suite="s", level=level, verdict=verdict,  # type: ignore[arg-type]
        why="w", source="#942", expected="it is so", actual=f"it is {told}", seconds=0.1,
        fingerprint=letter * 12 if letter else None,
    )  # fmt: skip


class Made:
    """What the tests make things of; one object, since a conftest cannot be imported."""

    today = TODAY

    @staticmethod
    def report(verdicts: dict[str, str], advisory: tuple[str, ...] = (), **more: Any) -> Report:
        """A run with these verdicts by clause id; `more` goes to the run, or as `target` to the target."""
        clauses = tuple(
            clause(ident, told, "advisory" if ident in advisory else "required") for ident, told in verdicts.items()
        )
        target = {"spec": "0.143.0", "kind": "codex", "version": "0.143.0", "path": "/x/codex", "sha256": None,
                  "argv": (), **more.pop("target", {})}  # fmt: skip
        run = {"id": "1", "started": "2026-12-01T00:00:00+00:00", "seconds": 1.0, "hive_gate": "0", "python": "3",
               "partial": False, **more}  # fmt: skip
        return Report(
            gate=gate_of(clauses),
            run=model.Run(**run),
            target=model.Target(**target),
            contract=model.Contract("hive", "1.0.0", "ab" * 32, "/x.json", "T", "#942", ("#944",), "0.142.5"),
            clauses=clauses,
        )

    @staticmethod
    def entry(ident: str = "s.one", **changes: Any) -> str:
        """An entry as text; None leaves a key out."""
        values = {
            "clause": f'"{ident}"', "versions": '"0.143.0"', "fingerprint": f'"{A}"',
            "reason": '"Hive does without."', "owner": '"kim"', "expires": "2027-03-31",
            **{key.replace("_", "-"): value for key, value in changes.items()},
        }  # fmt: skip
        return "[[waiver]]\n" + "".join(f"{key} = {value}\n" for key, value in values.items() if value is not None)

    @classmethod
    def baseline(cls, *entries: str) -> BaselineFile:
        """The file with these entries."""
        return parse_baseline("\n".join(entries).encode(), Path("b.toml"))


@pytest.fixture(scope="session")
def made() -> type[Made]:
    return Made


@pytest.fixture
def accepted() -> Callable[..., BaselineFile]:
    """A baseline with one entry."""

    def make(ident: str = "s.one", **changes: Any) -> BaselineFile:
        return Made.baseline(Made.entry(ident, **changes))

    return make
