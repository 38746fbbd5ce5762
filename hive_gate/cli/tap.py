"""`hive-gate tap`: between Hive's app and its server."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hive_gate.cli.choosing import ContractOption
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import HiveGateError, UsageError

if TYPE_CHECKING:
    from typing import BinaryIO

    from hive_gate.contract.model import Contract


def tap(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND", help="The server's command line.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to record; a former record there is overwritten. Without it, the newest 50 are kept.",
            show_default="a new file in $HIVE_GATE_TAP_DIR or the user's folder for such files",
        ),
    ] = None,
    contract: ContractOption = DEFAULT_CONTRACT,
    follow: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Start nothing: show what another tap records, and judge it as it comes."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing on stderr; it is the server's.")] = False,
) -> None:
    """Start a server, pass everything on between it and this command's caller, and record it.

    An app starts `hive-gate tap -- codex app-server` where it started `codex app-server`. Bytes, signals, the end of
    the input, stderr and the exit code pass unchanged. When the server has ended, its client is judged by the
    contract's rules for adapters: in a few lines on stderr, and beside the record in FILE.judged.json.

    Exit codes: the server's own; 2 usage, 3 the server could not be started. With --follow: 0 no required rule is
    broken, 1 one is, 130 it was interrupted.
    """
    if follow is not None:
        if command or record is not None:
            raise UsageError("--follow starts nothing", hint="leave the command and --record out")
        from hive_gate.cli.follow import follow as run

        raise typer.Exit(run(follow, contract))
    if not command:
        raise UsageError("no server to start", hint="name its command line after --: hive-gate tap -- codex app-server")
    # Nobody should learn in the end that their contract cannot judge. The one that ships with hive-gate can, and is not
    # loaded before the server has been served.
    loaded = None if contract == DEFAULT_CONTRACT else _loaded(contract)
    code = _relay(command, record, loaded, quiet=quiet)
    if code < 0:
        from hive_gate.tap.signals import die_of

        die_of(-code)
    raise typer.Exit(code)


def _loaded(path: Path) -> Contract:
    """Return a contract that has rules to judge by.

    Raises:
        UsageError: if it is not valid, or has none.
    """
    from hive_gate.adapter.judge import Judge
    from hive_gate.contract.load import load_contract

    contract = load_contract(path)
    Judge(contract)
    return contract


def _relay(command: list[str], record: Path | None, contract: Contract | None, *, quiet: bool) -> int:
    from hive_gate.tap.places import JUDGED, default_path, prune
    from hive_gate.tap.record_file import open_record
    from hive_gate.tap.recorder import Recorder
    from hive_gate.tap.relay import Relay, fill_closed_descriptors
    from hive_gate.tap.signals import Signals

    fill_closed_descriptors()
    path = (record or default_path()).absolute()
    file = open_record(path)
    with suppress(OSError):  # a former record's judgment is none of this one, which may get none
        path.with_name(path.name + JUDGED).unlink()
    if record is None:
        prune(path)
    if not quiet:
        typer.echo(f"hive-gate: recording into {path}", err=True)
    # Read by its descriptor in the end: its name may have been given to another file, and it stays this tap's own.
    with os.fdopen(os.dup(file), "rb") as recorded, Signals() as signals:
        recorder = Recorder(file, command)
        code: int | None = None
        try:
            code = Relay(command, recorder.take, signals).run()
        finally:
            recorder.close(code)
        said = signals.cut_short(lambda: _verdict(path, recorded, contract))
        if said is None:
            said = f"not judged: a signal came first; run hive-gate judge {shlex.quote(str(path))}"
        if recorder.problem is not None:
            said = f"{said}\nthe record is not complete: {recorder.problem}"
        if not quiet:
            text = "hive-gate: " + said.replace("\n", "\n  ")
            signals.cut_short(lambda: typer.echo(text, err=True), though_late=True)
    return code


def _verdict(path: Path, recorded: BinaryIO, contract: Contract | None) -> str:
    try:
        return _judged(path, recorded, contract or _loaded(DEFAULT_CONTRACT))
    except HiveGateError as error:
        return error.diagnostics()


def _judged(path: Path, recorded: BinaryIO, contract: Contract) -> str:
    """Judge a record, write the judgment beside it, and return it in a few lines."""
    from hive_gate.adapter.forms import as_json
    from hive_gate.adapter.run import judge_file
    from hive_gate.adapter.words import breach_lines, broken, headline_text
    from hive_gate.report.jsonfile import write_text
    from hive_gate.report.plain import visible
    from hive_gate.tap.places import JUDGED

    judged = judge_file(path, contract, recorded)
    # It quotes what passed.
    write_text(as_json(judged), path.with_name(path.name + JUDGED), private=True)
    lines = [f"{rule.id}: {line}" for rule in broken(judged.judgment) for line in breach_lines(rule, 1)]
    return "\n".join(map(visible, [headline_text(judged.judgment, judged.contract), *lines]))
