"""From `--codex SPEC` to the program that runs, with everything a reader of the report must know about it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hive_gate import __version__
from hive_gate.errors import TargetError
from hive_gate.target import reference
from hive_gate.target.cache import Cache, Installed, changed
from hive_gate.target.environment import inherited_variables
from hive_gate.target.executable import Reported, reported_version
from hive_gate.target.hashing import program_sha256
from hive_gate.target.launcher import Unwrapped, unwrap
from hive_gate.target.locate import Located, locate
from hive_gate.target.progress import OnProgress, silent
from hive_gate.target.spec import ReferenceSpec, Spec, parse_spec


@dataclass(frozen=True, slots=True)
class Program:
    """The program under test."""

    spec: str
    """As the user named it."""
    path: Path
    """Absolute, links resolved; the native program unless `native` is False. For the reference server its folder."""
    sha256: str
    size: int
    """Bytes."""
    reported_version: str | None
    """What `--version` says; None where it names none."""
    resolved_from: tuple[str, ...] = ()
    """The steps from the spec to `path`."""
    warnings: tuple[str, ...] = ()
    native: bool = True
    """False: a script, whose hash says nothing about the program behind it."""
    argv: tuple[str, ...] = ()
    """The command line that starts it, where that is not `path` alone."""

    @property
    def command(self) -> tuple[str, ...]:
        """What to put before the arguments of this program to start it."""
        return self.argv or (str(self.path),)


def resolve(
    spec: Spec | str,
    cache: Cache | None = None,
    on_progress: OnProgress = silent,
    environ: Mapping[str, str] | None = None,
) -> Program:
    """Find the program that a SPEC means, fetching it where needed, and identify it.

    Args:
        spec: parsed, or the user's words.
        cache: where installed programs and known hashes are; by default the user's.
        on_progress: told how far a fetch is; may raise to give up.
        environ: the caller's environment (PATH, and npm's settings); by default this process's.

    Raises:
        UsageError: words that are no SPEC.
        TargetError: not found, cannot be fetched, damaged, cannot be started, a launcher without native program.
    """
    spec = parse_spec(spec) if isinstance(spec, str) else spec
    environ = os.environ if environ is None else environ
    if isinstance(spec, ReferenceSpec):
        return _reference(spec, environ)
    cache = cache or Cache.default(environ)
    located = locate(spec, cache, on_progress, environ)
    real = located.file.resolve()
    try:
        unwrapped = unwrap(real)
        size = unwrapped.program.stat().st_size
        sha256 = program_sha256(unwrapped.program, cache)
    except OSError as error:
        raise TargetError(
            f"The program cannot be read: {error.strerror or error}.",
            where=str(real),
            hint="check its permissions",
        ) from error
    if located.installed and located.installed.sha256 != sha256:
        raise changed(located.installed)
    reported = reported_version(unwrapped.program)
    return Program(
        spec=spec.text,
        path=unwrapped.program,
        sha256=sha256,
        size=size,
        reported_version=reported.version,
        resolved_from=_steps(located, real, unwrapped),
        warnings=(
            *located.warnings,
            *_about_kind(real, unwrapped),
            *_about_version(located.installed, reported),
            *_about_caller(environ),
        ),
        native=unwrapped.kind != "script",
    )


def _reference(spec: ReferenceSpec, environ: Mapping[str, str]) -> Program:
    try:
        found = reference.sources()
    except OSError as error:
        raise TargetError(
            f"The reference server cannot be read: {error.strerror or error}.",
            where=error.filename,
            hint="install hive-gate anew",
        ) from error
    return Program(
        spec=spec.text,
        path=found.folder,
        sha256=found.sha256,
        size=found.size,
        reported_version=__version__,
        resolved_from=(f"the reference server of hive-gate {__version__}, which behaves as a codex does",),
        warnings=_about_caller(environ),
        argv=reference.argv(),
    )


def _steps(located: Located, real: Path, unwrapped: Unwrapped) -> tuple[str, ...]:
    steps = [located.step]
    if real != located.file:
        steps.append(f"link to {real}")
    if unwrapped.kind == "launcher":
        steps.append(f"native program of npm's launcher: {unwrapped.program}")
    return tuple(steps)


def _about_kind(real: Path, unwrapped: Unwrapped) -> tuple[str, ...]:
    if unwrapped.kind == "launcher":
        return (f"npm's launcher {real} was resolved to its native program {unwrapped.program}",)
    if unwrapped.kind == "script":
        return (f"{real} is a script: its hash says nothing about the native program that it starts",)
    return ()


def _about_version(installed: Installed | None, reported: Reported) -> tuple[str, ...]:
    if reported.version is None:
        return (f"--version names no version; it says {reported.text!r}",)
    if installed and installed.version != reported.version:
        return (f"version {installed.version} was asked for, and the program says {reported.version}",)
    return ()


def _about_caller(environ: Mapping[str, str]) -> tuple[str, ...]:
    names = inherited_variables(environ)
    return (f"set in the caller's environment, and not passed on: {', '.join(names)}",) if names else ()
