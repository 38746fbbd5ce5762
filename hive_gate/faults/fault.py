"""What a fault is: a name, what it breaks in a sentence, the few lines that break it, and who has to notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from hive_gate.faults.wire import Wire

Message = dict[str, Any]

RequestHook = Callable[[Message, "Wire"], Message | None]
"""(request, wire): the request for the server, or None if it is not to get one. It may be changed in place."""

ReplyHook = Callable[[Message, Message, "Wire"], Message | None]
"""(reply, the request as the client sent it, wire): the reply for the client, or None if it is not to get one."""

NotificationHook = Callable[[Message, "Wire"], Message | None]
"""(notification, wire): the notification for the client, or None if it is not to get one."""

HomeHook = Callable[[Path], None]
"""(CODEX_HOME): changes what is stored, before the server is started."""

LineHook = Callable[[bytes], list[bytes]]
"""A reply's line, without its newline, into the lines that the client gets."""

LIST, RESUME, READ = "thread/turns/list", "thread/resume", "thread/read"
ITEMS, START, TURN = "thread/turns/items/list", "thread/start", "turn/start"
THREADS, NAME, ROLLBACK, FORK = "thread/list", "thread/name/set", "thread/rollback", "thread/fork"
ARCHIVE, UNARCHIVE = "thread/archive", "thread/unarchive"
ITEMS_OF_THREAD, REVERT = "thread/items/list", "thread/revert"

Target = Literal["any", "reference"]
"""Before which server a fault shows: any that keeps the contract, or only one that knows history modes."""


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
class Fault:
    """One thing that is broken on the way."""

    name: str
    breaks: str
    """What is wrong then, in one sentence."""
    noticed: tuple[Notice, ...]
    of: tuple[str, ...] = (LIST,)
    """The methods whose requests and replies it looks at; empty: all."""
    request: RequestHook | None = None
    reply: ReplyHook | None = None
    notification: NotificationHook | None = None
    line: LineHook | None = None
    beside: tuple[str, ...] = ()
    """Clauses that make the traffic in which a clause about all traffic notices it."""
    silent: bool = False
    """Whether something never comes, so that the gate has to wait out its deadline."""
    home: HomeHook | None = None
    target: Target = "any"
    pretends: str | None = None
    """The pretense it is built on: with that alone the clauses that it names pass. A target may lack a capability
    that the relay can make up; what the fault breaks is then broken on top of it."""


@dataclass(frozen=True, slots=True)
class Pretense:
    """A capability that the relay makes up, so that clauses apply which the target would not be asked.

    It breaks nothing: those clauses have to pass with it.
    """

    name: str
    says: str
    """What the server claims to be, in one sentence."""
    holds: tuple[str, ...]
    """The clauses that apply, and pass, because of it."""
    fault: Fault
    target: Target = "any"


def by(check: str, *clauses: str, at: str | None = None) -> tuple[Notice, ...]:
    """Return the notices of several clauses by the same check."""
    return tuple(Notice(clause, check, at) for clause in clauses)
