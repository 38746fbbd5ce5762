"""Read `--codex SPEC`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import semver

from hive_gate.errors import UsageError
from hive_gate.target.platforms import PUBLISHED

FORMS = (
    "give a version (0.142.5), the word `path` (the codex on PATH), a path to a program (./codex), or the word "
    "`reference` (the server that comes with hive-gate)"
)
"""The forms, for hints."""

_PREFIX = re.compile(r"^(?:rust-)?v(?=\d)")
_SUFFIX = re.compile(rf"-({'|'.join(PUBLISHED)})$")


@dataclass(frozen=True, slots=True)
class VersionSpec:
    """A published version."""

    text: str
    """As the user wrote it."""
    version: str
    """Without prefix and platform: `0.142.5`, `0.143.0-alpha.12`."""
    platform: str | None = None
    """The platform if the user named one: `linux-x64`."""


@dataclass(frozen=True, slots=True)
class OnPathSpec:
    """The `codex` that the caller's shell would start."""

    text: str = "path"


@dataclass(frozen=True, slots=True)
class ProgramSpec:
    """A program in the file system."""

    text: str
    program: Path
    """Not resolved and not checked; `~` is expanded."""


@dataclass(frozen=True, slots=True)
class ReferenceSpec:
    """The reference server that comes with hive-gate: nothing to fetch."""

    text: str = "reference"


FileSpec: TypeAlias = VersionSpec | OnPathSpec | ProgramSpec
"""What means a file."""

Spec: TypeAlias = FileSpec | ReferenceSpec


def parse_spec(text: str) -> Spec:
    """Read one SPEC.

    A version or a word wins over a file of the same name in the current folder; `./0.142.5` names the file.

    Raises:
        UsageError: none of the forms.
    """
    words = text.strip()
    if words == "path":
        return OnPathSpec()
    if words == "reference":
        return ReferenceSpec()
    version = _version(words)
    if version:
        return version
    if words and ("/" in words or words == "~" or Path(words).is_file()):
        return ProgramSpec(text=words, program=Path(words).expanduser())
    raise UsageError(f"{text!r} is not a codex to probe.", hint=FORMS)


def parse_version(text: str) -> VersionSpec:
    """Read one version where nothing else makes sense (`hive-gate codex install`).

    Raises:
        UsageError: not a version.
    """
    version = _version(text.strip())
    if version is None:
        raise UsageError(
            f"{text!r} is not a codex version.", hint="give all three numbers: 0.142.5, or 0.143.0-alpha.12"
        )
    return version


def _version(words: str) -> VersionSpec | None:
    bare = _PREFIX.sub("", words)
    suffix = _SUFFIX.search(bare)
    # The suffix goes first: to semver `0.142.5-linux-x64` is a pre-release called `linux-x64`.
    bare = bare[: suffix.start()] if suffix else bare
    try:
        parsed = semver.Version.parse(bare)
    except ValueError:
        return None
    if parsed.build:
        return None
    return VersionSpec(text=words, version=str(parsed), platform=suffix[1] if suffix else None)
