"""Annotations of a GitHub job: one line each, whatever a server put into them."""

from __future__ import annotations

import re

import pytest

from hive_gate.report.annotations import annotation
from tests.unit.report.conftest import HOSTILE


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_ends_the_command_or_begins_another(text: str) -> None:
    line = annotation("error", text, text)

    assert line.count("\n") == 1
    assert line.endswith("\n")
    found = re.fullmatch(r"::error title=([^,:\r\n]*)::([^\r\n]*)\n", line)
    assert found is not None
    assert "%" not in re.sub(r"%(25|0D|0A|3A|2C)", "", found[1] + found[2])


def test_signs_with_a_meaning_are_escaped_where_they_have_one() -> None:
    assert annotation("warning", "a: b, 50%", "c: d, 50%") == "::warning title=a%3A b%2C 50%25::c: d, 50%25\n"
