from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from hive_gate.cli.serve import serve as command
from hive_gate.errors import UsageError
from hive_gate.reference.faults import FAULTS
from hive_gate.reference.model import Call, ModelFailed
from hive_gate.reference.responses import Responses
from hive_gate.reference.server.core import Core
from hive_gate.reference.server.dispatch import handle
from hive_gate.reference.server.lines import Request
from hive_gate.reference.server.serve import StoreKind, serve
from hive_gate.reference.store import recording
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.records import NewThread

_HELLO = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "t", "version": "1"}}}


def _lines(*messages: Any) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def test_a_server_answers_until_its_input_ends(tmp_path: Path) -> None:
    out = io.BytesIO()
    serve(tmp_path, io.BytesIO(_lines(_HELLO, {"method": "initialized"}) + b"junk\n"), out, store=StoreKind.MEMORY)
    [reply] = [json.loads(line) for line in out.getvalue().splitlines()]
    assert reply["result"]["codexHome"] == str(tmp_path.resolve())
    assert reply["result"]["userAgent"].startswith("t/0.142.5 ")


_THREAD = "01970000-0000-7000-8000-000000000001"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a thread of two turns."""
    with closing(LocalThreadStore(tmp_path)) as store:
        store.create(NewThread(_THREAD, cwd="/w", model_provider="openai"))
        store.append(_THREAD, [recording.user_message("one"), recording.user_message("two")])
    return tmp_path


def _rollbacks(home: Path, *ids: int) -> dict[int, Any]:
    """Resume the thread and roll it back, all in one write; return the replies by id."""
    out = io.BytesIO()
    resume = {"id": 2, "method": "thread/resume", "params": {"threadId": _THREAD}}
    params = {"threadId": _THREAD, "numTurns": 1}
    rollbacks = [{"id": each, "method": "thread/rollback", "params": params} for each in ids]
    serve(home, io.BytesIO(_lines(_HELLO, resume, *rollbacks)), out)
    replies = [json.loads(line) for line in out.getvalue().splitlines()]
    return {reply["id"]: reply for reply in replies if "id" in reply}


def test_a_rollback_in_flight_is_answered_before_the_server_ends(home: Path) -> None:
    assert len(_rollbacks(home, 3)[3]["result"]["thread"]["turns"]) == 1


def test_of_two_rollbacks_in_one_write_the_second_is_refused_however_slow_the_machine(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(core: Core, request: Request) -> None:
        time.sleep(0.05)  # five times what a rollback takes
        handle(core, request)

    monkeypatch.setattr("hive_gate.reference.server.serve.handle", slowly)
    replies = _rollbacks(home, 3, 4)
    assert len(replies[3]["result"]["thread"]["turns"]) == 1
    assert replies[4]["error"]["message"] == "rollback already in progress for this thread"


def test_input_that_is_not_utf_8_ends_the_server(tmp_path: Path) -> None:
    out = io.BytesIO()
    serve(tmp_path, io.BytesIO(b"\xff\n" + _lines(_HELLO)), out, store=StoreKind.MEMORY)
    assert out.getvalue() == b""


def test_python_m_serves_the_home_in_the_environment_and_writes_nothing_else(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hive_gate.reference", "app-server"],
        input=_lines(_HELLO), capture_output=True, env={"CODEX_HOME": str(tmp_path)}, timeout=30, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["id"] == 1
    assert done.stderr == b""


def test_a_home_that_is_not_there_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hive_gate.reference"],
        capture_output=True, env={"CODEX_HOME": str(tmp_path / "none")}, timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"hive-gate: the home ")


def _run(*arguments: str, given: bytes = b"", home: str | None = None) -> Any:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, list(arguments), input=given, env={"CODEX_HOME": home})


def test_the_command_makes_the_home_that_it_is_asked_for(tmp_path: Path) -> None:
    done = _run("--home", str(tmp_path / "new" / "home"), "--store", "memory", given=_lines(_HELLO))
    assert done.exit_code == 0, done.exception
    assert json.loads(done.stdout)["id"] == 1
    assert (tmp_path / "new" / "home").is_dir()


def test_the_command_does_not_make_the_home_of_the_environment(tmp_path: Path) -> None:
    done = _run(home=str(tmp_path / "none"))
    assert isinstance(done.exception, UsageError)
    assert not (tmp_path / "none").exists()


def test_the_command_lists_every_fault_and_needs_no_home_for_it() -> None:
    done = _run("--list-faults")
    assert done.exit_code == 0, done.exception
    assert [name for name in FAULTS if name not in done.stdout] == []


def test_the_command_refuses_a_fault_that_there_is_not_before_it_serves(tmp_path: Path) -> None:
    done = _run("--home", str(tmp_path), "--fault", "no-such-fault", given=_lines(_HELLO))
    assert isinstance(done.exception, UsageError)
    assert done.stdout == ""


def test_the_command_and_the_module_serve_with_a_fault(tmp_path: Path) -> None:
    fault = ("--fault", "handshake-other-home")
    gate = str(Path(sys.executable).with_name("hive-gate"))
    for argv in ([gate, "serve", *fault], [sys.executable, "-m", "hive_gate.reference", "app-server", *fault]):
        done = subprocess.run(
            argv, input=_lines(_HELLO), capture_output=True, env={"CODEX_HOME": str(tmp_path)}, timeout=30, check=True
        )
        assert json.loads(done.stdout)["result"]["codexHome"] == "/nowhere"


@pytest.mark.parametrize("config", ["model_provider = 'none'", "= broken"])
def test_a_configuration_that_cannot_be_used_is_told_with_its_file(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(config)
    with pytest.raises(UsageError) as refused:
        serve(tmp_path, io.BytesIO(), io.BytesIO())
    assert refused.value.where == str(tmp_path.resolve() / "config.toml")


def test_a_model_that_cannot_be_reached_fails_the_turn_with_its_address() -> None:
    with pytest.raises(ModelFailed, match=r"error sending request for url \(http://127.0.0.1:1/v1/responses\)"):
        list(Responses("http://127.0.0.1:1/v1", "m").stream([], Call()))
