"""The relay as a program: `python -m hive_gate.faults --fault NAME -- PROGRAM ARGS...`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hive_gate.faults.passing import relay
from hive_gate.faults.themes import FAULTS, ON_THE_WIRE
from hive_gate.faults.wire import Wire


def main(argv: Sequence[str] | None = None) -> int:
    """Start the program behind the relay and return its exit code, 70 if the relay itself failed."""
    parser = argparse.ArgumentParser(
        prog="hive_gate.faults", description="Start PROGRAM and break one thing on its wire."
    )
    parser.add_argument("--fault", metavar="NAME", help="what to break; without it every line passes as it is")
    parser.add_argument("--list", action="store_true", help="list the faults and end")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="-- PROGRAM ARGS...")
    options = parser.parse_args(argv)
    if options.list:
        sys.stdout.writelines(f"{name}: {fault.breaks}\n" for name, fault in FAULTS.items())
        return 0
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        parser.error("name the program after --")
    if options.fault is not None and options.fault not in ON_THE_WIRE:
        parser.error(f"no fault {options.fault!r}; see --list")
    fault = ON_THE_WIRE[options.fault] if options.fault else None
    codex_home = Path(os.environ.get("CODEX_HOME", "."))
    if fault is not None and fault.home is not None:
        fault.home(codex_home)
    return relay(program, Wire(fault, codex_home))


if __name__ == "__main__":
    sys.exit(main())
