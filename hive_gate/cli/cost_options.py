"""Read the options of `hive-gate cost`, and tell its result."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hive_gate.errors import UsageError

if TYPE_CHECKING:
    from hive_gate.cost.model import Cost
    from hive_gate.cost.run import Settings

_MOST = 30_000
"""Turns of a thread; more than that is 200 MB, and each of its pages takes seconds."""

_LOG_WIDTH = 120


def targets(codex: Sequence[str] | None, pinned: str, out: str | None) -> list[str]:
    """Return the one or two targets to measure.

    Raises:
        UsageError: there are more, or an option is empty, as an unset variable of a script would make it.
    """
    for option, value in [*(("--codex", spec) for spec in codex or ()), ("--out", out)]:
        if value is not None and not value.strip():
            raise UsageError(f"{option} is empty", hint="give it a value or leave it out")
    if codex and len(codex) > 2:
        raise UsageError(f"{len(codex)} targets were given", hint="give --codex once, or twice to compare two")
    return list(codex or [pinned])


def numbers(option: str, text: str | None, default: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes that an option names, each once, the smallest first.

    Raises:
        UsageError: something is no number of turns.
    """
    if text is None:
        return default
    hint = f"give numbers of turns from 2 to {_MOST}, such as {','.join(map(str, default))}"
    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise UsageError(f"{option} is no list of numbers: {text[:60]!r}", hint=hint) from None
    if found[0] < 2 or found[-1] > _MOST:
        wrong = found[0] if found[0] < 2 else found[-1]
        raise UsageError(f"{option} names a thread of {wrong} turns", hint=hint)
    return tuple(found)


def folder_of(cost: Cost, settings: Settings) -> Path:
    """Return where a measurement is written if the user names no folder.

    One of other threads than the usual ones, or of too few repeats to be told, has a folder of its own, and so has one
    that is not whole, whether it was interrupted or its time was up: none of them must take the place of one that
    speaks of everything.
    """
    from hive_gate.cli.outcome import folder_for
    from hive_gate.cost.run import Settings
    from hive_gate.cost.stats import ENOUGH

    usual = Settings()
    asked = (settings.shapes, settings.sizes, settings.real_sizes)
    as_usual = asked == (usual.shapes, usual.sizes, usual.real_sizes) and settings.rounds >= ENOUGH
    name = "-and-".join(folder_for(target).name for target in cost.targets)
    suffix = f"{'' if as_usual else '-chosen'}{'' if cost.run.complete else '-partial'}"
    return Path("reports") / "cost" / f"{name}{suffix}"


def tell(cost: Cost, folder: Path | None) -> None:
    """Print the answers on stdout and, on stderr, where everything else is."""
    from rich.console import Console

    from hive_gate.cost.compose import document
    from hive_gate.report.blocktext import renderable
    from hive_gate.report.plain import visible

    console = Console(markup=False, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _LOG_WIDTH
    console.print(renderable(document(cost, brief=True)))
    if folder is None:
        return
    aside = Console(stderr=True, markup=False, highlight=False)
    aside.print(
        f"Notes, tables and plots: {folder / 'cost.html'}, and beside it as text, Markdown, Textile, SVG",
        soft_wrap=True,
    )
    aside.print(f"All samples:             {folder / 'cost.json'}", soft_wrap=True)
    if not cost.run.complete:
        why = visible(cost.run.problem or "the time was up (a longer --time-limit makes it whole)")
        aside.print(f"hive-gate: {why}; what was measured until then is written", soft_wrap=True)


def tell_contradicted(cost: Cost) -> None:
    """Name on stderr, as the last thing that is said, each decision that the numbers contradict."""
    from rich.console import Console

    from hive_gate.cost.decisions import contradicted
    from hive_gate.report.plain import visible

    told = list(contradicted(cost))
    if told:
        aside = Console(stderr=True, markup=False, highlight=False)
        aside.print(f"hive-gate: contradicted: {visible('; '.join(told))}", soft_wrap=True)
