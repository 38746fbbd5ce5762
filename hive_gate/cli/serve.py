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
    fault: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Break this one thing on purpose; for trying how a client takes it."),
    ] = None,
    list_faults: Annotated[bool, typer.Option("--list-faults", help="List the faults, and serve nothing.")] = False,
) -> None:
    """Serve threads and turns on stdio, as codex app-server does, without a codex and without a model.

    Speaks the protocol of codex app-server 0.142.5 for what Hive uses. Turns are answered by the model provider of the
    home's config.toml if it has a base URL, else by a built-in script that repeats what was said. Ends with its input.
    """
    import sys

    from hive_gate.reference.server.serve import StoreKind
    from hive_gate.reference.server.serve import serve as run

    if list_faults:
        _print_faults()
        return
    folder = _home(home)
    if fault is not None:
        from hive_gate.reference.faults import switch_on

        switch_on(fault)
    run(
        folder,
        sys.stdin.buffer,
        sys.stdout.buffer,
        store=StoreKind(store),
        unload_after=unload_after,
    )


def _print_faults() -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from hive_gate.reference.faults import FAULTS

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("fault", no_wrap=True)
    table.add_column("what is broken", overflow="fold")
    table.add_column("clauses that notice it", overflow="fold")
    for fault in FAULTS.values():
        clauses = dict.fromkeys(notice.clause for notice in fault.noticed)
        table.add_row(fault.name, fault.breaks, ", ".join(clauses))
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        # Rich then assumes 80 columns, and would fold what somebody wants to search.
        console.width = 400
    console.print(table)


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
