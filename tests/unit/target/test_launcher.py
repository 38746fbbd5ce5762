from __future__ import annotations

import json
from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.launcher import Unwrapped, unwrap

LAUNCHER = "#!/usr/bin/env node\n// starts the native program\n"


def put_launcher(package: Path, name: str = "@openai/codex") -> Path:
    script = package / "bin" / "codex.js"
    script.parent.mkdir(parents=True)
    script.write_text(LAUNCHER)
    (package / "package.json").write_text(json.dumps({"name": name, "version": "0.142.5"}))
    return script


def put_program(package: Path, entry: str) -> Path:
    program = package / "vendor" / "x86_64-unknown-linux-musl" / entry
    program.parent.mkdir(parents=True)
    program.write_bytes(b"\x7fELF")
    return program


@pytest.mark.parametrize("entry", ["bin/codex", "codex/codex"])
@pytest.mark.parametrize(
    "place",
    [
        "node_modules/@openai/codex-linux-x64",  # beside it
        "node_modules/@openai/codex/node_modules/@openai/codex-linux-x64",  # nested
        "node_modules/@openai/codex",  # in it, as up to 0.98
    ],
)
def test_npms_launcher_is_followed_to_its_native_program(place: str, entry: str, tmp_path: Path) -> None:
    script = put_launcher(tmp_path / "node_modules" / "@openai" / "codex")
    program = put_program(tmp_path / place, entry)
    assert unwrap(script, "linux-x64") == Unwrapped(program, "launcher")


def test_the_nearest_package_wins_as_it_does_for_node(tmp_path: Path) -> None:
    package = tmp_path / "node_modules" / "@openai" / "codex"
    script = put_launcher(package)
    put_program(tmp_path / "node_modules/@openai/codex-linux-x64", "bin/codex")
    nested = put_program(package / "node_modules/@openai/codex-linux-x64", "bin/codex")
    assert unwrap(script, "linux-x64").program == nested


def test_a_platform_package_that_is_a_link_is_resolved(tmp_path: Path) -> None:
    script = put_launcher(tmp_path / "store" / "node_modules" / "@openai" / "codex")
    program = put_program(tmp_path / "store" / "elsewhere", "bin/codex")
    beside = tmp_path / "store" / "node_modules" / "@openai" / "codex-linux-x64"
    beside.symlink_to(tmp_path / "store" / "elsewhere")
    assert unwrap(script, "linux-x64").program == program


def test_a_launcher_without_native_program_is_told(tmp_path: Path) -> None:
    script = put_launcher(tmp_path / "node_modules" / "@openai" / "codex")
    put_program(tmp_path / "node_modules/@openai/codex-linux-x64", "bin/codex")
    with pytest.raises(TargetError, match="launcher without native program") as caught:
        unwrap(script, "linux-arm64")
    assert caught.value.where == str(script)
    assert "--include=optional" in str(caught.value.hint)


def test_a_node_script_of_another_package_is_used_as_it_is(tmp_path: Path) -> None:
    script = put_launcher(tmp_path / "package", "my-codex-shim")
    assert unwrap(script, "linux-x64") == Unwrapped(script, "script")


@pytest.mark.parametrize(
    ("content", "kind"), [(b"#!/bin/sh\nexec codex", "script"), (b"\x7fELF\n#!/bin/sh", "native"), (b"", "native")]
)
def test_other_files_are_used_as_they_are(content: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "codex"
    path.write_bytes(content)
    assert unwrap(path, "linux-x64") == Unwrapped(path, kind)  # type: ignore[arg-type]
