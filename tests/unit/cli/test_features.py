"""`hive-gate features` on terminals of any width: names stay whole, and what a feature is gives way first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from hive_gate.cli.app import app
from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift.digestfile import read_digest
from hive_gate.report.model import Report

NAMES = [feature.name for feature in load_contract(DEFAULT_CONTRACT).features]


def lines_at(columns: int, monkeypatch: pytest.MonkeyPatch, report: Report) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("hive_gate.cli.features._ask", lambda *_: (read_digest("0.142.5"), report))
    return CliRunner().invoke(app, ["features"]).stdout.splitlines()


@pytest.mark.parametrize(("columns", "explained"), [(60, False), (71, False), (72, True), (120, True)])
def test_each_name_stands_whole_beside_what_is_said_of_it(
    columns: int, explained: bool, monkeypatch: pytest.MonkeyPatch, made: Callable[..., Report]
) -> None:
    lines = lines_at(columns, monkeypatch, made("pass"))
    head = next(line for line in lines if line.startswith("feature"))
    assert head.split()[:4] == ["feature", "available", "experimental", "behaves"]
    assert ("what it is" in head) is explained
    assert [line.split()[0] for line in lines if line.split()[:1] and line.split()[0] in NAMES] == NAMES
    assert max(map(len, lines[1:])) <= columns
    assert all(line.strip() for line in lines)
