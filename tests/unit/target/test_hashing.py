from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hive_gate.target import hashing
from hive_gate.target.cache import Cache
from hive_gate.target.hashing import program_sha256


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were really read."""
    seen: list[Path] = []
    real = hashing.file_sha256

    def spy(path: Path) -> str:
        seen.append(path)
        return real(path)

    monkeypatch.setattr(hashing, "file_sha256", spy)
    return seen


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "codex"
    path.write_bytes(b"one")
    return path


def sha(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def test_a_program_is_read_once(program: Path, cache: Cache, reads: list[Path]) -> None:
    assert [program_sha256(program, cache) for _ in range(3)] == [sha(b"one")] * 3
    assert reads == [program]


def test_a_program_replaced_by_one_of_the_same_size_is_read_again(
    program: Path, cache: Cache, reads: list[Path]
) -> None:
    program_sha256(program, cache)
    other = program.with_name("new")
    other.write_bytes(b"two")
    other.replace(program)
    assert program_sha256(program, cache) == sha(b"two")
    assert len(reads) == 2


def test_a_program_moved_elsewhere_is_read_again(program: Path, cache: Cache, reads: list[Path]) -> None:
    program_sha256(program, cache)
    moved = program.rename(program.with_name("moved"))
    assert program_sha256(moved, cache) == sha(b"one")
    assert reads == [program, moved]


def test_a_program_that_changes_while_it_is_read_is_not_remembered(
    program: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_change(path: Path) -> str:
        path.write_bytes(b"longer than before")
        return "0" * 64

    monkeypatch.setattr(hashing, "file_sha256", read_and_change)
    program_sha256(program, cache)
    monkeypatch.undo()
    assert program_sha256(program, cache) == sha(b"longer than before")


@pytest.mark.parametrize("text", ["", "[]", '{"identity": []}'])
def test_a_record_that_makes_no_sense_is_ignored(text: str, program: Path, cache: Cache) -> None:
    program_sha256(program, cache)
    (record,) = cache.hashes.iterdir()
    record.write_text(text)
    assert program_sha256(program, cache) == sha(b"one")


def test_a_cache_that_cannot_be_written_costs_time_only(program: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert program_sha256(program, Cache(tmp_path / "file")) == sha(b"one")
