"""`python -m hive_gate.reference`: the reference app-server on stdio, as `codex app-server` is started.

Arguments that it does not know (`app-server`, settings of a codex) are ignored, so that it can stand in where a codex
is expected. `generate-json-schema [--experimental] --out DIR` writes its schemas instead of serving.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from hive_gate.errors import HiveGateError, UsageError

_SCHEMAS = "generate-json-schema"


def main() -> None:
    """Serve the home that CODEX_HOME names, or write the schemas."""
    # Without abbreviations: an option of a codex that is passed over must not be taken for one of these.
    parser = argparse.ArgumentParser(prog="python -m hive_gate.reference", allow_abbrev=False)
    parser.add_argument("--fault", metavar="NAME", help="serve with this one thing broken")
    parser.add_argument("--experimental", action="store_true", help="schemas: with what needs the capability")
    parser.add_argument("--out", metavar="DIR", type=Path, help="schemas: the folder to write")
    asked, others = parser.parse_known_args()
    try:
        if _SCHEMAS in others:
            _write_schemas(asked.out, experimental=asked.experimental)
        else:
            _serve(asked.fault)
    except HiveGateError as error:
        print(f"hive-gate: {error.diagnostics()}", file=sys.stderr)  # noqa: T201 - stdout is the protocol's
        sys.exit(error.exit_code)


def _serve(fault: str | None) -> None:
    from hive_gate.reference.server.serve import serve

    if fault is not None:
        from hive_gate.reference.faults import switch_on

        switch_on(fault)
    serve(Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex"), sys.stdin.buffer, sys.stdout.buffer)


def _write_schemas(folder: Path | None, *, experimental: bool) -> None:
    from hive_gate.reference.schema.bundle import write

    if folder is None:
        raise UsageError("no folder for the schemas", hint="name one with --out DIR")
    try:
        write(folder, experimental=experimental)
    except OSError as error:
        raise UsageError(f"the schemas cannot be written: {error}", where=str(folder)) from error


if __name__ == "__main__":
    main()
