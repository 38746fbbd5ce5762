"""What happens while a run goes on, for whoever draws it. The core calls; it never prints."""

from __future__ import annotations

from typing import Protocol

from hive_gate.report.model import ClauseResult


class Observer(Protocol):
    """Hears of a run's progress. Calls come from one thread."""

    def stage(self, text: str) -> None:
        """Tell what the run is doing before clauses are asked, in a few words."""

    def plan(self, total: int) -> None:
        """Tell how many clauses will be judged."""

    def judged(self, result: ClauseResult) -> None:
        """Tell one clause's verdict as soon as it is known."""


class Silent:
    """Draws nothing."""

    def stage(self, text: str) -> None:
        """Ignore it."""

    def plan(self, total: int) -> None:
        """Ignore it."""

    def judged(self, result: ClauseResult) -> None:
        """Ignore it."""
