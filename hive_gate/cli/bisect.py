"""`hive-gate bisect`: the first version in which clauses have another verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hive_gate.cli.choosing import ContractOption, baseline_of, format_of, published, words_of
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hive_gate.matrix.bisect import Search
    from hive_gate.matrix.bisection import Bisection
    from hive_gate.matrix.runs import Outcome

Format = Literal["text", "textile", "markdown", "github", "html", "json"]


def bisect(
    clause: Annotated[
        list[str], typer.Option("--clause", metavar="GLOB", help="Which clauses, by id or glob; repeatable.")
    ],
    bad: Annotated[str, typer.Option("--bad", metavar="VERSION", help="The later version, which differs.")],
    good: Annotated[
        str,
        typer.Option(
            "--good",
            metavar="VERSION",
            help="The earlier version.",
            show_default="the one that the team accepted, or that the contract pins",
        ),
    ] = "accepted",
    among: Annotated[
        list[str] | None,
        typer.Option(
            "--among",
            metavar="VERSIONS",
            help="Look only at these versions and ranges between the two; repeatable.",
            show_default="every plain version that is published",
        ),
    ] = None,
    contract: ContractOption = DEFAULT_CONTRACT,
    format_name: Annotated[Format, typer.Option("--format", "-f", help="How to tell what was found.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to write it.", show_default="the standard output"),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run again what is in the cache.")] = False,
) -> None:
    """Find the first published version in which the verdict of clauses changes, by halving.

    Any change counts. Versions that are missing are fetched; one that cannot be judged is passed over for a neighbor.

    Exit codes: 0 found, 2 usage or nothing changed, 3 versions could not be judged, 4 fault of hive-gate,
    130 interrupted.
    """
    from hive_gate.cli.output import console, put, put_document
    from hive_gate.exits import Exit
    from hive_gate.matrix.bisect_document import COLUMNS, document
    from hive_gate.matrix.bisection import bisection
    from hive_gate.report.codec import encode
    from hive_gate.report.jsontext import dumps
    from hive_gate.report.redact import redact

    name = format_of(format_name, as_json=as_json)
    found = _search(clause, good, bad, among, contract, fresh=fresh)
    told = bisection(found, clause, among)
    if name == "json":
        put(dumps(encode(told), indent=2) + "\n", out)
    elif name == "text":
        put_document(document(told, side_by_side=out is not None or console().width >= COLUMNS), "text", out)
    else:
        # Like a probe's note: others read it.
        shown = bisection(found, clause, among, redact)
        put_document(document(shown, side_by_side=name == "html"), name, out)
    code = {"found": Exit.OPEN, "same": Exit.USAGE}.get(told.found, Exit.TARGET)
    if code is not Exit.OPEN:
        _explain(told, fresh=fresh)
    raise typer.Exit(code)


def _search(globs: list[str], good: str, bad: str, among: list[str] | None, path: Path, *, fresh: bool) -> Search:
    """Choose the versions and do the search.

    Raises:
        UsageError: a glob that names nothing, a word that is no version, or versions in the wrong order.
        TargetError: the list of published versions cannot be had.
    """
    from collections.abc import Iterable
    from contextlib import closing

    from rich.text import Text

    from hive_gate.cli.matrix_drawing import drawing
    from hive_gate.contract.load import load_contract
    from hive_gate.matrix.bisect import Search, search
    from hive_gate.matrix.bisect_sentence import counted
    from hive_gate.matrix.candidates import between
    from hive_gate.matrix.known import known
    from hive_gate.matrix.runs import Settings, Task, outcomes
    from hive_gate.probe.plan import Selection, select
    from hive_gate.target.cache import Cache

    loaded = load_contract(path)
    ids = [one.id for one in select(loaded, Selection(clauses=tuple(globs)))]
    words = words_of(loaded, baseline_of(path, None))
    versions = between(good, bad, among, words, published())

    def judge(wanted: Sequence[str]) -> Iterable[Outcome]:
        tasks = [Task(version, path) for version in wanted]
        with drawing(lambda task: task.version) as observer:
            observer.begin(len(tasks))
            with closing(outcomes(tasks, Settings(fresh=fresh), observer)) as runs:
                for outcome in runs:
                    style, words = _told(outcome, ids)
                    line = Text.assemble(f"{outcome.task.version}  ", (words, style))
                    observer.console.print(line, soft_wrap=True)
                    yield outcome

    at_hand = {} if fresh else known(versions, loaded, Cache.default())
    most = Search(versions, tuple(ids)).limit
    _say(f"hive-gate: {counted(len(versions) - 1, 'version')} may be the first; at most {most} probes for one boundary")
    return search(versions, ids, judge, at_hand)


def _told(outcome: Outcome, ids: Sequence[str]) -> tuple[str, str]:
    """Return the style and the words for a version: the verdicts of the clauses that are asked about, not of all.

    Args:
        outcome: what came of the version.
        ids: the clauses.
    """
    from collections import Counter

    from hive_gate.cli.matrix_drawing import told
    from hive_gate.matrix.gather import column
    from hive_gate.report.model import VERDICTS

    clauses = outcome.report.clauses if outcome.report is not None else ()
    verdicts = Counter(clause.verdict for clause in clauses if clause.id in ids)
    if verdicts.keys() <= {"blocked", "error"}:  # nothing is known of them: why not?
        return told(outcome, column(outcome, outcome.report, None))
    many = len(ids) > 1
    counts = ", ".join(f"{verdicts[v]} {v}" if many else v for v in VERDICTS if verdicts[v])
    took = "from an earlier run" if outcome.from_cache else f"{outcome.seconds:.1f} s"
    style = "red" if verdicts["fail"] else "green" if set(verdicts) == {"pass"} else "yellow"
    return style, f"{counts} ({took})"


def _say(text: str) -> None:
    typer.echo(text, err=True)


def _explain(told: Bisection, *, fresh: bool) -> None:
    from rich.console import Console

    aside = Console(stderr=True, markup=False, highlight=False)
    aside.print(f"hive-gate: {told.answer}", soft_wrap=True)
    again = "ask again without --fresh" if fresh else "ask again"
    advice = {
        "same": "name ends that differ; hive-gate matrix shows the verdicts of many versions",
        "not-judged": "see the problem above, or name another version as that end",
        "between": f"see the problems above; when they are gone, {again}: what was judged is in the cache",
    }.get(told.found)
    if advice:
        aside.print(f"  do: {advice}", soft_wrap=True)
