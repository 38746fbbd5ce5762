"""The folder where installed programs, their hashes and their schemas are kept.

Layout::

    codex/<version>-<platform>/hive-gate.json    what was installed, see Installed
    codex/<version>-<platform>/package/...       the npm package as it is
    hashes/                                      SHA-256 of programs by path, size and times
    schemas/<sha256>/                            what that program generates
    locks/ staging/                              for installing

A folder under `codex/` appears in one rename, complete and verified, so whoever sees it may use it without a lock.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs
import semver

from hive_gate.errors import TargetError
from hive_gate.target.locking import locked
from hive_gate.target.platforms import PUBLISHED
from hive_gate.target.progress import OnProgress, silent

VARIABLE = "HIVE_GATE_CACHE"
"""Environment variable that names another cache folder."""

METADATA = "hive-gate.json"


@dataclass(frozen=True, slots=True)
class Installed:
    """One program in the cache."""

    version: str
    platform: str
    program: Path
    size: int
    """Bytes of the program, as it was when it was installed."""
    sha256: str
    """Of the program, when it was installed."""
    integrity: str
    """npm's integrity of the package it came from: `sha512-…`."""
    fetched: str
    """ISO 8601, UTC."""
    problem: str | None = None
    """Why it must not be used, in a phrase; None: it looks as it was installed."""

    @property
    def key(self) -> str:
        """Name of its folder: `0.142.5-linux-x64`."""
        return f"{self.version}-{self.platform}"


class Cache:
    """A cache folder; nothing is created before something is put into it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.programs = root / "codex"
        self.hashes = root / "hashes"
        self.schemas = root / "schemas"
        self.locks = root / "locks"
        self.staging = root / "staging"

    @classmethod
    def default(cls, environ: Mapping[str, str] | None = None) -> Cache:
        """Return the user's cache, or the one that HIVE_GATE_CACHE names."""
        named = (os.environ if environ is None else environ).get(VARIABLE)
        return cls(Path(named).expanduser().absolute() if named else platformdirs.user_cache_path("hive-gate", False))

    def find(self, version: str, platform: str) -> Installed | None:
        """Return an installed program after a quick look at it, or None.

        Raises:
            TargetError: it is there, and not as it was installed.
        """
        folder = self.programs / f"{version}-{platform}"
        if not folder.is_dir():
            return None
        found = _read(folder)
        if found.problem:
            raise damaged(found)
        return found

    def installed(self) -> tuple[Installed, ...]:
        """Return everything installed, oldest version first, damaged ones with their problem."""
        folders = self.programs.iterdir() if self.programs.is_dir() else ()
        return tuple(sorted((_read(f) for f in folders if f.is_dir() and _split(f.name)), key=_order))

    def remove(self, found: Installed, on_progress: OnProgress = silent) -> None:
        """Remove one program; waits while another process installs the same.

        Raises:
            TargetError: it cannot be removed, or the lock was not to be had.
        """
        with locked(self.locks, found.key, on_progress):
            try:
                # Out of sight in one step: nobody must meet half a program.
                self.staging.mkdir(parents=True, exist_ok=True)
                trash = Path(tempfile.mkdtemp(prefix="removed-", dir=self.staging))
                (self.programs / found.key).replace(trash / found.key)
                shutil.rmtree(trash)
            except OSError as error:
                raise TargetError(
                    f"codex {found.key} could not be removed: {error.strerror}.",
                    where=str(self.programs / found.key),
                    hint="check who owns that folder",
                ) from error


def damaged(found: Installed) -> TargetError:
    """Return the error for an installed program that is not as it was installed."""
    return TargetError(
        f"The installed codex {found.version} is damaged: {found.problem}.",
        where=str(found.program),
        hint=f"run `hive-gate codex remove {found.version}`; the next use fetches it again",
    )


def changed(found: Installed) -> TargetError:
    """Return the error for an installed program whose SHA-256 is not the one that was installed."""
    return damaged(replace(found, problem="its SHA-256 is not the one that was installed"))


def write_metadata(folder: Path, found: Installed) -> None:
    """Write what was installed into its folder.

    Raises:
        OSError: it cannot be written.
    """
    document: dict[str, Any] = asdict(found)
    del document["problem"]
    document["program"] = found.program.relative_to(folder).as_posix()
    (folder / METADATA).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def write_json(path: Path, document: object) -> bool:
    """Put a small file into the cache in one step; return False where the cache is not writable."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            json.dump(document, file)
        Path(file.name).replace(path)
    except OSError:
        return False
    return True


def _read(folder: Path) -> Installed:
    version, platform = _split(folder.name) or (folder.name, "")
    try:
        document = json.loads((folder / METADATA).read_bytes())
        found = Installed(**{**document, "program": folder / document["program"]})
    except (OSError, ValueError, TypeError, KeyError):
        unreadable = f"{METADATA} is missing or not readable"
        return Installed(version, platform, folder, 0, "", "", "", problem=unreadable)
    same = (found.version, found.platform) == (version, platform)
    problem = _problem(found) if same else f"{METADATA} speaks of {found.key}"
    # The folder's name counts: it is what was asked for, and what has to be removed.
    return replace(found, version=version, platform=platform, problem=problem)


def _problem(found: Installed) -> str | None:
    try:
        size = found.program.stat().st_size
    except OSError:
        return "its program is missing"
    if size != found.size:
        return f"its program has {size} bytes instead of {found.size}"
    return None if os.access(found.program, os.X_OK) else "its program is not executable"


def _split(key: str) -> tuple[str, str] | None:
    for platform in PUBLISHED:
        if key.endswith(f"-{platform}"):
            return key.removesuffix(f"-{platform}"), platform
    return None


def _order(found: Installed) -> tuple[semver.Version, str]:
    try:
        return semver.Version.parse(found.version), found.platform
    except ValueError:
        return semver.Version(0), found.version
