"""Where records go that nobody has named a place for."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "HIVE_GATE_TAP_DIR"
"""Environment variable that names another folder."""


def default_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a new file's path in the folder for records, which a name in the environment overrides."""
    import platformdirs

    folder = environ.get(VARIABLE)
    base = Path(folder) if folder else platformdirs.user_state_path("hive-gate", appauthor=False) / "tap"
    return base / f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.jsonl"
