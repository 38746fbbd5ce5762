"""Ask a program for its version, and say in words why one cannot be started."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from pathlib import Path

from hive_gate.errors import TargetError
from hive_gate.target.environment import scratch_home
from hive_gate.target.platforms import this_platform
from hive_gate.target.process import run_bounded

VERSION_SECONDS = 15.0
"""Longest time for `--version`. It takes 10 ms; the first start from a cold disk takes seconds."""

_ELF_MACHINES = {0x3E: "linux-x64", 0xB7: "linux-arm64"}
_MACH_O_MACHINES = {0x01000007: "darwin-x64", 0x0100000C: "darwin-arm64"}
_VERSION = re.compile(r"(?<![\w.])\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?(?![\w.])")


@dataclass(frozen=True, slots=True)
class Reported:
    """What `--version` gave."""

    version: str | None
    """None: it ended well and named no version."""
    text: str
    """The first line of its stdout, shortened."""


def reported_version(program: Path) -> Reported:
    """Run `program --version` in a scratch home. Only stdout counts: codex may warn on stderr.

    Raises:
        TargetError: it cannot be started, does not end in time, or ends with an error.
    """
    argv = (str(program), "--version")
    try:
        with scratch_home() as environment:
            finished = run_bounded(argv, environment, VERSION_SECONDS, cwd=Path(environment["HOME"]))
    except OSError as error:
        raise cannot_start(program, error) from error
    if finished.code != 0:
        raise TargetError(
            f"The program does not say its version: {finished.outcome}.",
            where=" ".join(argv),
            hint="run that command yourself; if it is no codex, name another: --codex PATH",
            detail=finished.stderr_tail or None,
        )
    lines = finished.stdout.strip().splitlines() or [""]
    found = _VERSION.search(finished.stdout)
    return Reported(found[0] if found else None, lines[0][:200])


def cannot_start(program: Path, error: OSError) -> TargetError:
    """Return the error for a program that the kernel refuses to start."""
    reason, hint = error.strerror or str(error), "check the program, or probe a version: --codex 0.142.5"
    built_for = _built_for(program)
    if error.errno == errno.ENOEXEC:
        reason, hint = "it is not a program that this machine can run", f"use one for {this_platform()}"
        if built_for:
            reason = f"wrong architecture: it is built for {built_for}, and this machine is {this_platform()}"
    elif error.errno == errno.ENOENT and program.exists():
        reason = "the interpreter or loader that it names is not there"
    elif error.errno == errno.EACCES:
        reason, hint = "it is not executable", f"make it executable: chmod +x {program}"
    return TargetError(f"The program cannot be started: {reason}.", where=f"{program} --version", hint=hint)


def _built_for(program: Path) -> str | None:
    try:
        with program.open("rb") as file:
            head = file.read(20)
    except OSError:
        return None
    if head[:4] == b"\x7fELF" and len(head) == 20:
        machine = int.from_bytes(head[18:20], "little" if head[5] == 1 else "big")
        return _ELF_MACHINES.get(machine, f"another machine (ELF {machine:#x})")
    if head[:4] == b"\xcf\xfa\xed\xfe":
        return _MACH_O_MACHINES.get(int.from_bytes(head[4:8], "little"), "another machine (Mach-O)")
    return None
