"""A result that several formats of one report need, worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from hive_gate.report.model import Report

T = TypeVar("T")


def remember_last(function: Callable[[Report], T]) -> Callable[[Report], T]:
    """Return `function` with its last result remembered for the very same report object.

    A run writes four or five formats in a row, and each would redact and hash a report of many megabytes again. A
    report is frozen, so the same object has the same result; only the last one is kept alive.
    """
    last: list[tuple[Report, T]] = []

    @wraps(function)
    def remembering(report: Report) -> T:
        if not last or last[0][0] is not report:
            last[:] = [(report, function(report))]
        return last[0][1]

    return remembering
