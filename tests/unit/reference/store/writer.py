"""A writer in a process of its own: `python writer.py ROLE HOME ARGUMENTS...`. It says on stdout what was answered.

It is started by tests, which kill it or let several of it loose on one home.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import InvalidRequest, ThreadNotFound
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.records import NewThread, ThreadChange


def say(text: str) -> None:
    """Write one line at once: no buffer that a kill could take along."""
    os.write(1, text.encode() + b"\n")


def append(home: Path, ident: str, name: str, count: str) -> None:
    """Append `NAME-0`, `NAME-1`, ... and name the thread as often, waiting out its archived times."""
    store = LocalThreadStore(home)
    for number in range(int(count)):
        while True:
            try:
                store.append(ident, [recording.user_message(f"{name}-{number}"), recording.agent_message("x" * 5000)])
            except InvalidRequest:  # archived at the moment
                continue
            break
        store.update_metadata(ident, ThreadChange(name=f"{name}-{number}"))
        say(f"{name}-{number}")


def shuttle(home: Path, ident: str, count: str) -> None:
    """Archive the thread and bring it back."""
    store = LocalThreadStore(home)
    for _ in range(int(count)):
        store.archive(ident)
        store.unarchive(ident)
    say("done")


def foreign(home: Path, ident: str, name: str, count: str) -> None:
    """Append as the real server does: whole lines at the end, without a lock."""
    (path,) = home.glob(f"sessions/*/*/*/rollout-*{ident}.jsonl")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    for number in range(int(count)):
        message = (
            f'{{"timestamp":"x","type":"event_msg","payload":{{"type":"user_message","message":"{name}-{number}"}}}}\n'
        )
        os.write(descriptor, message.encode())
        say(f"{name}-{number}")


def nursery(home: Path) -> None:
    """For each line `ID FIRST SEED` on stdin start a child that appends until it is killed; say when it is gone."""
    while request := sys.stdin.readline():
        ident, first, seed = request.split()
        child = os.fork()
        if child == 0:
            _live(home, ident, int(first), random.Random(int(seed)))
        say(f"born {child}")
        os.waitpid(child, 0)
        say("gone")


def _live(home: Path, ident: str, number: int, chance: random.Random) -> None:
    store = LocalThreadStore(home)
    try:
        store.read(ident)
    except ThreadNotFound:
        store.create(NewThread(ident, str(home), "mock"))
    while True:
        several = [number + offset for offset in range(chance.randint(1, 3))]
        padding = "x" * chance.choice([0, 100, 20_000])
        store.append(ident, [recording.event("user_message", message=f"{n}", padding=padding) for n in several])
        say(f"answered {several[-1]}")
        number = several[-1] + 1


ROLES: dict[str, Callable[..., None]] = {"append": append, "shuttle": shuttle, "foreign": foreign, "nursery": nursery}

if __name__ == "__main__":
    ROLES[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
