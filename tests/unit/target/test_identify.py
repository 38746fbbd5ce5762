from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hive_gate.errors import TargetError, UsageError
from hive_gate.target.cache import Cache
from hive_gate.target.hashing import file_sha256
from hive_gate.target.identify import resolve
from hive_gate.target.install import install
from hive_gate.target.platforms import TRIPLES, this_platform
from hive_gate.target.spec import parse_version

from .conftest import CODEX, write_tarball

if TYPE_CHECKING:
    from .conftest import FakeNpm

HERE = this_platform()


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_version_becomes_the_installed_program(cache: Cache, npm: FakeNpm) -> None:
    program = resolve("v0.142.5", cache, environ=npm.environ)
    found = cache.find("0.142.5", HERE)
    assert found
    assert (program.spec, program.path, program.reported_version) == ("v0.142.5", found.program, "0.142.5")
    assert (program.sha256, program.size) == (found.sha256, found.size)
    assert program.resolved_from == (f"version 0.142.5 for {HERE}, npm integrity {npm.integrity}",)


def test_a_native_program_has_nothing_to_warn_about(cache: Cache) -> None:
    real = Path(os.path.realpath(sys.executable))
    program = resolve(str(real), cache, environ={})
    assert program.native
    assert program.warnings == ()
    assert program.resolved_from == (f"program {real}",)
    assert program.reported_version == ".".join(map(str, sys.version_info[:3]))
    assert program.sha256 == file_sha256(real)


def test_links_are_followed_and_told(cache: Cache, tmp_path: Path) -> None:
    real = put(tmp_path / "real", CODEX.format(version="1.2.3"))
    (tmp_path / "middle").symlink_to(real)
    (tmp_path / "codex").symlink_to(tmp_path / "middle")
    program = resolve("path", cache, environ={"PATH": str(tmp_path)})
    assert program.path == real
    assert program.resolved_from == (f"first codex on PATH: {tmp_path / 'codex'}", f"link to {real}")


def test_npms_launcher_becomes_its_native_program_with_a_warning(cache: Cache, tmp_path: Path) -> None:
    modules = tmp_path / "lib" / "node_modules" / "@openai"
    script = put(modules / "codex" / "bin" / "codex.js", "#!/usr/bin/env node\n")
    put(modules / "codex" / "package.json", '{"name": "@openai/codex"}')
    native = put(modules / f"codex-{HERE}" / "vendor" / TRIPLES[HERE] / "bin/codex", CODEX.format(version="0.142.5"))
    (tmp_path / "codex").symlink_to(script)
    program = resolve("path", cache, environ={"PATH": str(tmp_path)})
    assert (program.path, program.native) == (native, True)
    assert program.sha256 == file_sha256(native)
    assert program.warnings == (f"npm's launcher {script} was resolved to its native program {native}",)
    assert program.resolved_from[1:] == (f"link to {script}", f"native program of npm's launcher: {native}")


def test_a_script_is_used_as_it_is_with_a_warning(cache: Cache, tmp_path: Path) -> None:
    script = put(tmp_path / "codex", CODEX.format(version="1.2.3"))
    program = resolve(str(script), cache, environ={})
    assert (program.path, program.native) == (script, False)
    assert program.warnings == (f"{script} is a script: its hash says nothing about the native program that it starts",)


def test_variables_of_the_caller_are_named_and_their_values_are_not(cache: Cache, tmp_path: Path) -> None:
    script = put(tmp_path / "codex", CODEX.format(version="1.2.3"))
    program = resolve(str(script), cache, environ={"OPENAI_API_KEY": "secret", "CODEX_CLI_PATH": "/old/codex"})
    assert "set in the caller's environment, and not passed on: CODEX_CLI_PATH, OPENAI_API_KEY" in program.warnings
    assert "secret" not in str(program)
    assert "/old/codex" not in str(program)


def test_a_program_that_says_another_version_than_asked_for_is_warned_about(cache: Cache, npm: FakeNpm) -> None:
    inside = f"package/vendor/{TRIPLES[HERE]}/codex/codex"
    npm.integrity = write_tarball(npm.tarball, {inside: (CODEX.format(version="0.142.4").encode(), 0o755)})
    npm.save()
    program = resolve("0.142.5", cache, environ=npm.environ)
    assert "version 0.142.5 was asked for, and the program says 0.142.4" in program.warnings


def test_a_program_that_names_no_version_is_warned_about(cache: Cache, tmp_path: Path) -> None:
    program = resolve(str(put(tmp_path / "codex", "#!/bin/sh\necho hello\n")), cache, environ={})
    assert program.reported_version is None
    assert "--version names no version; it says 'hello'" in program.warnings


def test_an_installed_program_changed_without_changing_its_size_is_not_used(cache: Cache, npm: FakeNpm) -> None:
    found = install(parse_version("0.142.5"), cache, environ=npm.environ)
    text = found.program.read_text()
    found.program.write_text(text.replace("0.142.5", "0.142.6"))
    with pytest.raises(TargetError, match="its SHA-256 is not the one that was installed") as caught:
        resolve("0.142.5", cache, environ=npm.environ)
    assert "`hive-gate codex remove 0.142.5`" in str(caught.value.hint)


def test_words_that_mean_nothing_are_refused(cache: Cache) -> None:
    with pytest.raises(UsageError):
        resolve("latest", cache, environ={})


def test_a_program_of_ones_own_runs_on_a_machine_that_codex_is_not_published_for(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    script = put(tmp_path / "codex", CODEX.format(version="1.2.3"))
    assert resolve(str(script), cache, environ={}).reported_version == "1.2.3"
    with pytest.raises(TargetError, match="no codex program for this machine"):
        resolve("0.142.5", cache, environ={})
