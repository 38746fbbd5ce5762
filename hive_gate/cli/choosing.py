"""What the commands over versions have in common: the baseline that applies, and what the words for versions mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache as once
from pathlib import Path
from typing import TYPE_CHECKING

import typer

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


def published(*, fresh: bool = False) -> Known:
    """Return what gives the published versions: from the cache where it is new enough, else from npm, asked once.

    Where npm cannot be asked and an older list is kept, stderr says of when that is.

    Args:
        fresh: ask npm whatever is kept.
    """

    @once
    def known() -> Sequence[semver.Version]:
        from rich.console import Console

        from hive_gate.cli.fetching import fetch_progress
        from hive_gate.target.cache import Cache
        from hive_gate.target.published import published_versions

        with fetch_progress(Console(stderr=True)) as on_progress:
            found = published_versions(Cache.default(), on_progress, fresh=fresh)
        if found.problem is not None:
            asked = f"{found.asked:%Y-%m-%d %H:%M} UTC"
            typer.echo(
                f"hive-gate: {found.problem} The list of versions is that of {asked}: what came later is missing.",
                err=True,
            )
        return found.versions

    return known
