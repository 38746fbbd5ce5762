from __future__ import annotations

import os
from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache
from hive_gate.target.locate import locate
from hive_gate.target.progress import silent
from hive_gate.target.spec import OnPathSpec, ProgramSpec


def put(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_the_first_executable_codex_on_path_is_taken_and_others_are_named(cache: Cache, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("empty", "plain", "first", "same", "second", "second")]
    folders[0].mkdir()
    put(folders[1] / "codex", 0o644)
    first, second = put(folders[2] / "codex"), put(folders[4] / "codex")
    folders[3].mkdir()
    (folders[3] / "codex").symlink_to(first)
    located = locate(OnPathSpec(), cache, silent, {"PATH": os.pathsep.join(map(str, folders))})
    assert located.file == first
    assert located.warnings == (f"another codex is later on PATH: {second}",)


@pytest.mark.parametrize("environ", [{}, {"PATH": ""}, {"PATH": "/nowhere"}])
def test_no_codex_on_path_is_told(cache: Cache, environ: dict[str, str]) -> None:
    with pytest.raises(TargetError, match="no codex on PATH"):
        locate(OnPathSpec(), cache, silent, environ)


def test_a_program_is_made_absolute_and_its_links_are_kept(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert locate(ProgramSpec("./link", Path("./link")), cache, silent, {}).file == tmp_path / "link"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "There is no such program: No such file or directory."),
        ("dangling", "There is no such program: it is a link to nothing."),
        ("folder", "This is a folder, not a program."),
        ("fifo", "This is not a file, not a program."),
        ("plain", "The program is not executable."),
    ],
)
def test_what_is_no_program_is_told_apart(cache: Cache, tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    put(tmp_path / "plain", 0o644)
    with pytest.raises(TargetError) as caught:
        locate(ProgramSpec(name, tmp_path / name), cache, silent, {})
    assert caught.value.message == message
    assert caught.value.where == str(tmp_path / name)
    assert caught.value.hint
