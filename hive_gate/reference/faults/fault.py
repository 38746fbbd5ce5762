"""What a fault of the reference server is: a name, what it breaks, the parts that it replaces, who has to notice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hive_gate.reference.server import dispatch
from hive_gate.reference.server.core import Asked, Core

Make = Callable[[Any], Any]
"""From what is there to what is put in its place."""

Json = dict[str, Any]
Handler = Callable[[Core, Asked], None]

LIST, READ, RESUME, START = "thread/turns/list", "thread/read", "thread/resume", "thread/start"
THREADS, NAME, ROLLBACK, ITEMS = "thread/list", "thread/name/set", "thread/rollback", "thread/turns/items/list"


@dataclass(frozen=True, slots=True)
class Notice:
    """A clause that has to notice a fault, and by what."""

    clause: str
    """An id, a glob, or the id of an entry for all its products: every clause that it names has to notice."""
    check: str
    """The expectation that has to break, as a finding names it."""
    pointer: str | None = None
    """Glob for where in the reply; None: anywhere."""


@dataclass(frozen=True, slots=True)
class Swap:
    """One part of the server or the store that is replaced: an attribute of a module or of a class."""

    owner: Any
    attribute: str
    make: Make


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is broken inside the server."""

    name: str
    breaks: str
    """What is wrong then, in one sentence."""
    noticed: tuple[Notice, ...]
    swaps: tuple[Swap, ...]
    beside: tuple[str, ...] = ()
    """Clauses that make the traffic in which a clause about all traffic notices it."""
    silent: bool = False
    """Whether something never comes that a clause waits for, so that its deadline has to pass."""


def by(check: str, *clauses: str, at: str | None = None) -> tuple[Notice, ...]:
    """Return the notices of several clauses by the same check."""
    return tuple(Notice(clause, check, at) for clause in clauses)


def handling(method: str, make: Callable[[Handler], Handler]) -> Swap:
    """Return the swap of a method's handler."""
    return Swap(dispatch, "HANDLERS", lambda handlers: {**handlers, method: make(handlers[method])})


def asking(method: str, edit: Callable[[Json], Mapping[str, Any]]) -> Swap:
    """Return the swap after which a method's handler sees other params (decoded, every member there)."""

    def make(handle: Handler) -> Handler:
        return lambda core, asked: handle(core, replace(asked, params=edit(dict(asked.params))))

    return handling(method, make)


def answering(method: str, edit: Callable[[Json], Any]) -> Swap:
    """Return the swap after which a method's handler answers something else; refusals stay."""

    def make(handle: Handler) -> Handler:
        return lambda core, asked: handle(core, _Edited(asked.id, asked.params, asked.out, edit))

    return handling(method, make)


@dataclass(frozen=True, slots=True)
class _Edited(Asked):
    edit: Callable[[Json], Any] = dict

    def reply(self, result: Any) -> None:
        """Answer with what the edit makes of the result."""
        self.out.result(self.id, self.edit(result))
