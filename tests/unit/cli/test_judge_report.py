"""`hive-gate judge` on a probe's report.json, and `hive-gate features`, as their users type them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hive_gate.data import NEXT_CONTRACT


def hive_gate(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hive_gate", *map(str, words)], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    suites = ("--suite", "items-list", "--suite", "schema", "--suite", "read")
    done = hive_gate("probe", "--codex", "reference", *suites, "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder / "report.json"


def test_a_report_is_judged_by_clauses_and_comes_out_the_same(recorded: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    done = hive_gate("judge", recorded, "--format", "json", "--out", again)
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == recorded.read_bytes()
    assert done.stderr.startswith("hive-gate: PARTIAL run")


def test_an_answer_that_is_changed_in_the_report_closes_the_gate(recorded: Path, tmp_path: Path) -> None:
    document: dict[str, Any] = json.loads(recorded.read_bytes())
    clause = next(c for c in document["clauses"] if c["id"] == "items-list.unsupported/unknown-thread")
    document["messages"][clause["exchanges"][0]["reply"]]["body"]["error"]["code"] = -32600
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(document), encoding="utf-8")
    done = hive_gate("judge", changed)
    assert done.returncode == 1
    assert "FAIL items-list.unsupported/unknown-thread" in done.stdout
    assert hive_gate("judge", changed, "--format", "annotations").stdout.startswith("::error title=")


def test_what_the_next_contract_asks_and_the_run_did_not_is_not_judged(recorded: Path) -> None:
    done = hive_gate("judge", recorded, "--contract", NEXT_CONTRACT)
    assert done.returncode != 0
    assert "this run did not ask it" in done.stdout


def test_the_same_report_is_judged_by_the_adapter_rules_if_asked(recorded: Path) -> None:
    done = hive_gate("judge", recorded, "--by", "adapter")
    assert done.returncode == 1
    assert "adapter." in done.stdout


def test_a_redacted_report_is_refused_in_a_sentence(recorded: Path, tmp_path: Path) -> None:
    redacted = tmp_path / "redacted.json"
    hive_gate("render", recorded, "--redact", "--format", "json", "--out", redacted)
    done = hive_gate("judge", redacted)
    assert done.returncode == 2
    assert done.stderr.startswith("hive-gate: The report is redacted")
    assert "Traceback" not in done.stderr


def test_features_of_the_reference_server_as_a_table_and_as_json(tmp_path: Path) -> None:
    file = tmp_path / "features.json"
    done = hive_gate("features", "--codex", "reference", "--out", file)
    assert done.returncode == 0, done.stderr
    document = json.loads(file.read_bytes())
    assert document["schema"] == "hive-gate/features/1"
    assert document["features"]["turns-pages"]["behaves"] is True
    assert document["target"]["spec"] == "reference"


def test_features_of_an_unknown_version_are_no_traceback() -> None:
    done = hive_gate("features", "--codex", "not a version")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert hive_gate("features", "--codex", " ").returncode == 2
