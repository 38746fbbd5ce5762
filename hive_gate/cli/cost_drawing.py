"""Progress of a measurement on stderr: a bar with the time that is left on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from hive_gate.report.plain import cut

_LINES = 10
"""Lines in which a log says how far it is."""


def time_left(seconds: float) -> str:
    """Return seconds as a person says them: `45 s left`, `1:20 min left`."""
    whole = max(0, round(seconds))
    return f"{whole} s left" if whole < 60 else f"{whole // 60}:{whole % 60:02} min left"


class Lines:
    """An observer for a log."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._next = 1

    def stage(self, text: str) -> None:
        """Print it."""
        self.console.print(f"hive-gate: {text}", soft_wrap=True)

    def progress(self, share: float, left: float, text: str) -> None:
        """Print how far it is, now and then."""
        reached = int(share * _LINES + 1e-9)
        if reached >= self._next:
            self._next = reached + 1
            self.stage(f"{share:.0%} done, about {time_left(left)} ({text})")


class Bar(Lines):
    """An observer for a terminal."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=1.0, left="", visible=False)

    def stage(self, text: str) -> None:
        """Show it before the bar."""
        self._progress.start()
        self._progress.update(self._task, description=escape(cut(text, 30).ljust(30)), visible=True)

    def progress(self, share: float, left: float, text: str) -> None:
        """Move the bar."""
        label = escape(cut(text, 30).ljust(30))
        self._progress.update(self._task, completed=share, description=label, left=time_left(left))

    def close(self) -> None:
        """Remove the bar."""
        self._progress.stop()


@contextmanager
def drawing() -> Iterator[Lines]:
    """Yield the observer to give to a measurement."""
    console = Console(stderr=True, markup=False, highlight=False)
    if not console.is_terminal:
        yield Lines(console)
        return
    bar = Bar(console)
    try:
        yield bar
    finally:
        bar.close()
