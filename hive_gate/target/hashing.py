"""SHA-256 of programs, remembered: one of 300 MB takes a third of a second, and every run needs it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from hive_gate.target.cache import Cache, write_json


def file_sha256(path: Path) -> str:
    """Read the whole file and return its SHA-256 in hex.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def program_sha256(path: Path, cache: Cache) -> str:
    """Return the SHA-256 of a program, from the cache where the file is still the one that was read.

    The same file means the same path, size, modification time in nanoseconds, change time, inode and device. A
    cache that cannot be read or written costs time only.

    Raises:
        OSError: the program cannot be read.
    """
    record = cache.hashes / f"{hashlib.sha256(str(path).encode()).hexdigest()[:32]}.json"
    identity = _identity(path)
    try:
        known = json.loads(record.read_bytes())
    except (OSError, ValueError):
        known = None
    if isinstance(known, dict) and known.get("identity") == identity and isinstance(known.get("sha256"), str):
        return str(known["sha256"])
    digest = file_sha256(path)
    if _identity(path) == identity:  # else it changed while we read it: remember nothing
        write_json(record, {"identity": identity, "sha256": digest})
    return digest


def _identity(path: Path) -> list[str | int]:
    stat = path.stat()
    return [str(path), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, stat.st_dev]
