"""Why a change concerns Hive, as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hive_gate.drift.kinds import LEVELS
from hive_gate.drift.relevance import Reason, Use

_NAMED = 4
"""Methods that are named."""

_SAYS: dict[Reason, tuple[str, str]] = {
    "sends": ("Hive calls it.", "Hive sends it to {methods}."),
    "omits": ("", "Hive does not always send it to {methods}."),
    "reads": ("Hive reads its result.", "Hive reads it from {methods}{note}."),
    "clauses": ("Clauses of the contract ask for it.", "Clauses of the contract name it in {methods}."),
    "waits": ("Clauses of the contract wait for it.", ""),
    "knows": ("The contract knows of it.", "The contract knows of it in {methods}, and Hive does not read it."),
    "avoids": ("Hive must not depend on it: {note}.", ""),
    "successor": ("The contract speaks of the old name.", "The contract speaks of the old name."),
    "every-client": ("It concerns every client.", ""),
}
"""Reason to what is said of a whole message, and of something in one."""


def concern(uses: Sequence[Use]) -> str:
    """Return why a change concerns Hive; empty if it does not. Names of methods are in backticks."""
    sentences: list[str] = []
    for reason, (whole, inside) in _SAYS.items():
        of_it = [use for use in uses if use.reason == reason]
        if any(use.pointer for use in of_it):
            # Places differ in what Hive allows there: the worst decides, as for the level.
            worst = min(of_it, key=lambda use: LEVELS.index(use.level))
            sentences.append(inside.format(methods=listed(use.method for use in of_it), note=worst.note))
        elif of_it:
            sentences.append(whole.format(note=of_it[0].note))
    return " ".join(sentences)


def listed(methods: Iterable[str], limit: int = _NAMED) -> str:
    """Return names of methods in backticks, each once; of a long list the first ones and how many there are."""
    names = [f"`{name}`" for name in dict.fromkeys(methods)]
    if len(names) > limit:
        names = [*names[: limit - 1], f"{len(names) - limit + 1} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
