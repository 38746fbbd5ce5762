"""What restores save, what `full` costs over `summary`, what does not matter, what is paid for, and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hive_gate.cost import words
from hive_gate.cost.look import Look, disagree, medians, ratio
from hive_gate.cost.model import Price, Sentence
from hive_gate.cost.operations import HOST, PAGE, STEP, VIEW
from hive_gate.cost.stats import Spread, spread
from hive_gate.cost.telling import DISAGREE, NO_ROUNDS, shown, steady_ms, too_noisy

_USUAL = 1000
"""Turns of the thread that comparisons are told on, or the largest below."""

_LOOSE = 0.35
"""Relative scatter of the price model above which it says nothing."""


def usual(look: Look, shape: str) -> int:
    """Return the size that comparisons are told on; 0 if there is none."""
    return max((size for size in look.sizes(shape) if size <= _USUAL), default=0)


def range_of(found: Spread) -> str:
    """Return where the rounds lie, as a phrase."""
    return f"middle half of the rounds {words.times(found.low)} to {words.times(found.high)}"


def restore(look: Look, shape: str) -> Iterator[Sentence]:
    """Yield what a restore saves that leaves the turns out and takes a first page."""
    for size in sorted({usual(look, shape), max(look.sizes(shape))}):
        full, page = look.cell(shape, size, "restore/full"), look.cell(shape, size, HOST)
        sent, found = medians((full, page), "bytes_in"), ratio(page, full)
        if full is None or page is None or sent is None:
            continue
        name, numbers = f"restore.{size}", {"bytes": sent[1], "bytes.full": sent[0]}
        text = (
            f"On {words.count(size)} legacy turns a restore with excludeTurns and a first page of {PAGE} in {VIEW} "
            f"sends {words.size(sent[1])} in place of {words.size(sent[0])} ({words.change(1 - sent[1] / sent[0])})"
        )
        if found is None or found.low < 1 < found.high or disagree(found, page, full):
            yield Sentence(name, look.target, text + "; what it saves in time is too noisy to say.", True, numbers)
            continue
        text += (
            f" and takes {shown(page)} in place of {shown(full)} "
            f"({words.change(1 - found.median)}; {range_of(found)} times)."
        )
        numbers |= {**steady_ms({"ms": page, "ms.full": full}), "ms.ratio": round(found.median, 3)}
        yield Sentence(name, look.target, text, False, numbers)


def full_over_summary(look: Look, shape: str) -> Iterator[Sentence]:
    """Yield what `full` costs over `summary`."""
    size = usual(look, shape)
    full, summary = look.cell(shape, size, f"page/full/{PAGE}"), look.cell(shape, size, f"page/summary/{PAGE}")
    sent, found = medians((full, summary), "bytes_in"), ratio(full, summary)
    if sent is None:
        return
    numbers = {"bytes.ratio": round(sent[0] / sent[1], 3)}
    text = (
        f"A page of {PAGE} in full is {words.times(sent[0] / sent[1])} times as large as in summary "
        f"({words.size(sent[0])} to {words.size(sent[1])}, with {look.thread(shape, size).items} items a turn)"
    )
    if found is None or found.wide:
        yield Sentence("full", look.target, text + "; how much longer it takes is too noisy to say.", True, numbers)
        return
    text += (
        f" and takes {words.times(found.median)} times as long on {words.count(size)} legacy turns ({range_of(found)})."
    )
    yield Sentence("full", look.target, text, False, numbers | {"ms.ratio": round(found.median, 3)})


def ratios(look: Look, shape: str) -> Iterator[Sentence]:
    """Yield what depth, page size, a fresh server and a whole read do, each against the usual step."""
    size = usual(look, shape)
    base = look.cell(shape, size, STEP)
    for name, operation, what in (
        ("deep", f"{STEP}/deep", "the oldest page"),
        ("limit", f"page/{VIEW}/100", "a page of 100"),
        ("cold", f"{STEP}/cold", "a page as the first request of a server"),
        ("at-once", f"{STEP}/4-at-once", "the last of four pages asked for at once"),
        ("read", "read/turns", "a thread/read with all turns"),
    ):
        cell = look.cell(shape, size, operation)
        found = ratio(cell, base)
        if cell is None or base is None:
            continue
        asked = f"how {what} compares with the newest page of {PAGE}"
        if found is None or found.wide:
            yield too_noisy(look, name, asked, DISAGREE if found else NO_ROUNDS)
            continue
        text = (
            f"{what[0].upper()}{what[1:]} takes {words.times(found.median)} times as long as the newest page of {PAGE} "
            f"on {words.count(size)} legacy turns ({range_of(found)})."
        )
        yield Sentence(name, look.target, text, False, {"ms.ratio": round(found.median, 3)})


def price(look: Look, prices: Sequence[Price]) -> Iterator[Sentence]:
    """Yield what of the history a step pays for."""
    mine = [p for p in prices if (p.target, p.operation, p.quantity) == (look.target, STEP, "ms")]
    if not mine:
        return
    if mine[0].scatter > _LOOSE:
        off = f"the model is off by {words.percent(mine[0].scatter)}"
        yield too_noisy(look, "price", "what of the history a step pays for", off)
        return
    each = ", ".join(f"{price_of(p)} a {p.unit}" for p in mine)
    text = (
        f"Over all hand-written shapes, which are legacy threads, a step costs {each} (a model that is "
        f"{words.percent(mine[0].scatter)} off at a typical point)."
    )
    yield Sentence("price", look.target, text, False, {p.unit: round(p.each, 6) for p in mine})


def price_of(paid: Price) -> str:
    """Return a price with its unit: `3.7 µs`, `4.7 ms`."""
    return words.milliseconds(paid.each) if paid.each >= 0.1 else f"{paid.each * 1000:.1f} µs"


def memory(look: Look, shape: str) -> Iterator[Sentence]:
    """Yield the most memory that the server took on the longest thread."""
    size = max(look.sizes(shape))
    parts, numbers = [], {}
    asked = (("restore/full", "a full restore"), (HOST, "a restore with a first page"), (STEP, "a step"))
    for operation, what in asked:
        cell = look.cell(shape, size, operation)
        peaks = [] if cell is None else [s.peak_mb for s in cell.samples if s.peak_mb is not None]
        if peaks:
            numbers[operation] = spread(peaks).median
            parts.append(f"{numbers[operation]:.0f} MB at {what}")
    if parts:
        stored = words.size(look.thread(shape, size).bytes)
        text = f"Peak memory of the server on {words.count(size)} legacy turns ({stored} stored): {', '.join(parts)}."
        yield Sentence("memory", look.target, text, False, numbers)


def modes(look: Look) -> Iterator[Sentence]:
    """Yield what a paginated thread costs beside a legacy one of the same real turns."""
    size = max(look.sizes("real-paginated"))
    for name, operation, what in (
        ("step", STEP, "a scroll step"),
        ("read", "read/turns", "a thread/read with all turns"),
        ("restore", HOST, "a restore with a first page"),
    ):
        mine, legacy = look.cell("real-paginated", size, operation), look.cell("real-legacy", size, operation)
        found = ratio(mine, legacy)
        if mine is None or legacy is None:
            continue
        if found is None or disagree(found, mine, legacy):
            asked = f"how {what} on a paginated thread of {words.count(size)} turns compares with a legacy one"
            yield too_noisy(look, f"modes.{name}", asked, DISAGREE if found else NO_ROUNDS)
            continue
        text = (
            f"On {words.count(size)} real turns {what} takes {shown(mine)} on a paginated thread and "
            f"{shown(legacy)} on a legacy one ({words.times(found.median)} times; {range_of(found)})."
        )
        numbers = {**steady_ms({"ms": mine, "ms.legacy": legacy}), "ms.ratio": round(found.median, 3)}
        yield Sentence(f"modes.{name}", look.target, text, False, numbers)
