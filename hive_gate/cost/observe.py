"""How a measurement tells what it is doing."""

from __future__ import annotations

from typing import Protocol


class Observer(Protocol):
    """Is told how far a measurement is."""

    def stage(self, text: str) -> None:
        """It does something else now, such as making threads."""

    def progress(self, share: float, left: float, text: str) -> None:
        """Tell how far it is.

        Args:
            share: of the work that is done, 0 to 1.
            left: seconds that it will still take, as far as can be told.
            text: what it is at.
        """


class Silent:
    """An observer that says nothing."""

    def stage(self, text: str) -> None:
        """Say nothing."""

    def progress(self, share: float, left: float, text: str) -> None:
        """Say nothing."""
