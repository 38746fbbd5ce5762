"""What every answer needs: how to say that something is too noisy, and where a number comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from hive_gate.cost import words
from hive_gate.cost.fit import noisy, values
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cell, Fit, Sentence
from hive_gate.cost.stats import ENOUGH, spread

FAR = 20.0
"""How many times the largest measured size an extrapolation may go."""


TOO_FEW = "the sizes are too few or too close"
TOO_FAR = "it lies too far from what was measured"
NO_ROUNDS = "too few rounds have both"
TOO_RARE = f"it was measured fewer than {ENOUGH} times"
DISAGREE = "the rounds disagree"


def too_noisy(look: Look, name: str, what: str, why: str, values_of: dict[str, float] | None = None) -> Sentence:
    """Return the answer that gives no number."""
    little = why in (TOO_FEW, TOO_FAR, NO_ROUNDS, TOO_RARE)
    head = "Too little was measured to say" if little else "Too noisy to say"
    return Sentence(name, look.target, f"{head} {what}: {why}.", True, values_of or {})


def why(cell: Cell | None, fit: Fit | None) -> str:
    """Say what is too noisy; `cell` is one that is not steady, or that is not there."""
    if cell is not None:
        return TOO_RARE if _rare(cell) else _spread(cell)
    if fit is None:
        return TOO_FEW
    if fit.noisy:
        return f"the exponent may be anything from {words.power(fit.low)} to {words.power(fit.high)}"
    return TOO_FAR


def reached(
    look: Look, shape: str, turns: float, unsteady: Cell | None = None
) -> Literal["fitted", "interpolated", "extrapolated"]:
    """Say in one word how a fit gives a number of `turns`; `unsteady` is what was measured of just so many."""
    if unsteady is not None:
        return "fitted"
    sizes = look.sizes(shape)
    return "interpolated" if sizes[0] <= turns <= sizes[-1] else "extrapolated"


def how(look: Look, shape: str, turns: float, unsteady: Cell | None = None) -> str:
    """Say from which threads a fit gives a number of `turns`; `unsteady` is what was measured of just so many."""
    sizes = look.sizes(shape)
    ends = f"{words.count(sizes[0])} to {words.count(sizes[-1])}"
    return f"{reached(look, shape, turns, unsteady)} from threads of {ends} turns"


def passed_over(unsteady: Cell | None) -> str:
    """Say why a fit is told in place of what was measured of just so many turns; nothing if nothing was."""
    if unsteady is None:
        return ""
    why = f"fewer than {ENOUGH} times" if _rare(unsteady) else f"too noisily: {_spread(unsteady)}"
    return f"; measured there as well, but {why}"


def _rare(cell: Cell) -> bool:
    return len(values(cell, "ms")) < ENOUGH


def _spread(cell: Cell) -> str:
    found = spread(values(cell, "ms"))
    return f"the middle half of its {found.count} repeats is {words.between(found.low, found.high)}"


def shown(cell: Cell) -> str:
    """Return what a cell took as tables do: the median, or a range where that is too noisy."""
    found = spread(values(cell, "ms"))
    return words.between(found.low, found.high) if noisy(cell) else words.milliseconds(found.median)


def steady_ms(cells: Mapping[str, Cell]) -> dict[str, float]:
    """Return the medians of those cells that are not too noisy, by name, in milliseconds."""
    return {name: round(spread(values(cell, "ms")).median, 3) for name, cell in cells.items() if not noisy(cell)}


def reachable(look: Look, shape: str, turns: float) -> bool:
    """Tell whether so many turns are near enough to what was measured."""
    return turns <= FAR * max(look.sizes(shape))


def capital(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[0].upper() + text[1:]
