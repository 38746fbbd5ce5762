"""The reference server as a target: what it is started by, and what it is known by."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import hive_gate
from hive_gate import __version__
from hive_gate.drift.bundle import Bundle
from hive_gate.target.cache import Cache
from hive_gate.target.identify import resolve
from hive_gate.target.reference import measured
from hive_gate.target.schema import generate_schemas


def test_the_word_reference_means_our_own_server_and_needs_neither_cache_nor_path(tmp_path: Path) -> None:
    program = resolve("reference", Cache(tmp_path / "none"), environ={})
    assert program.command == (sys.executable, "-m", "hive_gate.reference")
    assert program.path == Path(hive_gate.__file__).parent / "reference"
    assert (program.spec, program.reported_version, program.warnings) == ("reference", __version__, ())
    assert not (tmp_path / "none").exists()


def test_variables_of_the_caller_are_told_as_for_any_program() -> None:
    [warning] = resolve("reference", environ={"CODEX_HOME": "/somewhere"}).warnings
    assert "CODEX_HOME" in warning


def test_its_schemas_are_generated_as_those_of_a_codex(tmp_path: Path) -> None:
    program = resolve("reference", Cache(tmp_path), environ={})
    folder = generate_schemas(program, Cache(tmp_path))
    assert isinstance(folder, Path)
    assert folder.name == program.sha256
    assert "thread/rollback" in Bundle.load(folder).methods


def _sources(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_its_hash_is_that_of_its_sources_and_of_nothing_else(tmp_path: Path) -> None:
    files = {"a.py": "x = 1\n", "sub/b.py": "y = 2\n"}
    first = measured(_sources(tmp_path / "one", files))
    again = measured(_sources(tmp_path / "two", files | {"sub/__pycache__/b.pyc": "z"}))
    assert (first.sha256, first.size) == (again.sha256, 12)


@pytest.mark.parametrize("files", [{"a.py": "x = 2\n"}, {"b.py": "x = 1\n"}, {"a.py": "x = 1\n", "c.py": ""}])
def test_another_content_name_or_file_is_another_hash(files: dict[str, str], tmp_path: Path) -> None:
    same = measured(_sources(tmp_path / "one", {"a.py": "x = 1\n"}))
    assert measured(_sources(tmp_path / "two", files)).sha256 != same.sha256
