"""Faults of the reference server: each breaks one thing in the server or in its store, on purpose and by name.

They are about what no relay on the wire can break: files, the database, what the model is sent, what is remembered.
A fault replaces parts of the program when it is switched on; the server itself knows nothing of faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from hive_gate.errors import UsageError
from hive_gate.reference.faults import (
    cursors,
    handshake,
    modes,
    names,
    pages,
    reading,
    refusals,
    resuming,
    rollback,
    statuses,
    storing,
    views,
)
from hive_gate.reference.faults.fault import Fault, Notice, Swap

__all__ = ["FAULTS", "Fault", "Notice", "Swap", "switch_on"]

_THEMES = (
    *(handshake, cursors, pages, views, storing, refusals),
    *(resuming, reading, names, statuses, rollback, modes),
)

FAULTS: Mapping[str, Fault] = MappingProxyType({fault.name: fault for theme in _THEMES for fault in theme.FAULTS})
"""Every fault by its name."""


def switch_on(name: str) -> Callable[[], None]:
    """Break this process's server, and return what mends it again.

    Raises:
        UsageError: there is no such fault.
    """
    fault = FAULTS.get(name)
    if fault is None:
        close = get_close_matches(name, FAULTS, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(close)}? " if close else ""
        raise UsageError(f"there is no fault {name!r}", hint=f"{hint}list them with: hive-gate serve --list-faults")
    before = [(swap.owner, swap.attribute, vars(swap.owner)[swap.attribute]) for swap in fault.swaps]
    for swap in fault.swaps:
        setattr(swap.owner, swap.attribute, swap.make(getattr(swap.owner, swap.attribute)))

    def mend() -> None:
        for owner, attribute, value in reversed(before):
            setattr(owner, attribute, value)

    return mend
