from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.cache import METADATA, Cache, Installed, write_metadata


def put(cache: Cache, version: str = "0.142.5", platform: str = "linux-x64") -> Installed:
    folder = cache.programs / f"{version}-{platform}"
    program = folder / "package" / "codex"
    program.parent.mkdir(parents=True)
    program.write_text("program")
    program.chmod(0o755)
    found = Installed(version, platform, program, 7, "a" * 64, "sha512-x", "2026-08-01T00:00:00+00:00")
    write_metadata(folder, found)
    return found


def rewrite(found: Installed, **members: object) -> None:
    path = found.program.parent.parent / METADATA
    path.write_text(json.dumps({**json.loads(path.read_text()), **members}))


DAMAGE: dict[str, tuple[Callable[[Installed], object], str]] = {
    "cut": (lambda found: found.program.write_text("prog"), "its program has 4 bytes instead of 7"),
    "gone": (lambda found: found.program.unlink(), "its program is missing"),
    "mode": (lambda found: found.program.chmod(0o644), "its program is not executable"),
    "no metadata": (lambda found: (found.program.parent.parent / METADATA).unlink(), "is missing or not readable"),
    "not json": (lambda found: (found.program.parent.parent / METADATA).write_text("{"), "is missing or not readable"),
    "a list": (lambda found: (found.program.parent.parent / METADATA).write_text("[]"), "is missing or not readable"),
    "extra": (lambda found: rewrite(found, more=1), "is missing or not readable"),
    "other": (lambda found: rewrite(found, version="0.1.0"), "speaks of 0.1.0-linux-x64"),
}


def test_what_was_installed_is_found_as_it_was(cache: Cache) -> None:
    assert cache.find("0.142.5", "linux-x64") is None
    found = put(cache)
    assert cache.find("0.142.5", "linux-x64") == found
    assert cache.find("0.142.5", "linux-arm64") is None


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_program_is_never_used_and_its_repair_is_named(kind: str, cache: Cache) -> None:
    damage, problem = DAMAGE[kind]
    damage(put(cache))
    with pytest.raises(TargetError, match=problem) as caught:
        cache.find("0.142.5", "linux-x64")
    assert "`hive-gate codex remove 0.142.5`" in str(caught.value.hint)


def test_everything_is_listed_by_version_with_its_problem(cache: Cache) -> None:
    (cache.programs / "not-ours").mkdir(parents=True)
    put(cache, "0.143.0")
    put(cache, "0.143.0-alpha.12")
    put(cache, "0.99.0", "darwin-arm64").program.unlink()
    assert [(found.key, found.problem) for found in cache.installed()] == [
        ("0.99.0-darwin-arm64", "its program is missing"),
        ("0.143.0-alpha.12-linux-x64", None),
        ("0.143.0-linux-x64", None),
    ]


def test_an_empty_cache_lists_nothing_and_is_not_created(cache: Cache) -> None:
    assert cache.installed() == ()
    assert not cache.root.exists()


def test_removing_takes_one_version_and_leaves_the_others(cache: Cache) -> None:
    put(cache, "0.143.0")
    put(cache).program.unlink()
    cache.remove(cache.installed()[0])
    assert [found.key for found in cache.installed()] == ["0.143.0-linux-x64"]
    assert list(cache.staging.iterdir()) == []


def test_removing_what_is_not_there_is_told(cache: Cache) -> None:
    found = put(cache)
    cache.remove(found)
    with pytest.raises(TargetError, match="could not be removed"):
        cache.remove(found)


def test_the_folder_can_be_named_by_the_environment(tmp_path: Path) -> None:
    assert Cache.default({"HIVE_GATE_CACHE": str(tmp_path)}).root == tmp_path


@pytest.mark.parametrize("environ", [{}, {"HIVE_GATE_CACHE": ""}])
def test_by_default_the_folder_is_the_users_cache(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    root = Cache.default(environ).root
    assert root.is_relative_to(tmp_path)
    assert root.name == "hive-gate"
