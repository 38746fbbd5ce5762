"""Numbers as people read them."""

from __future__ import annotations

from hive_gate.cost.stats import Spread


def milliseconds(value: float) -> str:
    """Return a time with as many digits as mean something: `2.1 ms`, `112 ms`, `1.4 s`, `9 min`."""
    if value < 9.95:
        return f"{value:.1f} ms"
    if value < 999.5:
        return f"{value:.0f} ms"
    seconds = value / 1000
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 119.5 else f"{seconds / 60:.0f} min"


def size(value: float) -> str:
    """Return a number of bytes: `100 B`, `3.9 kB`, `65 kB`, `3.3 MB`."""
    for unit, factor in (("B", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)):
        scaled = value / factor
        if scaled < 999.5 or unit == "GB":
            return f"{scaled:.0f} {unit}" if unit == "B" or scaled >= 9.95 else f"{scaled:.1f} {unit}"
    raise AssertionError  # pragma: no cover - the last unit takes everything


def count(value: float) -> str:
    """Return a whole number with separators: `10,000`."""
    return f"{round(value):,}"


def about(value: float) -> str:
    """Return a number of turns with the two digits that an estimate has: `890`, `1,300`."""
    digits = len(str(round(value)))
    step = 10 ** max(0, digits - 2)
    return count(round(value / step) * step)


def times(value: float) -> str:
    """Return a ratio: `0.98`, `1.6`, `12`."""
    return f"{value:.2f}" if value < 1.95 else f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def between(low: float, high: float) -> str:
    """Return two times as a range: `39-61 ms`, `1.3-1.7 s`, `541 ms-1.2 s`."""
    first, second = milliseconds(low), milliseconds(high)
    if first == second:
        return second
    return f"{first.split()[0]}-{second}" if first.split()[1] == second.split()[1] else f"{first}-{second}"


def power(value: float) -> str:
    """Return an exponent; none is a zero with a minus."""
    return f"{0.0 if abs(value) < 0.005 else value:.2f}"


def percent(share: float) -> str:
    """Return a share of 0 to 1 as percent, with a digit more where it is nearly all: `23 %`, `99.5 %`."""
    shown = share * 100
    if 99.95 <= shown < 100:
        return "more than 99.9 %"
    return f"{shown:.1f} %" if 99 <= shown < 99.95 else f"{shown:.0f} %"


def change(share: float) -> str:
    """Return how much less is left, or more: `23 % less`, `4 % more`; `as much` where no digit would show."""
    if abs(share) < 0.005:
        return "as much"
    return f"{percent(abs(share))} {'less' if share > 0 else 'more'}"


def measured(found: Spread) -> str:
    """Return where samples lie: `112 ms (measured; middle half of 5 repeats 108-118 ms)`."""
    half = f"middle half of {found.count} repeats {between(found.low, found.high)}"
    return f"{milliseconds(found.median)} (measured; {half})"
