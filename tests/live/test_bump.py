"""Whether Hive can take a version, asked of the real programs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.live


def can_i_bump(version: str) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "hive_gate", "can-i-bump", version, "--from", "0.142.5", "--no-baseline", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False)
    return done.returncode, json.loads(done.stdout)


def test_0_142_2_is_yes() -> None:
    code, found = can_i_bump("0.142.2")

    assert (code, found["answer"], found["kept"]) == (0, "yes", found["held"])
    assert (found["blockers"], found["gone"], found["warnings"], found["drift"]["changes"]) == ([], [], [], [])


def test_0_171_0_is_no_with_what_hive_must_change_and_what_got_better() -> None:
    code, found = can_i_bump("0.171.0")

    assert (code, found["answer"]) == (1, "no")
    blockers = {
        clause: (group["before"], bool(group["remedy"]))
        for group in found["blockers"] for failure in group["failures"] for clause in failure["clauses"]
    }  # fmt: skip
    assert blockers == {
        "handshake.without-capability/turns-list": ("held", True),
        "handshake.without-capability/exclude-turns": ("held", True),
        "items-list.unsupported/real-thread": ("held", True),
        "items-list.unsupported/unknown-thread": ("held", True),
        "items-list.known": ("held", True),
        "rollback.offered": ("held", True),
        "history-mode.false-empty-projection-lost/turns-list": ("not-offered", True),
        "history-mode.false-empty-projection-lost/read": ("not-offered", True),
    }
    assert found["sentence"] == (
        f"No: codex 0.171.0 breaks 6 of {found['held']} required clauses of hive-app-server 1.0.0 that hold on 0.142.5 "
        "and fails 2 that do not apply there."
    )
    better = found["better"]
    assert [(one["how"], one["name"]) for one in better["supported"]] == [("renamed", "thread/items/list")]
    assert {need for one in better["offered"] for need in one["needs"]} == {
        "capability:history-mode", "capability:paginated",
    }  # fmt: skip
    assert {"thread-name.rollback", "rollback.last/1"} <= {
        clause for group in found["gone"] for failure in group["failures"] for clause in failure["clauses"]
    }
    assert [change["subject"] for change in found["drift"]["changes"] if change["level"] == "breaking"] == [
        "thread/rollback"
    ]
    assert "thread/readState/changed" in [one["text"] for one in found["news"] if one["kind"] == "notification"]

    # The same question again asks nobody: both runs are at hand, and the answer is the same.
    again_code, again = can_i_bump("0.171.0")

    assert again_code == 1
    assert [again[side]["from_cache"] for side in ("candidate", "before")] == [True, True]
    assert {k: v for k, v in again.items() if k not in ("candidate", "before")} == {
        k: v for k, v in found.items() if k not in ("candidate", "before")
    }
