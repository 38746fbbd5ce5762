from __future__ import annotations

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.platforms import this_platform


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("linux", "x86_64", "linux-x64"),
        ("linux", "aarch64", "linux-arm64"),
        ("darwin", "x86_64", "darwin-x64"),
        ("darwin", "arm64", "darwin-arm64"),
    ],
)
def test_a_machine_is_named_as_npm_names_it(system: str, machine: str, name: str) -> None:
    assert this_platform(system, machine) == name


def test_windows_is_told_that_posix_comes_first() -> None:
    with pytest.raises(TargetError, match="POSIX first") as caught:
        this_platform("win32", "AMD64")
    assert caught.value.hint == "run it on Linux or macOS, or under WSL"


@pytest.mark.parametrize(("system", "machine"), [("linux", "riscv64"), ("freebsd14", "amd64")])
def test_a_machine_without_codex_is_named(system: str, machine: str) -> None:
    with pytest.raises(TargetError, match=system):
        this_platform(system, machine)
