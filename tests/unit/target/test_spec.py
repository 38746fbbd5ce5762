from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.errors import UsageError
from hive_gate.target.spec import FORMS, OnPathSpec, ProgramSpec, ReferenceSpec, VersionSpec, parse_spec, parse_version


@pytest.mark.parametrize(
    ("text", "version", "platform"),
    [
        ("0.142.5", "0.142.5", None),
        ("v0.142.5", "0.142.5", None),
        ("rust-v0.142.5", "0.142.5", None),
        (" 0.142.5 ", "0.142.5", None),
        ("0.143.0-alpha.12", "0.143.0-alpha.12", None),
        ("0.142.5-linux-x64", "0.142.5", "linux-x64"),
        ("rust-v0.143.0-alpha.12-darwin-arm64", "0.143.0-alpha.12", "darwin-arm64"),
        ("0.142.5-win32-x64", "0.142.5", "win32-x64"),
    ],
)
def test_a_version_is_read_without_prefix_and_platform(text: str, version: str, platform: str | None) -> None:
    assert parse_spec(text) == VersionSpec(text.strip(), version, platform)


def test_the_word_path_means_the_codex_on_path() -> None:
    assert parse_spec("path") == OnPathSpec()


def test_the_word_reference_means_the_server_that_comes_along_even_if_a_file_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "reference").touch()
    monkeypatch.chdir(tmp_path)
    assert parse_spec(" reference ") == ReferenceSpec()
    assert parse_spec("./reference") == ProgramSpec("./reference", Path("reference"))


@pytest.mark.parametrize("text", ["./codex", "/opt/codex", "bin/codex", "./0.142.5", "./path"])
def test_a_separator_makes_it_a_program_even_if_it_does_not_exist(text: str) -> None:
    assert parse_spec(text) == ProgramSpec(text, Path(text))


def test_an_existing_file_needs_no_separator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mycodex").touch()
    monkeypatch.chdir(tmp_path)
    assert parse_spec("mycodex") == ProgramSpec("mycodex", Path("mycodex"))


def test_a_version_wins_over_a_file_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0.142.5").touch()
    monkeypatch.chdir(tmp_path)
    assert parse_spec("0.142.5") == VersionSpec("0.142.5", "0.142.5")


def test_the_home_folder_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert parse_spec("~/bin/codex") == ProgramSpec("~/bin/codex", Path("/home/me/bin/codex"))


@pytest.mark.parametrize("text", ["", "  ", "latest", "0.142", "0.142.5.1", "1", "v", "0.142.5+build", "^0.142.5", "x"])
def test_anything_else_is_refused_and_the_forms_are_named(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert caught.value.hint == FORMS


@pytest.mark.parametrize("text", ["path", "reference", "./codex", "latest", "0.142"])
def test_where_only_a_version_makes_sense_other_forms_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a codex version"):
        parse_version(text)
