"""What a check is: it follows one connection and tells what its client did wrong."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hive_gate.adapter.dialogue import Event


@dataclass(frozen=True, slots=True)
class Breach:
    """One message with which the client broke a rule."""

    message: int
    text: str
    """What is wrong with it, as a phrase."""
    beside: tuple[int, ...] = ()
    """Other messages that show it."""


class Check(ABC):
    """One rule on one connection.

    Args:
        params: the rule's, valid under the contract's schema.
        defs: the contract's `$defs`.
    """

    def __init__(self, params: Mapping[str, Any], defs: Mapping[str, Any]) -> None:
        self.params = params
        self.defs = defs
        self.seen = 0
        """How often the client was in the situation that the rule is about; without that nothing is shown."""

    @abstractmethod
    def on(self, event: Event) -> Iterator[Breach]:
        """Take the next event and yield what is wrong with it."""

    def end(self, ms: float) -> Iterable[Breach]:  # noqa: ARG002 - most checks leave nothing open
        """Take the end of the connection, `ms` after the transcript began, and yield what is left undone."""
        return ()


def quoted(value: Any) -> str:
    """Return a short value as it stands in a sentence."""
    text = str(value)
    return f"`{text if len(text) <= 60 else text[:40] + '…' + text[-12:]}`"
