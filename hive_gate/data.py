"""Where the contracts and fixtures that ship with hive-gate are.

In a checkout they are the folders `contracts/` and `fixtures/` beside the package; in an installed wheel the build puts
them in `hive_gate/_data/`.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _PACKAGE.parent

CONTRACTS = _ROOT / "contracts"
"""Folder of the contracts and their JSON Schemas."""

FIXTURES = _ROOT / "fixtures"
"""Folder of scene recipes and recorded material."""

DEFAULT_CONTRACT = CONTRACTS / "hive-app-server-contract.json"
"""The contract that `hive-gate probe` uses when none is named."""

NEXT_CONTRACT = CONTRACTS / "hive-app-server-contract.next.json"
"""What Hive would rely on if it moved to a newer codex."""
