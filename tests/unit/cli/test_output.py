"""What is printed where there is nothing to print to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.talk import good


def judged(path: Path, *words: str, closed: str) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-P", "-m", "hive_gate", "judge", str(path), *words]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh"]
    return subprocess.run([*shell, *argv], capture_output=True, timeout=60, check=False)


def test_an_output_that_was_closed_does_not_change_the_exit_code(tmp_path: Path) -> None:
    path = good().write(tmp_path / "record.jsonl")
    for name in ("text", "markdown", "json"):
        done = judged(path, "--format", name, closed=">&-")
        assert (done.returncode, done.stderr) == (0, b"")


def test_an_error_is_not_printed_among_the_results_where_stderr_was_closed(tmp_path: Path) -> None:
    done = judged(tmp_path / "none.jsonl", closed="2>&-")
    assert (done.returncode, done.stdout) == (2, b"")
