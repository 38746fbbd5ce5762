from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hive_gate.target import process
from hive_gate.target.process import run_bounded

if TYPE_CHECKING:
    from .conftest import Lifeline


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def test_code_output_and_stderr_tail_are_kept_apart() -> None:
    code = "import sys; print('out'); print('x' * 9000 + 'end', file=sys.stderr); sys.exit(7)"
    finished = run_bounded(python(code), os.environ, 30)
    assert (finished.code, finished.stdout, finished.outcome) == (7, "out\n", "exit code 7")
    assert finished.stderr_tail.endswith("end")
    assert len(finished.stderr_tail) <= process.TAIL


def test_a_signal_is_told_as_a_signal() -> None:
    finished = run_bounded(python("import os; os.kill(os.getpid(), 9)"), os.environ, 30)
    assert finished.outcome == "signal 9"


def test_it_sees_only_the_environment_given() -> None:
    finished = run_bounded(python("import os; print(os.environ.get('HOME'), os.environ['ONE'])"), {"ONE": "1"}, 30)
    assert finished.stdout == "None 1\n"


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TERM_GRACE", 0.1)


def test_when_time_is_up_the_whole_group_is_ended(lifeline: Lifeline) -> None:
    code = lifeline.code + "signal.signal(15, signal.SIG_IGN); signal.pause()"
    finished = run_bounded(python(code), os.environ, 0, on_tick=lifeline.wait_held)
    assert (finished.code, finished.outcome) == (None, "no end within 0 s")
    assert lifeline.wait_gone()


def test_what_a_program_leaves_running_is_ended(lifeline: Lifeline) -> None:
    finished = run_bounded(python(lifeline.code), os.environ, 60)
    assert finished.code == 0
    lifeline.wait_held()
    assert lifeline.wait_gone()


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_exception_in_the_tick_ends_the_whole_group(error: type[BaseException], lifeline: Lifeline) -> None:
    def tick() -> None:
        lifeline.wait_held()
        raise error

    with pytest.raises(error):
        run_bounded(python(lifeline.code + "signal.pause()"), os.environ, 60, on_tick=tick)
    assert lifeline.wait_gone()


def test_a_program_that_floods_its_output_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "OUTPUT_LIMIT", 1024 * 1024)
    finished = run_bounded(python("while True: print('x' * 100_000)"), os.environ, 60)
    assert finished.outcome == "more than 1 MiB of output"
    assert len(finished.stdout) <= 1024 * 1024


def test_a_missing_program_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_bounded([str(tmp_path / "nothing")], {}, 1)
