"""One side of a comparison of schemas: from a SPEC to its digest, without the program where a digest ships."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hive_gate.drift.bundle import Bundle
from hive_gate.drift.digest import Digest, digest_of
from hive_gate.drift.digestfile import FOLDER, checksum, known_versions, read_digest
from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache
from hive_gate.target.identify import Program, resolve
from hive_gate.target.progress import OnProgress, silent
from hive_gate.target.schema import SchemasUnavailable, generate_schemas
from hive_gate.target.spec import VersionSpec, parse_spec


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared, and where it is known from."""

    spec: str
    """As the user named it."""
    name: str
    """What to call it: `codex 0.142.5`."""
    version: str | None
    """None where the program names none."""
    source: Literal["digest", "program"]
    """`digest`: one that ships with hive-gate; `program`: it generated its schemas just now, or earlier."""
    sha256: str | None
    """Of the program; None for a digest."""
    checksum: str
    """Of what it says about itself: equal for two that say the same."""


def side(
    spec: str, on_progress: OnProgress = silent, *, folder: Path = FOLDER, cache: Cache | None = None
) -> tuple[Side, Digest]:
    """Return one side and its digest.

    Args:
        spec: a version, `path`, a path to a program, or `reference`.
        on_progress: told of a fetch.
        folder: where digests are kept.
        cache: where installed programs and their schemas are; by default the user's.

    Raises:
        UsageError: `spec` is none of these, or its digest is broken.
        TargetError: the program cannot be fetched or started, or has no schemas.
    """
    parsed = parse_spec(spec)
    if isinstance(parsed, VersionSpec) and parsed.version in known_versions(folder):
        digest = read_digest(parsed.version, folder)
        found = Side(spec, f"codex {digest.version}", digest.version, "digest", None, checksum(digest))
        return found, digest
    program = resolve(parsed, cache, on_progress)
    digest = program_digest(program, cache)
    if program.argv:
        name = f"hive-gate's reference server {program.reported_version}"
    else:
        name = f"codex {digest.version}" + ("" if isinstance(parsed, VersionSpec) else f" ({spec})")
    return Side(spec, name, program.reported_version, "program", program.sha256, checksum(digest)), digest


def program_digest(program: Program, cache: Cache | None = None) -> Digest:
    """Return the digest of a program, from the schemas that it generates with and without what is experimental.

    Raises:
        TargetError: it generates none, or they are broken.
    """
    experimental, stable = (_schemas(program, cache, experimental=kind) for kind in (True, False))
    return digest_of(program.reported_version or program.spec, Bundle.load(experimental), Bundle.load(stable))


def _schemas(program: Program, cache: Cache | None, *, experimental: bool) -> Path:
    found = generate_schemas(program, cache, experimental=experimental)
    if isinstance(found, SchemasUnavailable):
        raise TargetError(
            f"The program gives no schemas to compare: {found.reason}.",
            where=" ".join(found.argv),
            detail=found.detail or None,
            hint="name a codex that knows `app-server generate-json-schema`",
        )
    return found
