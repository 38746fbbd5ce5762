"""Progress of a matrix on stderr: a live line for each version that is being judged, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from hive_gate.matrix.model import Column
from hive_gate.matrix.runs import Outcome, Task
from hive_gate.matrix.table import STATES, counted
from hive_gate.report.model import ClauseResult
from hive_gate.report.plain import cut, visible

Naming: TypeAlias = Callable[[Task], str]
"""Returns what to call a task: its version, and its contract where there are several."""

_STAGE = 26
"""Characters of what a task does; always as many, or the bars would jump."""

_BAR = 14

_NAME = 7

_FAILS = 8


class Lines:
    """An observer for a log: a line when a version is done, and one when a download begins."""

    def __init__(self, console: Console, name: Naming) -> None:
        self.console = console
        self._name = name
        self._fetched: set[Task] = set()

    def begin(self, total: int) -> None:
        """Tell how many runs there will be."""
        self.say(f"hive-gate: {total} run{'' if total == 1 else 's'} to do")

    def stage(self, task: Task, text: str) -> None:
        """Tell of a download: it takes a while."""
        if text.startswith("downloading") and task not in self._fetched:
            self._fetched.add(task)
            self.say(f"{self._name(task)}  downloading")

    def plan(self, task: Task, total: int) -> None:
        """Say nothing."""

    def judged(self, task: Task, result: ClauseResult) -> None:
        """Say nothing."""

    def done(self, outcome: Outcome) -> None:
        """Say nothing: :meth:`tell` does."""

    def tell(self, outcome: Outcome, column: Column) -> None:
        """Tell what came of a version."""
        style, words = told(outcome, column)
        line = Text.assemble(f"{self._name(outcome.task)}  ", (words, style))
        self.console.print(line, soft_wrap=True)

    def say(self, text: str) -> None:
        """Print a line."""
        self.console.print(visible(text), soft_wrap=True)

    def close(self) -> None:
        """Leave the lines as they are."""


class Bars(Lines):
    """An observer for a terminal: a line for each version that is being judged, which becomes its result."""

    def __init__(self, console: Console, name: Naming) -> None:
        super().__init__(console, name)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TextColumn("{task.fields[stage]}", style="dim"),
            BarColumn(_BAR),
            MofNCompleteColumn(),
            TextColumn("{task.fields[fails]}", style="red"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._bars: dict[Task, TaskID] = {}
        self._fails: dict[Task, int] = {}
        self._all: TaskID | None = None

    def begin(self, total: int) -> None:
        """Show how many runs there are to do."""
        self._progress.start()
        self._all = self._progress.add_task("all".ljust(_NAME), total=total, stage=_stage(""), fails=_fails(0))

    def stage(self, task: Task, text: str) -> None:
        """Show what a task does."""
        self._progress.update(self._bar(task), stage=escape(_stage(text)))

    def plan(self, task: Task, total: int) -> None:
        """Show a bar of so many clauses."""
        self._progress.update(self._bar(task), total=total, stage=_stage("asking"))

    def judged(self, task: Task, result: ClauseResult) -> None:
        """Move the bar."""
        bar = self._bar(task)
        if result.verdict in ("fail", "error", "blocked"):
            self._fails[task] = self._fails.get(task, 0) + 1
        self._progress.update(bar, advance=1, fails=_fails(self._fails.get(task, 0)))

    def done(self, outcome: Outcome) -> None:
        """Remove the line."""
        bar = self._bars.pop(outcome.task, None)
        if bar is not None:
            self._progress.remove_task(bar)
        if self._all is not None:
            self._progress.advance(self._all)

    def close(self) -> None:
        """Remove all lines."""
        self._progress.stop()

    def _bar(self, task: Task) -> TaskID:
        if task not in self._bars:
            name = escape(visible(self._name(task)).ljust(_NAME))
            self._bars[task] = self._progress.add_task(name, total=None, stage=_stage(""), fails=_fails(0))
        return self._bars[task]


def _stage(text: str) -> str:
    return cut(text, _STAGE).ljust(_STAGE)


def _fails(count: int) -> str:
    return (f"{count} fail" if count else "").ljust(_FAILS)


def told(outcome: Outcome, column: Column) -> tuple[str, str]:
    """Return what came of a version in one line, and the style for it."""
    took = "from an earlier run" if outcome.from_cache else f"{outcome.seconds:.1f} s"
    if column.state != "judged":
        return "red", f"{STATES[column.state]}: {cut(column.problem or '', 300)} ({took})"
    counts = counted(column, briefly=True)
    style = "green" if column.gate == "open" else "red"
    return style, f"{column.gate}{f': {counts}' if counts else ''} ({took})"


@contextmanager
def drawing(name: Naming) -> Iterator[Lines]:
    """Yield the observer to give to runs."""
    console = Console(stderr=True, markup=False, highlight=False)
    observer = Bars(console, name) if console.is_terminal else Lines(console, name)
    try:
        yield observer
    finally:
        observer.close()
