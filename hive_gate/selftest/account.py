"""Who noticed what: the trials and their outcomes into what is proven and what is not. Nothing here runs anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from hive_gate.contract.model import Contract
from hive_gate.faults.fault import Notice
from hive_gate.selftest.outcome import Outcome, Shown
from hive_gate.selftest.trial import Trial, named

CLEAN_END = ("eof", 0)
"""How a server ends that nothing was wrong with."""


@dataclass(frozen=True, slots=True)
class Row:
    """One trial that was run."""

    trial: Trial
    noticed: Mapping[str, tuple[str, ...]]
    """The clauses that failed for the reason that the fault names, with the checks that broke."""
    missed: tuple[str, ...]
    """A sentence for each clause that should have noticed it and did not, or that should have held."""
    also: tuple[str, ...] = ()
    """Other clauses that failed."""
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        """Whether all that it names noticed it."""
        return not self.missed


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause, and what it was seen to fail by."""

    id: str
    clean: str
    """Its verdict without any fault."""
    failed_by: tuple[str, ...]

    @property
    def proven(self) -> bool:
        """Whether it is known to be able to fail, or did not apply."""
        return bool(self.failed_by) or self.clean != "pass"


@dataclass(frozen=True, slots=True)
class Table:
    """The whole proof."""

    contract: str
    target: str
    clean: Outcome
    rows: tuple[Row, ...]
    clauses: tuple[ClauseRow, ...]
    skipped: tuple[Trial, ...]
    """Trials that do not fit the target: it does not offer what they break."""
    partial: bool
    """Whether only some faults were asked for: then clauses without one say nothing."""
    seconds: float = 0.0

    @property
    def unnoticed(self) -> tuple[Row, ...]:
        """The trials that were missed by a clause."""
        return tuple(row for row in self.rows if not row.good)

    @property
    def unproven(self) -> tuple[str, ...]:
        """The clauses that apply and that no fault made fail."""
        return () if self.partial else tuple(row.id for row in self.clauses if not row.proven)

    @property
    def good(self) -> bool:
        """Whether everything is proven."""
        return self.clean.stands and bool(self.rows) and not self.unnoticed and not self.unproven


def applies(contract: Contract, trial: Trial, clean: Outcome, *, is_reference: bool) -> bool:
    """Tell whether a trial says anything on a target, given the run of it without a fault."""
    if trial.only_reference and (trial.makes_up or trial.kind == "reference") and not is_reference:
        return False
    return bool(wanted(contract, trial, clean)) or any(named(contract, glob) for glob in trial.holds)


def wanted(contract: Contract, trial: Trial, clean: Outcome) -> list[tuple[str, Notice]]:
    """Return the clauses that have to notice a trial, each with how.

    A clause that another contract has and this one has not is left out, and so is one that the target does not pass
    without a fault: it would prove nothing.
    """
    return [
        (clause, notice)
        for notice in trial.noticed
        for clause in named(contract, notice.clause)
        if trial.makes_up or _verdict(clean, clause) == "pass"
    ]


def concerned(contract: Contract, trials: Iterable[Trial]) -> tuple[str, ...]:
    """Return the clauses that any of the trials is about, in the contract's order."""
    globs = {glob for t in trials for glob in (*(notice.clause for notice in t.noticed), *t.beside, *t.holds)}
    found = {clause for glob in globs for clause in named(contract, glob)}
    return tuple(clause.id for clause in contract.clauses if clause.id in found)


def asked(contract: Contract, trial: Trial, clean: Outcome) -> tuple[str, ...]:
    """Return the clauses that a run of a trial has to ask."""
    beside = [clause for glob in (*trial.beside, *trial.holds) for clause in named(contract, glob)]
    return tuple(dict.fromkeys([*(clause for clause, _ in wanted(contract, trial, clean)), *beside]))


def row(contract: Contract, trial: Trial, clean: Outcome, outcome: Outcome) -> Row:
    """Return what came of one trial."""
    if outcome.error is not None:
        return Row(trial, {}, (f"it could not be tried: {outcome.error}",))
    noticed: dict[str, tuple[str, ...]] = {}
    missed: list[str] = []
    for clause, notice in wanted(contract, trial, clean):
        shown = outcome.clauses.get(clause)
        if shown is not None and _noticed(shown, notice):
            noticed[clause] = tuple(dict.fromkeys([*noticed.get(clause, ()), notice.check]))
        else:
            missed.append(_sentence(clause, shown, notice))
    for clause in [clause for glob in trial.holds for clause in named(contract, glob)]:
        shown = outcome.clauses.get(clause)
        if shown is None or shown.verdict != "pass":
            missed.append(f"{clause} should pass: {_found(shown)}")
    missed += _unsound(outcome)
    failed = {clause for clause, shown in outcome.clauses.items() if shown.failed}
    # A clause that missed it by one of two notices is not proven by the other.
    sound = {} if _unsound(outcome) else noticed
    return Row(trial, sound, tuple(missed), tuple(sorted(failed - set(noticed))), outcome.seconds)


def table(
    contract: Contract, target: str, clean: Outcome, rows: Sequence[Row], skipped: Iterable[Trial], *,
    partial: bool = False, seconds: float = 0.0,
) -> Table:  # fmt: skip
    """Return the proof that the trials' rows amount to."""
    failed_by: dict[str, list[str]] = {}
    for each in rows:
        for clause in each.noticed:
            failed_by.setdefault(clause, []).append(each.trial.name)
    clauses = tuple(
        ClauseRow(clause.id, _verdict(clean, clause.id), tuple(failed_by.get(clause.id, ())))
        for clause in contract.clauses
    )
    return Table(contract.name, target, clean, tuple(rows), clauses, tuple(skipped), partial, seconds)


def _verdict(clean: Outcome, clause: str) -> str:
    shown = clean.clauses.get(clause)
    return shown.verdict if shown is not None else "not judged"


def _noticed(shown: Shown, notice: Notice) -> bool:
    return shown.failed and any(
        ground.check == notice.check and (notice.pointer is None or fnmatchcase(ground.pointer or "", notice.pointer))
        for ground in shown.grounds
    )


def _sentence(clause: str, shown: Shown | None, notice: Notice) -> str:
    return f"{clause} should fail by {notice.check} at {notice.pointer or 'any place'}: {_found(shown)}"


def _found(shown: Shown | None) -> str:
    if shown is None:
        return "it was not judged"
    grounds = "; ".join(f"{g.check} at {g.pointer or 'no place'}: {g.actual[:100]}" for g in shown.grounds[:3])
    return f"{shown.verdict}, {grounds or shown.actual}"


def _unsound(outcome: Outcome) -> list[str]:
    """Return why what was seen came of something that broke, and not of what the server said."""
    if outcome.problem is not None:
        return [f"the target could not be judged: {outcome.problem}"]
    odd = sorted({f"{stop}, exit code {code}" for stop, code in outcome.ends if (stop, code) != CLEAN_END})
    return [f"a server did not end as it should: {'; '.join(odd)}"] if odd else []
