"""Programs in a cache folder that stand for versions of codex: the reference server or one that is broken."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from pathlib import Path
from typing import Any

from hive_gate.data import DEFAULT_CONTRACT, FIXTURES
from hive_gate.target.cache import Cache, Installed, write_metadata
from hive_gate.target.platforms import this_platform

REFERENCE = f'exec {shlex.quote(sys.executable)} -P -m hive_gate.reference "$@"'
"""A body that serves as a codex does."""

DIES = "echo 'no such library' >&2; exit 7"
"""A body that ends before it says anything."""
SILENT = '[ -n "$2" ] && exit 2; while read -r line; do :; done'
"""A body that generates no schemas, and as a server reads until the end and says nothing."""

_MEMBERS = (
    "$defs", "avoided", "capabilities", "connections", "gates", "known", "methods", "name", "pinned", "scenes",
    "source", "title", "values", "version",
)  # fmt: skip
"""Members of the shipped contract that speak of no clause and no suite."""


def with_fault(name: str) -> str:
    """Return a body that serves with a fault of the reference server."""
    return f"{REFERENCE} --fault {shlex.quote(name)}"


def put(cache: Cache, version: str, body: str = REFERENCE) -> Installed:
    """Install a shell script as a version; it says its version, and does what `body` says for all else."""
    folder = cache.programs / f"{version}-{this_platform()}"
    program = folder / "package" / "codex"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo codex-cli {version} && exit\n{body}\n')
    program.chmod(0o755)
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    found = Installed(
        version, this_platform(), program, program.stat().st_size, digest, "sha512-x", "2026-08-01T00:00:00+00:00"
    )
    write_metadata(folder, found)
    return found


def small_contract(folder: Path, *clauses: str, **members: Any) -> Path:
    """Write the shipped contract with only a few of its entries, and return where."""
    contract = json.loads(DEFAULT_CONTRACT.read_bytes())
    kept = [entry for entry in contract["clauses"] if entry["id"] in clauses]
    named = {entry["id"].partition(".")[0] for entry in kept}
    suites = {suite: title for suite, title in contract["suites"].items() if suite in named}
    statements = [{**entry, "evidence": []} for entry in contract["constraints"]]
    (folder / "contracts").mkdir(exist_ok=True)
    if not (folder / "fixtures").exists():
        (folder / "fixtures").symlink_to(FIXTURES)
    path = folder / "contracts" / f"{members.get('name', 'small')}.json"
    plain = {name: value for name, value in contract.items() if name in _MEMBERS}
    whole = {**plain, "suites": suites, "clauses": kept, "constraints": statements, "decisions": [], **members}
    path.write_text(json.dumps(whole))
    return path
