"""What the gate says of the real server, version by version. Each list was checked by hand against the binary once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.live

_ITEMS_LIST = ("items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread", "items-list.known")

FAILS: dict[str, tuple[str, ...]] = {
    "0.142.5": (),
    "0.142.2": (),
    # The items list was renamed to thread/items/list (openai/codex#29705); nothing else that Hive relies on moved.
    "0.143.0": _ITEMS_LIST,
    # From 0.153.4 on, turns/list and excludeTurns need no capability; initialTurnsPage still does.
    "0.171.0": (
        *_ITEMS_LIST,
        "handshake.without-capability/turns-list",
        "handshake.without-capability/exclude-turns",
    ),
    # Before itemsView (0.130) and initialTurnsPage (0.136): both are ignored in silence, and nothing is gated.
    "0.125.0": (
        *_ITEMS_LIST,
        "handshake.without-capability/*",
        "turns-list.refuses/items-view",
        "turns-list.page/notLoaded",
        "turns-list.default-view",
        "turns-list.view/notLoaded",
        "turns-list.view/summary",
        "turns-list.real-turns/notLoaded",
        "turns-list.real-turns/summary",
        "turns-list.loaded/notLoaded",
        "turns-list.loaded/summary",
        "resume.initial-page/*",
        "resume.initial-page-defaults",
        "resume.page-alone",
        "schema.fits/thread-turns-list",
        "schema.fits/thread-resume",
        "schema.fits/thread-read",
        "schema.fits/thread-start",
        "schema.fits/turn-start",
    ),
}


def probe(version: str, out: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    """Run the command as its user does and return exit code, the JSON on stdout, stderr."""
    command = [sys.executable, "-m", "hive_gate", "probe", "--codex", version, "--json", "--out", str(out), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False, env=dict(os.environ))
    return done.returncode, json.loads(done.stdout), done.stderr


@pytest.mark.parametrize("version", FAILS)
def test_each_version_fails_exactly_what_it_breaks(version: str, tmp_path: Path) -> None:
    code, report, stderr = probe(version, tmp_path)

    failed = {c["id"] for c in report["clauses"] if c["verdict"] == "fail"}
    unexpected = {c for c in failed if not any(fnmatchcase(c, glob) for glob in FAILS[version])}
    missing = [glob for glob in FAILS[version] if not any(fnmatchcase(c, glob) for c in failed)]
    assert (unexpected, missing) == (set(), [])
    others = {c["verdict"] for c in report["clauses"]} - {"pass", "fail", "warn"}
    assert others == set()  # every clause was judged: nothing blocked, nothing not offered
    assert report["target"]["version"] == report["target"]["handshake_version"] == version
    if FAILS[version]:
        assert (code, report["gate"]) == (1, "closed")
        assert stderr.strip().splitlines()[-1].startswith("hive-gate: Gate CLOSED")
    else:
        assert (code, report["gate"]) == (0, "open")
        assert {c["verdict"] for c in report["clauses"]} == {"pass"}
    assert {"report.json", "note.textile", "note.md", "junit.xml", "transcript.jsonl"} <= {
        path.name for path in tmp_path.iterdir()
    }


def test_the_note_on_0_143_0_names_what_moved(tmp_path: Path) -> None:
    probe("0.143.0", tmp_path, "--suite", "items-list", "--suite", "schema")

    note = (tmp_path / "note.md").read_text(encoding="utf-8")
    assert "unknown variant" in note
    assert "thread/items/list" in note  # the new name, found among those that the server knows


def test_the_failures_of_0_125_0_are_told_by_their_effect(tmp_path: Path) -> None:
    _, report, _ = probe("0.125.0", tmp_path, "--clause", "turns-list.page", "--clause", "resume.page-alone")

    found = {c["id"]: c["findings"] for c in report["clauses"] if c["findings"]}
    assert found["turns-list.page/notLoaded"][0]["actual"] == "userMessage, agentMessage"
    assert found["resume.page-alone"][0]["actual"] == "nothing at /initialTurnsPage/data"
