"""One life of a server: it is started, asked for one thing first, then for others, each of them measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hive_gate.cost.ground import Place
from hive_gate.cost.meter import Meter, control_ms
from hive_gate.cost.model import Sample
from hive_gate.cost.operations import DEEP, HOST, OPERATIONS, Operation, problem_of, request_of
from hive_gate.cost.usage import Usage
from hive_gate.errors import TargetError
from hive_gate.probe.server import LaneServer
from hive_gate.wire.transcript import Exchange


@dataclass(frozen=True, slots=True)
class Visit:
    """What one server is asked.

    Args:
        place: the stored thread.
        first: the first request, if it is to be measured as such, or `start/first`.
        then: the rest, in order.
    """

    place: Place
    first: Operation | None
    then: tuple[Operation, ...]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All that is measured, the start included."""
        start = OPERATIONS["start/first" if self.starts_anew else "start"]
        asked = () if self.first is None or self.starts_anew else (self.first,)
        return (start, *asked, *self.then)

    @property
    def starts_anew(self) -> bool:
        """Whether the home's databases are taken away before."""
        return self.first is not None and self.first.phase == "first-start"


@dataclass(frozen=True, slots=True)
class Measured:
    """One operation that was tried: a sample, or why there is none."""

    operation: Operation
    requests: int = 1
    sample: Sample | None = None
    problem: str | None = None


@dataclass(slots=True)
class _Tally:
    ms: float = 0.0
    bytes_out: int = 0
    bytes_in: int = 0


class _NoSample(Exception):
    """What came cannot be measured; the text says what it was."""


def visits_of(place: Place, operations: Sequence[Operation]) -> list[Visit]:
    """Return the lives that a thread's operations need: each first request has a server of its own.

    What is asked of a server at work is asked after it has restored the thread as Hive would.
    """
    fitting = [operation for operation in operations if operation.applies(place.thread)]
    warm = tuple(o for o in fitting if o.phase in ("warm", "walk"))
    firsts = [o for o in fitting if o.phase in ("cold", "first-start")]
    host = next((o for o in firsts if o.name == HOST), None)
    visits = [Visit(place, first, ()) for first in firsts if first is not host]
    return [Visit(place, host, warm), *visits] if warm or host else visits


async def carry_out(visit: Visit, number: int, keep: Callable[[Measured], None]) -> None:
    """Start a server, do what the visit says and hand on each operation as it is measured.

    Args:
        visit: what to do.
        number: of the round.
        keep: takes what was measured.

    Raises:
        TargetError: if the server does not start, falls silent, or ends while it is asked.
    """
    place = visit.place
    if visit.starts_anew:
        for path in place.home.codex.glob("*.sqlite*"):
            path.unlink()
    server = place.ground.server(place.home)
    control = control_ms()
    began = server.transcript.elapsed_ms()
    try:
        await server.start()
        took = server.transcript.elapsed_ms() - began
        lane = _Lane(place, server, Usage(server.pid), number)
        keep(await lane.started(visit.operations[0], took, control))
        for operation in visit.operations[1:]:
            keep(await lane.measure(operation))
    finally:
        await server.stop()


