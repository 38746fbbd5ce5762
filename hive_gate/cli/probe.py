"""`hive-gate probe`: the main command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hive_gate.cli.choosing import ContractOption
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from hive_gate.baseline.model import BaselineFile


def probe(
    codex: Annotated[
        str | None,
        typer.Option(
            "--codex",
            metavar="SPEC",
            help="What to probe: a version (0.142.5; fetched when missing), `path` (the codex on PATH), a path to a "
            "program, or `reference` (the server that ships with hive-gate).",
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
    contract: ContractOption = DEFAULT_CONTRACT,
    suite: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Only these suites; repeatable.")] = None,
    clause: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only these clauses, by id or glob; repeatable.")
    ] = None,
    level: Annotated[Literal["required", "advisory"] | None, typer.Option(help="Only clauses of this level.")] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="PATH",
            help="The failures that the team accepts.",
            show_default="baseline.toml beside the contract, if there is one",
        ),
    ] = None,
    no_baseline: Annotated[bool, typer.Option("--no-baseline", help="Accept no failure.")] = False,
    cost: Annotated[
        Path | None,
        typer.Option(
            "--cost",
            metavar="COST.json",
            help="What hive-gate cost measured of the same program: the decisions are judged by it as well.",
        ),
    ] = None,
    out: Annotated[
        str | None,
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

    Exit codes: 0 gate open, 1 closed by the contract, 2 usage, contract or baseline not valid, 3 target could not be
    judged, 4 fault of hive-gate, 130 interrupted.
    """
    from datetime import UTC, datetime

    from hive_gate.baseline.apply import apply
    from hive_gate.cli.drawing import drawing
    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.cli.outcome import exit_code, folder_for, make_folder, tell, write_files
    from hive_gate.contract.load import load_contract
    from hive_gate.cost.decisions import measurement_of
    from hive_gate.cost.jsonfile import read_cost
    from hive_gate.cost.known import numbers_of
    from hive_gate.errors import UsageError
    from hive_gate.probe import subject
    from hive_gate.probe.plan import Selection, select
    from hive_gate.probe.run import Settings, run

    for option, value in (("--codex", codex), ("--schema-from", schema_from), ("--out", out)):
        if value is not None and not value.strip():  # an unset variable of a script must not mean the default
            raise UsageError(f"{option} is empty", hint="give it a value or leave it out")
    if codex is not None and server_command is not None:
        raise UsageError("--codex and --server-command exclude each other", hint="leave one of them out")
    if schema_from is not None and server_command is None:
        raise UsageError("--schema-from goes with --server-command", hint="a codex generates its own schemas")
    if baseline is not None and no_baseline:
        raise UsageError("--baseline and --no-baseline exclude each other", hint="leave one of them out")
    if cost is not None and server_command is not None:
        raise UsageError("--cost and --server-command exclude each other", hint="hive-gate cost measures programs only")
    loaded = load_contract(contract, numbers_of)
    measured = None if cost is None else read_cost(cost)
    accepted = None if no_baseline else accepted_failures(baseline, contract)
    selection = Selection(tuple(suite or ()), tuple(clause or ()), level)
    select(loaded, selection)  # a slip in a glob must not cost a download first, and a wrong folder not a run
    if out is not None:
        make_folder(Path(out))
    with drawing(verbose) as observer:
        with fetch_progress(observer.console) as on_progress:
            if server_command is not None:
                probed = subject.command(server_command, schema_from, observer, on_progress)
            else:
                probed = subject.codex(codex or loaded.pinned, observer, on_progress)
        measurement = measurement_of(measured, probed.target, cost) if measured and cost else None
        folder = Path(out) if out else folder_for(probed.target, partial=not selection.is_all)
        make_folder(folder)
        settings = Settings(timeout, start_timeout, run_timeout, keep_home=keep_home)
        report = run(loaded, probed, selection, settings, observer, measurement)
    if accepted is not None:
        report = apply(report, accepted, [one.id for one in loaded.clauses], datetime.now(UTC).date())
    if report.run.interrupted and not out:
        folder = folder_for(probed.target, partial=True)
        make_folder(folder)
    write_files(report, folder)
    tell(report, folder, as_json=as_json, keep_home=keep_home)
    raise typer.Exit(exit_code(report))


def accepted_failures(named: Path | None, contract: Path) -> BaselineFile | None:
    """Return the baseline that is named, or that which lies beside the contract; None: there is none."""
    from hive_gate.baseline.load import beside, load_baseline

    path = named or beside(contract)
    # One that is named has to be there, and whatever lies beside the contract under that name is meant to be one.
    return load_baseline(path) if named is not None or os.path.lexists(path) else None
