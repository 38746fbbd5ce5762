"""The numbers as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hive_gate.cost import words
from hive_gate.cost.about_rest import price_of
from hive_gate.cost.fit import middle, noisy, values
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cell, Cost, Fit, Quantity
from hive_gate.cost.operations import OPERATIONS, STEP
from hive_gate.cost.shapes import SHAPES
from hive_gate.cost.stats import spread
from hive_gate.report.note import Code, Line, Table, Toned


def times(look: Look, shape: str, quantity: Quantity = "ms") -> Table:
    """Return wall or CPU time by operation and size; what is too noisy is given as a range."""
    return _by_size(look, shape, lambda cell: _time(cell, quantity))


def sizes(look: Look, shape: str) -> Table:
    """Return the bytes of replies by operation and size."""
    return _by_size(look, shape, _bytes)


def memory(look: Look, shape: str) -> Table:
    """Return the peak memory by operation and size, in MB."""
    return _by_size(look, shape, _peak)


def growth(look: Look, shape: str) -> Table | None:
    """Return the exponents over stored turns of one shape; None if there are none."""
    rows: list[tuple[Line, ...]] = []
    for name, operation in OPERATIONS.items():
        fits = [look.fit(shape, name, quantity) for quantity in ("ms", "cpu_ms", "bytes_in")]
        if any(fits) and operation.phase != "start" and operation.method not in ("", "hive-gate/control"):
            rows.append(((Code(name),), _exponent(fits[0]), _exponent(fits[1]), _plain_exponent(fits[2])))
    return Table(("Operation", "Time", "CPU time", "Bytes"), tuple(rows)) if rows else None


def shapes(look: Look) -> Table | None:
    """Return a scroll step by shape and size; None if there is but one shape."""
    made = [shape.name for shape in SHAPES.values() if shape.made == "stored" and look.sizes(shape.name)]
    if len(made) < 2:
        return None
    found = sorted({size for shape in made for size in look.sizes(shape)})
    rows: list[tuple[Line, ...]] = []
    for shape in made:
        cells = [look.cell(shape, size, STEP) for size in found]
        rows.append(((Code(shape),), *(_time(cell, "ms") for cell in cells)))
    return Table(("Shape", *map(words.count, found)), tuple(rows))


def prices(cost: Cost, target: int) -> Table | None:
    """Return what a request, a turn, a record and a megabyte cost; None if no model was found."""
    rows: list[tuple[Line, ...]] = []
    for name in dict.fromkeys(p.operation for p in cost.prices if p.target == target):
        mine = {p.unit: p for p in cost.prices if (p.target, p.operation, p.quantity) == (target, name, "ms")}
        if not mine:
            continue
        off = next(iter(mine.values())).scatter
        found = (mine.get(unit) for unit in ("request", "turn", "record", "MB"))
        each: Iterator[Line] = ((price_of(paid),) if paid else ("-",) for paid in found)
        rows.append(((Code(name),), *each, (words.percent(off),)))
    return Table(("Operation", "a request", "a turn", "a record", "a MB", "off by"), tuple(rows)) if rows else None


def _by_size(look: Look, shape: str, shown: Callable[[Cell | None], Line]) -> Table:
    found = look.sizes(shape)
    rows: list[tuple[Line, ...]] = []
    for name in OPERATIONS:
        cells = [look.cell(shape, size, name) for size in found]
        if any(cells):
            rows.append(((Code(name),), *map(shown, cells)))
    head = [words.count(size) for size in found]
    return Table(("Operation", *(f"{text} turns" if i == 0 else text for i, text in enumerate(head))), tuple(rows))


def _time(cell: Cell | None, quantity: Quantity) -> Line:
    found = [] if cell is None else values(cell, quantity)
    if cell is None or not found:
        return ("-",)
    where = spread(found)
    if len(found) == 1:
        return (Toned(f"{words.milliseconds(where.median)} once", "dim"),)
    if noisy(cell, quantity):
        return (Toned(words.between(where.low, where.high), "warn"),)
    return (f"{words.milliseconds(where.median)} ±{where.relative / 2 * 100:.0f}%",)


def _bytes(cell: Cell | None) -> Line:
    sent = None if cell is None else middle(cell, "bytes_in")
    return ("-",) if sent is None else (words.size(sent),)


def _peak(cell: Cell | None) -> Line:
    peaks = [] if cell is None else [s.peak_mb for s in cell.samples if s.peak_mb is not None]
    return (f"{spread(peaks).median:.0f}",) if peaks else ("-",)


def _exponent(fit: Fit | None) -> Line:
    if fit is None:
        return ("-",)
    if fit.noisy:
        return (Toned(f"noisy: {words.power(fit.low)}..{words.power(fit.high)}", "warn"),)
    return (f"{words.power(fit.exponent)} ({words.power(fit.low)}..{words.power(fit.high)})",)


def _plain_exponent(fit: Fit | None) -> Line:
    """Bytes have no noise: what their interval tells is that a short thread does not fill a page."""
    return ("-",) if fit is None else (words.power(fit.exponent),)
