"""`hive-gate selftest`: proof that the gate notices."""

from __future__ import annotations

from typing import Annotated

import typer

from hive_gate.cli.choosing import ContractOption
from hive_gate.data import DEFAULT_CONTRACT


def selftest(
    codex: Annotated[
        str,
        typer.Option(
            "--codex",
            metavar="SPEC",
            help="Before what the faults are tried: `reference`, a version (0.142.5; fetched when missing), `path`, or "
            "a path to a program.",
        ),
    ] = "reference",
    fault: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Only these faults; repeatable.")] = None,
    contract: ContractOption = DEFAULT_CONTRACT,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Runs at a time.")] = 2,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="With each fault ask every clause, not only those that it names.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON, and nothing else.")] = False,
    own: Annotated[
        bool, typer.Option("--own", help="Only the clauses that stand in the contract itself, not in one it extends.")
    ] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the faults and what each breaks; try none.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page of the docs, which fault proves which clause; try none.")
    ] = False,
) -> None:
    """Prove that the gate notices: probe a server that keeps the contract, then the same with one fault at a time.

    A fault has to be noticed by every clause that it names, by the expectation that it names. Every clause that the
    target passes has to be failed by a fault.

    Exit codes: 0 all proven, 1 something is not, 2 usage or contract not valid, 3 target could not be judged, 4 fault
    of hive-gate, 130 interrupted.
    """
    import json
    import sys

    from hive_gate.cli.selftest_drawing import drawing
    from hive_gate.contract.load import load_contract
    from hive_gate.contract.model import own_clauses
    from hive_gate.errors import UsageError
    from hive_gate.selftest.trial import all_trials, chosen

    loaded = own_clauses(load_contract(contract)) if own else load_contract(contract)
    trials = chosen(all_trials(), tuple(fault or ()))
    if sum((as_json, listing, markdown)) > 1:
        raise UsageError("--json, --list and --markdown exclude each other", hint="give one of them")
    if markdown:
        from hive_gate.selftest.page import page

        sys.stdout.write(page(loaded, trials))
        return
    if listing:
        sys.stdout.writelines(f"{trial.name}: {trial.breaks}\n" for trial in trials)
        return

    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.exits import Exit
    from hive_gate.probe.observe import Silent
    from hive_gate.probe.subject import codex as prepared
    from hive_gate.selftest.forms import as_json as json_form
    from hive_gate.selftest.forms import as_text, verdict
    from hive_gate.selftest.run import Options
    from hive_gate.selftest.run import selftest as run

    with drawing() as observer:
        with fetch_progress(observer.console) as on_progress:
            subject = prepared(codex, Silent(), on_progress)
        table = run(loaded, subject, Options(tuple(fault or ()), jobs, thorough), observer)
    if as_json:
        sys.stdout.write(json.dumps(json_form(table), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(as_text(table))
    if not table.good:
        observer.stage(verdict(table))
    unjudged = table.clean.problem is not None or table.clean.error is not None
    raise typer.Exit(Exit.OPEN if table.good else Exit.TARGET if unjudged else Exit.CLOSED)
