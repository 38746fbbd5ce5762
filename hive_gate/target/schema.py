"""The JSON Schemas that a program generates for its own protocol."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache
from hive_gate.target.environment import scratch_home
from hive_gate.target.identify import Program
from hive_gate.target.locking import locked
from hive_gate.target.process import run_bounded
from hive_gate.target.progress import silent

COMMAND = ("app-server", "generate-json-schema")
"""The arguments that make a codex write its schemas, without its options."""

SCHEMA_SECONDS = 60.0
"""Longest time; 0.2-0.4 s is usual."""


@dataclass(frozen=True, slots=True)
class SchemasUnavailable:
    """The program has no schemas to give, which is no error: it is old, or no codex."""

    reason: str
    """In a phrase: `exit code 2`."""
    argv: tuple[str, ...]
    detail: str = ""
    """The tail of its stderr."""


def generate_schemas(
    program: Program, cache: Cache | None = None, *, experimental: bool = True
) -> Path | SchemasUnavailable:
    """Return the folder with the program's own schemas, generated once for each program hash.

    The folder holds one file per type (some in `v1/` and `v2/`) and bundles such as
    `codex_app_server_protocol.v2.schemas.json`. It belongs to the cache: read only.

    Args:
        program: what to ask. A script is asked each time, since its hash does not stand for the program behind it.
        cache: where to keep them; by default the user's.
        experimental: with what needs the experimental capability, as what Hive asks for does up to 0.150; else only
            what any client may use.

    Raises:
        TargetError: the cache is not writable.
    """
    cache = cache or Cache.default()
    name = program.sha256 if experimental else f"{program.sha256}-stable"
    kept = cache.schemas / name
    if program.native and kept.is_dir():
        return kept
    fresh = cache.schemas / f"new-{name}"
    with locked(cache.locks, f"schemas-{name}", silent):
        if program.native and kept.is_dir():
            return kept
        try:
            shutil.rmtree(fresh, ignore_errors=True)  # of a process that was killed
            fresh.mkdir(parents=True)
            unavailable = _generate(program, fresh, experimental)
            if unavailable:
                return unavailable
            # Scripts share a folder only where they gave the very same schemas.
            final = kept if program.native else cache.schemas / f"content-{_digest(fresh)}"
            if not final.is_dir():
                fresh.replace(final)
        except OSError as error:
            raise TargetError(
                f"The schemas could not be stored: {error.strerror or error}.",
                where=str(cache.schemas),
                hint="make the cache folder writable, or name another one: HIVE_GATE_CACHE=/some/folder",
            ) from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return final


def _generate(program: Program, folder: Path, experimental: bool) -> SchemasUnavailable | None:
    options = ("--experimental",) if experimental else ()
    argv = (*program.command, *COMMAND, *options, "--out", str(folder))
    try:
        with scratch_home() as environment:
            finished = run_bounded(argv, environment, SCHEMA_SECONDS, cwd=Path(environment["HOME"]))
    except OSError as error:
        return SchemasUnavailable(f"it cannot be started: {error.strerror}", argv)
    if finished.code != 0:
        return SchemasUnavailable(finished.outcome, argv, finished.stderr_tail)
    if not any(path.stat().st_size for path in folder.rglob("*.json")):
        return SchemasUnavailable("it ended well and wrote no schema", argv, finished.stderr_tail)
    return None


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.json")):
        digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
