"""`hive-gate cost`: what a stored history costs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from hive_gate.cli.choosing import contract_option
from hive_gate.data import DEFAULT_CONTRACT


def cost(
    codex: Annotated[
        list[str] | None,
        typer.Option(
            "--codex",
            metavar="SPEC",
            help="What to measure: a version (0.142.5; fetched when missing), `path`, a path to a program, or "
            "`reference`. Given twice, the two are measured side by side, in turns.",
            show_default="the version that the contract pins",
        ),
    ] = None,
    shape: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only these shapes of threads; repeatable.", show_default="all"),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,…",
            help="Turns of the hand-written threads; other shapes take as many bytes.",
            show_default="100,200,500,1000,2000",
        ),
    ] = None,
    real_sizes: Annotated[
        str | None,
        typer.Option(metavar="N,N,…", help="Turns of the threads that real turns make.", show_default="20,50,100,200"),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, max=100, metavar="N", help="Most samples of each measurement.")] = 5,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=5,
            metavar="SECONDS",
            help="For all of it; later repeats are left out.",
            show_default="110 for each target",
        ),
    ] = None,
    format_name: Annotated[
        Literal["text", "markdown", "textile", "github", "html", "json"] | None,
        typer.Option("--format", "-f", help="Print all of it in this form.", show_default="the answers, as text"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Where to write data, notes and plots; beside it, in DIR-partial, if what is not whole would take the "
            "place of what is.",
            show_default="reports/cost/<version>; with other shapes or sizes, or fewer than 3 repeats, "
            "<version>-chosen; what is not whole ends in -partial",
        ),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option("--from", metavar="COST.json", help="Measure nothing: tell once more what this file holds."),
    ] = None,
    redact: Annotated[bool, typer.Option("--redact", help="Leave this machine's folders out of the data.")] = False,
    contract: Annotated[
        Path, contract_option("Whose way of greeting is used, and whose decisions are judged")
    ] = DEFAULT_CONTRACT,
) -> None:
    """Measure what start, list, read, restore and pages cost as the stored history grows.

    Exit codes: 0 measured (also if the time was up before all repeats were done), 2 usage, 3 the target could not be
    measured, 4 fault of hive-gate, 130 interrupted; what was measured until then is written, if anything was.
    """
    import sys

    from hive_gate.cli.cost_drawing import drawing
    from hive_gate.cli.cost_options import (
        folder_of,
        kept_whole,
        notes_left,
        numbers,
        refuse_nothing,
        targets,
        tell,
        tell_contradicted,
    )
    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.cli.outcome import make_folder
    from hive_gate.contract.load import load_contract
    from hive_gate.cost.compose import document
    from hive_gate.cost.decisions import decided
    from hive_gate.cost.derive import told_again
    from hive_gate.cost.files import DATA, write_notes
    from hive_gate.cost.jsonfile import read_cost, redacted, to_text, write_cost
    from hive_gate.cost.known import numbers_of
    from hive_gate.cost.run import SECONDS, Settings, measure
    from hive_gate.cost.shapes import DEFAULT_REAL_SIZES, DEFAULT_SIZES, chosen
    from hive_gate.errors import UsageError
    from hive_gate.exits import Exit
    from hive_gate.probe import subject
    from hive_gate.probe.observe import Silent
    from hive_gate.report.document import write_document

    if again is not None and (codex or shape or sizes or real_sizes or time_limit):
        raise UsageError("--from measures nothing", hint="leave --codex and what goes with it out")
    if as_json and format_name not in (None, "json"):
        raise UsageError("--json and --format exclude each other", hint="leave one of them out")
    loaded = load_contract(contract, numbers_of)
    specs = targets(codex, loaded.pinned, out)
    settings = Settings(
        shapes=chosen(tuple(shape or ())),
        sizes=numbers("--sizes", sizes, DEFAULT_SIZES),
        real_sizes=numbers("--real-sizes", real_sizes, DEFAULT_REAL_SIZES),
        rounds=repeats,
        time_limit=SECONDS * len(specs) if time_limit is None else time_limit,
    )
    if out is not None:
        make_folder(Path(out))
    if again is not None:
        found = told_again(read_cost(again))
    else:
        with drawing() as observer:
            with fetch_progress(observer.console) as on_progress:
                subjects = [subject.codex(spec, Silent(), on_progress) for spec in specs]
            found = measure(loaded, subjects, settings, observer)
        refuse_nothing(found)
    found = decided(found, loaded)
    if redact:
        found = redacted(found)
    folder = kept_whole(Path(out), found) if out else None if again else folder_of(found, settings)
    if folder is not None:
        make_folder(folder)
        write_cost(found, folder / DATA)
    with notes_left(folder):
        if folder is not None:
            write_notes(found, folder)
        if as_json or format_name == "json":
            sys.stdout.write(to_text(found))
        elif format_name is not None:
            sys.stdout.write(write_document(document(found), format_name))
        else:
            tell(found, folder)
        tell_contradicted(found)
    raise typer.Exit(Exit.INTERRUPTED if found.run.interrupted and again is None else Exit.OPEN)
