"""A target with its homes: where the stored threads lie and how a server is started on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hive_gate.contract.model import Contract
from hive_gate.cost.meter import Meter
from hive_gate.cost.model import StoredThread
from hive_gate.cost.shapes import Shape, start_params
from hive_gate.errors import TargetError
from hive_gate.probe.server import LaneServer, Servers
from hive_gate.probe.steps import captured, run_turn
from hive_gate.probe.subject import Subject
from hive_gate.scene import rollout
from hive_gate.scene.home import Home
from hive_gate.scene.standin import StandIn
from hive_gate.scene.truth import TurnRecipe


class NotOffered(Exception):
    """The target cannot have threads of this shape; the text says why."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What the measurements of one target share.

    Args:
        index: of the target.
        subject: the target.
        contract: whose way of greeting is used.
        stand_in: the model of real turns.
        root: folder for the homes.
        start_timeout: seconds for the start of a server.
        request_timeout: seconds for one request.
    """

    index: int
    subject: Subject
    contract: Contract
    stand_in: StandIn
    root: Path
    start_timeout: float
    request_timeout: float

    def server(self, home: Home) -> LaneServer:
        """Return a server on a home, not yet started, with a transcript of its own that forgets."""
        servers = Servers(self.contract, self.subject.argv, Meter(), self.start_timeout)
        return LaneServer(servers, home, "cost", "hive", "cost")


@dataclass(frozen=True, slots=True)
class Place:
    """A stored thread and where it is."""

    ground: Ground
    shape: Shape
    thread: StoredThread
    home: Home
    thread_id: str


async def make_place(ground: Ground, shape: Shape, size: int, sizes: Sequence[int]) -> Place:
    """Make a home with one stored thread of a shape.

    Raises:
        NotOffered: if the target has no threads of this kind.
        TargetError: if a server could not be started or a turn not be run.
    """
    key = f"{ground.index}-{shape.name}-{size}"
    home = Home(ground.root / key)
    home.prepare(ground.stand_in.base_url(key))
    turns = shape.turns(size, sizes)
    if shape.made == "stored":
        ident = rollout.thread_id("cost", key)
        rollout.write_thread(home.codex, ident, turns, cwd=home.work)
        await _started_once(ground, home)
    else:
        ident = await _run_turns(ground, shape, home, key, turns)
    records, size_of_file = _measured(home.codex, ident)
    items = 1 + len(turns[0].then)
    return Place(
        ground,
        shape,
        StoredThread(ground.index, shape.name, size, len(turns), records, size_of_file, items),
        home,
        ident,
    )


async def _started_once(ground: Ground, home: Home) -> None:
    """Start a server and end it: the first one on a home makes its databases, which is an operation of its own."""
    server = ground.server(home)
    try:
        await server.start()
    finally:
        await server.stop()


async def _run_turns(ground: Ground, shape: Shape, home: Home, key: str, turns: Sequence[TurnRecipe]) -> str:
    server = ground.server(home)
    try:
        await server.start()
        params = {"cwd": str(home.work), **start_params(shape)}
        started = await server.connection.call("thread/start", params, timeout=ground.request_timeout)
        ident = captured(server.transcript.messages, [started], "/thread/id")
        mode = captured(server.transcript.messages, [started], "/thread/historyMode")
        if not isinstance(ident, str) or (shape.made == "paginated" and mode != "paginated"):
            raise NotOffered("the target starts no paginated threads")
        for turn in turns:
            told = {"user": turn.user, "model": [text for _, text in turn.then]}
            exchange, done = await run_turn(server, ground.stand_in, key, ident, told, ground.request_timeout)
            if done is None or exchange.failure:
                raise TargetError(f"a turn could not be run: {exchange.failure or 'refused'}")
    finally:
        await server.stop()
    return ident


def _measured(codex_home: Path, thread_id: str) -> tuple[int, int]:
    """Return the lines and bytes of a thread's files."""
    lines = size = 0
    for path in codex_home.rglob(f"*{thread_id}*.jsonl"):
        data = path.read_bytes()
        lines += data.count(b"\n")
        size += len(data)
    return lines, size
