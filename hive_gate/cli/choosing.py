"""What commands have in common: the words for contracts and versions, the baseline that applies, the format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache as once
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import ContractError, UsageError

if TYPE_CHECKING:
    import semver

    from hive_gate.baseline.model import BaselineFile
    from hive_gate.contract.model import Contract
    from hive_gate.matrix.versions import Known, Words
    from hive_gate.target.published import Published


_NAMED_CONTRACTS = {"current": DEFAULT_CONTRACT, "next": NEXT_CONTRACT}

NAMES = "a file, or `current` or `next`, which ship with hive-gate"
"""What names a contract, as a phrase."""


def named_contract(text: str | Path) -> Path:
    """Return the contract's file that a word or a path names. A word wins over a file: `./next` names the file.

    Raises:
        ContractError: if there is no such file.
    """
    if isinstance(text, Path):  # an option's default
        return text
    path = _NAMED_CONTRACTS.get(text) or Path(text)
    if not path.exists():
        raise ContractError("the contract cannot be read: No such file or directory", where=text, hint=f"name {NAMES}")
    return path


def contract_option(about: str) -> Any:
    """Return a `--contract`; `about` says what it is for, without a period."""
    return typer.Option(
        "--contract", metavar="PATH", parser=named_contract, help=f"{about}: {NAMES}.", show_default="current"
    )


ContractOption = Annotated[Path, contract_option("The contract")]


def format_of(name: str, *, as_json: bool) -> str:
    """Return the format that `--format` and `--json` ask for.

    Raises:
        UsageError: if they ask for two.
    """
    if as_json and name not in ("text", "json"):
        raise UsageError(f"--json and --format {name} exclude each other", hint="leave one of them out")
    return "json" if as_json else name


def baseline_of(contract: Path, named: Path | None, *, without: bool = False) -> BaselineFile | None:
    """Return the baseline that is named, or that which lies beside the contract; None: there is none.

    Raises:
        UsageError: one is named and none is wanted.
        ContractError: it is not valid.
    """
    from hive_gate.cli.probe import accepted_failures

    if without and named is not None:
        raise UsageError("--baseline and --no-baseline exclude each other", hint="leave one of them out")
    return None if without else accepted_failures(named, contract)


def words_of(contract: Contract, baseline: BaselineFile | None) -> Words:
    """Return what the words `accepted` and `pinned` stand for."""
    from hive_gate.matrix.versions import Words

    accepted = baseline.accepted if baseline is not None else None
    return Words(accepted=accepted or contract.pinned, pinned=contract.pinned)


def published(*, fresh: bool = False, told: Callable[[Published], None] = lambda _: None) -> Known:
    """Return what gives the published versions: from the cache where it is new enough, else from npm, asked once.

    Where npm cannot be asked and an older list is kept, stderr says of when that is.

    Args:
        fresh: ask npm whatever is kept.
        told: is given the list, if it was needed.
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
        told(found)
        return found.versions

    return known
