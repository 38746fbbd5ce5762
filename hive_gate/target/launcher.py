"""The thing that is called `codex` is often not the program: npm puts a JavaScript launcher there, people put scripts.

A launcher's hash says nothing about what runs, and killing it can leave the native program running: so the launcher
of the npm package is replaced by the program that it would start.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hive_gate.errors import TargetError
from hive_gate.target.layout import native_program, package_name
from hive_gate.target.npm import PACKAGE
from hive_gate.target.platforms import this_platform

Kind = Literal["native", "launcher", "script"]


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """What to start."""

    program: Path
    kind: Kind
    """What was found at first: a `launcher` has become its native program, a `script` is used as it is."""


def unwrap(path: Path, platform: str | None = None) -> Unwrapped:
    """Follow a launcher of the npm package to its native program; leave everything else as it is.

    Args:
        path: a file, links resolved.
        platform: whose program a launcher stands for; by default this machine's.

    Raises:
        TargetError: a launcher without native program, or on a machine that codex is not published for.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        first_line = file.readline(256)
    if not first_line.startswith(b"#!"):
        return Unwrapped(path, "native")
    package = path.parent.parent
    if b"node" not in first_line or package_name(package) != PACKAGE:
        return Unwrapped(path, "script")
    platform = platform or this_platform()
    for candidate in (*_platform_packages(path, platform), package):
        program = native_program(candidate, platform)
        if program:
            return Unwrapped(program.resolve(), "launcher")
    raise TargetError(
        "launcher without native program: the codex found is npm's JavaScript launcher, and the package with the "
        f"program for {platform} is not installed beside it.",
        where=str(path),
        hint=f"reinstall it with optional dependencies (`npm install -g {PACKAGE}@latest --include=optional`), "
        "or probe a version: --codex 0.142.5",
    )


def _platform_packages(script: Path, platform: str) -> tuple[Path, ...]:
    """Return where Node would look for the optional dependency, nearest first."""
    name = Path("node_modules") / f"{PACKAGE}-{platform}"
    return tuple(parent / name for parent in script.parents if parent.name != "node_modules")
