"""The program `hive-gate`: its commands, and what the shell sees when one ends."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

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
from hive_gate.cli.probe import probe
from hive_gate.cli.render import render
from hive_gate.cli.selftest import selftest
from hive_gate.cli.serve import serve
from hive_gate.cli.streams import survive_closed_pipes
from hive_gate.cli.tap import tap
from hive_gate.errors import HiveGateError
from hive_gate.exits import Exit
from hive_gate.report.plain import visible


class _Interrupted(BaseException):
    """Ctrl-C or SIGTERM outside of a run, which handles both itself."""


class _Commands(TyperGroup):
    """The commands; an interruption passes through typer, which would end without a word."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise _Interrupted from error


app = typer.Typer(
    cls=_Commands,
    name="hive-gate",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Probe a real codex app-server against the contract that Hive relies on, and write the evidence.",
)
app.command()(probe)
app.command()(matrix)
app.command()(cost)
app.command()(render)
app.command()(serve)
app.command(context_settings={"allow_interspersed_args": False})(tap)
app.command()(judge)
app.command()(selftest)
app.command()(bisect)
app.command()(drift)
app.command("can-i-bump")(can_i_bump)
app.command()(features)
app.add_typer(contract_app, name="contract")
app.add_typer(baseline_app, name="baseline")
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
    if isinstance(error, (_Interrupted, KeyboardInterrupt)):
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
    # A server's words may be in it: no escape sequence of theirs reaches the terminal.
    shown = "\n".join(visible(line) for line in text.splitlines())
    print(f"hive-gate: {shown}", file=sys.stderr)  # noqa: T201 - the one place that speaks for all commands
