"""Servers of a run: each is started, greeted, ended and accounted for here."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from hive_gate.contract.model import Contract
from hive_gate.contract.names import fill
from hive_gate.errors import TargetError
from hive_gate.probe.seen import error_phrase
from hive_gate.report.model import Server
from hive_gate.scene.home import Home
from hive_gate.target.environment import scratch_environment
from hive_gate.wire.connection import Connection
from hive_gate.wire.process import ServerProcess, serve
from hive_gate.wire.transcript import Exchange, Transcript


@dataclass(slots=True)
class Servers:
    """How a run starts its servers, and the account of all of them."""

    contract: Contract
    argv: tuple[str, ...]
    transcript: Transcript
    start_timeout: float
    account: list[Server] = field(default_factory=list)


class LaneServer:
    """One server at a time on one home; may be started again after it was stopped.

    Start and stop must be called from the same task.
    """

    def __init__(self, servers: Servers, home: Home, scene: str, connection: str, purpose: str) -> None:
        self._servers = servers
        self._home = home
        self._scene = scene
        self._greeting = servers.contract.connections[connection]
        self._purpose = purpose
        self._stack = AsyncExitStack()
        self._process: ServerProcess | None = None
        self._index = 0
        self.epitaph = ""
        """How the last server ended, as a phrase."""
        self.greeted: Exchange | None = None
        """The exchange of `initialize`, where the connection's profile has one."""

    @property
    def running(self) -> bool:
        """Whether there is a server; it may have died unnoticed."""
        return self._process is not None

    @property
    def connection(self) -> Connection:
        """The wire to the running server."""
        if self._process is None:
            raise RuntimeError("no server is running")
        return self._process.connection

    @property
    def pid(self) -> int:
        """Process id of the running server."""
        if self._process is None:
            raise RuntimeError("no server is running")
        return self._process.pid

    def beside(self) -> LaneServer:
        """Return another server on the same home, greeted alike; it is not started yet."""
        return LaneServer(self._servers, self._home, self._scene, self._greeting.name, "second")

    @property
    def transcript(self) -> Transcript:
        """The run's transcript."""
        return self._servers.transcript

    async def start(self) -> None:
        """Start a server and greet it as the connection's profile says.

        Raises:
            TargetError: if it cannot be started, ends, stays silent or refuses the greeting; nothing is left running.
        """
        account, transcript = self._servers.account, self._servers.transcript
        self._index = len(account)
        account.append(
            Server(self._index, self._scene, self._greeting.name, self._purpose, 0.0, None, "", "not started")
        )
        began = transcript.elapsed_ms()
        environment = scratch_environment(self._home.home, self._home.codex)
        self._process = await self._stack.enter_async_context(
            serve(self._servers.argv, environment, self._home.work, transcript, self._index)
        )
        if self._greeting.initialize is not None:
            params = fill(dict(self._greeting.initialize), self._servers.contract.values)
            timeout = self._servers.start_timeout
            self.greeted = await self.connection.call("initialize", params, timeout=timeout)
            await self._check_greeting(self.greeted, timeout)
            await self.connection.notify("initialized")
        took = round(transcript.elapsed_ms() - began, 3)
        account[self._index] = replace(account[self._index], start_ms=took)

    async def _check_greeting(self, exchange: Exchange, timeout: float) -> None:
        reply = None if exchange.reply is None else self._servers.transcript.messages[exchange.reply].body
        if reply is not None and "error" not in reply:
            return
        dead = self.connection.ended is not None
        await self.stop()
        if reply is not None:
            what = f"the server refused `initialize`: {error_phrase(reply['error'])}"
        elif dead:
            what = f"the server ended before it answered `initialize`: {self.epitaph}{self._odd()}"
        else:
            what = f"the server is alive but did not answer `initialize` within {timeout:g} s{self._odd()}"
        raise TargetError(
            what,
            where=" ".join(self._servers.argv),
            detail=self._servers.account[self._index].stderr_tail or None,
            hint="run this command by hand and read what it says; on a slow machine raise --start-timeout",
        )

    def _odd(self) -> str:
        """Return what explains best why no greeting came: what was printed in its place, or was odd on the wire."""
        transcript = self._servers.transcript
        said = [m.text for m in transcript.messages if m.server == self._index and m.text]
        if said:
            return f"; what it printed is not JSON-RPC: {said[0]!r}"
        odd = [o.text for o in transcript.oddities if transcript.messages[o.message].server == self._index]
        return f"; odd on the wire: {odd[0]}" if odd else ""

    async def stop(self) -> None:
        """End the server, if there is one, and complete its account."""
        process, self._process = self._process, None
        gone = process is not None and process.connection.ended is not None
        await self._stack.aclose()
        self._stack = AsyncExitStack()
        if process is None:
            return
        tail = process.stderr.text()
        account = self._servers.account
        account[self._index] = replace(
            account[self._index],
            exit_code=process.exit_code,
            stderr_tail=tail,
            stop=process.stop,
            survivors=process.survivors,
        )
        code = process.exit_code
        how = f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        if gone and process.stop != "died":
            how = f"it closed its pipes but went on running until it was stopped, then {how}"
        last = tail.strip().splitlines()[-1:]
        self.epitaph = how + (f", its stderr ends with: {last[0]}" if last else ", nothing on its stderr")
