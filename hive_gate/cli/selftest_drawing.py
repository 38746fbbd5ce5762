"""Progress of a selftest on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hive_gate.report.plain import cut, visible
from hive_gate.selftest.account import Row
from hive_gate.selftest.forms import told

_EVERY = 50
"""Faults after which a log says how far it is."""


class Lines:
    """An observer for a log: the stages, every fault that was not noticed, and now and then how far it is."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._total = self._done = 0

    def stage(self, text: str) -> None:
        """Print it."""
        self.console.print(f"hive-gate: {text}", soft_wrap=True)

    def plan(self, total: int) -> None:
        """Print it."""
        self._total = total
        self.stage(f"{total} faults to try")

    def tried(self, row: Row) -> None:
        """Count it, and print it if it was not noticed."""
        self._done += 1
        if not row.good:
            self.miss(row)
        if self._done % _EVERY == 0 or self._done == self._total:
            self.stage(f"{self._done} of {self._total} faults tried")

    def miss(self, row: Row, style: str | None = None) -> None:
        """Print what was not noticed."""
        for line in told(row):
            self.console.print(visible(line), style=style, soft_wrap=True)


class Bar(Lines):
    """An observer for a terminal."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, visible=False)

    def plan(self, total: int) -> None:
        """Show the bar."""
        self._progress.start()
        self._progress.update(self._task, total=total, description="trying", visible=True)

    def tried(self, row: Row) -> None:
        """Move the bar, and print what was not noticed above it."""
        self._progress.update(self._task, advance=1, description=escape(cut(row.trial.name, 44).ljust(44)))
        if not row.good:
            self.miss(row, "red")

    def close(self) -> None:
        """Remove the bar."""
        self._progress.stop()


@contextmanager
def drawing() -> Iterator[Lines]:
    """Yield the observer to give to a selftest."""
    console = Console(stderr=True, markup=False, highlight=False)
    if not console.is_terminal:
        yield Lines(console)
        return
    bar = Bar(console)
    try:
        yield bar
    finally:
        bar.close()
