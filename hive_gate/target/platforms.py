"""The platforms that codex is published for and that hive-gate runs on."""

from __future__ import annotations

import platform
import sys

from hive_gate.errors import TargetError

TRIPLES = {
    "linux-x64": "x86_64-unknown-linux-musl",
    "linux-arm64": "aarch64-unknown-linux-musl",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
}
"""Platform, as the npm package names it, to the folder under `vendor/` that holds its program."""

PUBLISHED = (*TRIPLES, "win32-x64", "win32-arm64")
"""All platforms that codex is published for, also those hive-gate does not run on."""

_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def this_platform(system: str | None = None, machine: str | None = None) -> str:
    """Return this machine's platform, such as `linux-x64`.

    Args:
        system: `sys.platform` of another machine, for tests.
        machine: `platform.machine()` of another machine, for tests.

    Raises:
        TargetError: hive-gate does not run here.
    """
    system = system or sys.platform
    machine = machine or platform.machine()
    name = f"{system}-{_MACHINES.get(machine.lower(), machine)}"
    if name in TRIPLES:
        return name
    if system.startswith(("win32", "cygwin")):
        raise TargetError(
            f"hive-gate does not run on Windows yet ({name}): POSIX first.",
            hint="run it on Linux or macOS, or under WSL",
        )
    raise TargetError(
        f"There is no codex program for this machine ({name}).",
        hint=f"use one of {', '.join(TRIPLES)}, or name a program of your own: --codex PATH",
    )
