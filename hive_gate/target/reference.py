"""The reference server of hive-gate as a target: a package of Python files, which nothing here imports.

It is started as a program of its own and judged like any other; its identity is that of its sources.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import hive_gate

MODULE = "hive_gate.reference"


@dataclass(frozen=True, slots=True)
class Sources:
    """What the reference server is made of."""

    folder: Path
    sha256: str
    """Over the names and contents of its Python files, in the order of their names."""
    size: int
    """Bytes of all of them."""


def argv() -> tuple[str, ...]:
    """Return the command line that starts it."""
    return (sys.executable, "-m", MODULE)


def sources() -> Sources:
    """Read its files.

    Raises:
        OSError: one cannot be read.
    """
    folder = Path(hive_gate.__file__).resolve().parent / "reference"
    return measured(folder)


def measured(folder: Path) -> Sources:
    """Return the identity of the Python files in a folder and below.

    Raises:
        OSError: one cannot be read.
    """
    digest, size = hashlib.sha256(), 0
    for path in sorted(folder.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
        size += len(content)
    return Sources(folder, digest.hexdigest(), size)
