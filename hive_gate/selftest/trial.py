"""What is tried: every fault there is, of whichever kind, in one form."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from hive_gate.contract.model import Contract
from hive_gate.errors import UsageError
from hive_gate.faults.fault import Notice
from hive_gate.faults.themes import FAULTS, PRETENSES
from hive_gate.reference.faults import FAULTS as INSIDE
from hive_gate.reference.faults import Fault as InsideFault
from hive_gate.selftest.bundles import CHANGES

Kind = Literal["relay", "reference", "schema", "pretense"]

KINDS: dict[Kind, str] = {
    "relay": "on the wire, before the server",
    "reference": "inside the reference server",
    "schema": "in the schemas that the server generates",
    "pretense": "made up on the wire, so that more clauses apply; breaks nothing",
}

REFERENCE_PREFIX = "reference:"
"""Before the names of faults inside the reference server: they and the relay's break some of the same things."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault, and what the gate has to make of it."""

    name: str
    kind: Kind
    breaks: str
    noticed: tuple[Notice, ...]
    beside: tuple[str, ...] = ()
    """Clauses that have to be asked as well, so that there is something to notice it in."""
    silent: bool = False
    """Whether something never comes, so that a deadline has to be waited out."""
    only_reference: bool = False
    """Whether only the reference server can be broken, or made to pretend, in this way."""
    pretends: str | None = None
    """The pretense that it is built on."""
    holds: tuple[str, ...] = ()
    """Clauses that have to pass with it: of a pretense."""

    @property
    def makes_up(self) -> bool:
        """Whether clauses apply with it that the target would not be asked without."""
        return self.kind == "pretense" or self.pretends is not None


def all_trials() -> tuple[Trial, ...]:
    """Return every trial, the pretenses first; no two have the same name."""
    trials = (
        *(
            Trial(p.name, "pretense", p.says, (), only_reference=p.target == "reference", holds=p.holds)
            for p in PRETENSES.values()
        ),
        *(
            Trial(f.name, "relay", f.breaks, f.noticed, f.beside, f.silent, f.target == "reference", f.pretends)
            for f in FAULTS.values()
        ),
        *(_inside(fault) for fault in INSIDE.values()),
        *(Trial(change.name, "schema", change.breaks, change.noticed) for change in CHANGES.values()),
    )
    names = [trial.name for trial in trials]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two faults have the same name: {', '.join(twice)}")
    return trials


def _inside(fault: InsideFault) -> Trial:
    # The reference server knows nothing of the relay, and has the same words for the same things.
    noticed = tuple(Notice(notice.clause, notice.check, notice.pointer) for notice in fault.noticed)
    name = REFERENCE_PREFIX + fault.name
    return Trial(name, "reference", fault.breaks, noticed, fault.beside, fault.silent, only_reference=True)


def chosen(trials: tuple[Trial, ...], globs: tuple[str, ...]) -> tuple[Trial, ...]:
    """Return the trials that are named, with the pretenses that they are built on; without a glob all.

    Raises:
        UsageError: if a glob names none.
    """
    for glob in globs:
        if not any(fnmatchcase(trial.name, glob) for trial in trials):
            hint = "list them with: hive-gate selftest --list"
            raise UsageError(f"there is no fault {glob!r}", hint=hint)
    found = [trial for trial in trials if not globs or any(fnmatchcase(trial.name, glob) for glob in globs)]
    needed = {trial.pretends for trial in found}
    return tuple(trial for trial in trials if trial in found or trial.name in needed)


def named(contract: Contract, clause: str) -> list[str]:
    """Return the ids of the clauses that an id or a glob means; the id of an entry means all its products."""
    ids = [known.id for known in contract.clauses]
    return [known for known in ids if fnmatchcase(known, clause) or known.startswith(clause + "/")]


def concerns(contract: Contract, trial: Trial) -> bool:
    """Tell whether a trial is about any clause of a contract."""
    globs = [*(notice.clause for notice in trial.noticed), *trial.holds]
    return any(named(contract, glob) for glob in globs)


def command(trial: Trial, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command line of a target that is broken in the way of a trial."""
    if trial.kind in ("relay", "pretense"):
        # -P: the server's folder is not looked into for modules.
        return (sys.executable, "-P", "-m", "hive_gate.faults", "--fault", trial.name, "--", *argv)
    if trial.kind == "reference":
        return (*argv, "--fault", trial.name.removeprefix(REFERENCE_PREFIX))
    return argv
