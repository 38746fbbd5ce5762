"""The program `hive-gate`: its commands, and what the shell sees when one ends."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Annotated

import typer

from hive_gate import __version__
from hive_gate.cli.codex import codex_app
from hive_gate.cli.contract import contract_app
from hive_gate.cli.probe import probe
from hive_gate.cli.render import render
from hive_gate.errors import HiveGateError
from hive_gate.exits import Exit

app = typer.Typer(
    name="hive-gate",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Probe a real codex app-server against the contract that Hive relies on, and write the evidence.",
)
app.command()(probe)
app.command()(render)
app.add_typer(contract_app, name="contract")
app.add_typer(codex_app, name="codex")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"hive-gate {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Probe a codex app-server against the contract that Hive relies on, and write the evidence.

    Exit codes: 0 gate open; 1 gate closed by the contract; 2 usage, or a contract or report file that is not valid;
    3 the target could not be judged; 4 a fault of hive-gate; 130 interrupted.
    """


def main() -> None:
    """Run the command line and exit with one of :class:`hive_gate.exits.Exit`."""
    try:
        app()
    except HiveGateError as error:
        _say(error.diagnostics())
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(Exit.INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the output has gone; that is not a fault. What is still buffered must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.FAULT)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}"  # noqa: PTH119
        _say(
            f"hive-gate itself failed: {type(error).__name__}: {error}\n  at: {place}\n"
            "  do: report this line; with HIVE_GATE_DEBUG=1 the whole traceback is printed"
        )
        if os.environ.get("HIVE_GATE_DEBUG"):
            traceback.print_exception(error)
        sys.exit(Exit.FAULT)


def _say(text: str) -> None:
    print(f"hive-gate: {text}", file=sys.stderr)  # noqa: T201 - the one place that speaks for all commands
