"""Where the thing is that a SPEC means: in the cache, on PATH, or in the file system."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache, Installed
from hive_gate.target.install import install
from hive_gate.target.progress import OnProgress
from hive_gate.target.spec import FORMS, FileSpec, OnPathSpec, VersionSpec


@dataclass(frozen=True, slots=True)
class Located:
    """A file that exists and may be started; what it is remains to be seen."""

    file: Path
    """Absolute, links not resolved."""
    step: str
    """How it was found, in a phrase."""
    installed: Installed | None = None
    """The cache entry, for a version."""
    warnings: tuple[str, ...] = ()


def locate(spec: FileSpec, cache: Cache, on_progress: OnProgress, environ: Mapping[str, str]) -> Located:
    """Find what a SPEC means, fetching a version that is missing.

    Raises:
        TargetError: not found, not a program, or not to be fetched.
    """
    if isinstance(spec, VersionSpec):
        installed = install(spec, cache, on_progress, environ)
        step = f"version {installed.version} for {installed.platform}, npm integrity {installed.integrity}"
        return Located(installed.program, step, installed)
    if isinstance(spec, OnPathSpec):
        return _on_path(environ.get("PATH", ""))
    file = Path(os.path.abspath(spec.program))  # noqa: PTH100 - resolve() would follow links, a step to be told
    _check(file)
    return Located(file, f"program {file}")


def _on_path(path: str) -> Located:
    # An empty entry in PATH means the current folder.
    candidates = [Path(entry or ".").absolute() / "codex" for entry in path.split(os.pathsep)] if path else []
    found = [file for file in candidates if file.is_file() and os.access(file, os.X_OK)]
    if not found:
        raise TargetError(
            "There is no codex on PATH.",
            where="--codex path",
            hint="install one (`npm install -g @openai/codex`), or probe a version: --codex 0.142.5",
        )
    first, real = found[0], found[0].resolve()
    others = dict.fromkeys(file for file in found[1:] if file.resolve() != real)
    warnings = tuple(f"another codex is later on PATH: {other}" for other in others)
    return Located(first, f"first codex on PATH: {first}", warnings=warnings)


def _check(file: Path) -> None:
    try:
        mode = file.stat().st_mode
    except OSError as error:
        reason = "it is a link to nothing" if file.is_symlink() else f"{error.strerror}"
        raise TargetError(f"There is no such program: {reason}.", where=str(file), hint=FORMS) from error
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a file"
        raise TargetError(f"This is {what}, not a program.", where=str(file), hint="name the program inside it")
    if not os.access(file, os.X_OK):
        raise TargetError("The program is not executable.", where=str(file), hint=f"make it so: chmod +x {file}")
