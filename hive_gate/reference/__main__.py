"""`python -m hive_gate.reference`: the reference app-server on stdio, as `codex app-server` is started.

Arguments such as `app-server` are accepted and ignored, so that it can stand in where a codex is expected.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hive_gate.errors import HiveGateError
from hive_gate.reference.server.serve import serve


def main() -> None:
    """Serve the home that CODEX_HOME names."""
    home = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    try:
        serve(home, sys.stdin.buffer, sys.stdout.buffer)
    except HiveGateError as error:
        print(f"hive-gate: {error.diagnostics()}", file=sys.stderr)  # noqa: T201 - stdout is the protocol's
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
