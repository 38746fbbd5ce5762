"""`hive-gate contract`: check and read a contract."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hive_gate.cli.choosing import NAMES, named_contract
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from rich.console import Console

    from hive_gate.contract.model import Clause, Contract, Lineage

contract_app = typer.Typer(no_args_is_help=True, help="Check a contract file, or show what it holds.")

ContractPath = Annotated[
    Path, typer.Argument(metavar="PATH", parser=named_contract, help=f"The contract: {NAMES}.", show_default="current")
]


@contract_app.command()
def lint(path: ContractPath = DEFAULT_CONTRACT) -> None:
    """Check a contract: its form, its names, its scenes. Every fault is told with its JSON pointer."""
    from hive_gate.contract.load import load_contract
    from hive_gate.cost.known import numbers_of

    contract = load_contract(path, numbers_of)
    typer.echo(
        f"{contract.name} {contract.version} is valid: {len(contract.clauses)} clauses "
        f"in {len(contract.suites)} suites, {len(contract.scenes)} scenes, sha256 {contract.sha256[:12]}"
    )


@contract_app.command()
def show(
    path: ContractPath = DEFAULT_CONTRACT,
    clause: Annotated[
        list[str] | None, typer.Option("--clause", metavar="GLOB", help="Only clauses with this id or glob.")
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="With why, source and steps.")] = False,
) -> None:
    """List a contract's clauses by suite."""
    from itertools import groupby

    from rich.console import Console

    from hive_gate.contract.load import load_contract
    from hive_gate.probe.plan import Selection, select

    contract = load_contract(path)
    chosen = select(contract, Selection(clauses=tuple(clause or ())))
    console = Console(markup=False, highlight=False)
    console.print(f"{contract.title}", style="bold", soft_wrap=True)
    console.print(
        f"{contract.name} {contract.version}, source {contract.source}, "
        f"gates {', '.join(contract.gates) or 'nothing'}, pinned to codex {contract.pinned}, sha256 {contract.sha256}",
        soft_wrap=True,
    )
    if contract.lineage is not None:
        console.print(_descent(contract.lineage), soft_wrap=True)
    for suite, title in contract.suites.items():
        of_suite = [one for one in chosen if one.suite == suite]
        if of_suite:
            console.print(f"\n{title} ({suite}, {len(of_suite)})", style="bold", soft_wrap=True)
        for one in of_suite:
            _show(console, one, contract, verbose)
    if contract.lineage is not None and not clause:
        console.print(f"\nLeft out of {contract.lineage.extends.name}", style="bold", soft_wrap=True)
        for reason, gone in groupby(contract.lineage.dropped, key=lambda dropped: dropped.reason):
            console.print(f"  {', '.join(dropped.id for dropped in gone)}: {reason}", soft_wrap=True)


def _descent(lineage: Lineage) -> str:
    return (
        f"extends {lineage.extends.name}: clauses that are marked (new) or (overrides) stand here, the others there; "
        f"{len(lineage.dropped)} of its entries are left out"
    )


def _show(console: Console, clause: Clause, contract: Contract, verbose: bool) -> None:
    import json

    from hive_gate.contract.model import stands_in

    ident, lineage = clause.id.partition("/")[0], contract.lineage
    marks = ["advisory"] if clause.level == "advisory" else []
    file = stands_in(contract, clause)
    if lineage is not None and file == contract.path:
        marks.append("overrides" if ident in lineage.overridden else "new")
    mark = f" ({', '.join(marks)})" if marks else ""
    console.print(f"  {clause.id}{mark}: {clause.promise}", soft_wrap=True)
    if verbose:
        if lineage is not None:
            console.print(f"    stands in: {file}", style="dim", soft_wrap=True)
        console.print(f"    why: {clause.why}", style="dim", soft_wrap=True)
        if clause.remedy:
            console.print(f"    if broken: {clause.remedy}", style="dim", soft_wrap=True)
        console.print(
            f"    source: {clause.source}; scene: {clause.scene}; own: {clause.own}", style="dim", soft_wrap=True
        )
        for step in clause.steps:
            told = {step.kind: step.value, "params": step.params, "expect": dict(step.expect)}
            shown = {key: value for key, value in told.items() if value not in (None, {})}
            console.print(f"    {json.dumps(shown, ensure_ascii=False)}", style="dim", soft_wrap=True)
