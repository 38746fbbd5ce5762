"""The head of every format that people read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hive_gate.report.facts import facts
from hive_gate.report.model import Report


@pytest.mark.parametrize(
    ("selection", "told"),
    [
        ({"suites": ["read"], "clauses": [], "level": None}, "suite read"),
        ({"suites": ["read", "re*"], "clauses": [], "level": None}, "suites read, re*"),
        ({"suites": [], "clauses": ["read.*"], "level": "required"}, "clause read.*; level required"),
        (
            {"suites": ["read"], "clauses": ["read.a", "read.b"], "level": "advisory"},
            "suite read; clauses read.a, read.b; level advisory",
        ),
        ({"suites": [], "clauses": [], "level": None}, "every clause"),  # the run was interrupted
        ({}, "every clause"),
        ({"suites": ["a\x1bb"]}, "suite a␛b"),
    ],
)
def test_a_selection_is_told_in_words(selection: dict[str, Any], told: str, open_report: Report) -> None:
    partial = replace(open_report, run=replace(open_report.run, partial=True, selection=selection))
    assert dict(facts(partial))["Selection"] == told


def test_a_whole_run_names_no_selection(open_report: Report) -> None:
    assert "Selection" not in dict(facts(open_report))
