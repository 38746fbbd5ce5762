"""What a measurement can tell, by name: the answers in cost.json and the numbers of each.

A contract names them as evidence, so a name that is given here is kept, or changed together with the contracts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hive_gate.cost.operations import HOST, STEP, VIEWS

_RATIO = ("ms.ratio",)
_GROWTH = (*VIEWS, "bytes")
_MODES = ("ms", "ms.legacy", "ms.ratio")

MEASUREMENTS: Mapping[str, tuple[str, ...]] = {
    "growth.plain": _GROWTH,
    "growth.real-paginated": _GROWTH,
    "step.1000": ("ms", "measured"),
    "step.10000": ("ms", "measured"),
    "step.limit": ("turns",),
    "walk.measured": ("turns", "ms"),
    "walk.1000": ("ms", "requests"),
    "walk.10000": ("ms", "requests"),
    "interval": ("ms.1000", "ms.10000"),
    "restore.N": ("bytes", "bytes.full", "ms", "ms.full", "ms.ratio"),
    "full": ("bytes.ratio", "ms.ratio"),
    "deep": _RATIO,
    "limit": _RATIO,
    "cold": _RATIO,
    "at-once": _RATIO,
    "read": _RATIO,
    "price": ("request", "turn", "record", "MB"),
    "memory": ("restore/full", HOST, STEP),
    "modes.step": _MODES,
    "modes.read": _MODES,
    "modes.restore": _MODES,
}
"""Answers about one target; `N` stands for the turns of the thread. A number that is too noisy is not there."""


def numbers_of(measurement: str) -> tuple[str, ...] | None:
    """Return the names of the numbers that an answer may have; None: there is no such answer."""
    if measurement == "restore.N":
        return None
    return MEASUREMENTS.get(re.sub(r"^restore\.[1-9]\d*$", "restore.N", measurement))
