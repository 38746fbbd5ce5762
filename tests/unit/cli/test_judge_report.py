"""`hive-gate judge` on a probe's report.json, and `hive-gate features`, as their users type them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hive_gate.cost.jsonfile import write_cost
from hive_gate.data import NEXT_CONTRACT
from hive_gate.probe.observe import Silent
from hive_gate.probe.subject import codex
from tests.unit.cost.conftest import build


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


def test_a_report_is_known_however_its_members_are_ordered(recorded: Path, tmp_path: Path) -> None:
    again, reordered = tmp_path / "again.json", tmp_path / "reordered.json"
    reordered.write_text(json.dumps(json.loads(recorded.read_bytes()), sort_keys=True), encoding="utf-8")
    assert hive_gate("judge", reordered, "--format", "json", "--out", again).returncode == 0
    assert json.loads(again.read_bytes()) == json.loads(recorded.read_bytes())


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


def test_a_probe_is_judged_by_a_measurement_of_the_same_program_and_so_again_from_its_report(tmp_path: Path) -> None:
    cost = build(shapes=("plain",), targets=(codex("reference", Silent()).target,))
    slow = tuple(replace(s, values={"ms.ratio": 1.5}) if s.id == "full" else s for s in cost.sentences)
    write_cost(replace(cost, sentences=slow), tmp_path / "cost.json")

    done = hive_gate(
        "probe", "--codex", "reference", "--suite", "items-list", "--cost", tmp_path / "cost.json", "--out", tmp_path
    )

    assert done.returncode == 0, done.stderr
    note = (tmp_path / "note.md").read_text(encoding="utf-8")
    (view,) = [line for line in note.splitlines() if line.startswith("- **items-view** (decided)")]
    assert "Record: `docs/decisions/0002-items-view.md`." in view
    assert "**Contradicted by the measurement**: a page in full takes hardly longer than one in summary" in view
    assert "(full, ms.ratio: 1.5, at most 1.3)" in view
    assert "**Supported by the measurement**: a restore with a first page takes no longer" in note
    again = hive_gate("judge", tmp_path / "report.json", "--format", "json", "--out", tmp_path / "again.json")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "report.json").read_bytes()


def test_features_of_the_reference_server_as_a_table_and_as_json(tmp_path: Path) -> None:
    file = tmp_path / "features.json"
    done = hive_gate("features", "--codex", "reference", "--out", file)
    assert done.returncode == 0, done.stderr
    document = json.loads(file.read_bytes())
    assert document["schema"] == "hive-gate/features/1"
    assert document["features"]["turns-pages"]["behaves"] is True
    assert document["target"]["spec"] == "reference"
    assert document["gate"] == "open"
    shown = hive_gate("features", "--codex", "reference")
    assert shown.stdout.startswith("Gate OPEN: ")
    assert shown.stdout.splitlines()[0].endswith(" against hive-app-server 1.0.0")


def test_features_of_an_unknown_version_are_no_traceback() -> None:
    done = hive_gate("features", "--codex", "not a version")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert hive_gate("features", "--codex", " ").returncode == 2
