"""Turns and items by their number in the stored thread, from 1: what a person counts by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hive_gate.probe.seen import preview
from hive_gate.scene.truth import ThreadTruth


def numbers_of(thread: ThreadTruth) -> dict[str, int]:
    """Return each turn's number by its id."""
    return {turn.id: number for number, turn in enumerate(thread.turns, 1)}


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers in order with runs folded: 5, 4, 3 is `5…3`."""
    runs: list[list[int]] = []
    for number in numbers:
        if (
            runs
            and abs(number - runs[-1][-1]) == 1
            and (len(runs[-1]) == 1 or number - runs[-1][-1] == runs[-1][-1] - runs[-1][-2])
        ):
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [f"{run[0]}…{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(shown[:12]) + (", …" if len(shown) > 12 else "")


def difference(
    got: Sequence[str], wanted: Sequence[str], numbers: Mapping[str, int], total: int, what: str = "turns"
) -> str:
    """Return how what came differs from what was wanted.

    Args:
        got: keys of what came, in order.
        wanted: keys of what should have come; unlike `got`.
        numbers: the number of every stored one by its key.
        total: how many are stored.
        what: what they are called.
    """
    if not got:
        return f"no {what}, though the stored thread has {total} (false empty)"
    parts = []
    counted = Counter(got)
    repeated = [numbers[i] for i, count in counted.items() if count > 1 and i in numbers]
    missing = [numbers[i] for i in wanted if i not in counted]
    extra = [numbers[i] for i in counted if i in numbers and i not in wanted]
    unknown = [i for i in counted if i not in numbers]
    if repeated:
        parts.append(f"repeated {ranges(repeated)}")
    if missing:
        parts.append(f"missing {ranges(missing)}")
    if extra:
        parts.append(f"not asked for {ranges(extra)}")
    if unknown:
        parts.append(f"{len(unknown)} unknown, such as {preview(unknown[0], 60)}")
    order = ranges([numbers[i] for i in got if i in numbers])
    return f"{what} {order or 'unknown'}: {'; '.join(parts) or 'in another order'}"
