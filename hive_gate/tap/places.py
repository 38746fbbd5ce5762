"""Where records go that nobody has named a place for, and how many of them stay there."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from hive_gate.errors import UsageError
from hive_gate.tap.record_file import remove_former, take_lock

VARIABLE = "HIVE_GATE_TAP_DIR"
"""Environment variable that names another folder."""

KEPT = 50
"""Records that stay in the folder, the newest ones; whoever wants to keep one names it."""

JUDGED = ".judged.json"
"""What the name of a record gets at its end for the file with its judgment."""

_NAME = re.compile(r"\d{8}T\d{6}-\d+\.jsonl")
"""What nobody has named is called so."""


def default_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a new file's path in the folder for records, which a name in the environment overrides."""
    import platformdirs

    folder = environ.get(VARIABLE)
    base = Path(folder) if folder else platformdirs.user_state_path("hive-gate", appauthor=False) / "tap"
    return base / f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.jsonl"


def prune(newest: Path) -> None:
    """Remove the oldest records that nobody has named, with their judgments, where there are more than `KEPT`.

    What another tap is still recording into stays, and what is no record; where files cannot be locked, that cannot be
    told, and everything stays. That a file cannot be removed is no reason not to record.

    Args:
        newest: the record that was just opened, which counts and stays.
    """
    with suppress(OSError):
        if not _locks_hold(newest):
            return
        entries = [entry for entry in os.scandir(newest.parent) if _NAME.fullmatch(entry.name)]
        others = [entry for entry in entries if entry.name != newest.name and entry.is_file(follow_symlinks=False)]
        others.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
        for entry in others[KEPT - 1 :]:
            path = Path(entry)
            with suppress(OSError, UsageError):
                remove_former(path, path)
                path.with_name(path.name + JUDGED).unlink(missing_ok=True)


def _locks_hold(path: Path) -> bool:
    """Tell whether a file that is locked cannot be locked again."""
    files = [os.open(path, os.O_RDWR) for _ in range(2)]
    try:
        return not all(take_lock(file) for file in files)
    finally:
        for file in files:
            os.close(file)
