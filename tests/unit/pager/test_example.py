"""The example of the docs, run as it stands, before our own server and through a tap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hive_gate.scene.home import Home

REPO = Path(__file__).parents[3]
EXAMPLE = REPO / "docs" / "examples" / "scroll.py"
SERVER = (sys.executable, "-m", "hive_gate.reference", "app-server")


def scroll(*arguments: str, env: Mapping[str, str] | None = None, cwd: Path = REPO) -> subprocess.CompletedProcess[str]:
    """Run the example."""
    return subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments],
        env={**os.environ, "PYTHONPATH": str(REPO), **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("turns", "answer", "expected"),
    [(23, "Answer {n}.", [20, 3]), (45, "Answer {n}. " + "word " * 24_000, [20, 20, 5])],
    ids=["short turns", "pages of more than 2 MB"],
)
def test_the_example_scrolls_through_a_thread_and_keeps_every_rule(
    turns: int, answer: str, expected: list[int], tmp_path: Path
) -> None:
    home = Home(tmp_path / "home")
    home.prepare("http://127.0.0.1:9")
    recipe = {"turns": [{"times": turns, "user": "Question {n}.", "then": [{"agent": answer}]}]}
    truth = home.write({"threads": {"main": recipe}})["main"]
    record = tmp_path / "record.jsonl"
    tap = [sys.executable, "-m", "hive_gate", "tap", "--quiet", "--record", str(record), "--"]
    done = scroll(truth.id, *tap, *SERVER, env={"CODEX_HOME": str(home.codex)}, cwd=home.work)
    assert (done.returncode, done.stderr) == (0, "")
    *pages, doubts = done.stdout.splitlines()
    assert " ".join(pages).split() == [turn.id for turn in reversed(truth.turns)]
    assert [len(page.split()) for page in pages] == expected
    assert doubts == "doubts: none"
    judged = json.loads(record.with_name("record.jsonl.judged.json").read_bytes())
    assert judged["outcome"] == "kept"
    assert judged["transcript"]["problem"] is None
    assert [rule["id"] for rule in judged["rules"] if rule["verdict"] not in ("pass", "not-exercised")] == []


def test_a_thread_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.prepare("http://127.0.0.1:9")
    missing = "0199a213-81c0-7800-8aa1-bbab2a035a53"
    done = scroll(missing, *SERVER, env={"CODEX_HOME": str(home.codex)}, cwd=home.work)
    assert done.returncode == 1
    assert done.stderr == f"The thread {missing} cannot be shown: no rollout found for thread id {missing}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name a thread and the command that starts an app-server"),
        (("T",), "name a thread and the command that starts an app-server"),
        (("T", "./no-such-server"), "The thread T cannot be shown: [Errno 2] No such file or directory"),
        (("T", sys.executable, "-c", ""), "The thread T cannot be shown: the server has ended"),
        (
            ("T", sys.executable, "-c", "print('Hi'); input()"),
            "The thread T cannot be shown: the server wrote what is no",
        ),
        (("T", "cat"), "The thread T cannot be shown: -32601 not offered here"),
        (("T", sys.executable, "-c", "input()"), "The thread T cannot be shown: the server has ended"),
    ],
)
def test_what_does_not_work_is_told_in_a_sentence(arguments: tuple[str, ...], told: str) -> None:
    done = scroll(*arguments)
    assert done.returncode == 1
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1
