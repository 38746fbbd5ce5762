from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.tarball import unpack, verify

from .conftest import write_tarball


def nothing(done: int, total: int) -> None:
    """Ignore progress."""


@pytest.fixture
def package(tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "p.tgz"
    return path, write_tarball(path, {"package/bin/codex": (b"program" * 1000, 0o755), "package/README": (b"r", 0o644)})


def test_the_published_package_passes(package: tuple[Path, str]) -> None:
    path, integrity = package
    seen: list[tuple[int, int]] = []
    verify(path, f"sha1-AAAA {integrity}?option", lambda done, total: seen.append((done, total)))
    assert seen == [(path.stat().st_size, path.stat().st_size)]


def test_a_changed_package_is_refused_with_both_hashes(package: tuple[Path, str]) -> None:
    path, integrity = package
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(TargetError, match="is not the package that was published") as caught:
        verify(path, integrity, nothing)
    assert integrity in str(caught.value.detail)


@pytest.mark.parametrize("integrity", ["", "sha1-AAAA"])
def test_without_a_sha512_nothing_is_trusted(package: tuple[Path, str], integrity: str) -> None:
    with pytest.raises(TargetError, match="names no SHA-512"):
        verify(package[0], integrity, nothing)


def test_files_come_out_with_content_and_mode_and_a_real_total(package: tuple[Path, str], tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    unpack(package[0], tmp_path, lambda done, total: seen.append((done, total)))
    program = tmp_path / "package" / "bin" / "codex"
    assert program.read_bytes() == b"program" * 1000
    assert program.stat().st_mode & 0o777 == 0o755
    assert seen[-1] == (package[0].stat().st_size,) * 2


def test_a_package_cannot_write_outside_of_its_folder(tmp_path: Path) -> None:
    write_tarball(tmp_path / "evil.tgz", {"../escaped": (b"x", 0o644)})
    (tmp_path / "into").mkdir()
    with pytest.raises(TargetError, match="cannot be unpacked"):
        unpack(tmp_path / "evil.tgz", tmp_path / "into", nothing)
    assert not (tmp_path / "escaped").exists()


@pytest.mark.parametrize("cut", [0, 10, 60])
def test_a_truncated_package_is_told_as_damaged(package: tuple[Path, str], tmp_path: Path, cut: int) -> None:
    package[0].write_bytes(package[0].read_bytes()[:cut])
    with pytest.raises(TargetError, match="cannot be unpacked"):
        unpack(package[0], tmp_path, nothing)
