"""Targets that cannot be judged, or not to the end: what the person sees, the exit code, and that nothing is left.

Most tests run the command as a person does, against a stub that breaks in one way.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hive_gate.contract.load import load_contract
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT
from hive_gate.exits import Exit
from hive_gate.probe import subject
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.wire import process
from tests.support.stubs import CODEX, KEPT, SERVE, command_line, is_running, processes_naming, stub

UNKNOWN, MALFORMED = KEPT
NO_THREAD_ID = "turns-list.refuses/no-thread-id"
THREAD_ID_NUMBER = "turns-list.refuses/thread-id-number"

_PROGRESS = re.compile(r"hive-gate: (\d+ clauses? to judge|\d+ clauses? judged|starting the server)$")

COUNTING = (
    CODEX
    + """
asked = 0
for message in messages():
    if "id" in message:
        asked += 1
        trouble(asked)
        respond(message)
"""
)
"""After a `trouble(n)`: answers, but for what that does at the n-th request of this server, `initialize` included."""

LISTENS = "\nfor message in messages(): pass\n"
"""Reads all and answers nothing, and so ends when its stdin does."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of the command left to be seen."""

    code: int
    stdout: str
    stderr: str
    out: Path

    @property
    def sentence(self) -> str:
        """The one line that says how it ended; "" where it had nothing to explain."""
        said = [line for line in self.stderr.splitlines() if line.startswith("hive-gate: ")]
        found = [line for line in said if not _PROGRESS.match(line)]
        assert len(found) <= 1, found
        return found[0] if found else ""

    @property
    def report(self) -> Any:
        """The report.json that was written."""
        return json.loads((self.out / "report.json").read_text(encoding="utf-8"))

    @property
    def verdicts(self) -> dict[str, str]:
        """Verdict by clause id."""
        return {clause["id"]: clause["verdict"] for clause in self.report["clauses"]}

    def actual(self, clause: str) -> str:
        """What the report says came for a clause."""
        (found,) = [entry["actual"] for entry in self.report["clauses"] if entry["id"] == clause]
        return str(found)


