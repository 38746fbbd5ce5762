from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target import executable
from hive_gate.target.executable import Reported, reported_version
from hive_gate.target.platforms import this_platform


def program(folder: Path, body: str, first_line: str = "#!/bin/sh\n") -> Path:
    path = folder / "codex"
    path.write_text(first_line + body)
    path.chmod(0o755)
    return path


def refusal(path: Path) -> TargetError:
    with pytest.raises(TargetError) as caught:
        reported_version(path)
    return caught.value


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("codex-cli 0.142.5", "0.142.5"),
        ("codex-cli 0.143.0-alpha.12", "0.143.0-alpha.12"),
        ("0.0.0", "0.0.0"),
        ("codex 1.2", None),
        ("version 1.2.3.4", None),
    ],
)
def test_the_version_is_read_from_stdout_alone(line: str, version: str | None, tmp_path: Path) -> None:
    path = program(tmp_path, f"echo 'WARNING: 9.9.9 is out' >&2\necho '{line}'\n")
    assert reported_version(path) == Reported(version, line)


def test_nothing_of_the_users_is_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.chdir(tmp_path)
    path = program(tmp_path, 'touch "$HOME/a" "$CODEX_HOME/b" c "$TMPDIR/d"\necho "1.2.3 key=$OPENAI_API_KEY"\n')
    assert reported_version(path).text == "1.2.3 key="
    assert list(tmp_path.iterdir()) == [path]


def test_a_program_that_fails_is_told_with_its_argv_and_its_stderr(tmp_path: Path) -> None:
    path = program(tmp_path, "echo 'node:internal: Missing optional dependency' >&2\nexit 1\n")
    error = refusal(path)
    assert error.message == "The program does not say its version: exit code 1."
    assert error.where == f"{path} --version"
    assert error.detail == "node:internal: Missing optional dependency"


def test_a_program_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executable, "VERSION_SECONDS", 0.0)
    assert "no end within 0 s" in refusal(program(tmp_path, "exec sleep 600\n")).message


@pytest.mark.parametrize(
    ("head", "built_for"),
    [
        (b"\x7fELF\x02\x01\x01" + b"\0" * 11 + b"\xb7\0", "linux-arm64"),
        (b"\x7fELF\x02\x01\x01" + b"\0" * 11 + b"\x3e\0", "linux-x64"),
        (b"\x7fELF\x02\x02\x01" + b"\0" * 11 + b"\0\x16", "another machine (ELF 0x16)"),
        (b"\xcf\xfa\xed\xfe\x0c\0\0\x01" + b"\0" * 12, "darwin-arm64"),
        (b"\xcf\xfa\xed\xfe\x07\0\0\x01" + b"\0" * 12, "darwin-x64"),
    ],
)
def test_a_program_for_another_machine_is_told_as_such(head: bytes, built_for: str, tmp_path: Path) -> None:
    path = program(tmp_path, "")
    path.write_bytes(head)
    error = refusal(path)
    assert f"wrong architecture: it is built for {built_for}, and this machine is {this_platform()}" in error.message


def test_a_file_that_is_no_program_at_all_is_told(tmp_path: Path) -> None:
    assert "not a program that this machine can run" in refusal(program(tmp_path, "just text", "")).message


def test_a_script_whose_interpreter_is_missing_is_told(tmp_path: Path) -> None:
    assert "interpreter or loader" in refusal(program(tmp_path, "", "#!/nowhere/node\n")).message


def test_a_program_that_is_not_executable_is_told(tmp_path: Path) -> None:
    path = program(tmp_path, "")
    path.chmod(0o644)
    error = refusal(path)
    assert "it is not executable" in error.message
    assert error.hint == f"make it executable: chmod +x {path}"
