"""Every fault by its name; each module holds those of one theme."""

from __future__ import annotations

from tests.support.relay.fault import Fault
from tests.support.relay.faults import (
    cursors,
    handshake,
    lines,
    names,
    pages,
    read,
    refusals,
    replies,
    resume,
    stored,
    threads,
    views,
)

_THEMES = (handshake, lines, refusals, pages, views, cursors, stored, threads, resume, read, names, replies)

_ALL = [fault for theme in _THEMES for fault in theme.FAULTS]

FAULTS: dict[str, Fault] = {fault.name: fault for fault in _ALL}

if len(FAULTS) != len(_ALL):
    raise ValueError("two faults have the same name")
