"""Every fault by its name; each module holds those of one theme."""

from __future__ import annotations

from hive_gate.faults.fault import Fault, Pretense
from hive_gate.faults.themes import (
    announced,
    cursors,
    cuts,
    handshake,
    items,
    lines,
    listed,
    modes,
    names,
    names_shown,
    naming,
    opened,
    pages,
    paginated,
    projected,
    read,
    refusals,
    refused_items,
    refused_modes,
    refused_revert,
    refused_rollback,
    replies,
    resume,
    revert,
    rollback,
    status,
    stored,
    threads,
    views,
    writers,
)

_THEMES = (
    handshake, lines, refusals, pages, views, cursors, stored, threads, resume, read, names,
    names_shown, naming, status, announced, rollback, refused_rollback, modes,
    refused_modes, paginated, replies,
    projected, items, refused_items, opened, writers, revert, refused_revert,
    cuts, listed,
)  # fmt: skip

_ALL = [fault for theme in _THEMES for fault in theme.FAULTS]

FAULTS: dict[str, Fault] = {fault.name: fault for fault in _ALL}

PRETENSES: dict[str, Pretense] = {pretense.name: pretense for pretense in (refused_modes.UNAWARE, paginated.PAGINATED)}

ON_THE_WIRE: dict[str, Fault] = FAULTS | {name: pretense.fault for name, pretense in PRETENSES.items()}
"""All that the relay can be told to do."""

if len(ON_THE_WIRE) != len(_ALL) + len(PRETENSES):
    raise ValueError("two faults have the same name")
