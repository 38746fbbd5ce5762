"""Since when a clause is broken, asked of the real programs: of those that the other live tests use, so none is new."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.live

AMONG = "0.143.0,0.144.6,0.146.1,0.153.4,0.157.1"


def bisect(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "hive_gate", "bisect", *arguments, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def first(found: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(one["before"], one["first"], len(one["clauses"])) for one in found["boundaries"]]


def test_the_items_list_changed_in_0_143_0_and_rollback_is_gone_from_0_157_1() -> None:
    ends = ("--good", "0.142.5", "--bad", "0.171.0", "--among", AMONG)

    items = bisect("--clause", "items-list.*", *ends)

    assert first(items) == [("0.142.5", "0.143.0", 3)]
    assert items["probes"] <= items["limit"] == 5
    (change,) = (c for c in items["boundaries"][0]["clauses"] if c["id"] == "items-list.unsupported/real-thread")
    assert (change["before"]["verdict"], change["after"]["verdict"]) == ("pass", "fail")
    (reply,) = (pair for pair in change["exchanges"] if pair["part"] == "reply")
    codes = [(row["left"], row["right"]) for row in reply["rows"] if row["differs"] and '"code"' in row["left"]]
    assert codes == [('  "code": -32601,', '  "code": -32600,')]

    # What was judged for the one is at hand for the other: it is not asked again, and narrows the search.
    rollback = bisect("--clause", "rollback.offered", *ends)

    assert first(rollback) == [("0.153.4", "0.157.1", 1)]
    assert rollback["probes"] <= rollback["limit"] == 5
    judged = {one["version"] for one in items["seen"]}
    assert all(one["from_cache"] for one in rollback["seen"] if one["version"] in judged)
