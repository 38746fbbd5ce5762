"""What the commands over versions have in common: the baseline that applies, and what the words for versions mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import semver

    from hive_gate.baseline.model import BaselineFile
    from hive_gate.contract.model import Contract
    from hive_gate.matrix.versions import Known, Words


def baseline_of(contract: Path, named: Path | None, *, without: bool = False) -> BaselineFile | None:
    """Return the baseline that is named, or that which lies beside the contract; None: there is none.

    Raises:
        UsageError: one is named and none is wanted.
        ContractError: it is not valid.
    """
    from hive_gate.cli.probe import accepted_failures
    from hive_gate.errors import UsageError

    if without and named is not None:
        raise UsageError("--baseline and --no-baseline exclude each other", hint="leave one of them out")
    return None if without else accepted_failures(named, contract)


def words_of(contract: Contract, baseline: BaselineFile | None) -> Words:
    """Return what the words `accepted` and `pinned` stand for."""
    from hive_gate.matrix.versions import Words

    accepted = baseline.accepted if baseline is not None else None
    return Words(accepted=accepted or contract.pinned, pinned=contract.pinned)


def published(say: Callable[[str], None]) -> Known:
    """Return what gives the published versions: from the cache where it is new enough, else from npm, asked once.

    Args:
        say: told that the list is older than it should be.
    """
    found: list[Sequence[semver.Version]] = []

    def known() -> Sequence[semver.Version]:
        from hive_gate.target.cache import Cache
        from hive_gate.target.published import published_versions

        if not found:
            listed = published_versions(Cache.default())
            if listed.problem is not None:
                say(f"hive-gate: {listed.problem} The list of versions is of {listed.asked:%Y-%m-%d %H:%M} UTC.")
            found.append(listed.versions)
        return found[0]

    return known
