"""Ask the user's own npm, configured as it is, for codex packages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import semver

from hive_gate.errors import TargetError
from hive_gate.target.npm_errors import MISSING, error_code, explain, tail
from hive_gate.target.process import Finished, run_bounded

PACKAGE = "@openai/codex"

LOOKUP_SECONDS = 120.0
"""Longest time for a question to the registry."""

DOWNLOAD_SECONDS = 1200.0
"""Longest time for a download of up to 200 MB: a line of 2 Mbit/s makes it."""

_QUIET = (
    "--loglevel=error",
    "--no-color",
    "--no-progress",
    "--no-update-notifier",
    "--ignore-scripts",
    # npm's own waits between retries are 10 s and then 60 s: too long for somebody who has no network.
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=5000",
)


@dataclass(frozen=True, slots=True)
class Npm:
    """The user's npm.

    It runs in the caller's working folder with the caller's environment, so that every .npmrc (registry, proxy, login)
    counts as usual. Only its cache is a folder of ours: a codex is of no use to it twice, a half download does
    not stay behind there, and the growth of that folder is the one honest sign of how far a download has come.
    """

    program: str
    environ: Mapping[str, str]
    cache: Path
    """npm's cache for this use; the caller removes it."""

    @classmethod
    def find(cls, environ: Mapping[str, str], cache: Path) -> Npm:
        """Return the npm on the caller's PATH.

        Raises:
            TargetError: there is none.
        """
        program = shutil.which("npm", path=environ.get("PATH", ""))
        if program is None:
            raise TargetError(
                "There is no npm on PATH, and codex programs are fetched through it.",
                hint="install Node.js with npm, or name a program that is there: --codex PATH",
            )
        return cls(program, environ, cache)

    def integrity(self, version: str, platform: str, on_tick: Callable[[], None]) -> str:
        """Return the published integrity of one version for one platform.

        Raises:
            TargetError: not published (the message names the nearest that are), or npm failed.
        """
        subject = f"codex {version} ({platform})"
        finished = self._run(("view", f"{PACKAGE}@{version}-{platform}", "dist", "--json"), LOOKUP_SECONDS, on_tick)
        # Old npm says nothing at all, and calls it success, for a version that does not exist.
        if error_code(finished) in MISSING or (finished.code == 0 and not finished.stdout.strip()):
            raise self._not_published(version, platform, on_tick)
        answer = _answer(finished, subject)
        found = answer.get("integrity") if isinstance(answer, dict) else None
        if not isinstance(found, str):
            raise TargetError(
                f"{subject} cannot be verified: the registry names no integrity for it.",
                where=" ".join(finished.argv[:3]),
                hint="use a registry that does (`npm config get registry`)",
            )
        return found

    def pack(self, version: str, platform: str, folder: Path, on_tick: Callable[[], None]) -> Path:
        """Download one package into an existing empty folder and return the file.

        Raises:
            TargetError: npm failed.
        """
        subject = f"codex {version} ({platform})"
        command = ("pack", f"{PACKAGE}@{version}-{platform}", "--json", f"--pack-destination={folder}")
        finished = self._run(command, DOWNLOAD_SECONDS, on_tick)
        if finished.code != 0:
            raise explain(finished, subject)
        # Its name in npm's answer is wrong in some versions of npm, so look at what is there.
        files = sorted(folder.glob("*.tgz"))
        if len(files) != 1:
            raise TargetError(
                f"{subject} could not be fetched: npm reports success and left {len(files)} packages.",
                where=" ".join(finished.argv[:3]),
                hint="use npm 7 or later (`npm --version`)",
                detail=tail(finished.stderr_tail) or None,
            )
        return files[0]

    def published(self, platform: str, on_tick: Callable[[], None]) -> tuple[semver.Version, ...]:
        """Return the versions published for a platform, oldest first.

        Raises:
            TargetError: npm failed.
        """
        return _for_platform(self._all_versions(on_tick), platform)

    def _all_versions(self, on_tick: Callable[[], None]) -> frozenset[str]:
        finished = self._run(("view", PACKAGE, "versions", "--json"), LOOKUP_SECONDS, on_tick)
        answer = _answer(finished, "the list of codex versions")
        # A package with a single version is answered with a string.
        names = answer if isinstance(answer, list) else [answer]
        return frozenset(name for name in names if isinstance(name, str))

    def _not_published(self, version: str, platform: str, on_tick: Callable[[], None]) -> TargetError:
        names = self._all_versions(on_tick)
        known = _for_platform(names, platform)
        wanted = semver.Version.parse(version)
        near = [*[v for v in known if v < wanted][-1:], *[v for v in known if v > wanted][:1]]
        elsewhere = version in names
        return TargetError(
            f"codex {version} is published, but not for {platform}."
            if elsewhere
            else f"codex {version} is not published.",
            where=f"{PACKAGE}@{version}-{platform}",
            hint=f"use {' or '.join(map(str, near))}, the nearest published for {platform}"
            if near
            else f"nothing is published for {platform} in npm's registry (`npm config get registry`)",
        )

    def _run(self, command: Sequence[str], timeout: float, on_tick: Callable[[], None]) -> Finished:
        argv = [self.program, *command, *_QUIET, f"--cache={self.cache}"]
        try:
            return run_bounded(argv, self.environ, timeout, on_tick=on_tick)
        except OSError as error:
            raise TargetError(
                f"npm could not be started: {error.strerror}.", where=self.program, hint="repair the npm on PATH"
            ) from error


def _answer(finished: Finished, subject: str) -> Any:
    if finished.code != 0:
        raise explain(finished, subject)
    try:
        return json.loads(finished.stdout)
    except ValueError as error:
        raise explain(finished, subject) from error


def _for_platform(names: frozenset[str], platform: str) -> tuple[semver.Version, ...]:
    suffix = f"-{platform}"
    bare = (name.removesuffix(suffix) for name in names if name.endswith(suffix))
    return tuple(sorted(semver.Version.parse(name) for name in bare if semver.Version.is_valid(name)))
