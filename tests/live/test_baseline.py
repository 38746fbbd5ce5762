"""The life of the baseline's entries with the real server: accepted, kept, found untrue, taken out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hive_gate.data import CONTRACTS
from tests.support.programs import small_contract

pytestmark = pytest.mark.live

ITEMS = {"items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread", "items-list.known"}


def hive_gate(*arguments: object) -> tuple[int, str, str]:
    """Run the command as its user does and return exit code, stdout and stderr."""
    command = [sys.executable, "-m", "hive_gate", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False, env=dict(os.environ))
    return done.returncode, done.stdout, done.stderr


def test_failures_are_accepted_until_they_are_gone(tmp_path: Path) -> None:
    # A few clauses, so that the three runs are short; a baseline knows whole runs only.
    few = small_contract(tmp_path, "items-list.unsupported", "items-list.known", "turns-list.page", "resume.page-alone")
    baseline, moved = few.with_name("baseline.toml"), tmp_path / "moved"
    by = ("--contract", few, "--baseline", baseline)
    shipped = (CONTRACTS / "baseline.toml").read_bytes()
    baseline.write_bytes(shipped)

    code, _, stderr = hive_gate("probe", "--codex", "0.143.0", *by, "--out", moved)
    assert (code, "Gate CLOSED: codex-cli 0.143.0 breaks 3 of" in stderr) == (1, True)

    # A range that is too wide by one version: 0.142.5 keeps what it is said to break.
    code, added, stderr = hive_gate(
        "baseline", "add", moved / "report.json", "--clause", "items-list.*", "--reason", "Hive 3.2 does without.",
        "--owner", "release team", "--expires", "2099-03-31", "--versions", "0.142.5..0.143.0", *by,
    )  # fmt: skip
    assert (code, stderr) == (0, "")
    assert ": 2 entries added\n" in added  # both clauses of items-list.unsupported fail alike
    assert baseline.read_bytes().startswith(shipped)

    # The failures have the fingerprints that they had in the first run, or they would be stale.
    code, printed, stderr = hive_gate("probe", "--codex", "0.143.0", *by, "--out", moved, "--json")
    report = json.loads(printed)
    assert (code, report["gate"]) == (0, "open")
    assert {c["id"] for c in report["clauses"] if c["verdict"] == "waived"} == ITEMS
    assert "(3 waived" in stderr
    for note in ("note.md", "note.textile", "report.txt"):
        assert "Hive 3.2 does without. (release team, until 2099-03-31" in (moved / note).read_text(encoding="utf-8")

    kept = tmp_path / "kept"
    code, printed, stderr = hive_gate("probe", "--codex", "0.142.5", *by, "--out", kept, "--json")
    report = json.loads(printed)
    assert (code, report["gate"]) == (1, "closed")
    assert {c["id"] for c in report["clauses"] if c["verdict"] == "stale"} == ITEMS
    assert "stale in the baseline: items-list.unsupported/real-thread (/waiver/0)" in stderr
    assert hive_gate("baseline", "check", kept / "report.json", *by)[0] == 1

    # What still waives something stays; what is stale in every run it speaks of goes, and leaves no trace.
    both = (moved / "report.json", kept / "report.json")
    assert ": no entries taken out of 2" in hive_gate("baseline", "prune", *both, *by)[1]
    assert ": 2 entries taken out of 2" in hive_gate("baseline", "prune", both[1], *by)[1]
    assert baseline.read_bytes() == shipped
