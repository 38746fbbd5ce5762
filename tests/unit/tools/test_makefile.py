"""The Makefile says in one sentence what a machine lacks, before it installs anything."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BASICS = ("sh", "sed", "awk", "make", "printf")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the Makefile, in a folder with a space in its name, beside a PATH of the basic programs only."""
    tree = tmp_path / "a tree"
    (tree / "bin").mkdir(parents=True)
    for name in BASICS:
        found = shutil.which(name)
        assert found, f"{name} is needed to run make"
        (tree / "bin" / name).symlink_to(found)
    shutil.copy(ROOT / "Makefile", tree)
    return tree


def fake_python(tree: Path, refuses: str) -> None:
    """Put a `python3` on the PATH that fails when what it is asked to run mentions `refuses`."""
    script = tree / "bin" / "python3"
    script.write_text(f'#!/bin/sh\ncase "$*" in *"{refuses}"*) exit 1;; esac\n[ "$1" = -c ] || echo ran: "$@"\n')
    script.chmod(0o755)


def make(tree: Path, *args: str) -> subprocess.CompletedProcess[str]:
    make_program = str(tree / "bin" / "make")
    env = {"PATH": str(tree / "bin")}
    return subprocess.run([make_program, *args], cwd=tree, env=env, capture_output=True, text=True, check=False)


def test_a_missing_python_is_said(tree: Path) -> None:
    done = make(tree, "setup")
    assert done.returncode == 2
    assert "python3 is not on PATH; install Python 3.11 or later" in done.stderr


@pytest.mark.parametrize(
    ("refuses", "says"),
    [
        ("version_info", "python3 is older than Python 3.11.4; name a newer one: make setup PYTHON="),
        ("ensurepip", "python3 cannot make virtual environments; install its venv module"),
    ],
)
def test_a_python_that_will_not_do_is_said_and_nothing_runs(tree: Path, refuses: str, says: str) -> None:
    fake_python(tree, refuses)
    done = make(tree, "setup")
    assert done.returncode == 2
    assert says in done.stderr
    assert "ran:" not in done.stdout


def test_a_missing_npm_is_said_and_setup_goes_on(tree: Path) -> None:
    fake_python(tree, "nothing")
    done = make(tree, "setup")
    assert done.returncode == 0
    assert "npm is not on PATH" in done.stderr
    assert "ran: tools/setup_venv.py run" in done.stdout


def test_the_python_that_made_the_venv_goes_on_being_used(tree: Path) -> None:
    fake_python(tree, "version_info")
    other = tree / "other python"
    other.write_text("#!/bin/sh\necho other: $1\n")
    other.chmod(0o755)
    (tree / ".venv").mkdir()
    (tree / ".venv" / "pyvenv.cfg").write_text(f"home = x\nexecutable = {other}\n")
    assert "other: tools/setup_venv.py" in make(tree, "setup").stdout


def test_help_is_the_default_and_lists_each_public_target(tree: Path) -> None:
    listed = make(tree).stdout
    assert make(tree, "help").stdout == listed
    (declared,) = [line for line in (tree / "Makefile").read_text().splitlines() if line.startswith(".PHONY:")]
    public = set(declared.split()[1:]) - {"preflight"}
    assert {line.split()[0] for line in listed.splitlines() if line.startswith("  ")} == public
