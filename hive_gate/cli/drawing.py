"""Progress of a run on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hive_gate.report.model import ClauseResult
from hive_gate.report.plain import cut

_STYLES = {"pass": "green", "not-offered": "dim", "waived": "dim", "warn": "yellow"}


class Drawing(Protocol):
    """An observer of a run that draws on a console; see `hive_gate.probe.observe.Observer`."""

    console: Console

    def stage(self, text: str) -> None:
        """Tell what the run is doing."""

    def plan(self, total: int) -> None:
        """Tell how many clauses there are."""

    def judged(self, result: ClauseResult) -> None:
        """Tell one clause's verdict."""


@contextmanager
def drawing(verbose: bool) -> Iterator[Drawing]:
    """Yield the observer to give to a run.

    Args:
        verbose: tell every clause; otherwise only those that are not a pass.
    """
    console = Console(stderr=True, markup=False, highlight=False)
    if not console.is_terminal:
        yield _Lines(console, verbose)
        return
    bar = _Bar(console, verbose)
    try:
        yield bar
    finally:
        bar.close()


def _clauses(count: int) -> str:
    return f"{count} clause{'' if count == 1 else 's'}"


class _Wanted:
    """Which clauses are told: those that did not pass, but one reason for many blocked ones only once."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._told: set[str] = set()

    def __call__(self, result: ClauseResult) -> bool:
        if self._verbose:
            return True
        if result.verdict == "blocked" and result.actual in self._told:
            return False
        self._told.add(result.actual)
        return result.verdict not in ("pass", "not-offered")


class _Lines:
    def __init__(self, console: Console, verbose: bool) -> None:
        self.console = console
        self._wanted = _Wanted(verbose)
        self._total = 0
        self._done = 0

    def stage(self, text: str) -> None:
        """Print it."""
        self.console.print(f"hive-gate: {text}", soft_wrap=True)

    def plan(self, total: int) -> None:
        """Print it."""
        self._total = total
        self.stage(f"{_clauses(total)} to judge")

    def judged(self, result: ClauseResult) -> None:
        """Print a clause that did not pass, and the end."""
        self._done += 1
        if self._wanted(result):
            self.console.print(f"{result.verdict:<11} {result.id}: {cut(result.actual, 300)}", soft_wrap=True)
        if self._done == self._total:
            self.stage(f"{_clauses(self._done)} judged")


class _Bar:
    def __init__(self, console: Console, verbose: bool) -> None:
        self.console = console
        self._wanted = _Wanted(verbose)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, visible=False)

    def stage(self, text: str) -> None:
        """Show it above the bar, for as long as there is nothing to count."""
        self.console.print(f"hive-gate: {text}", style="dim", soft_wrap=True)

    def plan(self, total: int) -> None:
        """Show the bar."""
        self._progress.start()
        self._progress.update(self._task, total=total, description="asking", visible=True)

    def judged(self, result: ClauseResult) -> None:
        """Move the bar; print a clause that did not pass above it."""
        self._progress.update(self._task, advance=1, description=escape(cut(result.id, 44).ljust(44)))
        if self._wanted(result):
            style = _STYLES.get(result.verdict, "red")
            line = f"{result.verdict:<11} {result.id}: {cut(result.actual, 200)}"
            self._progress.console.print(line, style=style, soft_wrap=True)

    def close(self) -> None:
        """Remove the bar."""
        self._progress.stop()
