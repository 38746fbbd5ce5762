"""What a restored turn shows of a live one: what the decision on the items view rests on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.live

SCRIPT = Path(__file__).parents[2] / "bench" / "fidelity.py"

LOST_IN_SUMMARY = (
    "reasoning", "fileChange", "webSearch", "imageGeneration", "contextCompaction", "agentMessage (commentary)",
)  # fmt: skip
LOST_IN_FULL = ("commandExecution (completed)", "commandExecution (failed)", "imageView")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    out = tmp_path_factory.mktemp("fidelity") / "seen.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--codex", "0.142.5", "--out", str(out)],
        capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "What is left of a live turn after a restart, codex 0.142.5, legacy thread" in done.stdout
    return json.loads(out.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def counted(seen: list[dict[str, Any]], way: str, kind: str) -> int:
    return sum(turn[way].count(kind) for turn in seen)


@pytest.mark.parametrize("kind", LOST_IN_SUMMARY)
def test_full_keeps_what_summary_loses(kind: str, seen: list[dict[str, Any]]) -> None:
    assert counted(seen, "live", kind) == counted(seen, "full", kind) == counted(seen, "read", kind) > 0
    assert counted(seen, "summary", kind) == 0


@pytest.mark.parametrize("kind", LOST_IN_FULL)
def test_commands_and_viewed_images_are_lost_in_every_view(kind: str, seen: list[dict[str, Any]]) -> None:
    assert counted(seen, "live", kind) > 0
    assert counted(seen, "full", kind) == counted(seen, "read", kind) == counted(seen, "summary", kind) == 0


def test_images_of_the_user_are_in_both_views(seen: list[dict[str, Any]]) -> None:
    for kind in ("userMessage+image", "userMessage+localImage"):
        assert [counted(seen, way, kind) for way in ("live", "full", "summary")] == [1, 1, 1]


def test_a_failed_turn_comes_back_as_completed(seen: list[dict[str, Any]]) -> None:
    failed = next(turn for turn in seen if turn["name"] == "model error")
    assert (failed["live_end"], failed["restored_end"]) == ("failed with an error", "completed")


def test_an_interrupted_turn_comes_back_as_interrupted(seen: list[dict[str, Any]]) -> None:
    stopped = next(turn for turn in seen if turn["name"] == "interrupted")
    assert (stopped["live_end"], stopped["restored_end"]) == ("interrupted", "interrupted")


def test_items_do_not_keep_their_ids(seen: list[dict[str, Any]]) -> None:
    assert not any(turn["same_ids"] for turn in seen)
