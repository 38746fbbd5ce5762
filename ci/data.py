"""What the scripts of this folder read from files: plans, matrices, contracts. Needs nothing but Python 3.11.

Usage: data.py COMMAND ARGUMENT..., see `COMMANDS`; what is found goes to stdout.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

VERSIONS_SHOWN = 6
CLAUSES_SHOWN = 30

_BREAKING = ("fail", "error", "blocked")
"""Verdicts by which a required clause closes the gate; `stale` closes it at any level."""


def versions(plan: str) -> str:
    """Return the versions of a plan, with spaces between them."""
    return " ".join(_planned(plan))


def shards(plan: str, count: str) -> str:
    """Return how a plan is dealt out, as JSON on one line: none is empty, and each spans the whole range.

    A share has its exact versions in it, so that nobody has to look them up again, and a key that stands for them.
    """
    planned = _planned(plan)
    of = min(int(count), len(planned))
    shares = [" ".join(planned[index::of]) for index in range(of)]
    return json.dumps([
        {
            "label": f"{index}-of-{of}",
            "versions": share,
            "key": hashlib.sha256(share.encode()).hexdigest()[:16],
        }
        for index, share in enumerate(shares, 1)
    ])  # fmt: skip


def missing(plan: str, matrix: str) -> str:
    """Return the versions of a plan that a matrix does not have: their runs left nothing."""
    had = [{column["version"] for column in sheet["columns"]} for sheet in _matrix(matrix)]
    return _listed([version for version in _planned(plan) if not all(version in each for each in had)], 1000)


def closed(matrix: str) -> str:
    """Return on which versions the gate is closed, and by which clauses."""
    names: dict[str, None] = {}
    clauses: dict[str, None] = {}
    untrue = False
    for sheet in _matrix(matrix):
        shut = [index for index, column in enumerate(sheet["columns"]) if column["gate"] == "closed"]
        names.update(dict.fromkeys(sheet["columns"][index]["version"] for index in shut))
        clauses.update(dict.fromkeys(_broken(sheet["rows"], shut)))
        untrue = untrue or any(sheet["columns"][index]["stale"] for index in shut)
    if not names:
        return ""
    told = f"the contract does not hold on {_listed(list(names), VERSIONS_SHOWN)}"
    if clauses:
        told += f"; broken: {_listed(list(clauses), CLAUSES_SHOWN)}"
    return told + ("; the baseline is not true any more" if untrue else "")


def unjudged(matrix: str) -> str:
    """Return which versions were not judged, and why the first was not."""
    columns = [column for sheet in _matrix(matrix) for column in sheet["columns"] if column["state"] != "judged"]
    if not columns:
        return ""
    names = list(dict.fromkeys(column["version"] for column in columns))
    first = columns[0]
    return f"{_listed(names, VERSIONS_SHOWN)} ({first['version']} is {first['state']}: {first['problem']})"


def pinned() -> str:
    """Return the codex version that the contract on stdin pins."""
    return str(json.load(sys.stdin).get("pinned") or "")


def accepted() -> str:
    """Return the codex version that the baseline on stdin calls accepted."""
    return str(tomllib.load(sys.stdin.buffer).get("accepted") or "")


COMMANDS: dict[str, Callable[..., str]] = {
    each.__name__: each for each in (versions, shards, missing, closed, unjudged, pinned, accepted)
}


def _planned(plan: str) -> list[str]:
    return list(json.loads(Path(plan).read_bytes())["versions"])


def _matrix(matrix: str) -> list[dict[str, Any]]:
    return list(json.loads(Path(matrix).read_bytes())["sheets"])


def _broken(rows: Iterable[dict[str, Any]], shut: Iterable[int]) -> Iterator[str]:
    for row in rows:
        verdicts = {row["cells"][index]["verdict"] for index in shut if row["cells"][index]}
        if "stale" in verdicts or (row["level"] == "required" and not verdicts.isdisjoint(_BREAKING)):
            yield row["clause"]


def _listed(names: list[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


if __name__ == "__main__":
    sys.stdout.write(COMMANDS[sys.argv[1]](*sys.argv[2:]))