@dataclass(frozen=True, slots=True)
class Gate:
    """Runs the command in a folder of its own and checks what holds for every run."""

    folder: Path

    @property
    def temporary(self) -> Path:
        """TMPDIR of the command, where its scratch folder is."""
        return self.folder / "tmp"

    def argv(self, command: list[str], *arguments: str, clauses: tuple[str, ...] = KEPT) -> list[str]:
        """Return the command line of a probe of `command`."""
        chosen = [word for clause in clauses for word in ("--clause", clause)]
        gate = [sys.executable, "-m", "hive_gate", "probe", "--server-command", command_line(command)]
        return [*gate, "--out", str(self.folder / "out"), *chosen, *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the command."""
        self.temporary.mkdir(exist_ok=True)
        return {**os.environ, "TMPDIR": str(self.temporary), "COLUMNS": "120"}

    def command(self, command: list[str], *arguments: str, clauses: tuple[str, ...] = KEPT) -> Ran:
        """Probe `command`; nothing of it may be left, and nobody may see a traceback."""
        done = subprocess.run(
            self.argv(command, *arguments, clauses=clauses),
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        self.assert_nothing_left()
        assert "Traceback" not in done.stderr
        ran = Ran(done.returncode, done.stdout, done.stderr, self.folder / "out")
        assert ran.sentence, done.stderr
        return ran

    def stub(self, body: str, *arguments: str, clauses: tuple[str, ...] = KEPT) -> Ran:
        """Probe a stub with this body."""
        return self.command(stub(self.folder, body), *arguments, clauses=clauses)

    def assert_nothing_left(self) -> None:
        """Check that no scratch folder and no process is left."""
        assert list(self.temporary.iterdir()) == []
        assert processes_naming(str(self.folder)) == []


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


def assert_valid(document: Any) -> None:
    """Check a document against the published schema of report.json."""
    schema = json.loads((CONTRACTS / "report.schema.json").read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []


def test_a_server_that_behaves_is_judged_and_leaves_nothing(gate: Gate) -> None:
    ran = gate.stub(CODEX + SERVE)

    assert ran.code == Exit.OPEN
    assert ran.verdicts == dict.fromkeys(KEPT, "pass")


# -- it does not start ----------------------------------------------------------------------------------------------


def test_a_server_that_exits_at_once_is_told_with_exit_code_and_stderr(gate: Gate) -> None:
    ran = gate.stub("note('reading config'); note('error: no such model'); sys.exit(7)")

    assert ran.code == Exit.TARGET
    assert "the server ended before it answered `initialize`: exit code 7" in ran.sentence
    assert "its stderr ends with: error: no such model" in ran.sentence
    assert "\n  | reading config\n  | error: no such model\n" in ran.stderr
    assert ran.verdicts == dict.fromkeys(KEPT, "blocked")
    assert ran.report["servers"][0]["stderr_tail"] == "reading config\nerror: no such model\n"
    assert ran.report["servers"][0]["exit_code"] == 7


def test_a_server_that_exits_without_a_word_is_told_as_such(gate: Gate) -> None:
    ran = gate.stub("sys.exit(0)")

    assert ran.code == Exit.TARGET
    assert "ended before it answered `initialize`: exit code 0, nothing on its stderr" in ran.sentence


def test_a_server_that_is_killed_is_told_with_the_signal(gate: Gate) -> None:
    ran = gate.stub("os.kill(os.getpid(), signal.SIGSEGV)")

    assert ran.code == Exit.TARGET
    assert f"ended before it answered `initialize`: killed by signal {int(signal.SIGSEGV)}" in ran.sentence


def test_a_server_that_hangs_from_the_start_is_told_to_be_alive(gate: Gate) -> None:
    ran = gate.stub(LISTENS, "--start-timeout", "0.3")

    assert ran.code == Exit.TARGET
    assert "the server is alive but did not answer `initialize` within 0.3 s" in ran.sentence
    assert ran.verdicts == dict.fromkeys(KEPT, "blocked")


def test_a_server_that_prints_garbage_and_ends_is_quoted(gate: Gate) -> None:
    ran = gate.stub("print('Usage: server [OPTIONS]'); sys.exit(2)")

    assert ran.code == Exit.TARGET
    assert "ended before it answered `initialize`: exit code 2" in ran.sentence
    assert "what it printed is not JSON-RPC: 'Usage: server [OPTIONS]'" in ran.sentence


def test_a_server_that_prints_garbage_and_stays_is_quoted(gate: Gate) -> None:
    ran = gate.stub("print('Listening on port 80', flush=True)" + LISTENS, "--start-timeout", "2")

    assert ran.code == Exit.TARGET
    assert "is alive but did not answer `initialize` within 2 s" in ran.sentence
    assert "what it printed is not JSON-RPC: 'Listening on port 80'" in ran.sentence


def test_binary_garbage_does_not_reach_the_terminal_as_it_is(gate: Gate) -> None:
    ran = gate.stub("say(bytes(range(256)) * 1000); note('\\x1b[31mred\\x07'); sys.exit(2)")

    assert ran.code == Exit.TARGET
    assert "what it printed is not JSON-RPC" in ran.sentence
    assert ran.sentence.isprintable()


def test_a_server_that_refuses_to_be_greeted_is_quoted(gate: Gate) -> None:
    ran = gate.stub("for message in messages(): refuse(message, -32600, 'client too old')")

    assert ran.code == Exit.TARGET
    assert "the server refused `initialize`: error -32600: client too old" in ran.sentence


def test_a_server_that_greets_somebody_else_is_told_what_is_odd(gate: Gate) -> None:
    ran = gate.stub("for message in messages(): send(id='1', result={})", "--start-timeout", "2")

    assert ran.code == Exit.TARGET
    assert "did not answer `initialize` within 2 s; odd on the wire: a reply with the id '1'" in ran.sentence


def test_a_server_that_ends_in_the_middle_of_its_greeting_is_told_so(gate: Gate) -> None:
    body = "for message in messages(): sys.stdout.write(json.dumps({'id': 1, 'result': {}})); sys.exit(0)"
    ran = gate.stub(body)

    assert ran.code == Exit.TARGET
    assert "odd on the wire: the stream ended inside a line" in ran.sentence


def test_a_server_that_closes_its_stdout_and_lives_on_is_told_so(gate: Gate) -> None:
    ran = gate.stub("os.close(1)" + LISTENS + "os._exit(0)")

    assert ran.code == Exit.TARGET
    assert "it closed its pipes but went on running until it was stopped, then exit code 0" in ran.sentence


def test_of_a_flood_on_stderr_the_end_is_shown(gate: Gate) -> None:
    ran = gate.stub("for n in range(100_000): sys.stderr.write(f'line {n}\\n')\nsys.exit(1)")

    assert ran.code == Exit.TARGET
    assert "its stderr ends with: line 99999" in ran.sentence
    assert "  | line 99999\n" in ran.stderr
    assert len(ran.stderr.splitlines()) < 40
    assert len(ran.report["servers"][0]["stderr_tail"]) < 10_000


# -- it breaks on the way -------------------------------------------------------------------------------------------


def test_a_clause_during_which_the_server_died_is_blocked_and_the_others_are_judged(gate: Gate) -> None:
    died = "def trouble(n):\n    if n == 3: note('thread main panicked'); os._exit(101)\n"
    ran = gate.stub(died + COUNTING)

    assert ran.code == Exit.TARGET
    assert ran.verdicts == {UNKNOWN: "pass", MALFORMED: "blocked"}
    text = "the server ended while this was asked: exit code 101, its stderr ends with: thread main panicked"
    assert ran.actual(MALFORMED) == text
    assert "could not be judged on 1 of 2" in ran.sentence


def test_a_server_that_dies_for_good_blocks_what_is_left_and_says_why(gate: Gate) -> None:
    gone = """
def trouble(n):
    gone = os.path.exists(__file__ + ".gone")
    if n == 3 or gone:
        open(__file__ + ".gone", "w").close()
        note("database is locked")
        os._exit(1)
"""
    ran = gate.stub(gone + COUNTING, clauses=(*KEPT, NO_THREAD_ID, THREAD_ID_NUMBER))

    assert ran.code == Exit.TARGET
    assert ran.verdicts == {
        UNKNOWN: "pass",
        MALFORMED: "blocked",
        NO_THREAD_ID: "blocked",
        THREAD_ID_NUMBER: "blocked",
    }
    assert "while this was asked: exit code 1" in ran.actual(MALFORMED)
    assert "ended before it answered `initialize`: exit code 1" in ran.actual(NO_THREAD_ID)
    last = "the server failed 2 times in a row, last: the server ended before it answered `initialize`: exit code 1"
    assert f"not asked: {last}" in ran.actual(THREAD_ID_NUMBER)
    assert last in ran.sentence
    assert "its stderr ends with: database is locked" in ran.sentence
    assert "\n  | database is locked\n" in ran.stderr


def test_a_server_that_died_once_does_not_hide_a_clause_that_fails(gate: Gate) -> None:
    died = "def trouble(n):\n    if n == 3: os._exit(101)\n"
    ran = gate.stub(died + COUNTING, clauses=(*KEPT, NO_THREAD_ID))

    assert ran.code == Exit.CLOSED
    assert ran.verdicts == {UNKNOWN: "pass", MALFORMED: "blocked", NO_THREAD_ID: "fail"}


def test_an_answer_that_does_not_come_fails_its_clause_and_the_next_one_gets_a_new_server(gate: Gate) -> None:
    silent = "def trouble(n):\n    if n == 2:\n        for message in messages(): pass\n        sys.exit()\n"
    ran = gate.stub(silent + COUNTING, "--timeout", "0.3", clauses=(UNKNOWN,))

    assert ran.code == Exit.CLOSED
    assert ran.verdicts == {UNKNOWN: "fail"}
    assert ran.actual(UNKNOWN) == "no answer within 0.3 s, though the server is alive"
    assert [server["exit_code"] for server in ran.report["servers"]] == [0, 0]


def test_a_server_that_falls_silent_for_good_is_given_up(gate: Gate) -> None:
    silent = """
def trouble(n):
    if n == 3 or os.path.exists(__file__ + ".gone"):
        open(__file__ + ".gone", "w").close()
        for message in messages(): pass
        sys.exit()
"""
    limits = ("--timeout", "1", "--start-timeout", "2")
    ran = gate.stub(silent + COUNTING, *limits, clauses=(*KEPT, NO_THREAD_ID, THREAD_ID_NUMBER))

    assert ran.code == Exit.TARGET
    assert ran.verdicts[UNKNOWN] == "pass"
    assert ran.actual(MALFORMED) == "no answer within 1 s, though the server is alive"
    assert ran.actual(NO_THREAD_ID) == "the server is alive but did not answer `initialize` within 2 s"
    assert ran.verdicts[THREAD_ID_NUMBER] == "blocked"
    assert "failed 2 times in a row, last: the server is alive but did not answer" in ran.sentence


def test_a_run_whose_time_is_up_says_so_and_blocks_what_is_left(gate: Gate) -> None:
    silent = "def trouble(n):\n    if n == 2:\n        for message in messages(): pass\n        sys.exit()\n"
    ran = gate.stub(silent + COUNTING, "--run-timeout", "1")

    assert ran.code == Exit.TARGET
    assert "the run's time of 1 s was up" in ran.sentence
    assert "do: raise --run-timeout" in ran.stderr
    assert ran.verdicts == dict.fromkeys(KEPT, "blocked")
    assert_valid(ran.report)


def test_a_banner_and_requests_of_the_server_are_reported_and_tolerated(gate: Gate) -> None:
    body = "print('wrapper 1.0', flush=True)\n" + CODEX
    body += """
asked = False
for message in messages():
    if "method" in message and "id" in message:
        if message["method"] == "thread/turns/list" and not asked:
            asked = True
            send(id=message["id"], method="item/approve", params={})
            refusal = next(messages())
            assert refusal["error"]["code"] == -32601 and refusal["id"] == message["id"], refusal
        respond(message)
"""
    ran = gate.stub(body)

    assert ran.code == Exit.OPEN
    news = {entry["kind"]: entry["text"] for entry in ran.report["news"]}
    assert "wrapper 1.0" in news["banner"]
    assert "item/approve" in news["server-request"]


# -- nothing to start -----------------------------------------------------------------------------------------------


def test_a_program_that_does_not_exist_is_told_with_what_to_do(gate: Gate) -> None:
    ran = gate.command(["/no/such/server", "--stdio"])

    assert ran.code == Exit.TARGET
    assert "/no/such/server" in ran.sentence
    assert "not found" in ran.sentence
    assert "\n  do: " in ran.stderr


def test_a_file_that_is_not_executable_is_told_with_what_to_do(gate: Gate) -> None:
    program = gate.folder / "server"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    ran = gate.command([str(program)])

    assert ran.code == Exit.TARGET
    assert str(program) in ran.sentence
    assert "\n  do: " in ran.stderr


def test_a_program_for_another_machine_is_told(gate: Gate) -> None:
    program = gate.folder / "server"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    ran = gate.command([str(program)])

    assert ran.code == Exit.TARGET
    assert "the server could not be started: Exec format error" in ran.sentence


# -- nothing to ask, nowhere to write -------------------------------------------------------------------------------


def test_an_invalid_contract_is_told_with_file_and_pointer_before_anything_is_started(gate: Gate) -> None:
    raw = json.loads(DEFAULT_CONTRACT.read_text(encoding="utf-8"))
    raw["clauses"][3]["level"] = "mandatory"
    path = gate.folder / "contract.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    ran = gate.stub("open(__file__ + '.started', 'w')", "--contract", str(path))

    assert ran.code == Exit.USAGE
    assert "'mandatory' is not one of" in ran.sentence
    assert f"\n  at: {path}#/clauses/3/level\n" in ran.stderr
    assert not (gate.folder / "stub.py.started").exists()


def test_a_contract_that_is_not_json_is_told_with_the_line(gate: Gate) -> None:
    path = gate.folder / "contract.json"
    path.write_text('{\n  "name": \n}', encoding="utf-8")
    ran = gate.stub("", "--contract", str(path))

    assert ran.code == Exit.USAGE
    assert f"at: {path}, line 3" in ran.stderr


def test_a_clause_that_does_not_exist_is_told_with_the_nearest(gate: Gate) -> None:
    ran = gate.stub("open(__file__ + '.started', 'w')", clauses=("turns-list.unknown-tread",))

    assert ran.code == Exit.USAGE
    assert "the contract has no clause 'turns-list.unknown-tread'" in ran.sentence
    assert f"did you mean {UNKNOWN}" in ran.stderr
    assert not (gate.folder / "stub.py.started").exists()


def test_a_folder_that_cannot_be_written_is_told(gate: Gate) -> None:
    (gate.folder / "file").write_text("", encoding="utf-8")
    out = gate.folder / "file" / "out"
    ran = gate.stub(CODEX + SERVE, "--out", str(out))

    assert ran.code == Exit.USAGE
    assert "cannot be" in ran.sentence
    assert str(out) in ran.stderr
    assert "--out" in ran.stderr


# -- for programs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "clauses", "code"),
    [
        (CODEX + SERVE, KEPT, Exit.OPEN),
        (CODEX + SERVE, (UNKNOWN, NO_THREAD_ID), Exit.CLOSED),
        ("note('no'); sys.exit(1)", KEPT, Exit.TARGET),
        ("print('Usage: \\u2028'); say(b'\\xff\\x00'); sys.exit(1)", KEPT, Exit.TARGET),
        ("def trouble(n):\n    if n == 3: os._exit(101)\n" + COUNTING, KEPT, Exit.TARGET),
    ],
    ids=["open", "closed", "dead", "garbage", "half-way"],
)
def test_json_stays_json_whatever_the_target_does(gate: Gate, body: str, clauses: tuple[str, ...], code: Exit) -> None:
    ran = gate.stub(body, "--json", clauses=clauses)

    assert ran.code == code
    document = json.loads(ran.stdout)
    assert_valid(document)
    assert document == ran.report


def test_a_run_that_is_interrupted_while_the_server_hangs_leaves_nothing(gate: Gate) -> None:
    command = stub(gate.folder, "open(__file__ + '.started', 'w').close()" + LISTENS)
    running = subprocess.Popen(
        gate.argv(command, "--json"),
        env=gate.environment,
        cwd=gate.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert wait_for((gate.folder / "stub.py.started").exists, running)
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=60)
    finally:
        running.kill()

    assert running.returncode == Exit.INTERRUPTED
    assert "Traceback" not in stderr
    document = json.loads(stdout)
    assert_valid(document)
    assert document["run"]["interrupted"] is True
    gate.assert_nothing_left()


# -- without the command, where the graces can be short -------------------------------------------------------------


@pytest.mark.parametrize(("deaf", "stop"), [("", "term"), ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n", "kill")])
def test_a_server_that_answers_nothing_and_will_not_end_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: str, stop: str
) -> None:
    monkeypatch.setattr(process, "EOF_GRACE", 0.1)
    monkeypatch.setattr(process, "TERM_GRACE", 0.1 if stop == "kill" else 20.0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    body = deaf + "note(str(os.getpid()))\ntime.sleep(600)"
    probed = subject.command(command_line(stub(tmp_path, body)), None, Silent())

    report = run(
        load_contract(DEFAULT_CONTRACT), probed, Selection(clauses=KEPT), Settings(start_timeout=2.0), Silent()
    )

    assert report.run.problem == "the server is alive but did not answer `initialize` within 2 s"
    assert [server.stop for server in report.servers] == [stop]
    assert not is_running(int(report.servers[0].stderr_tail))
    assert [path.name for path in tmp_path.iterdir()] == ["stub.py"]


def test_a_fault_of_ours_leaves_no_process_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise LookupError("ours")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("hive_gate.probe.lane.perform", fail)
    body = "open(__file__ + '.started', 'w').close()\n" + CODEX + SERVE
    probed = subject.command(command_line(stub(tmp_path, body)), None, Silent())

    with pytest.raises(ExceptionGroup) as caught:
        run(load_contract(DEFAULT_CONTRACT), probed, Selection(clauses=KEPT), Settings(), Silent())

    assert caught.group_contains(LookupError, match="ours")
    assert processes_naming(str(tmp_path)) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stub.py", "stub.py.started"]


def wait_for(happened: Callable[[], bool], running: subprocess.Popen[str]) -> bool:
    """Wait until something has happened, as long as the program runs that brings it about."""
    while not happened():
        if running.poll() is not None:
            return False
        try:
            running.wait(0.01)
        except subprocess.TimeoutExpired:
            continue
    return True
