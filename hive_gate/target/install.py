"""Bring a published version into the cache: once, whole, verified."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache, Installed, write_metadata
from hive_gate.target.hashing import file_sha256
from hive_gate.target.layout import native_program
from hive_gate.target.locking import locked
from hive_gate.target.npm import Npm
from hive_gate.target.platforms import this_platform
from hive_gate.target.progress import OnProgress, Phase, Progress, silent
from hive_gate.target.spec import VersionSpec
from hive_gate.target.tarball import OnBytes, unpack, verify


def install(
    spec: VersionSpec, cache: Cache, on_progress: OnProgress = silent, environ: Mapping[str, str] | None = None
) -> Installed:
    """Return a version from the cache, fetching it where it is missing.

    Two processes that want the same version fetch it once: the second waits and uses what the first brought. What a
    killed one left is removed by the next that holds the lock.

    Args:
        spec: the version; a platform in it must be this machine's.
        cache: where to.
        on_progress: told several times a second; may raise to give up.
        environ: the caller's environment, for npm; by default this process's.

    Raises:
        TargetError: not published, npm failed, damaged, no space, no permission, unsupported platform.
    """
    platform = this_platform()
    if spec.platform not in (None, platform):
        raise TargetError(
            f"{spec.text} is for {spec.platform}, and this machine is {platform}.", hint=f"ask for {spec.version}"
        )
    found = cache.find(spec.version, platform)
    if found:
        return found
    key = f"{spec.version}-{platform}"
    with locked(cache.locks, key, on_progress):
        found = cache.find(spec.version, platform)
        if found:
            return found
        staging: Path | None = None
        try:
            staging = _fresh_staging(cache.staging, key)
            cache.programs.mkdir(parents=True, exist_ok=True)
            ready = _fetch(spec.version, platform, staging, on_progress, os.environ if environ is None else environ)
            ready.replace(cache.programs / key)
        except OSError as error:
            raise _no_room(error, spec.version, cache) from error
        finally:
            if staging is not None:
                shutil.rmtree(staging, ignore_errors=True)
        installed = cache.find(spec.version, platform)
    if installed is None:
        raise TargetError(
            f"codex {spec.version} vanished from the cache while it was installed.",
            where=str(cache.programs / key),
            hint="try again",
        )
    return installed


def _fetch(version: str, platform: str, staging: Path, on_progress: OnProgress, environ: Mapping[str, str]) -> Path:
    """Fill `staging/ready` with what becomes the version's folder, and return it."""
    subject = f"codex {version} ({platform})"
    npm = Npm.find(environ, staging / "npm")
    arrived, ready = staging / "arrived", staging / "ready"
    arrived.mkdir()
    ready.mkdir()

    def in_phase(phase: Phase) -> OnBytes:
        return lambda done, total: on_progress(Progress(phase, done, total, subject))

    on_progress(Progress("looking up", 0, None, subject))
    integrity = npm.integrity(version, platform, lambda: on_progress(Progress("looking up", 0, None, subject)))
    tarball = npm.pack(version, platform, arrived, _downloading(npm.cache, subject, on_progress))
    verify(tarball, integrity, in_phase("verifying"))
    shutil.rmtree(npm.cache, ignore_errors=True)  # holds the package a second time: room for unpacking
    unpack(tarball, ready, in_phase("unpacking"))
    program = native_program(ready / "package", platform)
    if program is None:
        raise TargetError(
            f"{subject} holds no program where one is expected.",
            where=tarball.name,
            hint="the package has a new layout: report it, and until then name a program: --codex PATH",
        )
    program.chmod(0o755)
    write_metadata(
        ready,
        Installed(
            version=version,
            platform=platform,
            program=program,
            size=program.stat().st_size,
            sha256=file_sha256(program),
            integrity=integrity,
            fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )
    return ready


def _downloading(folder: Path, subject: str, on_progress: OnProgress) -> Callable[[], None]:
    """Return a tick that reports the growth of npm's cache; what was there before (the look-up) does not count."""
    before = _bytes_in(folder)

    def tick() -> None:
        on_progress(Progress("downloading", max(0, _bytes_in(folder) - before), None, subject))

    tick()
    return tick


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).stat().st_size
            except OSError:  # npm moved it meanwhile
                continue
    return total


def _fresh_staging(folder: Path, key: str) -> Path:
    """Return a new folder, after removing what killed fetches of the same version left; needs the lock.

    The name is new each time: the npm of a fetch that was killed hard may still be writing under the old one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{key}~*"):
        shutil.rmtree(left)
    return Path(tempfile.mkdtemp(prefix=f"{key}~", dir=folder))


def _no_room(error: OSError, version: str, cache: Cache) -> TargetError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return TargetError(
        f"codex {version} could not be stored: {error.strerror or error}.",
        where=str(error.filename or cache.root),
        hint="free about 700 MB (`hive-gate codex remove VERSION` helps), or name another folder: "
        "HIVE_GATE_CACHE=/some/folder"
        if full
        else "make the cache folder writable, or name another one: HIVE_GATE_CACHE=/some/folder",
    )
