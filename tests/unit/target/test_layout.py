from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.target.layout import native_program, package_name

TRIPLE = "x86_64-unknown-linux-musl"


def put(package: Path, entry: str, text: str = "") -> Path:
    path = package / "vendor" / TRIPLE / entry
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("entry", ["codex/codex", "bin/codex"])
def test_the_program_is_found_in_both_layouts(entry: str, tmp_path: Path) -> None:
    program = put(tmp_path, entry)
    assert native_program(tmp_path, "linux-x64") == program


def test_a_package_may_say_where_its_program_is(tmp_path: Path) -> None:
    put(tmp_path, "bin/codex")
    program = put(tmp_path, "new/place/codex")
    put(tmp_path, "codex-package.json", '{"entrypoint": "new/place/codex"}')
    assert native_program(tmp_path, "linux-x64") == program


@pytest.mark.parametrize("entry", ["../../../outside", "/bin/sh", ""])
def test_a_place_outside_of_the_package_is_not_believed(entry: str, tmp_path: Path) -> None:
    package = tmp_path / "package"
    (tmp_path / "outside").touch()
    program = put(package, "bin/codex")
    put(package, "codex-package.json", f'{{"entrypoint": "{entry}"}}')
    assert native_program(package, "linux-x64") == program


def test_a_program_for_another_platform_does_not_count(tmp_path: Path) -> None:
    put(tmp_path, "bin/codex")
    assert native_program(tmp_path, "linux-arm64") is None


@pytest.mark.parametrize(
    ("text", "name"), [('{"name": "@openai/codex"}', "@openai/codex"), ("[]", None), ("not json", None), ("{}", None)]
)
def test_the_name_of_a_package_is_read_from_whatever_is_there(text: str, name: str | None, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(text)
    assert package_name(tmp_path) == name
