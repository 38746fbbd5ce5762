"""`hive-gate drift`: two targets' own schemas compared, as Hive's contract sees them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hive_gate.cli.choosing import ContractOption, baseline_of, format_of, published, words_of
from hive_gate.data import DEFAULT_CONTRACT

if TYPE_CHECKING:
    from hive_gate.contract.model import Contract
    from hive_gate.matrix.drift import Drift

Format = Literal["text", "markdown", "textile", "github", "html", "json", "junit", "annotations"]


def drift(
    new: Annotated[
        str,
        typer.Option(
            "--to", metavar="SPEC", help="The later target: a version, `latest`, `path`, a path, or `reference`."
        ),
    ],
    old: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SPEC",
            help="The earlier target.",
            show_default="the version that the contract pins",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Tell the whole protocol's changes, not only those that concern Hive.")
    ] = False,
    contract: ContractOption = DEFAULT_CONTRACT,
    format_name: Annotated[Format, typer.Option("--format", "-f", help="How to tell what differs.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to write it.", show_default="the standard output"),
    ] = None,
) -> None:
    """Compare what two targets say about themselves, and tell what of it concerns Hive.

    Versions whose digest ships with hive-gate need no program and no network; others are fetched when missing.

    Exit codes: 0 nothing that Hive uses can break, 1 something can, 2 usage, contract or digest not valid, 3 a target
    could not be fetched or gives no schemas, 4 fault of hive-gate, 130 interrupted.
    """
    from hive_gate.cli.output import put, put_document
    from hive_gate.exits import Exit
    from hive_gate.matrix.drift_document import document

    name = format_of(format_name, as_json=as_json)
    found = _compare(old, new, contract)
    if name in ("json", "junit", "annotations"):
        from hive_gate.matrix import drift_forms

        forms = {
            "json": drift_forms.as_json,
            "junit": drift_forms.as_junit,
            "annotations": drift_forms.as_annotations,
        }
        put(forms[name](found, everything=everything), out)
    else:
        put_document(document(found, everything=everything), name, out)
    if found.changes.breaks:
        _explain(found)
    raise typer.Exit(Exit.CLOSED if found.changes.breaks else Exit.OPEN)


def _compare(old: str | None, new: str, path: Path) -> Drift:
    """Compare two targets by their SPECs.

    Raises:
        UsageError: a SPEC that is none, or a contract or digest that is not valid.
        TargetError: a program that cannot be fetched or used.
    """
    from rich.console import Console

    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.contract.load import load_contract
    from hive_gate.errors import UsageError
    from hive_gate.matrix.drift import drift_of
    from hive_gate.matrix.drift_side import side

    for option, value in (("--from", old), ("--to", new)):
        if value is not None and not value.strip():  # an unset variable of a script must not mean the default
            raise UsageError(f"{option} is empty", hint="give it a value or leave it out")
    loaded = load_contract(path)
    before_spec, after_spec = (_version(spec, loaded) for spec in (old or loaded.pinned, new))
    with fetch_progress(Console(stderr=True)) as on_progress:
        before, after = (side(spec, on_progress) for spec in (before_spec, after_spec))
    return drift_of(before, after, loaded)


def _version(spec: str, contract: Contract) -> str:
    """Return the version that `latest`, `accepted` or `pinned` stands for; any other SPEC as it is.

    Raises:
        UsageError: nothing that `latest` could mean is published.
        ContractError: `accepted` is asked for, and the baseline is not valid.
        TargetError: the list of published versions cannot be had.
    """
    from hive_gate.matrix.candidates import one

    word = spec.strip()
    if word not in ("latest", "accepted", "pinned"):
        return spec
    baseline = baseline_of(contract.path, None) if word == "accepted" else None
    return one(word, "SPEC", words_of(contract, baseline), published())


def _explain(found: Drift) -> None:
    from rich.console import Console

    from hive_gate.matrix.drift_forms import sentence

    aside = Console(stderr=True, markup=False, highlight=False)
    aside.print(f"hive-gate: {sentence(found)}", soft_wrap=True)
    advice = "adapt Hive to what breaks, or stay on the version before; can-i-bump asks the server itself"
    aside.print(f"  do: {advice}", soft_wrap=True)
