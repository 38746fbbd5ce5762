"""The program `hive-gate`: its commands, and what the shell sees when one ends."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Annotated

import typer

from hive_gate import __version__
from hive_gate.cli.baseline import baseline_app
from hive_gate.cli.bisect import bisect
from hive_gate.cli.bump import can_i_bump
from hive_gate.cli.codex import codex_app
from hive_gate.cli.contract import contract_app
from hive_gate.cli.cost import cost
from hive_gate.cli.drift import drift
from hive_gate.cli.features import features
from hive_gate.cli.judge import judge
from hive_gate.cli.matrix import matrix
from hive_gate.cli.parsing import Command, Commands, Interrupted
from hive_gate.cli.probe import probe
from hive_gate.cli.render import render
from hive_gate.cli.selftest import selftest
from hive_gate.cli.serve import serve
from hive_gate.cli.streams import survive_closed_pipes
from hive_gate.cli.tap import tap
from hive_gate.errors import HiveGateError
from hive_gate.exits import Exit
from hive_gate.report.plain import visible

app = typer.Typer(
    cls=Commands,
    name="hive-gate",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Probe a real codex app-server against the contract that Hive relies on, and write the evidence.",
)
# What the list of commands says of each: where a docstring's first sentence is longer than a line, it is told here.
app.command(short_help="Probe a codex app-server, and write the report and the note.")(probe)
app.command()(matrix)
app.command(short_help="Measure what requests cost as the stored history grows.")(cost)
app.command(short_help="Make another format of a run from its report.json.")(render)
app.command(short_help="Serve threads and turns on stdio, as codex app-server does.")(serve)
app.command(
    short_help="Record what passes between an app and its server.", context_settings={"allow_interspersed_args": False}
)(tap)
app.command(short_help="Judge a recorded transcript or report, without a server.")(judge)
app.command(short_help="Prove that the gate notices, one fault at a time.")(selftest)
app.command(short_help="Find the first version in which the verdict of clauses changes.")(bisect)
app.command(short_help="Compare what two targets say about themselves.")(drift)
app.command("can-i-bump", short_help="Say whether Hive can take a codex version.")(can_i_bump)
app.command(short_help="Say which features a codex offers, and whether they hold.")(features)
app.add_typer(contract_app, name="contract")
app.add_typer(baseline_app, name="baseline")
app.add_typer(codex_app, name="codex")
for _each in (app, contract_app, baseline_app, codex_app):
    for _registered in _each.registered_commands:
        _registered.cls = Command


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

    Exit codes: 0 gate open; 1 gate closed by the contract; 2 usage, or a contract, baseline or report file that is not
    valid; 3 the target could not be judged; 4 a fault of hive-gate; 130 interrupted.
    """


def main() -> None:
    """Run the command line and exit with one of :class:`hive_gate.exits.Exit`."""
    survive_closed_pipes()
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:  # None: closed before the start
                sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as error:
        sys.exit(_explain(_innermost(error)))


def _innermost(error: BaseException) -> BaseException:
    """Return what really happened: a task group wraps even a single error."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _explain(error: BaseException) -> Exit:
    if isinstance(error, HiveGateError):
        _say(error.diagnostics())
        return error.exit_code
    if isinstance(error, (Interrupted, KeyboardInterrupt)):
        _say("interrupted before it was done; start it again")
        return Exit.INTERRUPTED
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}"  # noqa: PTH119
    _say(
        f"hive-gate itself failed: {type(error).__name__}: {error}\n  at: {place}\n"
        "  do: report this line; with HIVE_GATE_DEBUG=1 the whole traceback is printed"
    )
    if os.environ.get("HIVE_GATE_DEBUG"):
        traceback.print_exception(error)
    return Exit.FAULT


def _interrupt(*_: object) -> None:
    """End like Ctrl-C: what has to be cleaned up is."""
    raise KeyboardInterrupt


def _say(text: str) -> None:
    if sys.stderr is None:  # closed before the start; what is printed to None would go to stdout
        return
    # A server's words may be in it: no escape sequence of theirs reaches the terminal.
    shown = "\n".join(visible(line) for line in text.splitlines())
    print(f"hive-gate: {shown}", file=sys.stderr)  # noqa: T201 - the one place that speaks for all commands
