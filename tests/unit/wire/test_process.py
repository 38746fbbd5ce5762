"""Real child processes: how each is ended, and that nothing of it is left, whatever happened."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import anyio.lowlevel
import psutil
import pytest

from hive_gate.errors import TargetError
from hive_gate.wire import process
from hive_gate.wire.process import STDERR_TAIL, ServerProcess, Tail, serve
from hive_gate.wire.transcript import Exchange, Transcript
from tests.support.stubs import ECHO, SLEEP, ends, is_running, stub

pytestmark = pytest.mark.anyio

HOUR = 3600.0
"""A deadline that no test reaches."""

DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
"""Ignores SIGTERM."""

STAYS = "time.sleep(600)\n"
"""Ignores the end of stdin."""

WITH_GRANDCHILD = f"""
grandchild = background({SLEEP!r}, start_new_session=True)
for message in messages():
    if message["method"] == "crash":
        os._exit(9)
    answer(message, grandchild)
"""
"""Starts a program in a session of its own, which no signal to the server's group reaches, and tells its pid."""


@pytest.fixture(autouse=True)
def long_graces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a loaded machine take its time: a server that obeys a step ends long before the next one."""
    monkeypatch.setattr(process, "EOF_GRACE", 20.0)
    monkeypatch.setattr(process, "TERM_GRACE", 20.0)


@pytest.fixture
def short_eof(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a server that does not obey the first step."""
    monkeypatch.setattr(process, "EOF_GRACE", 0.1)


