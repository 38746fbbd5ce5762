"""`hive-gate baseline`: the failures that the team accepts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hive_gate.cli.choosing import ContractOption
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from datetime import date

    from hive_gate.baseline.apply import Effect
    from hive_gate.baseline.model import Entry
    from hive_gate.contract.model import Contract
    from hive_gate.report.model import Report

baseline_app = typer.Typer(no_args_is_help=True, help="Accept failures for a time, and clear out what is over.")

BaselinePath = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="PATH", help="The file.", show_default="baseline.toml beside the contract"),
]


@baseline_app.command()
def add(
    report: Annotated[Path, typer.Argument(metavar="REPORT.json", help="The report.json of a whole run.")],
    clause: Annotated[str, typer.Option(metavar="GLOB", help="Which of its failures, by clause id or glob.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why they are accepted, in a sentence.")],
    owner: Annotated[str, typer.Option(metavar="NAME", help="Who answers for it.")],
    expires: Annotated[str, typer.Option(metavar="DATE", help="The last day on which it holds: 2027-03-31.")],
    versions: Annotated[
        str | None,
        typer.Option(
            metavar="RANGE",
            help="For which codex versions: 0.143.0, 0.143.0..0.144.6, or 0.143.0.. without an end.",
            show_default="the report's version alone",
        ),
    ] = None,
    baseline: BaselinePath = None,
    contract: ContractOption = DEFAULT_CONTRACT,
) -> None:
    """List failures of a report as accepted.

    What GLOB names and failed there may go on failing in that way until DATE. An entry covers every clause that it
    names, so several are made where GLOB also names clauses that hold, or that failed in different ways.

    Exit codes: 0 added, 2 usage, a file that is not valid, or nothing to add.
    """
    from hive_gate.baseline.edit import with_added, write_baseline
    from hive_gate.baseline.load import parse_baseline
    from hive_gate.baseline.propose import propose, renumbered, require_unlisted

    loaded, path = _loaded(contract, baseline)
    found = _report(report, loaded, whole=True)
    for option, value in (("--reason", reason), ("--owner", owner)):
        _require_words(option, value)
    ids = [one.id for one in loaded.clauses]
    made = propose(found, clause, ids, reason=reason, owner=owner, expires=_future(expires), versions=versions)
    before = path.read_bytes() if path.exists() else None
    known = parse_baseline(before or b"", path)
    made = renumbered(made, len(known.entries))
    require_unlisted(made, known, ids)
    write_baseline(path, before, with_added(before or b"", path, made))
    _say(f"{path}: {_entries(len(made))} added")
    for entry in made:
        _say(f"  {_called(entry)}: {_clauses(len(entry.covered(ids)))}, fingerprint {entry.fingerprints[0]}")


@baseline_app.command()
def check(
    reports: Annotated[
        list[Path] | None, typer.Argument(metavar="REPORT.json", help="Runs to hold it against.", show_default=False)
    ] = None,
    baseline: BaselinePath = None,
    contract: ContractOption = DEFAULT_CONTRACT,
) -> None:
    """Check what is accepted, alone or against reports.

    Alone: the file's form, its dates, and that each entry names clauses of the contract. With reports: what each entry
    does to them as well.

    Exit codes: 0 all entries are true, 1 one is stale, 2 usage or a file that is not valid.
    """
    from hive_gate.baseline.apply import examine, misfits
    from hive_gate.baseline.load import load_baseline
    from hive_gate.exits import Exit

    loaded, path = _loaded(contract, baseline)
    found, today = load_baseline(path), _today()
    given = [(one, _report(one, loaded, whole=False)) for one in reports or ()]
    ids = [one.id for one in loaded.clauses]
    newest = f"codex {found.accepted or loaded.pinned} is the newest accepted"
    _say(f"{path}: {_entries(len(found.entries))}; {newest}")
    stale = False
    wrong = misfits(found.entries, ids)
    for entry in found.entries:
        over = f"expired on {entry.expires}: get it mended, or agree on a later date with {entry.owner}."
        trouble = wrong.get(entry.pointer) or (over if entry.expires < today else None)
        stale = stale or trouble is not None
        _say(f"  {_called(entry)}: {trouble or f'{_clauses(len(entry.covered(ids)))}, until {entry.expires}'}")
    for one, report in given:
        _say(f"{one}: codex {report.target.version}")
        for effect in examine(report, found, ids, today):
            stale = stale or bool(effect.stale) or effect.problem is not None
            for told in _told(effect):
                _say(f"  {_called(effect.entry)}: {told}")
    if stale:
        _aside("hive-gate: the baseline is not true: correct the entries above, or take them out (baseline prune)")
    raise typer.Exit(Exit.CLOSED if stale else Exit.OPEN)


@baseline_app.command()
def prune(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT.json", help="The report.json of whole runs.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken out.")] = False,
    baseline: BaselinePath = None,
    contract: ContractOption = DEFAULT_CONTRACT,
) -> None:
    """Take out the entries that are over.

    An entry goes if it is stale in every given run for whose version it holds. Comments, order and all other entries
    stay as they are.

    Exit codes: 0 done, also if no entry was over, 2 usage or a file that is not valid.
    """
    from hive_gate.baseline.apply import examine, is_over
    from hive_gate.baseline.edit import with_removed, write_baseline
    from hive_gate.baseline.load import load_baseline

    loaded, path = _loaded(contract, baseline)
    found = load_baseline(path)
    ids = [one.id for one in loaded.clauses]
    runs = [examine(_report(report, loaded, whole=True), found, ids, _today()) for report in reports]
    over = [effects for effects in zip(*runs, strict=True) if is_over(effects)]
    if over and not dry_run:
        before = path.read_bytes()
        after = with_removed(before, path, {effects[0].entry.pointer for effects in over})
        write_baseline(path, before, after)
    _say(f"{path}: {_entries(len(over))} {'would be ' if dry_run else ''}taken out of {len(found.entries)}")
    for effects in over:
        for told in dict.fromkeys(told for effect in effects if effect.applied for told in _told(effect)):
            _say(f"  {_called(effects[0].entry)}: {told}")


def _told(effect: Effect) -> Iterator[str]:
    """Yield what an entry does to a report, as phrases."""
    if not effect.applied:
        yield "does not apply to this version"
        return
    if effect.problem is not None:
        yield f"stale. {effect.problem}"
    problems: dict[str, list[str]] = {}
    for ident in effect.stale:
        problems.setdefault(str(effect.waivers[ident].problem), []).append(ident)
    for problem, clauses in problems.items():
        yield f"stale for {', '.join(clauses)}. {problem}"
    if effect.waived:
        yield f"waives {_clauses(len(effect.waived))}"
    if not effect.waivers and effect.problem is None:
        yield "none of its clauses was judged"


def _loaded(contract: Path, baseline: Path | None) -> tuple[Contract, Path]:
    from hive_gate.baseline.load import beside
    from hive_gate.contract.load import load_contract

    return load_contract(contract), baseline or beside(contract)


def _report(path: Path, contract: Contract, *, whole: bool) -> Report:
    """Return a report of this contract that was judged, and not in part where it is to change the baseline."""
    from hive_gate.baseline.propose import require_contract, require_judged, require_whole
    from hive_gate.report.jsonfile import read_report

    report = read_report(path)
    require_contract(report, str(path), contract.name, contract.sha256)
    (require_whole if whole else require_judged)(report, str(path))
    return report


def _require_words(option: str, value: str) -> None:
    from hive_gate.errors import UsageError

    if not value.strip():
        raise UsageError(f"{option} is empty", hint="every note shows it: give it words")


def _future(text: str) -> date:
    from datetime import date

    from hive_gate.errors import UsageError

    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--expires: {text!r:.60} is not a date", hint="write it like 2027-03-31") from error
    if day < _today():
        raise UsageError(f"--expires: {day} is over", hint="give the last day on which the failure is accepted")
    return day


def _today() -> date:
    from datetime import UTC, datetime

    return datetime.now(UTC).date()


def _called(entry: Entry) -> str:
    return f"{entry.pointer} {entry.clause} ({entry.versions})"


def _entries(number: int) -> str:
    return f"{number or 'no'} {'entry' if number == 1 else 'entries'}"


def _clauses(number: int) -> str:
    return f"{number} clause{'' if number == 1 else 's'}"


def _say(text: str) -> None:
    from hive_gate.report.plain import visible

    typer.echo(visible(text))


def _aside(text: str) -> None:
    typer.echo(text, err=True)
