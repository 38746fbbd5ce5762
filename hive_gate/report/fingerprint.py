"""How a clause failed, as a few hex digits that are the same wherever it fails alike.

The baseline names failures by them, so two things must hold: what differs between two runs of the same program, or
between two clauses that fail for the same reason, must not show; and whatever tells one failure from another must.
Where the two pull apart the choice is for more fingerprints: a failure that looks new once too often costs a look, one
that hides behind an old one is never seen.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache

from hive_gate.report.model import Finding
from hive_gate.report.paths import PathRedactor

DIGITS = 12
"""Hex digits of a fingerprint: a list of a thousand has two alike by chance once in half a billion."""

# What came beside what was awaited depends on the moment; `expected` says what did not come.
_ACTUAL_VARIES = frozenset({"await", "notifications"})

# `expected` lists all members that the target's params have, more with each version; the pointer says which is unknown.
_EXPECTED_VARIES = frozenset({"request-field-unknown"})

_INDEX = re.compile(r"/\d+(?=/|\Z)")

# In this order: what is found first is not looked at again.
_VARYING = tuple(
    (re.compile(pattern, re.IGNORECASE), stand_in)
    for pattern, stand_in in (
        # A scratch folder may lie anywhere; what a name in it may be made of is up to the server.
        (r"[^\s\"'`<>|,;()\[\]{}]*/hive-gate-\w+[^\s\"'`<>|,;()\[\]{}…\\]*", "<path>"),
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<id>"),
        (r"…‹\d+ characters, sha256 [0-9a-f]+›", "<long>"),
        (r"\b(?:127\.0\.0\.1|localhost|\[::1\]):\d+\b", "<host>"),
        (r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)", "<time>"),
        (r"\b1\d{9}(?:\d{3}){0,3}\b(?!\.\d)", "<time>"),
        (r"\b\d+\.\d+\.\d+(?:-[a-z]+(?:\.\d+)*)?(?![\w-])", "<version>"),
        (r"\b\d+(?:\.\d+)?(?:e[+-]?\d+)? ?(ms|s|seconds|milliseconds|bytes)\b", r"<n> \1"),
        (r"\bid \d+\b", "id <n>"),
        # The program names every variant that it knows, more with each version; `seen.error_phrase` counts them and
        # guesses at the one that was meant. That it does not know this one is the failure.
        (r"(`[^`]*`), not one of \d+ it knows(?:; nearest: `[^`]*`(?:, `[^`]*`)*)?", r"\1, which it does not know"),
        (r"it is not there; nearest: [^;]*", "it is not there"),
        # Cursors, hashes and other names that are made up anew each time: long, of one word, with digits in them.
        (r"(?<![\w/.+=-])(?=[\w+=-]*\d)[\w+=-]{24,}(?![\w/])", "<opaque>"),
        # Such a name that was cut off. `5…3` is a range of turns.
        (r"\b(?=[\w+=-]*\d)[\w+=-]*…(?!\d)", "…"),
        # What stands between a path and the end of a text that was cut: the length of the path moved the cut.
        (r"<path>[^…]*…", "<path>…"),
    )
)


def fingerprint(findings: Iterable[Finding]) -> str:
    """Return the fingerprint of a failure: the first hex digits of a SHA-256 over what did not hold.

    Neither the clause's id nor the order or number of equal findings counts, so clauses that fail alike share one.
    """
    rows = sorted({_row(finding) for finding in findings})
    text = json.dumps(rows, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _row(finding: Finding) -> tuple[str, str, str, str]:
    check = finding.check
    return (
        check,
        _INDEX.sub("/*", finding.pointer or ""),
        "" if check in _EXPECTED_VARIES else steady(finding.expected),
        "" if check in _ACTUAL_VARIES else steady(finding.actual),
    )


def steady(text: str) -> str:
    """Return a sentence of a finding without what differs from run to run: ids, paths, times, sizes, versions."""
    text = _paths().sub("<path>", text)
    for pattern, stand_in in _VARYING:
        text = pattern.sub(stand_in, text)
    return text


@cache
def _paths() -> re.Pattern[str]:
    return PathRedactor.knowing(()).pattern
