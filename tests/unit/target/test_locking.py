from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.locking import locked
from hive_gate.target.progress import Progress, silent

HOLDER = """
import pathlib, sys
from hive_gate.target.locking import locked
with locked(pathlib.Path(sys.argv[1]), "k", lambda progress: None):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until its stdin is closed."""
    argv = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_who_comes_second_waits_and_says_so(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with holder(tmp_path) as process:

        def release(progress: Progress) -> None:
            seen.append(progress)
            assert process.stdin
            process.stdin.close()

        with locked(tmp_path, "k", release):
            assert process.wait(10) == 0
    assert seen[0] == Progress("waiting", 0, None, "codex k")


def test_a_lock_ends_with_its_holder_even_if_that_is_killed(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        with locked(tmp_path, "k", silent, patience=0):
            pass


def test_patience_has_an_end(tmp_path: Path) -> None:
    with holder(tmp_path), pytest.raises(TargetError, match="busy with codex k"), locked(tmp_path, "k", silent, -1):
        pass


def test_giving_up_while_waiting_leaves_the_lock_to_its_holder(tmp_path: Path) -> None:
    def give_up(progress: Progress) -> None:
        raise KeyboardInterrupt

    with holder(tmp_path), pytest.raises(KeyboardInterrupt), locked(tmp_path, "k", give_up):
        pass


def test_other_versions_do_not_wait(tmp_path: Path) -> None:
    with holder(tmp_path), locked(tmp_path, "other", silent, patience=-1):
        pass


def test_a_cache_that_cannot_be_written_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TargetError, match="cannot be written") as caught, locked(tmp_path / "file" / "x", "k", silent):
        pass
    assert "HIVE_GATE_CACHE" in str(caught.value.hint)