@dataclass(slots=True)
class _Lane:
    """A running server that is measured."""

    place: Place
    server: LaneServer
    usage: Usage
    number: int
    cursor: str | None = None
    """Where a deep page begins; asked for once."""

    async def started(self, operation: Operation, took: float, control: float) -> Measured:
        """Return what the start took; all that the server has done so far belongs to it."""
        cpu = await self.usage.rested()
        greeted = self.server.greeted
        tally = _Tally(took) if greeted is None else _Tally(took, greeted.bytes_out, greeted.bytes_in)
        return Measured(operation, 1, self._sample(tally, 0.0, cpu, control))

    async def measure(self, operation: Operation) -> Measured:
        """Do one operation."""
        try:
            cursor = await self._deep_cursor() if operation.deep else None
            control = control_ms()
            self.usage.forget_peak()
            before = await self.usage.rested()
            tally = _Tally()
            if operation.phase == "walk":
                requests = await self._walk(operation, tally)
            elif operation.at_once > 1:
                requests = await self._together(operation, tally)
            else:
                requests = await self._one(operation, cursor, tally)
            after = await self.usage.rested()
            self._forget()
        except _NoSample as why:
            return Measured(operation, problem=str(why))
        except TargetError as error:
            raise TargetError(f"{operation.name} on {self.place.thread.turns} turns: {error.message}") from error
        return Measured(operation, requests, self._sample(tally, before, after, control))

    def _sample(self, tally: _Tally, before: float | None, after: float | None, control: float) -> Sample:
        return Sample(
            round=self.number,
            ms=round(tally.ms, 3),
            cpu_ms=None if before is None or after is None else round((after - before) * 1000, 3),
            bytes_out=tally.bytes_out,
            bytes_in=tally.bytes_in,
            peak_mb=self.usage.peak_mb(),
            control_ms=control,
        )

    async def _together(self, operation: Operation, tally: _Tally) -> int:
        """Send the same request several times before any is answered; the last answer is when it is done."""
        params = request_of(operation, self.place.thread_id, None)
        sent = await self.server.connection.start_together([(operation.method, params)] * operation.at_once)
        took: list[float] = []
        for pending in sent:
            each = _Tally()
            reply = self._answer(await self.server.connection.finish(pending, self.place.ground.request_timeout), each)
            problem = problem_of(operation, self.place.thread, reply)
            if problem is not None:
                raise _NoSample(problem)
            took.append(each.ms)
            tally.bytes_out += each.bytes_out
            tally.bytes_in += each.bytes_in
        tally.ms = max(took)
        return operation.at_once

    async def _one(self, operation: Operation, cursor: str | None, tally: _Tally) -> int:
        reply = await self._ask(operation.method, request_of(operation, self.place.thread_id, cursor), tally)
        problem = problem_of(operation, self.place.thread, reply)
        if problem is not None:
            raise _NoSample(problem)
        return 1

    async def _walk(self, operation: Operation, tally: _Tally) -> int:
        cursor: str | None = None
        seen: set[str] = set()
        turns = self.place.thread.turns
        for requests in range(1, turns + 2):
            params = request_of(operation, self.place.thread_id, cursor)
            reply = await self._ask(operation.method, params, tally)
            result = reply.get("result")
            if not isinstance(result, dict) or not isinstance(result.get("data"), list):
                raise _NoSample(problem_of(operation, self.place.thread, reply) or "a page is no list")
            seen |= {str(turn.get("id")) for turn in result["data"] if isinstance(turn, dict)}
            cursor = result.get("nextCursor")
            if cursor is None:
                if len(seen) == turns:
                    return requests
                raise _NoSample(f"the walk saw {len(seen)} of {turns} turns")
        raise _NoSample("the walk does not end")

    async def _deep_cursor(self) -> str:
        """Return the cursor before which only the oldest turns are left."""
        if self.cursor is None:
            params = {"threadId": self.place.thread_id, "limit": DEEP, "sortDirection": "asc", "itemsView": "notLoaded"}
            reply = await self._ask("thread/turns/list", params, _Tally())
            result = reply.get("result")
            self.cursor = result.get("nextCursor") if isinstance(result, dict) else None
            if not isinstance(self.cursor, str):
                raise _NoSample("no cursor deep in the history could be had")
        return self.cursor

    async def _ask(self, method: str, params: Mapping[str, Any], tally: _Tally) -> Mapping[str, Any]:
        """Send a request, add what it took to `tally`, and return the reply.

        Raises:
            TargetError: if none comes.
        """
        timeout = self.place.ground.request_timeout
        return self._answer(await self.server.connection.call(method, dict(params), timeout=timeout), tally)

    def _answer(self, exchange: Exchange, tally: _Tally) -> Mapping[str, Any]:
        if exchange.reply is None:
            raise TargetError(exchange.failure or "no answer")
        tally.ms += exchange.took_ms or 0.0
        tally.bytes_out += exchange.bytes_out
        tally.bytes_in += exchange.bytes_in
        reply: Mapping[str, Any] = self.server.transcript.messages[exchange.reply].body
        return reply

    def _forget(self) -> None:
        """Let go of the replies so far."""
        if isinstance(self.server.transcript, Meter):
            self.server.transcript.forget()
