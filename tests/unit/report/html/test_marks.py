"""Where findings point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hive_gate.report.html.marks import Mark, marks
from hive_gate.report.model import ClauseResult, Finding, Message

Made = Callable[..., ClauseResult]

RESULT = {"id": 1, "result": {"data": [{"a/b": {"~c": None}}], "": 0}}


@pytest.mark.parametrize(
    ("body", "pointer", "place", "lacking"),
    [
        (RESULT, "/data/0", "/result/data/0", ""),
        (RESULT, "/data/0/a~1b/~0c", "/result/data/0/a~1b/~0c", ""),
        (RESULT, "/data/1", "/result/data", "/1"),
        (RESULT, "/data/-1/x", "/result/data", "/-1/x"),
        (RESULT, "/data/²", "/result/data", "/²"),
        (RESULT, "/data/0/x/y", "/result/data/0", "/x/y"),
        (RESULT, "/", "/result/", ""),
        (RESULT, None, "", ""),
        (RESULT, "", "", ""),
        (RESULT, "result/data", "", ""),
        (RESULT, "/error", "/result", "/error"),
        ({"id": 1, "error": {"code": 1}}, "/error/code", "/error/code", ""),
        ({"method": "x", "params": {"turn": {}}}, "/turn", "/params/turn", ""),
        ({"id": 1, "result": 5}, "/data", "/result", "/data"),
        (None, "/data", "", ""),
        (RESULT, "/\u202e", "/result", "/‹U+202E›"),
    ],
)
def test_a_pointer_goes_as_far_as_the_message_does(
    body: Any, pointer: str | None, place: str, lacking: str, make_clause: Made
) -> None:
    message = Message(7, 0, 1.0, "received", 10, body)
    clause = make_clause("a.b", "fail", findings=(Finding("result", "a turn", "null", 0, pointer, 7),))
    said = f"{lacking} is not there. " if lacking else ""
    assert list(marks(clause, {7: message})) == [Mark(7, place, f"{said}Expected a turn; came null")]


def test_a_finding_without_a_message_or_of_one_that_is_not_there_marks_nothing(make_clause: Made) -> None:
    findings = (Finding("offered", "x", "y", 0, "request/params"), Finding("result", "x", "y", 0, "/data", 99))
    assert list(marks(make_clause("a.b", "fail", findings=findings), {})) == []


def test_a_long_sentence_is_cut(make_clause: Made) -> None:
    clause = make_clause("a.b", "fail", findings=(Finding("result", "x" * 5000, "y" * 5000, 0, None, 1),))
    (mark,) = marks(clause, {1: Message(1, 0, 1.0, "received", 10, {})})
    assert len(mark.says) < 650
