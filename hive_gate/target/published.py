"""Which versions are published for this machine: npm's answer, kept for an hour."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import semver

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache, write_json
from hive_gate.target.npm import Npm
from hive_gate.target.platforms import this_platform
from hive_gate.target.progress import OnProgress, Progress, silent

MAX_AGE = timedelta(hours=1)
"""Time for which the list is not asked for again; a version is published every day or two."""


@dataclass(frozen=True, slots=True)
class Published:
    """The list of versions."""

    versions: tuple[semver.Version, ...]
    """Oldest first, prereleases among them."""
    asked: datetime
    """When npm said so; UTC."""
    problem: str | None = None
    """Why npm could not be asked again, so that the list is older than it should be."""


def published_versions(
    cache: Cache, on_progress: OnProgress = silent, environ: Mapping[str, str] | None = None, *, fresh: bool = False
) -> Published:
    """Return the versions that are published for this machine.

    A list that is too old is better than none: if npm cannot be asked, the one that is kept is returned, and
    `problem` says why.

    Args:
        cache: where the list is kept.
        on_progress: told several times a second while npm is asked; may raise to give up.
        environ: the caller's environment, for npm; by default this process's.
        fresh: ask npm however new the list is.

    Raises:
        TargetError: npm failed and no list is kept.
    """
    platform = this_platform()
    path = cache.root / f"published-{platform}.json"
    kept = _kept(path)
    now = datetime.now(UTC)
    # A time in the future is that of a clock that was wrong.
    if kept is not None and not fresh and timedelta(0) <= now - kept.asked < MAX_AGE:
        return kept
    try:
        versions = _ask(platform, on_progress, os.environ if environ is None else environ)
    except TargetError as error:
        if kept is None:
            raise
        return Published(kept.versions, kept.asked, error.message)
    write_json(path, {"asked": now.isoformat(timespec="seconds"), "versions": [str(v) for v in versions]})
    return Published(versions, now)


def _ask(platform: str, on_progress: OnProgress, environ: Mapping[str, str]) -> tuple[semver.Version, ...]:
    progress = Progress("looking up", 0, None, f"the codex versions for {platform}")
    on_progress(progress)
    with tempfile.TemporaryDirectory(prefix="hive-gate-npm-", ignore_cleanup_errors=True) as folder:
        return Npm.find(environ, Path(folder)).published(platform, lambda: on_progress(progress))


def _kept(path: Path) -> Published | None:
    """Return the list in the file; None if there is none, or it is damaged."""
    try:
        document = json.loads(path.read_bytes())
        asked = datetime.fromisoformat(document["asked"])
        versions = tuple(sorted(semver.Version.parse(version) for version in document["versions"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return Published(versions, asked) if asked.tzinfo and versions else None
