"""Entries for the failures of a report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase

from hive_gate.baseline.apply import as_judged, target_version
from hive_gate.baseline.model import BaselineFile, Entry, is_glob
from hive_gate.baseline.versions import FORM, Versions
from hive_gate.errors import UsageError
from hive_gate.report.model import ClauseResult, Report


def require_judged(report: Report, where: str) -> None:
    """See that a run saw what the target does.

    Raises:
        UsageError: if it was interrupted or could not be judged.
    """
    run = report.run
    if run.interrupted or run.problem is not None:
        why = "was interrupted" if run.interrupted else f"could not be judged: {str(run.problem).rstrip('.')}"
        raise UsageError(f"the run {why}", where=where, hint="probe again, and give the report of a whole run")


def require_whole(report: Report, where: str) -> None:
    """See that a report says enough to change a baseline by it.

    Raises:
        UsageError: as `require_judged`, or if the run was partial, or if what ran is no codex with a version.
    """
    require_judged(report, where)
    if report.run.partial:
        raise UsageError(
            "the run is partial: it says nothing of the clauses that it left out",
            where=where,
            hint="probe again without --suite, --clause and --level",
        )
    if target_version(report) is None:
        raise UsageError(
            "what ran is no codex with a version, and the baseline holds for versions only",
            where=where,
            hint="give the report of a run with --codex VERSION",
        )


def require_contract(report: Report, where: str, name: str, sha256: str) -> None:
    """See that a report is of this contract: of another, the ids and fingerprints mean something else.

    Raises:
        UsageError: if it is of another, or of another state of this one.
    """
    found = report.contract
    if found.sha256 != sha256:
        other = "another state of this contract" if found.name == name else f"the contract {found.name}"
        raise UsageError(
            f"the report is of {other} (sha256 {found.sha256[:12]}, not {sha256[:12]})",
            where=where,
            hint="probe again with this contract, or name the report's with --contract",
        )


def propose(
    report: Report,
    glob: str,
    clause_ids: Sequence[str],
    *,
    reason: str,
    owner: str,
    expires: date,
    versions: str | None = None,
) -> tuple[Entry, ...]:
    """Return entries that accept exactly those failures of a report that a glob names, as few as say it exactly.

    An entry covers every clause that it names, so a glob that also names clauses that hold is narrowed; and clauses
    that fail differently get different entries.

    Args:
        report: a whole run; see `require_whole`.
        glob: id of a clause, or a glob.
        clause_ids: ids of all clauses of the contract.
        reason: why the failures are accepted.
        owner: who answers for it.
        expires: the last day on which the entries hold.
        versions: for which versions; None: for that of the report alone.

    Raises:
        UsageError: if the glob names no failure, or `versions` is not a range with the report's version in it.
    """
    label = str(target_version(report))
    holds = _range(versions if versions is not None else label, report)
    failed = [c for c in as_judged(report).clauses if c.verdict in ("fail", "warn") and _names(glob, c.id)]
    waived = {c.id for c in report.clauses if c.verdict == "waived"}
    chosen = [c for c in failed if c.id not in waived]
    if not chosen:
        raise _nothing(glob, failed, clause_ids, label)
    groups: dict[str, list[str]] = {}
    for clause in chosen:
        groups.setdefault(str(clause.fingerprint), []).append(clause.id)
    return tuple(
        Entry("", name, len(_matched(name, clause_ids)) if is_glob(name) else None, holds, (fingerprint,), reason,
              owner, expires)
        for fingerprint, group in groups.items()
        for name in _called(group, glob, clause_ids)
    )  # fmt: skip


def require_unlisted(entries: Iterable[Entry], baseline: BaselineFile, clause_ids: Sequence[str]) -> None:
    """See that no entry names what the baseline already speaks of.

    Raises:
        UsageError: if one does; it names both.
    """
    for entry in entries:
        for other in baseline.entries:
            shared = sorted(set(entry.covered(clause_ids)) & set(other.covered(clause_ids)))
            if shared and entry.versions.overlaps(other.versions):
                raise UsageError(
                    f"{shared[0]} is listed already, for {other.versions} ({other.clause})",
                    where=f"{baseline.path}#{other.pointer}",
                    hint="change that entry by hand, or remove it first: hive-gate baseline prune",
                )


def _range(text: str, report: Report) -> Versions:
    version = target_version(report)
    try:
        versions = Versions.parse(text)
    except ValueError as error:
        raise UsageError(f"--versions: {error}", hint=FORM) from error
    if version is None or not versions.holds(version):
        raise UsageError(
            f"--versions {text} does not have {version} in it, with which the report shows the failure",
            hint="widen the range, or give the report of a version in it",
        )
    return versions


def _names(glob: str, ident: str) -> bool:
    """As for `hive-gate probe --clause`: an id without its axes names all its products."""
    return fnmatchcase(ident, glob) or ident.startswith(f"{glob}/")


def _matched(name: str, clause_ids: Iterable[str]) -> list[str]:
    return [ident for ident in clause_ids if fnmatchcase(ident, name)]


def _called(group: Collection[str], glob: str, clause_ids: Sequence[str]) -> Iterator[str]:
    """Yield ids and globs that together name exactly the clauses of a group: the user's own words where they do."""
    if is_glob(glob) and set(_matched(glob, clause_ids)) == set(group):
        yield glob
        return
    told: set[str] = set()
    for ident in group:
        products = f"{ident.partition('/')[0]}/*"
        matched = _matched(products, clause_ids)
        name = products if len(matched) > 1 and set(matched) <= set(group) else ident
        if name not in told:
            told.add(name)
            yield name


def _nothing(glob: str, failed: Sequence[ClauseResult], clause_ids: Sequence[str], version: str) -> UsageError:
    if failed:
        return UsageError(f"every failure of {version} that {glob!r} names is waived already", hint="nothing is to do")
    if any(_names(glob, ident) for ident in clause_ids):
        return UsageError(
            f"no clause that {glob!r} names failed with {version}", hint="see the report for those that did"
        )
    return UsageError(f"the contract has no clause {glob!r}", hint="list them with: hive-gate contract show")


def renumbered(entries: Iterable[Entry], start: int) -> tuple[Entry, ...]:
    """Return entries with the pointers that they get after `start` others in their file."""
    return tuple(replace(entry, pointer=f"/waiver/{number}") for number, entry in enumerate(entries, start))
