"""The schemas that the reference writes: readable by the gate, complete, and in step with the decoders."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from hive_gate.drift.bundle import Bundle
from hive_gate.reference.schema.bundle import documents, write
from hive_gate.reference.server.params import PARAMS
from hive_gate.reference.server.serde import DecodeError

_ALL = documents(experimental=True)
_NOTHING_ASKED = "ServerRequest"
"""The one file that no message fits: draft-07 has no better word for it than an empty union."""


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    write(tmp_path, experimental=True)
    return Bundle.load(tmp_path)


@pytest.mark.parametrize("name", [name for name in _ALL if name != _NOTHING_ASKED])
def test_every_file_is_a_schema_that_holds_the_definitions_it_refers_to(name: str) -> None:
    Draft7Validator.check_schema(_ALL[name])
    named = set(_ALL[name].get("definitions", {}))
    assert {part.split('"')[0] for part in json.dumps(_ALL[name]).split("#/definitions/")[1:]} == named


def test_every_method_that_is_offered_has_params_and_a_result(bundle: Bundle) -> None:
    assert list(bundle.methods) == list(PARAMS)
    assert bundle.methods_without_result == ()
    assert not bundle.server_requests
    assert all(part is not None for part in bundle.notifications.values())


def test_without_the_experimental_capability_its_methods_and_members_are_left_out() -> None:
    stable = documents(experimental=False)
    assert set(_ALL) - set(stable) == {
        f"v2/ThreadTurns{what}{end}" for what in ("List", "ItemsList") for end in ("Params", "Response")
    }
    assert "excludeTurns" in _ALL["v2/ThreadResumeParams"]["properties"]
    assert "excludeTurns" not in stable["v2/ThreadResumeParams"]["properties"]


_TEXT = [{"type": "text", "text": "x"}]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("thread/read", {"threadId": "x", "includeTurns": True}),
        ("thread/read", {}),
        ("thread/read", {"threadId": "x", "includeTurns": None}),
        ("thread/turns/list", {"threadId": "x", "limit": 0, "sortDirection": "asc", "itemsView": None}),
        ("thread/turns/list", {"threadId": "x", "limit": -1}),
        ("thread/turns/list", {"threadId": "x", "itemsView": "all"}),
        ("thread/resume", {"threadId": "x", "initialTurnsPage": {"limit": 1}}),
        ("thread/resume", {"threadId": "x", "initialTurnsPage": {"limit": "1"}}),
        ("thread/list", {"cwd": ["/a"], "sourceKinds": ["cli"]}),
        ("thread/list", {"cwd": 5}),
        ("thread/start", {"historyMode": "holographic"}),
        ("thread/start", {"approvalPolicy": "never"}),
        ("thread/start", {"approvalPolicy": "granular"}),
        ("turn/start", {"threadId": "x", "input": _TEXT}),
        ("turn/start", {"threadId": "x", "input": [{"type": "smell", "text": "x"}]}),
        ("initialize", {"clientInfo": {"name": "x", "version": "1"}}),
        ("initialize", {"clientInfo": {"name": "x"}}),
    ],
)
def test_params_fit_the_schema_if_the_decoder_takes_them(method: str, params: dict[str, Any]) -> None:
    name = PARAMS[method].name
    schema = _ALL[f"{'v1' if method == 'initialize' else 'v2'}/{name}"]
    try:
        PARAMS[method].decode(params)
        taken = True
    except DecodeError:
        taken = False
    assert Draft7Validator(schema).is_valid(params) is taken


def _generate(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-m", "hive_gate.reference", "app-server", "generate-json-schema", *arguments]
    return subprocess.run(argv, capture_output=True, timeout=30, check=False)


def test_the_program_writes_them_as_a_codex_does(tmp_path: Path) -> None:
    done = _generate("--experimental", "--out", str(tmp_path / "new"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "thread/turns/list" in Bundle.load(tmp_path / "new").methods


def test_without_a_folder_or_with_one_that_cannot_be_made_the_program_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments in ((), ("--out", str(tmp_path / "file"))):
        done = _generate(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith(b"hive-gate: ")
        assert b"Traceback" not in done.stderr
