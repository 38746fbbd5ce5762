"""`hive-gate matrix`: how every clause fares across versions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hive_gate.cli.choosing import contract_option
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hive_gate.cli.matrix_judging import Bench
    from hive_gate.matrix.model import Matrix

_NOT_JOINING = (
    "plan", "shard", "contract", "baseline", "no_baseline", "jobs", "fresh", "newest", "every_minor",
)  # fmt: skip
"""Options that say what to probe and how; --merge probes nothing."""


def matrix(
    ctx: typer.Context,
    versions: Annotated[
        list[str],
        typer.Argument(
            metavar="VERSION",
            help="Versions (0.142.5), ranges with both ends in them (0.136.0..0.171.0, 0.142.5.., ..0.143.0), and the "
            "words latest, accepted and pinned. With --merge: matrix.json files, or folders that hold one.",
            show_default=False,
        ),
    ],
    every_minor: Annotated[
        bool, typer.Option("--every-minor", help="Of ranges only the newest of each 0.x, and their ends.")
    ] = False,
    newest: Annotated[int | None, typer.Option(min=1, metavar="N", help="Of ranges only the N newest.")] = None,
    contract: Annotated[list[Path] | None, contract_option("The contract; repeatable")] = None,
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
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Versions at a time.")] = 2,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Run again what was run before, and ask npm anew for the versions.")
    ] = False,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where to write the matrix and the report of each run.")
    ] = Path("reports/matrix"),
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="What to print: text, textile, markdown, github, html, json, junit or annotations.",
        ),
    ] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print matrix.json; the same as --format json.")] = False,
    all_clauses: Annotated[
        bool, typer.Option("--all-clauses", help="List every clause, not only those that differ.")
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Print the versions that would be probed, as JSON, and probe none.")
    ] = False,
    shard: Annotated[str | None, typer.Option(metavar="I/N", help="Only the I-th of N shares of the versions.")] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Join the matrix.json files of shards; nothing is probed.")
    ] = False,
) -> None:
    """Probe many versions and show every clause by version. What was probed before is not probed again.

    Exit codes: 0 the contract holds on every version, 1 it does not on one that was judged, 2 usage, contract or
    baseline not valid, 3 a version could not be judged, 4 fault of hive-gate, 130 interrupted.
    """
    from hive_gate.cli.choosing import published
    from hive_gate.cli.matrix_telling import tell, write_all
    from hive_gate.errors import UsageError
    from hive_gate.matrix.formats import check_format
    from hive_gate.matrix.plan import plan_text
    from hive_gate.matrix.summary import exit_code
    from hive_gate.matrix.versions import Thinning, choose, parse_shard, share

    name = "json" if as_json else format_name
    check_format(name)
    if baseline is not None and no_baseline:
        raise UsageError("--baseline and --no-baseline exclude each other", hint="leave one of them out")
    if merge:
        _require_joining(ctx)
        whole = _merged([Path(text) for text in versions], out)
    else:
        bench = _bench(contract or [DEFAULT_CONTRACT], baseline, no_baseline=no_baseline)
        chosen = choose(versions, bench.words, published(fresh=fresh), Thinning(every_minor, newest))
        share_of = None if shard is None else parse_shard(shard)
        if share_of is not None:
            chosen = share(chosen, *share_of)
        if plan:
            typer.echo(plan_text(chosen, share_of), nl=False)
            return
        if not chosen:
            typer.echo(f"hive-gate: the share {shard} is empty: there is nothing to probe.", err=True)
            return
        from hive_gate.cli.matrix_judging import judge
        from hive_gate.matrix.runs import Settings

        whole = judge(bench, chosen, Settings(jobs=jobs, fresh=fresh), out)
    write_all(whole, out, everything=all_clauses)
    tell(whole, out, name, everything=all_clauses, fresh=fresh)
    raise typer.Exit(exit_code(whole))


def _require_joining(ctx: typer.Context) -> None:
    """Refuse what would be passed over in silence.

    Raises:
        UsageError: an option is given that --merge does not go with.
    """
    from hive_gate.errors import UsageError

    # Each source has a name, and `DEFAULT` that of an option that was left out.
    sources = {name: ctx.get_parameter_source(name) for name in _NOT_JOINING}
    given = [name for name, source in sources.items() if source is not None and source.name != "DEFAULT"]
    if given:
        options = " and ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(
            f"--merge does not go with {options}: it joins what was judged, and probes nothing",
            hint="leave that out, and give it the folders of the shards",
        )


def _bench(contracts: Sequence[Path], baseline: Path | None, *, no_baseline: bool) -> Bench:
    from hive_gate.cli.matrix_judging import Bench
    from hive_gate.cli.probe import accepted_failures

    paths = list(dict.fromkeys(contracts))
    return Bench.of(paths, [None if no_baseline else accepted_failures(baseline, path) for path in paths])


def _merged(paths: Sequence[Path], out: Path) -> Matrix:
    """Join the matrices of shards, and put the files of their runs where the joined one is."""
    import shutil

    from hive_gate.cli.outcome import make_folder
    from hive_gate.errors import UsageError
    from hive_gate.matrix import merge

    sources = merge.read(paths)
    whole = merge.merge(sources)
    make_folder(out)
    try:
        for folder, place in merge.runs_beside(sources):
            if folder.resolve() != (out / place).resolve():
                shutil.copytree(folder, out / place, dirs_exist_ok=True)
    except OSError as error:
        raise UsageError(f"the runs' reports cannot be copied: {error}", where=str(out)) from error
    return whole
