"""What happens while a selftest goes on, for whoever draws it. The core calls; it never prints."""

from __future__ import annotations

from typing import Protocol

from hive_gate.selftest.account import Row


class Observer(Protocol):
    """Hears of a selftest's progress. Calls come from one thread."""

    def stage(self, text: str) -> None:
        """Tell what is being done before faults are tried, in a few words."""

    def plan(self, total: int) -> None:
        """Tell how many faults will be tried."""

    def tried(self, row: Row) -> None:
        """Tell what came of one fault as soon as it is known."""


class Silent:
    """Draws nothing."""

    def stage(self, text: str) -> None:
        """Ignore it."""

    def plan(self, total: int) -> None:
        """Ignore it."""

    def tried(self, row: Row) -> None:
        """Ignore it."""
