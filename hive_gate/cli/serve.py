"""`hive-gate serve`: the reference app-server on stdio."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from hive_gate.errors import UsageError


def serve(
    home: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The CODEX_HOME to serve; made when it does not exist.",
            show_default="$CODEX_HOME, which must exist",
        ),
    ] = None,
    store: Annotated[
        Literal["local", "memory"],
        typer.Option(help="Where threads are kept: in the home, or nowhere once the server ends."),
    ] = "local",
    unload_after: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="When an idle thread that nobody is subscribed to is closed."),
    ] = 1800.0,
) -> None:
    """Serve threads and turns on stdio, as codex app-server does, without a codex and without a model.

    Speaks the protocol of codex app-server 0.142.5 for what Hive uses. Turns are answered by the model provider of the
    home's config.toml if it has a base URL, else by a built-in script that repeats what was said. Ends with its input.
    """
    import sys

    from hive_gate.reference.server.serve import StoreKind
    from hive_gate.reference.server.serve import serve as run

    run(
        _home(home),
        sys.stdin.buffer,
        sys.stdout.buffer,
        store=StoreKind(store),
        unload_after=unload_after,
    )


def _home(asked: Path | None) -> Path:
    if asked is not None:
        try:
            asked.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the home cannot be made: {error}", where=str(asked)) from error
        return asked
    named = os.environ.get("CODEX_HOME")
    if not named:
        raise UsageError("no home to serve: CODEX_HOME is not set", hint="name one with --home DIR")
    return Path(named)
