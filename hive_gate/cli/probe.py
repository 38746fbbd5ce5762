"""`hive-gate probe`: the main command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.exits import Exit

if TYPE_CHECKING:
    from hive_gate.report.model import Report

FILES = ("textile", "markdown", "github", "junit", "transcript", "text")
"""Formats that a run writes beside `report.json`."""


def probe(
    codex: Annotated[
        str | None,
        typer.Option(
            "--codex",
            metavar="SPEC",
            help="What to probe: a version (0.142.5; fetched when missing), `path` (the codex on PATH), or a path to a "
            "program.",
            show_default="the version that the contract pins",
        ),
    ] = None,
    server_command: Annotated[
        str | None,
        typer.Option(
            "--server-command",
            metavar="COMMAND",
            help="Probe any command line that speaks the protocol on stdio; it gets the scratch CODEX_HOME in its "
            "environment.",
        ),
    ] = None,
    schema_from: Annotated[
        str | None,
        typer.Option(
            "--schema-from",
            metavar="SPEC",
            help="With --server-command: the codex whose schemas stand for the command's own.",
        ),
    ] = None,
    contract: Annotated[
        Path, typer.Option(metavar="PATH", help="The contract.", show_default="the one that ships with hive-gate")
    ] = DEFAULT_CONTRACT,
    suite: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Only these suites; repeatable.")] = None,
    clause: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only these clauses, by id or glob; repeatable.")
    ] = None,
    level: Annotated[Literal["required", "advisory"] | None, typer.Option(help="Only clauses of this level.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where to write report and notes.", show_default="reports/<version>"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json on stdout, and nothing else.")] = False,
    timeout: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="For one request.")] = 10.0,
    start_timeout: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="For the start of a server.")] = 30.0,
    run_timeout: Annotated[float, typer.Option(min=1, metavar="SECONDS", help="For the whole run.")] = 120.0,
    keep_home: Annotated[bool, typer.Option("--keep-home", help="Keep the scratch homes, and say where.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Tell each clause as it is judged.")] = False,
) -> None:
    """Probe a codex app-server against the contract and write the report and the note.

    Exit codes: 0 gate open, 1 closed by the contract, 2 usage or contract not valid, 3 target could not be judged,
    4 fault of hive-gate, 130 interrupted.
    """
    from hive_gate.cli.drawing import drawing
    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.contract.load import load_contract
    from hive_gate.errors import UsageError
    from hive_gate.probe import subject
    from hive_gate.probe.plan import Selection, select
    from hive_gate.probe.run import Settings, run

    if codex is not None and server_command is not None:
        raise UsageError("--codex and --server-command exclude each other", hint="leave one of them out")
    if schema_from is not None and server_command is None:
        raise UsageError("--schema-from goes with --server-command", hint="a codex generates its own schemas")
    loaded = load_contract(contract)
    selection = Selection(tuple(suite or ()), tuple(clause or ()), level)
    select(loaded, selection)  # a slip in a glob must not cost a download first
    with drawing(verbose) as observer:
        with fetch_progress(observer.console) as on_progress:
            if server_command is not None:
                probed = subject.command(server_command, schema_from, observer, on_progress)
            else:
                probed = subject.codex(codex or loaded.pinned, observer, on_progress)
        report = run(
            loaded, probed, selection, Settings(timeout, start_timeout, run_timeout, keep_home=keep_home), observer
        )
    folder = out or Path("reports") / _label(report)
    _write(report, folder)
    _tell(report, folder, as_json, keep_home)
    raise typer.Exit(exit_code(report))


def exit_code(report: Report) -> Exit:
    """Return the exit code that a run's report stands for."""
    verdicts = {c.verdict for c in report.clauses if c.level == "required"}
    if report.run.interrupted:
        return Exit.INTERRUPTED
    if "error" in verdicts:
        return Exit.FAULT
    if report.run.problem is not None:
        return Exit.TARGET
    if report.gate == "open":
        return Exit.OPEN
    return Exit.TARGET if "blocked" in verdicts and "fail" not in verdicts else Exit.CLOSED


def _label(report: Report) -> str:
    """Return a folder name for the target: its version, or what is left of a command line."""
    version = report.target.version if report.target.kind == "codex" else None
    text = version or Path(report.target.path or report.target.spec).name
    return "".join(c if c.isalnum() or c in ".-_+" else "-" for c in text)[:80].strip("-.") or "target"


def _write(report: Report, folder: Path) -> None:
    from hive_gate.errors import UsageError
    from hive_gate.report.interface import get_format
    from hive_gate.report.jsonfile import write_report, write_text

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the folder for the report cannot be made: {error.strerror or error}",
            where=str(folder),
            hint="name another one with --out",
        ) from error
    write_report(report, folder / "report.json")
    for name in FILES:
        made = get_format(name)
        stem = {"junit": "junit", "transcript": "transcript", "text": "report"}.get(name, "note")
        write_text(made.render(report), folder / f"{stem}{made.suffix}")


def _tell(report: Report, folder: Path, as_json: bool, keep_home: bool) -> None:
    from rich.console import Console

    from hive_gate.report import verdict
    from hive_gate.report.interface import get_format
    from hive_gate.report.text import renderable

    aside = Console(stderr=True, markup=False, highlight=False)
    if as_json:
        sys.stdout.write(get_format("json").render(report))
    else:
        Console(markup=False, highlight=False).print(renderable(report))
        aside.print(
            f"Note for Redmine: {folder / 'note.textile'} (Textile), {folder / 'note.md'} (CommonMark)", soft_wrap=True
        )
        aside.print(f"Everything else:  {folder / 'report.json'} and beside it", soft_wrap=True)
    if keep_home and report.scenes:
        homes = {Path(scene["names"]["home"]).parent.parent for scene in report.scenes.values()}
        aside.print(f"Scratch homes:    {', '.join(map(str, sorted(homes)))}", soft_wrap=True)
    if exit_code(report) is not Exit.OPEN:
        if report.run.problem is not None:
            for server in report.servers:
                if server.stop not in ("eof",) and server.stderr_tail.strip():
                    aside.print("The server's stderr ends with:", soft_wrap=True)
                    for line in server.stderr_tail.strip().splitlines()[-12:]:
                        aside.print(f"  | {line}", soft_wrap=True)
                    break
        aside.print(f"hive-gate: {verdict.headline_text(report)}", soft_wrap=True)
