"""`hive-gate judge`: a recorded transcript, judged offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hive_gate.cli.choosing import ContractOption, format_of
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from hive_gate.adapter.judge import Outcome
    from hive_gate.adapter.run import Judged
    from hive_gate.contract.model import Contract
    from hive_gate.exits import Exit

_FORMATS = "text, textile, markdown, github, html, json, junit, annotations"


def judge(
    transcript: Annotated[
        Path,
        typer.Argument(
            metavar="TRANSCRIPT",
            help="What hive-gate tap recorded, or the transcript.jsonl or report.json of a probe.",
        ),
    ],
    contract: ContractOption = DEFAULT_CONTRACT,
    format_name: Annotated[str, typer.Option("--format", "-f", metavar="NAME", help=f"One of {_FORMATS}.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it; - is the standard output.")
    ] = Path("-"),
    by: Annotated[
        Literal["clauses", "adapter"] | None,
        typer.Option(
            "--by",
            help="Judge the server by the contract's clauses, which a probe's report.json allows, or the client by its "
            "rules for Hive's adapter.",
            show_default="clauses for a report.json, else adapter",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="By clauses: the accepted failures.",
            show_default="baseline.toml beside the contract, if there is one",
        ),
    ] = None,
    no_baseline: Annotated[bool, typer.Option("--no-baseline", help="By clauses: accept no failure.")] = False,
) -> None:
    """Judge what was recorded, without a server: a probe by a contract, or a client by the rules for Hive's adapter.

    Exit codes: 0 the gate is open, or no required rule is broken; 1 it is closed, or one is broken, or nothing was seen
    that any rule speaks of; 2 no transcript; 3 by clauses: it could not be judged.
    """
    from hive_gate.adapter.document import document
    from hive_gate.adapter.forms import FORMS
    from hive_gate.adapter.reading import sniff
    from hive_gate.adapter.run import judge_file
    from hive_gate.cli.output import put, put_document
    from hive_gate.contract.load import load_contract
    from hive_gate.errors import UsageError
    from hive_gate.report.document import DOCUMENT_FORMATS

    if format_name not in (*DOCUMENT_FORMATS, *FORMS):  # a wrong name is told before anything is read
        raise UsageError(f"There is no format {format_name!r:.60}.", hint=f"choose one of {_FORMATS}")
    format_name = format_of(format_name, as_json=as_json)
    loaded = load_contract(contract)
    found = sniff(transcript)
    if by == "clauses" and found not in (None, "report"):
        raise UsageError(
            "Clauses are judged from the report.json of a probe; this is a transcript, which has only the messages.",
            where=str(transcript),
            hint="name the report.json, or leave --by out to judge the client",
        )
    if by == "clauses" or (by is None and found == "report"):
        raise typer.Exit(_by_clauses(transcript, loaded, format_name, out, baseline, no_baseline=no_baseline))
    judged = judge_file(transcript, loaded)
    if format_name in FORMS:
        put(FORMS[format_name][1](judged), out)
    else:
        put_document(document(judged), format_name, out)
    _explain(judged, format_name)
    raise typer.Exit(exit_code(judged.judgment.outcome))


def _by_clauses(
    path: Path, contract: Contract, format_name: str, out: Path, baseline: Path | None, *, no_baseline: bool
) -> Exit:
    from hive_gate.cli import outcome
    from hive_gate.cli.choosing import baseline_of
    from hive_gate.cli.judge_report import judged_again
    from hive_gate.cli.output import console, put
    from hive_gate.report.interface import get_format
    from hive_gate.report.text import renderable
    from hive_gate.report.verdict import headline_text

    made = get_format(format_name)
    report = judged_again(path, contract, baseline_of(contract.path, baseline, without=no_baseline))
    if format_name == "text" and str(out) == "-":
        console().print(renderable(report))
    else:
        put(made.render(report), out)
    typer.echo(f"hive-gate: {headline_text(report)}", err=True)
    return outcome.exit_code(report)


def exit_code(outcome: Outcome) -> Exit:
    """Return the exit code that an outcome stands for."""
    from hive_gate.exits import Exit

    return Exit.OPEN if outcome == "kept" else Exit.CLOSED


def _explain(judged: Judged, format_name: str) -> None:
    """Say on stderr what the exit code means, and what a reader of stdout must know that is not in it."""
    from hive_gate.adapter.words import headline_text

    if judged.judgment.outcome != "kept" and format_name != "text":
        typer.echo(f"hive-gate: {headline_text(judged.judgment, judged.contract, judged.whole.source)}", err=True)
    if judged.whole.problem is not None:
        typer.echo(f"hive-gate: the transcript is not complete: {judged.whole.problem}", err=True)
