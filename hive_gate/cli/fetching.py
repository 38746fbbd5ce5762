"""Draw how far a fetch is: a bar on a terminal, one line for each phase elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, TaskID, TextColumn
from rich.progress import Progress as Bars

from hive_gate.target.progress import OnProgress, Progress


@contextmanager
def fetch_progress(console: Console) -> Iterator[OnProgress]:
    """Yield the observer to give to `resolve` or `install`; draws nothing as long as nothing is fetched.

    Args:
        console: on stderr, since stdout belongs to results.
    """
    drawer: _Drawer = _OnTerminal(console) if console.is_terminal else _AsLines(console)
    try:
        yield drawer.show
    finally:
        drawer.close()


class _Drawer(Protocol):
    def show(self, progress: Progress) -> None: ...
    def close(self) -> None: ...


class _OnTerminal:
    def __init__(self, console: Console) -> None:
        self._bars = Bars(
            TextColumn("{task.description}"), BarColumn(), DownloadColumn(), console=console, transient=True
        )
        self._task: TaskID | None = None
        self._label = ""

    def show(self, progress: Progress) -> None:
        """Move the bar; one without a total only shows that something goes on, and how many bytes came."""
        label = f"{escape(progress.subject)}: {progress.phase}"
        if self._task is None or label != self._label:
            self._bars.start()
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task, self._label = self._bars.add_task(label, total=progress.total), label
        self._bars.update(self._task, completed=progress.done, total=progress.total)

    def close(self) -> None:
        """Remove the bar, also after an error in the middle."""
        if self._task is not None:
            self._bars.stop()


class _AsLines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._label = ""

    def show(self, progress: Progress) -> None:
        """Print a line when a phase begins."""
        label = f"{progress.subject}: {progress.phase}"
        if label != self._label:
            self._label = label
            self._console.print(label, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Leave the lines as they are."""
