"""Where what Hive sends or reads does not fit the target's own schema, as data and as a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["request", "response"]

SENTENCES: dict[str, str] = {
    "method-missing": "The target has no client method {expected}.",
    "result-unknown": "The target does not state what the result of {expected} is like, so it cannot be compared.",
    "request-field-unknown": "Hive sends {at}, which the target's params do not have: "
    "the server would ignore it without a word.",
    "request-type-refused": "Hive may send {actual} as {at}, but the target accepts only {expected}.",
    "request-enum-refused": "Hive may send {actual} as {at}, but the target accepts only {expected}.",
    "request-range-refused": "Hive may send {actual} as {at}, but the target accepts only {expected}.",
    "request-field-required": "The target requires {at}, which Hive {actual}.",
    "response-field-missing": "Hive reads {at}, which the target does not send ({actual}).",
    "response-field-optional": "Hive relies on {at}, which the target may leave out.",
    "response-field-new": "The target may send {at}, and Hive allows only {expected} there.",
    "response-type-wider": "The target may send {actual} as {at}, but Hive reads only {expected}.",
    "response-null": "The target may send null as {at}, but Hive reads only {expected}.",
    "response-enum-new": "The target may send {actual} as {at}, but Hive knows only {expected}.",
}
"""Rule id to its sentence; the ids are stable, as accepted deviations name them."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One point on which Hive and the target's schema disagree."""

    direction: Direction
    pointer: str
    """JSON pointer into the params or the result, with `*` for every index of an array and every name of a map."""
    rule: str
    """A key of `SENTENCES`."""
    expected: str
    """What would fit, as a phrase: the accepting side's own schema."""
    actual: str
    """What the sending side may send, as a phrase."""

    def explain(self) -> str:
        """Return the mismatch as one sentence."""
        root = "the params" if self.direction == "request" else "the result"
        at = f"`{self.pointer}`" if self.pointer else root
        return SENTENCES[self.rule].format(at=at, expected=self.expected, actual=self.actual)
