"""`hive-gate features`: what Hive's app reads at start-up instead of comparing versions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hive_gate.cli.choosing import ContractOption
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from hive_gate.contract.model import Contract
    from hive_gate.drift.digest import Digest
    from hive_gate.matrix.features import Features
    from hive_gate.report.model import Report

_EXPLAINED = 72
"""Columns of a terminal that has room for what a feature is, beside its name and what is said of it."""


def features(
    codex: Annotated[
        str | None,
        typer.Option(
            "--codex",
            metavar="SPEC",
            help="A version (0.142.5; fetched when missing), `path` (the codex on PATH), a path to a program, or "
            "`reference`.",
            show_default="the version that the contract pins",
        ),
    ] = None,
    contract: ContractOption = DEFAULT_CONTRACT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the document as JSON.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Where to write the JSON.", show_default="the standard output"
        ),
    ] = None,
) -> None:
    """Say which features a codex offers, whether they are experimental, and whether they behave as the contract says.

    Hive's app reads the JSON at start-up; make it for the codex that is shipped and keep it beside that.

    Exit codes: 0 the document was made, whatever it says, 2 usage or contract not valid, 3 the target could not be
    judged, 4 fault of hive-gate, 130 interrupted.
    """
    from hive_gate.cli.output import put
    from hive_gate.contract.load import load_contract
    from hive_gate.errors import UsageError
    from hive_gate.matrix.features import as_json as text_of
    from hive_gate.matrix.features import features as look
    from hive_gate.report.verdict import program

    if codex is not None and not codex.strip():  # an unset variable of a script must not mean the default
        raise UsageError("--codex is empty", hint="give it a value or leave it out")
    loaded = load_contract(contract)
    if not loaded.features:
        raise UsageError("the contract names no features", where=str(contract), hint="add them under `features`")
    digest, report = _ask(codex or loaded.pinned, loaded)
    found = look(loaded, digest, report)
    if as_json or out is not None:
        put(text_of(found), out)
    else:
        _print(found, program(report))


def _ask(spec: str, contract: Contract) -> tuple[Digest, Report]:
    """Return what a target says about itself, and a whole run against it, of an installed version from the cache.

    Raises:
        UsageError: `spec` is none.
        TargetError: the target cannot be fetched or judged.
    """
    from hive_gate.cli.drawing import drawing
    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.errors import TargetError
    from hive_gate.matrix.drift_side import side
    from hive_gate.matrix.results import Results
    from hive_gate.probe import subject
    from hive_gate.probe.plan import Selection
    from hive_gate.probe.run import Settings, run
    from hive_gate.target.cache import Cache
    from hive_gate.target.spec import VersionSpec, parse_spec

    kept = Results.of(Cache.default())
    # A program elsewhere may be a script, whose hash does not stand for what it starts.
    installed = isinstance(parse_spec(spec), VersionSpec)
    with drawing(verbose=False) as observer:
        with fetch_progress(observer.console) as on_progress:
            probed = subject.codex(spec, observer, on_progress)
            _, digest = side(spec, on_progress)
        report = kept.find(probed.target.sha256, contract) if installed and probed.target.sha256 else None
        if report is None:
            report = run(contract, probed, Selection(), Settings(), observer)
            if installed:
                kept.keep(report, contract)
    if report.run.interrupted:
        raise KeyboardInterrupt
    if report.run.problem is not None:
        raise TargetError(f"codex {spec} could not be judged: {report.run.problem}", hint="see: hive-gate probe")
    return digest, report


def _print(found: Features, who: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from hive_gate.cli.output import console
    from hive_gate.report.plain import visible

    made = console()
    explained = made.width >= _EXPLAINED
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("feature", "available", "experimental", "behaves"):
        table.add_column(name, no_wrap=explained, overflow="fold")
    if explained:
        table.add_column("what it is", overflow="fold")
    words = {True: Text("yes", "green"), False: Text("no", "red"), None: Text("not shown", "yellow")}
    for name, one in found.features.items():
        experimental = "yes" if one.experimental else "no"
        behaves = words[one.behaves] if one.available else Text("")
        row = (name, words[one.available], experimental if one.available else "", behaves)
        table.add_row(*row, *([one.text] if explained else []))
    gate, style = ("OPEN", "green") if found.gate == "open" else ("CLOSED", "red")
    accepted = "" if found.gate == "open" else " (a failure that the baseline accepts counts here)"
    against = f"{found.contract['name']} {found.contract['version']}"
    made.print(
        Text.assemble("Gate ", (gate, style), f": {visible(f'{who} against {against}')}{accepted}"), soft_wrap=True
    )
    made.print(table)
    for name, one in found.features.items():
        if one.available and one.broken:
            broken = dict.fromkeys(clause.partition("/")[0] for clause in one.broken)
            made.print(f"{name} does not hold: {', '.join(broken)}")
    made.print(f"evidence: run {found.run['id']} of {found.target['spec']}")
