"""`hive-gate can-i-bump`: whether Hive can take a version."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hive_gate.cli.choosing import ContractOption, baseline_of, published, words_of
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from hive_gate.baseline.model import BaselineFile
    from hive_gate.contract.model import Contract
    from hive_gate.matrix.bump import Bump
    from hive_gate.matrix.drift import Drift
    from hive_gate.target.published import Published

Format = Literal["text", "textile", "markdown", "github", "html", "json", "junit", "annotations"]


def can_i_bump(
    version: Annotated[
        str, typer.Argument(metavar="VERSION", help="The version that is asked about (0.171.0, or `latest`).")
    ],
    before: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="VERSION",
            help="The version in use.",
            show_default="the one that the team accepted, or that the contract pins",
        ),
    ] = "accepted",
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
    contract: ContractOption = DEFAULT_CONTRACT,
    format_name: Annotated[Format, typer.Option("--format", "-f", help="How to tell the answer.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to write it.", show_default="the standard output"),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run again what is in the cache.")] = False,
) -> None:
    """Say whether Hive can take a codex version: yes or no, what stands in the way, and what is new.

    Both versions are judged by the contract, from the cache where they were before.

    Exit codes: 0 yes, 1 no, 2 usage, contract or baseline not valid, 3 the version could not be judged, which is no
    drift, 4 fault of hive-gate, 130 interrupted.
    """
    from rich.console import Console

    from hive_gate.cli.output import put, put_document
    from hive_gate.errors import UsageError
    from hive_gate.exits import Exit
    from hive_gate.matrix.bump_document import document
    from hive_gate.matrix.bump_forms import as_annotations, as_json_text, as_junit

    if as_json and format_name not in ("text", "json"):
        raise UsageError(f"--json and --format {format_name} exclude each other", hint="leave one of them out")
    name = "json" if as_json else format_name
    accepted = baseline_of(contract, baseline, without=no_baseline)
    # Like a probe's note: what others read is redacted.
    found, fault = _ask(version, before, contract, accepted, fresh=fresh, redacted=name not in ("text", "json"))
    match name:
        case "json":
            put(as_json_text(found), out)
        case "junit":
            put(as_junit(found), out)
        case "annotations":
            put(as_annotations(found), out)
        case _:
            put_document(document(found), name, out)
    if found.answer == "yes":
        return
    aside = Console(stderr=True, markup=False, highlight=False)
    aside.print(f"hive-gate: {found.sentence}", soft_wrap=True)
    if found.answer == "no":
        raise typer.Exit(Exit.CLOSED)
    aside.print(f"  do: see the problem, and ask again: hive-gate can-i-bump {found.candidate.version}", soft_wrap=True)
    raise typer.Exit(Exit.FAULT if fault else Exit.TARGET)


def _ask(
    version: str, before: str, path: Path, accepted: BaselineFile | None, *, fresh: bool, redacted: bool
) -> tuple[Bump, bool]:
    """Judge both versions and return the answer, and whether hive-gate itself failed.

    Raises:
        UsageError: a word that is no version, or a contract that is not valid.
        TargetError: the list of published versions is needed and cannot be had.
        KeyboardInterrupt: the user ended a run.
    """
    from contextlib import closing
    from dataclasses import replace
    from datetime import UTC, datetime

    from hive_gate.baseline.apply import apply
    from hive_gate.cli.matrix_drawing import drawing
    from hive_gate.contract.load import load_contract
    from hive_gate.matrix.bump import bump
    from hive_gate.matrix.bump_asked import Asked, Listed
    from hive_gate.matrix.candidates import one
    from hive_gate.matrix.gather import column
    from hive_gate.matrix.runs import Settings, Task, outcomes
    from hive_gate.report.model import Report
    from hive_gate.report.redact import redact

    loaded = load_contract(path)
    lists: list[Published] = []
    words, known = words_of(loaded, accepted), published(told=lists.append)
    candidate, old = one(version, "VERSION", words, known), one(before, "--from", words, known)
    tasks = [Task(each, path) for each in dict.fromkeys((candidate, old))]
    ids, today = [clause.id for clause in loaded.clauses], datetime.now(UTC).date()

    def judged(report: Report | None) -> Report | None:
        return report if report is None or accepted is None else apply(report, accepted, ids, today)

    made = {}
    with drawing(lambda task: task.version) as observer:
        observer.begin(len(tasks))
        with closing(outcomes(tasks, Settings(fresh=fresh), observer)) as runs:
            for outcome in runs:
                if outcome.state == "interrupted":
                    raise KeyboardInterrupt
                observer.tell(outcome, column(outcome, judged(outcome.report), None))
                report = outcome.report
                shown = replace(outcome, report=redact(report)) if redacted and report is not None else outcome
                made[outcome.task.version] = shown
    report = judged(made[candidate].report)
    fault = report is not None and any(c.verdict == "error" and c.level == "required" for c in report.clauses)
    compared = None if old == candidate else made[old]
    ran = report is not None and compared is not None and compared.report is not None
    drift = _drift(old, candidate, loaded) if ran else None
    listed = next((Listed(each.asked.isoformat(timespec="seconds"), each.problem) for each in lists), None)
    asked = Asked(version.strip(), before.strip(), listed)
    return bump(loaded, made[candidate], report, compared, drift, baseline=accepted, asked=asked), fault


def _drift(old: str, new: str, contract: Contract) -> Drift | None:
    """Compare what the two programs, which are there, say of themselves; None where one of them says nothing."""
    from hive_gate.errors import TargetError
    from hive_gate.matrix.drift import drift_of
    from hive_gate.matrix.drift_side import side

    try:
        return drift_of(side(old), side(new), contract)
    except TargetError:
        return None
