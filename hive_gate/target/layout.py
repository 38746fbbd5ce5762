"""Where the native program lies inside an npm package of codex."""

from __future__ import annotations

import json
from pathlib import Path

from hive_gate.target.platforms import TRIPLES

_ENTRYPOINTS = ("bin/codex", "codex/codex")
"""Newest first: up to about 0.125 the folder was called `codex`."""


def native_program(package: Path, platform: str) -> Path | None:
    """Return the native program in an unpacked package, or None.

    The package may say where it is (`codex-package.json` in later versions); a path that leads out of the package
    is not believed.
    """
    vendor = package / "vendor" / TRIPLES[platform]
    for entry in (*_declared(vendor), *_ENTRYPOINTS):
        program = vendor / entry
        if program.is_file() and program.resolve().is_relative_to(package.resolve()):
            return program
    return None


def package_name(package: Path) -> str | None:
    """Return the name in a folder's `package.json`, or None."""
    name = _member(package / "package.json", "name")
    return name if isinstance(name, str) else None


def _declared(vendor: Path) -> tuple[str, ...]:
    entry = _member(vendor / "codex-package.json", "entrypoint")
    return (entry,) if isinstance(entry, str) and entry else ()


def _member(path: Path, name: str) -> object:
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return document.get(name) if isinstance(document, dict) else None
