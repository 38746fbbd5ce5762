"""What is put before the gate: the program or command line, identified, with its own schemas."""

from __future__ import annotations

import hashlib
import platform
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from hive_gate.drift.bundle import Bundle
from hive_gate.errors import TargetError, UsageError
from hive_gate.probe.observe import Observer
from hive_gate.report.model import Target
from hive_gate.target.identify import Program, resolve
from hive_gate.target.progress import OnProgress, silent
from hive_gate.target.schema import SchemasUnavailable, generate_schemas


@dataclass(frozen=True, slots=True)
class Subject:
    """A target that is ready to be started."""

    argv: tuple[str, ...]
    target: Target
    bundle: Bundle | None
    """Its own schemas; None: the clauses that need them are `not-offered`."""


def codex(spec: str, observer: Observer, on_progress: OnProgress = silent) -> Subject:
    """Return a codex program, or the reference server, as the subject.

    It is fetched if need be, identified, and its schemas are generated.

    Raises:
        UsageError: if `spec` is no version, path, `path` or `reference`.
        TargetError: if there is no such program or it cannot be used.
    """
    observer.stage(f"looking for codex {spec}")
    program = resolve(spec, on_progress=on_progress)
    observer.stage("reading its own schemas")
    schemas, where, warning = _schemas(program)
    target = Target(
        spec=spec,
        # To call the reference server a codex would be a lie, in a note of all places.
        kind="command" if program.argv else "codex",
        version=program.reported_version,
        path=str(program.path),
        sha256=program.sha256,
        argv=program.argv or (str(program.path), "app-server"),
        size=program.size,
        resolved_from=program.resolved_from,
        schema_from=where,
        platform=_platform(),
        warnings=(*program.warnings, *warning),
    )
    return Subject(target.argv, target, schemas)


def command(line: str, schema_from: str | None, observer: Observer, on_progress: OnProgress = silent) -> Subject:
    """Return any command line that speaks the protocol on stdio as the subject.

    Args:
        line: as a shell would split it; no shell is involved.
        schema_from: a codex SPEC whose schemas stand for the command's own; None: it has none here.
        observer: told what is being done.
        on_progress: told of a fetch for `schema_from`.

    Raises:
        UsageError: if the line cannot be split or is empty.
        TargetError: if its program does not exist, or `schema_from` cannot be used.
    """
    try:
        argv = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"--server-command cannot be split: {error}", hint="quote it as for a shell") from error
    if not argv:
        raise UsageError("--server-command is empty", hint="give the whole command line of a server")
    found = _program(argv[0], line)
    path = found.resolve()
    bundle: Bundle | None = None
    where: str | None = None
    warnings: tuple[str, ...] = ("a command line: its hash says nothing about what it starts",)
    if schema_from is not None:
        observer.stage(f"generating the schemas of codex {schema_from}")
        bundle, where, more = _schemas(resolve(schema_from, on_progress=on_progress))
        warnings = (*warnings, *more)
    digest, size = _measure(path, line)
    target = Target(
        spec=line,
        kind="command",
        version=None,
        path=str(path),
        sha256=digest,
        argv=(str(found), *argv[1:]),  # links unresolved: a program may look at its own name
        size=size,
        schema_from=where,
        platform=_platform(),
        warnings=warnings,
    )
    return Subject(target.argv, target, bundle)


def _program(name: str, line: str) -> Path:
    found = shutil.which(name)
    if found is not None:
        return Path(found).absolute()
    there = Path(name)
    if "/" in name and there.exists():
        what = "is a folder" if there.is_dir() else "is not executable"
        raise TargetError(f"the server's program {name!r} {what}", where=line, hint="name a program that can be run")
    hint = "give its full path, or put its folder on PATH"
    raise TargetError(f"the server's program {name!r} was not found", where=line, hint=hint)


def _measure(path: Path, line: str) -> tuple[str, int]:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
    except OSError as error:
        reason = error.strerror or str(error)
        raise TargetError(
            f"the server's program cannot be read: {reason}", where=line, hint="check its permissions"
        ) from error


def _schemas(program: Program) -> tuple[Bundle | None, str | None, tuple[str, ...]]:
    generated = generate_schemas(program)
    if isinstance(generated, SchemasUnavailable):
        return None, None, (f"it has no schemas of its own: {generated.reason}",)
    name = program.reported_version or program.spec
    name = f"hive-gate's reference server {name}" if program.argv else f"codex {name}"
    return Bundle.load(generated), f"{name} app-server generate-json-schema --experimental", ()


def _platform() -> str:
    return f"{platform.system().lower()}-{platform.machine()}"
