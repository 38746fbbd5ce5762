from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hive_gate.cli.codex import codex_app
from hive_gate.errors import TargetError, UsageError
from hive_gate.target.cache import Cache, Installed, write_metadata
from hive_gate.target.platforms import this_platform

HERE = this_platform()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv("HIVE_GATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/nowhere")  # no npm: nothing here may be fetched
    for name in [name for name in os.environ if name.startswith(("CODEX_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    return Cache(tmp_path / "cache")


def put(cache: Cache, version: str) -> Installed:
    folder = cache.programs / f"{version}-{HERE}"
    program = folder / "package" / "codex"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho codex-cli {version}\n")
    program.chmod(0o755)
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    found = Installed(version, HERE, program, program.stat().st_size, digest, "sha512-x", "2026-08-01T00:00:00+00:00")
    write_metadata(folder, found)
    return found


def run(*arguments: str) -> Result:
    """Run the command; errors for people come through, as the app's main wants them."""
    result = CliRunner().invoke(codex_app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_install_uses_what_is_there_and_keeps_stdout_empty(cache: Cache) -> None:
    found = put(cache, "0.142.5")
    result = run("install", "v0.142.5", "0.142.5")
    assert result.stdout == ""
    line = f"codex 0.142.5 ({HERE}) is installed, sha256 {found.sha256[:12]}"
    assert result.stderr.splitlines() == [line, line]


def test_install_checks_all_versions_before_it_fetches_one(cache: Cache) -> None:
    with pytest.raises(UsageError, match="is not a codex version"):
        run("install", "0.142.5", "0.142")


def test_install_without_npm_is_a_target_error() -> None:
    with pytest.raises(TargetError, match="no npm on PATH"):
        run("install", "0.142.5")


def test_list_shows_each_version_with_its_whole_path(cache: Cache) -> None:
    old, new = put(cache, "0.99.0"), put(cache, "0.142.5")
    new.program.write_text("")
    result = run("list")
    lines = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert lines[0] == ["version", "platform", "size", "sha256", "path"]
    assert [line[0] for line in lines[2:4]] == ["0.99.0", "0.142.5"]
    assert lines[2][-1] == str(old.program)
    assert "damaged: its program has 0 bytes" in result.stdout
    assert result.stderr == ""


def test_list_as_json_is_one_document(cache: Cache) -> None:
    found = put(cache, "0.142.5")
    document = json.loads(run("list", "--json").stdout)
    assert [(row["version"], row["program"], row["problem"]) for row in document] == [
        ("0.142.5", str(found.program), None)
    ]


def test_an_empty_list_is_empty_on_stdout_and_explained_on_stderr(cache: Cache) -> None:
    assert json.loads(run("list", "--json").stdout) == []
    result = run("list")
    assert result.stdout == ""
    assert "hive-gate codex install VERSION" in result.stderr


def test_path_prints_the_path_alone_on_stdout(cache: Cache) -> None:
    found = put(cache, "0.142.5")
    result = run("path", "0.142.5")
    assert result.stdout == f"{found.program}\n"
    assert result.stderr.startswith("warning: ")


def test_remove_takes_the_named_versions(cache: Cache) -> None:
    for version in ("0.99.0", "0.142.5", "0.143.0"):
        put(cache, version)
    result = run("remove", "0.142.5", f"v0.143.0-{HERE}")
    assert [found.version for found in cache.installed()] == ["0.99.0"]
    assert result.stdout == ""
    assert f"codex 0.142.5-{HERE} is removed" in result.stderr


def test_remove_takes_nothing_if_one_name_is_wrong(cache: Cache) -> None:
    put(cache, "0.142.5")
    with pytest.raises(UsageError, match=r"Not installed: 0\.142\.6"):
        run("remove", "0.142.5", "0.142.6")
    assert len(cache.installed()) == 1


def test_remove_all_takes_damaged_ones_as_well(cache: Cache) -> None:
    put(cache, "0.142.5").program.unlink()
    put(cache, "0.99.0")
    run("remove", "--all")
    assert cache.installed() == ()


@pytest.mark.parametrize("arguments", [["remove"], ["remove", "0.142.5", "--all"]])
def test_remove_wants_versions_or_all(cache: Cache, arguments: list[str]) -> None:
    put(cache, "0.142.5")
    with pytest.raises(UsageError, match="not clear what to remove"):
        run(*arguments)
    assert len(cache.installed()) == 1
