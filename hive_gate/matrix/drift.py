"""What differs between two targets, as Hive's contract sees it: the result that every format is made from."""

from __future__ import annotations

from dataclasses import dataclass

from hive_gate.contract.model import Contract
from hive_gate.drift.changes import Change, Changes, changes_of
from hive_gate.drift.compare import compare
from hive_gate.drift.digest import Digest
from hive_gate.drift.hive import view_of
from hive_gate.drift.relevance import Relevance
from hive_gate.matrix.drift_side import Side


@dataclass(frozen=True, slots=True)
class Against:
    """The contract that says what Hive uses."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Drift:
    """A comparison of two targets."""

    old: Side
    new: Side
    contract: Against
    changes: Changes
    uncompared: tuple[str, ...]
    """Methods that Hive reads and that both have, for whose results one or both have no schema."""
    uncompared_others: tuple[str, ...]
    """The other messages that both have, for whose results or answers one or both have no schema."""

    def shown(self, everything: bool) -> tuple[Change, ...]:
        """Return the changes that are told one by one: those that concern Hive, or all."""
        return self.changes.all if everything else self.changes.used

    def left_out(self, everything: bool) -> tuple[str, ...]:
        """Return the messages whose results could not be compared: those that concern Hive, or all."""
        return (*self.uncompared, *self.uncompared_others) if everything else self.uncompared


def drift_of(old: tuple[Side, Digest], new: tuple[Side, Digest], contract: Contract) -> Drift:
    """Compare two targets.

    Raises:
        HiveGateError: a schema of a target or of the contract is broken.
    """
    comparison = compare(old[1], new[1])
    changes = changes_of(comparison, Relevance(comparison, view_of(contract)))
    missed = comparison.uncompared
    return Drift(
        old=old[0],
        new=new[0],
        contract=Against(contract.name, contract.version, contract.sha256),
        changes=changes,
        uncompared=tuple(name for name in missed if name in contract.methods),
        uncompared_others=tuple(name for name in missed if name not in contract.methods),
    )
