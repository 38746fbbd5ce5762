"""The set-up does the least that is needed, and an interrupted one is never taken for a complete one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import setup_venv
from tools.setup_venv import STAMP, Action, Level, set_up


class Commands:
    """Stands for the commands: makes what a venv has, and remembers what ran."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ran: list[str] = []
        self.interrupt_at: str | None = None

    def __call__(self, command: Sequence[str]) -> None:
        line = " ".join(command)
        if self.interrupt_at is not None and self.interrupt_at in line:
            raise KeyboardInterrupt
        self.ran.append(line)
        program = self.root / ".venv" / "bin" / "hive-gate"
        if "--clear" in command:
            program.unlink(missing_ok=True)
            program.parent.mkdir(parents=True, exist_ok=True)
        if "--editable" in command:
            program.touch()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "requirements").mkdir()
    for name in ("requirements/run.txt", "requirements/build.txt", "requirements/dev.txt", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    return tmp_path


def act(root: Path, level: Level) -> tuple[Action, list[str]]:
    commands = Commands(root)
    return set_up(root, level, commands), commands.ran


def test_a_first_setup_for_a_probe_leaves_the_dev_lock_out(root: Path) -> None:
    action, ran = act(root, "run")
    assert action == "fresh"
    assert [" -m venv --clear " in ran[0], "--require-hashes" in ran[1], "--editable" in ran[2]] == [True] * 3
    assert "requirements/run.txt" in ran[1]
    assert "requirements/dev.txt" not in ran[1]


@pytest.mark.parametrize(("first", "second"), [("run", "run"), ("dev", "dev"), ("dev", "run")])
def test_a_second_setup_of_no_more_than_the_first_does_nothing(root: Path, first: Level, second: Level) -> None:
    act(root, first)
    assert act(root, second) == ("nothing", [])


def test_tests_after_a_probe_add_to_the_venv_that_is_there(root: Path) -> None:
    act(root, "run")
    action, ran = act(root, "dev")
    assert action == "add"
    assert not any("venv --clear" in line for line in ran)
    assert act(root, "run")[0] == "nothing"


@pytest.mark.parametrize("name", ["run", "build", "dev"])
def test_a_changed_lock_starts_from_an_empty_venv(root: Path, name: str) -> None:
    act(root, "dev")
    (root / "requirements" / f"{name}.txt").write_text("changed")
    assert act(root, "dev")[0] == "fresh"


def test_a_changed_pyproject_installs_the_project_again_and_keeps_what_was_there(root: Path) -> None:
    act(root, "dev")
    (root / "pyproject.toml").write_text("changed")
    action, ran = act(root, "run")
    assert action == "link"
    assert len(ran) == 1
    assert act(root, "dev")[0] == "nothing"


def test_a_moved_checkout_starts_from_an_empty_venv(root: Path) -> None:
    act(root, "run")
    moved = root.parent / "moved to here"
    root.rename(moved)
    assert act(moved, "run")[0] == "fresh"


@pytest.mark.parametrize("point", ["venv --clear", "--require-hashes", "--editable"])
@pytest.mark.parametrize("before", ["nothing", "run"])
def test_an_interrupted_setup_is_started_afresh_by_the_next(root: Path, point: str, before: str) -> None:
    if before == "run":
        act(root, "run")
        (root / "requirements" / "run.txt").write_text("changed")
    commands = Commands(root)
    commands.interrupt_at = point
    with pytest.raises(KeyboardInterrupt):
        set_up(root, "run", commands)
    assert act(root, "run")[0] == "fresh"


def test_an_interrupted_addition_is_started_afresh_by_the_next(root: Path) -> None:
    act(root, "run")
    commands = Commands(root)
    commands.interrupt_at = "requirements/dev.txt"
    with pytest.raises(KeyboardInterrupt):
        set_up(root, "dev", commands)
    assert act(root, "run")[0] == "fresh"


@pytest.mark.parametrize("text", ["", '{"root": ', "[]"])
def test_a_torn_stamp_counts_as_none(root: Path, text: str) -> None:
    act(root, "run")
    (root / STAMP).write_text(text)
    assert act(root, "run")[0] == "fresh"


def test_a_venv_without_the_program_counts_as_none(root: Path) -> None:
    act(root, "run")
    (root / ".venv" / "bin" / "hive-gate").unlink()
    assert act(root, "run")[0] == "fresh"


def test_a_wrong_call_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert setup_venv.main(["everything"]) == 2
    assert "expected one of run, dev" in capsys.readouterr().err
