"""Read the options of `hive-gate cost`, and tell its result."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hive_gate.errors import HiveGateError, UsageError
from hive_gate.exits import Exit

if TYPE_CHECKING:
    from hive_gate.cost.model import Cost
    from hive_gate.cost.run import Settings

_MOST = 30_000
"""Turns of a thread; more than that is 200 MB, and each of its pages takes seconds."""

_LOG_WIDTH = 120


class Stopped(HiveGateError):
    """Ctrl-C, or a signal like it, and what is left to do then."""

    exit_code: ClassVar[Exit] = Exit.INTERRUPTED


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


def refuse_nothing(cost: Cost) -> None:
    """See that there is something to write.

    Raises:
        Stopped: there is not a single sample.
    """
    if not any(cell.samples for cell in cost.cells):
        why = cost.run.problem or "interrupted"
        raise Stopped(f"{why} before anything was measured; nothing is written", hint="start it again")


def kept_whole(folder: Path, cost: Cost) -> Path:
    """Return where a measurement is written if the user names a folder.

    It is that folder, unless one that is not whole would take the place of one there that is, or of a file that cannot
    be read as one that is not: then it is a folder beside it, which is told on stderr.
    """
    from rich.console import Console

    from hive_gate.report.plain import visible

    beside = folder
    while not cost.run.complete and _may_be_whole(beside):
        beside = Path(f"{beside if beside.name else beside.resolve()}-partial")
    if beside != folder:
        text = f"{folder / 'cost.json'} stays as it is: this measurement is not whole, and is written to {beside}"
        Console(stderr=True, markup=False, highlight=False).print(f"hive-gate: {visible(text)}", soft_wrap=True)
    return beside


def _may_be_whole(folder: Path) -> bool:
    from hive_gate.cost.files import DATA
    from hive_gate.cost.jsonfile import read_cost

    path = folder / DATA
    try:
        return path.exists() and read_cost(path).run.complete
    except UsageError:
        return True


@contextmanager
def notes_left(folder: Path | None) -> Iterator[None]:
    """Say how to come to the notes if Ctrl-C comes while they are written or told.

    Args:
        folder: where the data is written already; None if it is not.

    Raises:
        Stopped: it came.
    """
    from hive_gate.cost.files import DATA

    try:
        yield
    except KeyboardInterrupt:
        if folder is None:
            raise
        path = folder / DATA
        raise Stopped(
            "interrupted after the measurement, before all notes and plots were written",
            where=f"{path} has every sample",
            hint=f"hive-gate cost --from {shlex.quote(str(path))} --out {shlex.quote(str(folder))} writes the rest",
        ) from None


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
