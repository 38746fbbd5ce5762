"""What pages cost as history grows: one step, a whole walk, and how fast to ask."""

from __future__ import annotations

from collections.abc import Iterator

from hive_gate.cost import words
from hive_gate.cost.fit import at, between, noisy, reach, values
from hive_gate.cost.look import Look
from hive_gate.cost.model import Sentence
from hive_gate.cost.operations import PAGE, STEP, VIEW, VIEWS, WALK
from hive_gate.cost.stats import spread
from hive_gate.cost.telling import capital, how, passed_over, reachable, reached, too_noisy, why

LENGTHS = (1000, 10_000)
"""Turns on which a scroll step is told."""

SLOW = 100.0
"""Milliseconds that a step should not exceed: above it a person sees the wait."""


def growth(look: Look, shape: str, what: str) -> Iterator[Sentence]:
    """Yield how time and bytes of a page grow with the turns that are stored."""
    told: list[str] = []
    unsure: list[str] = []
    numbers: dict[str, float] = {}
    for view in VIEWS:
        fit = look.fit(shape, f"page/{view}/{PAGE}")
        if fit is not None:
            if not fit.noisy:
                numbers[view] = round(fit.exponent, 3)
            ends = f"{words.power(fit.low)} to {words.power(fit.high)}"
            (unsure if fit.noisy else told).append(f"{words.power(fit.exponent)} in {view} ({ends})")
    size = look.fit(shape, STEP, "bytes_in")
    if not told and not unsure:
        return
    if size is not None:
        numbers["bytes"] = round(size.exponent, 3)
    name = f"growth.{shape}"
    if not told:
        asked = f"how the time of a page of {PAGE} grows with stored turns on {what}"
        yield too_noisy(look, name, asked, f"the exponents are {'; '.join(unsure)}", numbers)
        return
    text = f"On {what} the time of a page of {PAGE} grows with stored turns to the power of {', '.join(told)}"
    if unsure:
        text += f"; too noisy to say: {', '.join(unsure)}"
    if size is not None:
        text += f"; its bytes in {VIEW} to the power of {words.power(size.exponent)}"
    yield Sentence(name, look.target, text + ".", False, numbers)


def step(look: Look, shape: str, turns: int) -> Sentence:
    """Return what one scroll step costs: as it was measured, or else by the fit, and then why."""
    name, what = f"step.{turns}", f"one scroll step (a page of {PAGE} in {VIEW}) on {words.count(turns)} legacy turns"
    cell = look.cell(shape, turns, STEP)
    if cell is not None and not noisy(cell):
        found = spread(values(cell, "ms"))
        text = f"{capital(what)} takes {words.measured(found)}."
        return Sentence(name, look.target, text, False, {"ms": round(found.median, 3), "measured": 1.0})
    fit = look.fit(shape, STEP)
    if fit is None or fit.noisy or not reachable(look, shape, turns):
        return too_noisy(look, name, f"what {what} takes", why(cell, fit))
    low, high = between(fit, turns)
    text = (
        f"{capital(what)} takes about {words.milliseconds(at(fit, turns))} ({how(look, shape, turns, cell)}; 95 % "
        f"interval {words.between(low, high)}{passed_over(cell)})."
    )
    return Sentence(name, look.target, text, False, {"ms": round(at(fit, turns), 3), "measured": 0.0})


def limit(look: Look, shape: str) -> Sentence:
    """Return from which length on a step is too slow."""
    name, what = "step.limit", f"a scroll step exceeds {SLOW:.0f} ms"
    fit = look.fit(shape, STEP)
    if fit is None or fit.noisy:
        return too_noisy(look, name, f"from which length on {what}", why(None, fit))
    turns = reach(fit, SLOW)
    if turns is None or not reachable(look, shape, turns):
        longest = words.count(max(look.sizes(shape)))
        text = f"At no length that {longest} legacy turns speak for {what}."
        return Sentence(name, look.target, text, False, {})
    text = f"{capital(what)} from about {words.about(turns)} legacy turns on ({how(look, shape, turns)})."
    return Sentence(name, look.target, text, False, {"turns": round(turns)})


def walks(look: Look, shape: str) -> Iterator[Sentence]:
    """Yield what a whole walk costs: measured where it was, added up from its steps where not."""
    told = [(thread, cell) for thread, cell in look.of_shape(shape, WALK) if look.steady(shape, thread.size, WALK)]
    for thread, cell in told[-1:]:
        found = spread(values(cell, "ms"))
        text = (
            f"A whole walk over {words.count(thread.turns)} legacy turns in pages of 100 takes "
            f"{words.measured(found)}: {cell.requests} requests, each of which reads the whole history."
        )
        yield Sentence("walk.measured", look.target, text, False, {"turns": thread.turns, "ms": round(found.median, 3)})
    for turns, ms, source in _steps(look, shape):
        pages = -(-turns // PAGE)
        each = f"{words.milliseconds(ms)} each" if source is None else f"about {words.milliseconds(ms)} each ({source})"
        text = (
            f"A whole walk over {words.count(turns)} legacy turns in pages of {PAGE} is {words.count(pages)} such "
            f"steps of {each}: about {words.milliseconds(pages * ms)} (added up, not measured)."
        )
        yield Sentence(f"walk.{turns}", look.target, text, False, {"ms": round(pages * ms), "requests": pages})


def interval(look: Look, shape: str) -> Sentence:
    """Return how long to wait between two page requests."""
    told: list[str] = []
    numbers: dict[str, float] = {}
    for turns, ms, source in _steps(look, shape):
        twice, on = words.milliseconds(2 * ms), f"on {words.count(turns)} legacy turns"
        told.append(f"{twice} {on}" if source is None else f"about {twice} ({source}) {on}")
        numbers[f"ms.{turns}"] = round(2 * ms, 1)
    if not told:
        return too_noisy(
            look, "interval", "how long to wait between two page requests", why(None, look.fit(shape, STEP))
        )
    text = (
        "From the start of one page request to the start of the next leave twice what the last one took, so that the "
        f"server works at most half of the time: {', '.join(told)}."
    )
    return Sentence("interval", look.target, text, False, numbers)


def _steps(look: Look, shape: str) -> Iterator[tuple[int, float, str | None]]:
    """Yield what a step takes on each length that is told of, as :func:`step` tells it.

    Each is turns, milliseconds, and how a fit gives them; None where they were measured.
    """
    fit = look.fit(shape, STEP)
    for turns in LENGTHS:
        cell = look.cell(shape, turns, STEP)
        if cell is not None and not noisy(cell):
            yield turns, spread(values(cell, "ms")).median, None
        elif fit is not None and not fit.noisy and reachable(look, shape, turns):
            yield turns, at(fit, turns), reached(look, shape, turns, cell)
