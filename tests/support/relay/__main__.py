"""The relay as a program: `python tests/support/relay --fault NAME -- PROGRAM ARGS...`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def main() -> int:
    # Run by its path, from any folder: the package is found from here.
    sys.path[0] = str(Path(__file__).resolve().parents[3])
    from tests.support.relay.faults import FAULTS
    from tests.support.relay.passing import relay
    from tests.support.relay.wire import Wire

    parser = argparse.ArgumentParser(prog="relay", description="Start PROGRAM and break one thing on its wire.")
    parser.add_argument("--fault", metavar="NAME", help="what to break; without it every line passes as it is")
    parser.add_argument("--list", action="store_true", help="list the faults and end")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="-- PROGRAM ARGS...")
    options = parser.parse_args()
    if options.list:
        sys.stdout.writelines(f"{name}: {fault.breaks}\n" for name, fault in FAULTS.items())
        return 0
    argv = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not argv:
        parser.error("name the program after --")
    if options.fault is not None and options.fault not in FAULTS:
        parser.error(f"no fault {options.fault!r}; see --list")
    fault = FAULTS[options.fault] if options.fault else None
    return relay(argv, Wire(fault, Path(os.environ.get("CODEX_HOME", "."))))


if __name__ == "__main__":
    sys.exit(main())
