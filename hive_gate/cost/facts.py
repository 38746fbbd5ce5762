"""What ran, on what, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hive_gate.cost import words
from hive_gate.cost.model import Cost
from hive_gate.report.note import Code, Inline, Line, Table
from hive_gate.report.paths import shorten
from hive_gate.report.plain import cut, phrase

_TOLD = 160
"""Characters of a reason."""

_REASONS = 12
"""Reasons why something is missing that are told."""

_NAMED = 3
"""Measurements that a reason names."""


def partial(cost: Cost) -> str:
    """Return why a run is not whole, in one sentence."""
    samples = sum(len(cell.samples) for cell in cost.cells)
    why = cost.run.problem or "its time was up before everything was done often enough"
    return f"PARTIAL: {phrase(why, _TOLD)}; it speaks of the {words.count(samples)} samples that were taken."


def facts(cost: Cost) -> Table:
    """Return what ran, and how steady the machine was."""
    run, noise = cost.run, cost.noise
    rows: list[tuple[str, Inline]] = []
    for index, target in enumerate(cost.targets):
        number = f" {index + 1}" if len(cost.targets) > 1 else ""
        path = f", {shorten(target.path)}" if target.path else ""
        rows.append((f"Program{number}", f"{cut(target.version or target.spec)}{path}"))
        if target.sha256:
            rows.append((f"SHA-256{number}", Code(target.sha256)))
    samples = sum(len(cell.samples) for cell in cost.cells)
    controls = f"8 of 10 between {noise.control_low:.2f} and {noise.control_high:.2f}"
    rows += [
        ("Date", f"{run.started}, {run.seconds:.0f} s of at most {run.time_limit:.0f}"),
        ("Samples", f"{words.count(samples)} in {run.rounds} interleaved rounds"),
        ("Machine", f"{noise.cpus} processors, {cut(cost.targets[0].platform or 'unknown platform')}"),
        ("Load", f"{_load(noise.load_before)} before, {_load(noise.load_after)} after"),
        ("Control", f"a constant computation before each sample took {noise.control_ms:.2f} ms ({controls}); in the "
                    f"last round {words.times(noise.drift)} times as long as in the first"),
        ("Noise", f"{noise.noisy_cells} of {noise.cells} measurements vary too much for a number and give a range"),
        ("Versions", f"hive-gate {run.hive_gate}, Python {run.python}"),
    ]  # fmt: skip
    return Table(("Fact", "Value"), tuple(((name,), (value,)) for name, value in rows))


def lacking(cost: Cost, names: Sequence[str]) -> Iterator[Line]:
    """Yield what was not measured, and why; what only has fewer repeats is counted."""
    for absent in cost.absent:
        yield (f"{cut(names[absent.target])}, ", Code(absent.shape), f": {phrase(absent.why, _TOLD)}")
    reasons: dict[tuple[int, str], list[str]] = {}
    short = 0
    for cell in cost.cells:
        if cell.missing is not None and cell.samples:
            short += 1
        elif cell.missing is not None:
            what = f"{cell.operation} on {cell.shape}, {words.count(cell.size)}"
            reasons.setdefault((cell.target, cell.missing), []).append(what)
    for (target, why), cells in list(reasons.items())[:_REASONS]:
        more = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
        yield (f"{cut(names[target])}: {'; '.join(cells[:_NAMED])}{more}: {phrase(why, _TOLD)}",)
    if len(reasons) > _REASONS:
        yield (f"… and {len(reasons) - _REASONS} more reasons in cost.json",)
    if short:
        of = words.count(len(cost.cells))
        yield (f"{words.count(short)} of {of} measurements have fewer than {cost.run.rounds} repeats",)


def _load(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.1f}"