@pytest.fixture
def short_term(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a server that does not obey the second step."""
    monkeypatch.setattr(process, "TERM_GRACE", 0.1)


@asynccontextmanager
async def started(folder: Path, body: str, env: Mapping[str, str] | None = None) -> AsyncIterator[ServerProcess]:
    """Start a stub and yield it; no wait in it lasts longer than a minute."""
    with anyio.fail_after(60):
        async with serve(stub(folder, body), env or {}, folder, Transcript(), 0) as server:
            yield server


async def ask(server: ServerProcess, method: str = "ask", params: Any = None) -> Exchange:
    return await server.connection.call(method, params, timeout=HOUR)


def result(server: ServerProcess, exchange: Exchange) -> Any:
    """Return what the server answered."""
    assert exchange.failure is None
    assert exchange.reply is not None
    return server.connection._transcript.messages[exchange.reply].body["result"]


def survivors(server: ServerProcess) -> list[int]:
    """Return the pids of the survivors, each told as `name (pid 123)`."""
    return [int(text.rpartition(" (pid ")[2].removesuffix(")")) for text in server.survivors]


def daemon(environment: str, pipes: str = "stderr=null") -> str:
    """Return a stub that tells the pid of a program which it started through another one that has ended since."""
    middle = f"""
import subprocess, sys
null = subprocess.DEVNULL
command = [sys.executable, "-I", "-S", "-c", {SLEEP!r}]
options = dict(start_new_session=True, stdin=null, stdout=null, {pipes}, env={environment})
print(subprocess.Popen(command, **options).pid)
"""
    return f"""
    orphan = int(subprocess.run([sys.executable, "-I", "-S", "-c", {middle!r}], stdout=subprocess.PIPE).stdout)
    for message in messages():
        answer(message, orphan)
    """


# -- starting --------------------------------------------------------------------------------------------------------


async def test_a_server_answers_and_ends_by_itself_once_its_stdin_is_closed(tmp_path: Path) -> None:
    async with started(tmp_path, ECHO) as server:
        assert result(server, await ask(server, params={"text": "한\u2028"})) == {"text": "한\u2028"}
        assert server.stop == "running"

    assert (server.stop, server.exit_code, server.survivors) == ("eof", 0, ())
    assert not is_running(server.pid)


async def test_a_server_has_a_process_group_and_a_session_of_its_own(tmp_path: Path) -> None:
    async with started(tmp_path, "for message in messages(): answer(message, [os.getpgid(0), os.getsid(0)])") as server:
        assert result(server, await ask(server)) == [server.pid, server.pid]
    assert os.getpgid(0) != server.pid


async def test_a_server_sees_the_folder_and_the_environment_that_it_is_given_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_CALLER", "1")
    body = "for message in messages(): answer(message, [os.getcwd(), dict(os.environ)])"
    async with started(tmp_path, body, {"GIVEN": "yes"}) as server:
        folder, environment = result(server, await ask(server))

    assert Path(folder) == tmp_path.resolve()
    assert environment["GIVEN"] == "yes"
    assert "SECRET_OF_THE_CALLER" not in environment
    assert "PATH" not in environment


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "No such file or directory"),
        (lambda path: path.write_text("#!/bin/sh\n"), "Permission denied"),
        (lambda path: (path.write_text("#!/no/such/interpreter\n"), path.chmod(0o755)), "No such file or directory"),
        (lambda path: (path.write_bytes(b"\x7fELF"), path.chmod(0o755)), "Exec format error"),
        (lambda path: path.mkdir(), "Permission denied"),
    ],
    ids=["missing", "not-executable", "no-interpreter", "not-a-program", "a-folder"],
)
async def test_a_program_that_cannot_be_started_is_told_with_its_path(tmp_path: Path, make: Any, reason: str) -> None:
    program = tmp_path / "server"
    make(program)

    with pytest.raises(TargetError) as caught:
        async with serve([str(program), "--flag"], {}, tmp_path, Transcript(), 0):
            pass

    assert caught.value.message == f"the server could not be started: {reason}"
    assert caught.value.where == f"{program} --flag"
    assert caught.value.hint


# -- the steps of a stop ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_eof")
async def test_a_server_that_ignores_the_end_of_its_stdin_is_terminated(tmp_path: Path) -> None:
    async with started(tmp_path, "send(method='up')\n" + STAYS) as server:
        await server.connection.wait_for(lambda message: True, 0, HOUR)

    assert (server.stop, server.exit_code) == ("term", -signal.SIGTERM)
    assert not is_running(server.pid)


@pytest.mark.usefixtures("short_eof")
async def test_a_server_may_clean_up_on_sigterm(tmp_path: Path) -> None:
    body = "signal.signal(signal.SIGTERM, lambda *_: (note('cleaned up'), os._exit(3)))\nsend(method='up')\n" + STAYS
    async with started(tmp_path, body) as server:
        await server.connection.wait_for(lambda message: True, 0, HOUR)

    assert (server.stop, server.exit_code) == ("term", 3)
    assert server.stderr.text() == "cleaned up\n"


@pytest.mark.usefixtures("short_eof", "short_term")
async def test_a_server_that_ignores_sigterm_as_well_is_killed(tmp_path: Path) -> None:
    async with started(tmp_path, DEAF + "send(method='up')\n" + STAYS) as server:
        await server.connection.wait_for(lambda message: True, 0, HOUR)

    assert (server.stop, server.exit_code) == ("kill", -signal.SIGKILL)
    assert not is_running(server.pid)


@pytest.mark.usefixtures("short_eof", "short_term")
async def test_a_stopped_server_is_killed(tmp_path: Path) -> None:
    async with started(tmp_path, ECHO) as server:
        await ask(server)
        os.kill(server.pid, signal.SIGSTOP)

    assert server.stop == "kill"
    assert not is_running(server.pid)


async def test_a_server_that_ended_before_it_was_told_to_has_died(tmp_path: Path) -> None:
    async with started(tmp_path, "note('no config')\nsys.exit(7)") as server:
        exchange = await ask(server)

    assert exchange.failure in ("the server ended", "its stdin is closed")
    assert (server.stop, server.exit_code) == ("died", 7)
    assert server.stderr.text() == "no config\n"


async def test_a_server_that_was_killed_from_outside_has_died_and_nobody_waited(tmp_path: Path) -> None:
    async with started(tmp_path, ECHO) as server:
        await ask(server)
        os.kill(server.pid, signal.SIGSEGV)
        exchange = await ask(server)

    assert exchange.failure in ("the server ended", "its stdin is closed")
    assert (server.stop, server.exit_code) == ("died", -signal.SIGSEGV)


async def test_a_server_that_closes_its_stdout_and_lives_on_is_noticed_at_once_and_ended(tmp_path: Path) -> None:
    body = "sys.stdout.flush(); os.close(1)\nfor message in messages(): pass\nnote('end of stdin')\nos._exit(0)"
    async with started(tmp_path, body) as server:
        exchange = await ask(server)
        assert is_running(server.pid)

    assert exchange.failure == "the server ended"
    assert (server.stop, server.exit_code) == ("eof", 0)
    assert server.stderr.text() == "end of stdin\n"


# -- pipes -----------------------------------------------------------------------------------------------------------


async def test_a_flood_on_stderr_does_not_block_and_only_its_end_is_kept(tmp_path: Path) -> None:
    body = """
    for message in messages():
        for _ in range(64):
            sys.stderr.write("x" * 65_536)
        note("the end")
        answer(message, "done")
    """
    async with started(tmp_path, body) as server:
        assert result(server, await ask(server)) == "done"

    assert server.stderr.total == 64 * 65_536 + len("the end\n")
    assert len(server.stderr.kept) == STDERR_TAIL
    assert server.stderr.text().startswith(f"[{server.stderr.total - STDERR_TAIL} bytes before]\nxxx")
    assert server.stderr.text().endswith("xthe end\n")


async def test_what_a_dying_server_says_on_stderr_is_kept_to_the_last_byte(tmp_path: Path) -> None:
    # As much as a pipe holds, so that there is something left to read when the process is gone.
    body = "os.close(1)\nsys.stderr.write('x' * 60_000 + 'last words')\nsys.stderr.flush()\nos._exit(1)"
    for _ in range(10):
        async with started(tmp_path, body) as server:
            await ask(server)
        assert server.stderr.text().endswith("last words")


async def test_a_slow_reader_of_stderr_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    servers: list[ServerProcess] = []
    drain = process._drain

    async def slow(stream: anyio.abc.ByteReceiveStream, tail: Tail) -> None:
        while not servers or servers[0].exit_code is None:
            await anyio.sleep(0.001)
        for _ in range(10):
            await anyio.lowlevel.checkpoint()
        await drain(stream, tail)

    monkeypatch.setattr(process, "_drain", slow)
    async with started(tmp_path, "note('last words')\nsys.exit(1)") as server:
        servers.append(server)
        await ask(server)

    assert server.stderr.text() == "last words\n"


async def test_what_a_dying_server_says_on_stdout_is_recorded(tmp_path: Path) -> None:
    body = """
    for message in messages():
        answer(message, 1)
        send(method="late", params="x" * 60_000)
        os._exit(1)
    """
    async with started(tmp_path, body) as server:
        await ask(server)

    assert [message.body["method"] for message in server.connection.notifications] == ["late"]


async def test_a_server_in_the_middle_of_a_large_answer_still_ends_by_itself(tmp_path: Path) -> None:
    body = "for message in messages(): send(method='up'); answer(message, 'x' * 2_000_000)"
    async with started(tmp_path, body) as server:
        await server.connection.start("ask")
        await server.connection.wait_for(lambda message: True, 0, HOUR)

    assert (server.stop, server.exit_code) == ("eof", 0)


async def test_a_cancelled_stop_in_the_middle_of_a_large_answer_goes_the_same_way(tmp_path: Path) -> None:
    body = "for message in messages(): send(method='up'); answer(message, 'x' * 2_000_000)"
    with anyio.CancelScope() as scope:
        async with started(tmp_path, body) as server:
            await server.connection.start("ask")
            await server.connection.wait_for(lambda message: True, 0, HOUR)
            scope.cancel()
            await anyio.sleep_forever()

    assert scope.cancelled_caught
    assert (server.stop, server.exit_code) == ("eof", 0)


@pytest.mark.usefixtures("short_eof")
async def test_a_server_that_never_reads_can_still_be_ended(tmp_path: Path) -> None:
    async with started(tmp_path, "send(method='up')\n" + STAYS) as server:
        await server.connection.wait_for(lambda message: True, 0, HOUR)
        exchange = await server.connection.call("ask", "x" * 2_000_000, timeout=0.05)

    assert exchange.failure == "no answer within 0.05 s, though the server is alive"
    assert server.stop == "term"


async def test_a_flood_of_requests_by_a_server_that_reads_only_afterwards_is_answered(tmp_path: Path) -> None:
    body = """
    requests = 3_000
    for number in range(requests):
        send(id=number, method="approve", params="x" * 100)
    refused = sum(message["error"]["code"] == -32601 for _, message in zip(range(requests), messages()))
    send(method="refused", params=refused)
    for message in messages():
        pass
    """
    async with started(tmp_path, body) as server:
        found = await server.connection.wait_for(lambda message: True, 0, HOUR)

    assert found is not None
    assert found.body == {"method": "refused", "params": 3_000}
    assert server.stop == "eof"


# -- what a server started ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("environment", ["None", "{}"], ids=["inherited", "emptied"])
async def test_a_grandchild_in_a_session_of_its_own_is_reported_and_killed(tmp_path: Path, environment: str) -> None:
    body = f"""
    grandchild = background({SLEEP!r}, start_new_session=True, env={environment})
    for message in messages():
        answer(message, grandchild)
    """
    async with started(tmp_path, body) as server:
        grandchild = result(server, await ask(server))
        assert is_running(grandchild)

    assert server.stop == "eof"
    assert survivors(server) == [grandchild]
    assert ends(grandchild)


async def test_a_grandchild_of_a_server_that_died_is_reported_and_killed(tmp_path: Path) -> None:
    async with started(tmp_path, WITH_GRANDCHILD) as server:
        grandchild = result(server, await ask(server))
        await ask(server, "crash")
        assert ends(server.pid)

    assert (server.stop, server.exit_code) == ("died", 9)
    assert survivors(server) == [grandchild]
    assert ends(grandchild)


async def test_a_daemon_that_cut_its_tie_to_the_server_is_reported_and_killed(tmp_path: Path) -> None:
    async with started(tmp_path, daemon("None")) as server:
        orphan = result(server, await ask(server))
        assert is_running(orphan)

    assert server.stop == "eof"
    assert survivors(server) == [orphan]
    assert ends(orphan)


async def test_a_daemon_that_hides_with_the_pipes_in_its_hands_holds_up_nobody(tmp_path: Path) -> None:
    # Nothing tells whose it is, so it stays; neither the end of the server nor its pipes wait for it.
    files = psutil.Process().num_fds()
    async with started(tmp_path, daemon("{}", "stderr=sys.stderr")) as server:
        orphan = result(server, await ask(server))
    try:
        assert server.stop == "eof"
        assert server.survivors == ()
        assert is_running(orphan)
        assert psutil.Process().num_fds() == files
    finally:
        os.kill(orphan, signal.SIGKILL)


@pytest.mark.parametrize("environment", ["None", "{}"], ids=["inherited", "emptied"])
async def test_a_child_in_the_group_of_a_server_that_died_ends_with_it(tmp_path: Path, environment: str) -> None:
    body = f"""
    child = background({SLEEP!r}, env={environment})
    for message in messages():
        answer(message, child)
        os._exit(0)
    """
    async with started(tmp_path, body) as server:
        child = result(server, await ask(server))
        assert ends(server.pid)

    assert ends(child)


# -- nothing is left, whatever happened -----------------------------------------------------------------------------


async def test_nothing_is_left_after_an_exception_of_ours(tmp_path: Path) -> None:
    seen: list[ServerProcess] = []
    grandchildren: list[int] = []

    async def fail() -> None:
        async with started(tmp_path, WITH_GRANDCHILD) as server:
            seen.append(server)
            grandchildren.append(result(server, await ask(server)))
            raise LookupError("ours")

    with pytest.raises(ExceptionGroup) as caught:
        await fail()

    assert caught.group_contains(LookupError, match="ours")
    assert seen[0].stop == "eof"
    assert ends(grandchildren[0])
    assert not is_running(seen[0].pid)


@pytest.mark.usefixtures("short_eof", "short_term")
async def test_nothing_is_left_after_a_timeout(tmp_path: Path) -> None:
    body = DEAF + f"send(method='up', params=background({SLEEP!r}, start_new_session=True))\n" + STAYS
    with anyio.CancelScope() as scope:
        async with started(tmp_path, body) as server:
            up = await server.connection.wait_for(lambda message: True, 0, HOUR)
            scope.deadline = anyio.current_time()
            await ask(server)

    assert scope.cancelled_caught
    assert up is not None
    assert server.stop == "kill"
    assert ends(up.body["params"])
    assert not is_running(server.pid)


async def test_nothing_is_left_after_a_cancelled_start(tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    with anyio.CancelScope() as scope:
        scope.cancel()
        async with started(tmp_path, ECHO):
            await anyio.sleep_forever()

    left = [child for child in set(psutil.Process().children()) - before if child.status() != psutil.STATUS_ZOMBIE]
    assert left == []


async def test_thirty_servers_leave_no_process_and_no_file_open(tmp_path: Path) -> None:
    me = psutil.Process()
    files: list[int] = []
    pids: list[int] = []
    for number in range(31):
        # Every third dies on its own, so that both ways of ending are counted.
        async with started(tmp_path, ECHO if number % 3 else "sys.exit(1)") as server:
            await ask(server)
        pids.append(server.pid)
        files.append(me.num_fds())

    assert files[-1] == files[0]
    assert [pid for pid in pids if is_running(pid)] == []


async def test_servers_side_by_side_do_not_disturb_each_other(tmp_path: Path) -> None:
    ended: dict[str, tuple[Any, str]] = {}

    async def one(name: str, body: str) -> None:
        (tmp_path / name).mkdir()
        async with started(tmp_path / name, body) as server:
            exchanges = [await ask(server, params=name) for _ in range(5)]
        came = [None if exchange.failure else result(server, exchange) for exchange in exchanges]
        ended[name] = (came, server.stop)

    async with anyio.create_task_group() as group:
        group.start_soon(one, "one", ECHO)
        group.start_soon(one, "dead", "sys.exit(1)")
        group.start_soon(one, "two", ECHO)

    assert ended == {"one": (["one"] * 5, "eof"), "dead": ([None] * 5, "died"), "two": (["two"] * 5, "eof")}


# -- the tail --------------------------------------------------------------------------------------------------------


def test_a_tail_keeps_the_end_and_says_how_much_came_before() -> None:
    tail = Tail(limit=4)
    tail.feed(b"ab")
    assert tail.text() == "ab"
    tail.feed(b"cdef")

    assert (tail.kept, tail.total) == (b"cdef", 6)
    assert tail.text() == "[2 bytes before]\ncdef"


def test_a_tail_cut_inside_a_character_is_still_text() -> None:
    tail = Tail(limit=4)
    tail.feed("한국".encode())

    assert tail.text().startswith("[2 bytes before]\n")
    assert tail.text().endswith("국")
    assert json.dumps(tail.text())
