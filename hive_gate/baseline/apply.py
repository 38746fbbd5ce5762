"""What a baseline makes of a report: failures that are accepted become `waived`, entries that are not true `stale`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import semver

from hive_gate.baseline.model import BaselineFile, Entry
from hive_gate.report.model import Baseline, ClauseResult, Report, Verdict, Waiver, gate_of

_JUDGED: tuple[Verdict, ...] = ("pass", "fail", "warn", "not-offered")


@dataclass(frozen=True, slots=True)
class Effect:
    """What one entry does to one report."""

    entry: Entry
    applied: bool
    """False: its versions do not hold for the target."""
    waivers: Mapping[str, Waiver] = field(default_factory=dict)
    """By clause id, for each clause of the run that the entry speaks of; with a `problem` where it is not true."""
    problem: str | None = None
    """What is wrong with the entry as a whole, and what to do, in a sentence."""
    names_nothing: bool = False
    """True if no clause of the contract has its id, or matches its glob."""
    whole: bool = False
    """True if every clause that it names was judged, and is named by no other entry."""

    @property
    def waived(self) -> tuple[str, ...]:
        """The clauses that fail as the entry says."""
        return tuple(ident for ident, waiver in self.waivers.items() if waiver.problem is None)

    @property
    def stale(self) -> tuple[str, ...]:
        """The clauses of which the entry says what is not so, or no longer."""
        return tuple(ident for ident, waiver in self.waivers.items() if waiver.problem is not None)


def apply(report: Report, baseline: BaselineFile, clause_ids: Sequence[str], today: date) -> Report:
    """Return the report with the baseline applied; one that has been applied before is taken back first.

    In a run that could not be judged to its end accepted failures are waived, so that it does not pass for drift, and
    nothing is stale: what it did not see says nothing of the list.

    Args:
        report: a run.
        baseline: the accepted failures.
        clause_ids: ids of all clauses of the contract, also of those that were not run.
        today: the day for which it is asked whether entries have expired.
    """
    effects = examine(report, baseline, clause_ids, today)
    judged = report.run.problem is None
    waivers = {
        ident: waiver
        for effect in effects
        for ident, waiver in effect.waivers.items()
        if judged or waiver.problem is None
    }
    clauses = tuple(_marked(clause, waivers.get(clause.id)) for clause in as_judged(report).clauses)
    facts = Baseline(
        path=str(baseline.path),
        sha256=baseline.sha256,
        entries=len(effects),
        applied=sum(effect.applied for effect in effects),
        problems=tuple(effect.problem for effect in effects if judged and effect.problem is not None),
    )
    gate = gate_of(clauses, facts) if judged else "closed"
    return replace(report, clauses=clauses, baseline=facts, gate=gate)


def as_judged(report: Report) -> Report:
    """Return the report as it was before any baseline was applied."""
    if report.baseline is None:
        return report
    clauses = tuple(
        replace(c, verdict=c.waiver.was, waiver=None) if c.waiver is not None and c.waiver.was is not None else c
        for c in report.clauses
    )
    return replace(report, clauses=clauses, baseline=None, gate=gate_of(clauses))


def examine(report: Report, baseline: BaselineFile, clause_ids: Sequence[str], today: date) -> tuple[Effect, ...]:
    """Return what each entry does to a report, in the order of the file; see `apply` for the arguments."""
    version = target_version(report)
    results = {clause.id: clause for clause in as_judged(report).clauses}
    chosen = [entry for entry in baseline.entries if version is not None and entry.versions.holds(version)]
    wrong = misfits(chosen, clause_ids)
    # What two entries name is waived by neither: which one is meant is for people to say.
    named = Counter(ident for entry in chosen for ident in entry.covered(clause_ids))
    twice = {ident for ident, count in named.items() if count > 1}
    return tuple(
        _effect(entry, results, clause_ids, twice, wrong.get(entry.pointer), today, str(version))
        if entry in chosen
        else Effect(entry, applied=False)
        for entry in baseline.entries
    )


def _effect(
    entry: Entry,
    results: Mapping[str, ClauseResult],
    clause_ids: Sequence[str],
    twice: Collection[str],
    problem: str | None,
    today: date,
    version: str,
) -> Effect:
    covered = entry.covered(clause_ids)
    if not covered or (entry.at_most is not None and len(covered) > entry.at_most):
        return Effect(entry, applied=True, problem=problem, names_nothing=not covered)
    ran = [results[ident] for ident in covered if ident in results and ident not in twice]
    waivers = {c.id: _waiver(entry, c, today, version) for c in ran if c.verdict in _JUDGED}
    whole = len(waivers) == len(covered)
    if problem is None and whole:
        problem = _unseen(entry, ran, waivers)
    return Effect(entry, applied=True, waivers=waivers, problem=problem, whole=whole)


def misfits(entries: Sequence[Entry], clause_ids: Sequence[str]) -> dict[str, str]:
    """Return by pointer what is wrong with entries whatever a run shows: what they name, as a sentence with advice."""
    found: dict[str, str] = {}
    for number, entry in enumerate(entries):
        covered = entry.covered(clause_ids)
        called = f"The baseline's entry {entry.pointer} ({entry.clause})"
        other = next((e for e in entries[:number] if _collide(e, entry, clause_ids)), None)
        if not covered:
            found[entry.pointer] = (
                f"{called} names no clause of the contract: take it out, or correct the id "
                "(hive-gate contract show lists them)."
            )
        elif entry.at_most is not None and len(covered) > entry.at_most:
            found[entry.pointer] = (
                f"{called} names {len(covered)} clauses and may name {entry.at_most}: narrow the glob, or raise "
                "`at-most` if all of them may fail."
            )
        elif other is not None:
            shared = next(ident for ident in covered if ident in other.covered(clause_ids))
            found[entry.pointer] = (
                f"{called} and {other.pointer} ({other.clause}) both name {shared}: narrow one of them, or "
                "its versions."
            )
    return found


def is_over(effects: Sequence[Effect]) -> bool:
    """Tell whether an entry may go: it held for the version of some run, and in each of those it was stale throughout.

    One that still waives a clause stays, and so does one that names too much: what is meant there is for people to say.

    Args:
        effects: what the one entry does to each of some whole runs.
    """
    applied = [effect for effect in effects if effect.applied]
    return bool(applied) and all(
        effect.names_nothing or (effect.whole and bool(effect.stale) and not effect.waived) for effect in applied
    )


def target_version(report: Report) -> semver.Version | None:
    """Return the version that decides which entries apply; None where what ran is no codex or has no version."""
    target = report.target
    if target.kind != "codex" or target.version is None or not semver.Version.is_valid(target.version):
        return None
    return semver.Version.parse(target.version)


def _collide(one: Entry, other: Entry, clause_ids: Sequence[str]) -> bool:
    return one.versions.overlaps(other.versions) and not set(one.covered(clause_ids)).isdisjoint(
        other.covered(clause_ids)
    )


def _waiver(entry: Entry, clause: ClauseResult, today: date, version: str) -> Waiver:
    return Waiver(
        entry=entry.pointer,
        reason=entry.reason,
        owner=entry.owner,
        expires=entry.expires.isoformat(),
        problem=_problem(entry, clause, today, version),
        was=clause.verdict,
    )


def _problem(entry: Entry, clause: ClauseResult, today: date, version: str) -> str | None:
    """Return why an entry is not true of a clause, and what to do, in a sentence; None if it is."""
    called = f"The baseline's entry {entry.pointer} accepts a failure"
    out = f"take it out (hive-gate baseline prune), or leave {version} out of its versions."
    if clause.verdict == "pass":
        return f"{called}, and the clause passes: {out}"
    if clause.verdict == "not-offered":
        return f"{called}, and this target does not offer what the clause needs: {out}"
    if clause.fingerprint not in entry.fingerprints:
        return (
            f"{called} with another fingerprint ({', '.join(entry.fingerprints)}) than this one "
            f"({clause.fingerprint}): look at what is different, and correct the entry if that is accepted as well."
        )
    if entry.expires < today:
        return (
            f"{called} until {entry.expires.isoformat()}, which is over: get it mended, or agree on a later date with "
            f"{entry.owner}."
        )
    return None


def _unseen(entry: Entry, clauses: Sequence[ClauseResult], waivers: Mapping[str, Waiver]) -> str | None:
    """Return what to do about fingerprints that no clause shows, once all that the entry names have been judged."""
    unseen = [listed for listed in entry.fingerprints if listed not in {c.fingerprint for c in clauses}]
    # Where nothing is waived each clause says already what is wrong.
    if not unseen or all(waiver.problem is not None for waiver in waivers.values()):
        return None
    return (
        f"The baseline's entry {entry.pointer} ({entry.clause}) lists the fingerprint {unseen[0]}, with which none of "
        "its clauses fails: take it out of the list."
    )


def _marked(clause: ClauseResult, waiver: Waiver | None) -> ClauseResult:
    if waiver is None:
        return clause
    return replace(clause, verdict="waived" if waiver.problem is None else "stale", waiver=waiver)
