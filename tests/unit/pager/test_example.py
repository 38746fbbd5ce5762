"""The example of the docs, run as it stands, before our own server and through a tap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from hive_gate.scene.home import Home

REPO = Path(__file__).parents[3]
EXAMPLE = REPO / "docs" / "examples" / "scroll.py"


def test_the_example_scrolls_through_a_thread_and_keeps_every_rule(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.prepare("http://127.0.0.1:9")
    recipe = {"turns": [{"times": 23, "user": "Question {n}.", "then": [{"agent": "Answer {n}."}]}]}
    truth = home.write({"threads": {"main": recipe}})["main"]
    record = tmp_path / "record.jsonl"
    tap = [sys.executable, "-m", "hive_gate", "tap", "--quiet", "--record", str(record), "--"]
    server = [sys.executable, "-m", "hive_gate.reference", "app-server"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), truth.id, *tap, *server],
        env={**os.environ, "CODEX_HOME": str(home.codex), "PYTHONPATH": str(REPO)},
        cwd=home.work,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    *pages, doubts = done.stdout.splitlines()
    assert " ".join(pages).split() == [turn.id for turn in reversed(truth.turns)]
    assert [len(page.split()) for page in pages] == [10, 10, 3]
    assert doubts == "doubts: none"
    judged = json.loads(record.with_name("record.jsonl.judged.json").read_bytes())
    assert judged["outcome"] == "kept"
    assert judged["transcript"]["problem"] is None
