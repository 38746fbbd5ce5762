"""From samples to what follows from them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from hive_gate.cost.compare import comparison
from hive_gate.cost.fit import fits, values
from hive_gate.cost.look import Look
from hive_gate.cost.model import Absent, Cell, Cost, Noise, Run, StoredThread
from hive_gate.cost.prices import prices
from hive_gate.cost.sentences import sentences
from hive_gate.cost.stats import ENOUGH, quantile, spread
from hive_gate.report.model import Target


def derived(
    run: Run,
    loads: tuple[float | None, float | None],
    targets: tuple[Target, ...],
    threads: tuple[StoredThread, ...],
    cells: tuple[Cell, ...],
    absent: tuple[Absent, ...],
) -> Cost:
    """Return the whole result of these samples, without what it says to the decisions of a contract.

    Args:
        run: when and how it ran.
        loads: the system's load before and after.
        targets: what was measured.
        threads: the stored threads.
        cells: the samples.
        absent: shapes that a target does not have.
    """
    lines, paid = tuple(fits(threads, cells)), tuple(prices(threads, cells))
    looks = [Look(index, threads, cells, lines) for index in range(len(targets))]
    told = [*comparison(looks, targets), *(sentence for look in looks for sentence in sentences(look, paid))]
    return Cost(
        run=run,
        noise=noise(cells, loads),
        targets=targets,
        # As numbers come back from the file, so that its digest stays the same.
        sentences=tuple(replace(s, values={name: float(value) for name, value in s.values.items()}) for s in told),
        decisions=(),
        absent=absent,
        threads=threads,
        fits=lines,
        prices=paid,
        cells=cells,
    )


def told_again(cost: Cost) -> Cost:
    """Return what the samples of an old measurement say by the rules of today; how it ran stays as it is."""
    loads = (cost.noise.load_before, cost.noise.load_after)
    again = derived(cost.run, loads, cost.targets, cost.threads, cost.cells, cost.absent)
    return replace(again, noise=cost.noise)


def noise(cells: Sequence[Cell], loads: tuple[float | None, float | None]) -> Noise:
    """Return how steady the machine was, by the gate's constant computation and by the spread of the cells."""
    rounds: dict[int, list[float]] = {}
    for cell in cells:
        for sample in cell.samples:
            rounds.setdefault(sample.round, []).append(sample.control_ms)
    controls = [value for found in rounds.values() for value in found] or [0.0]
    told = [spread(found) for cell in cells if len(found := values(cell, "ms")) >= ENOUGH]
    first, last = (median(rounds[pick(rounds)]) if rounds else 1.0 for pick in (min, max))
    return Noise(
        control_ms=round(median(controls), 4),
        control_low=round(quantile(controls, 0.1), 4),
        control_high=round(quantile(controls, 0.9), 4),
        drift=round(last / first, 3),
        noisy_cells=sum(found.noisy for found in told),
        cells=len(told),
        load_before=loads[0],
        load_after=loads[1],
        cpus=_cpus(),
    )


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
