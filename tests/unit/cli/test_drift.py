"""`hive-gate drift` around the comparison: what it asks, what it prints, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import semver
from typer.testing import CliRunner, Result

import hive_gate.target.published
from hive_gate.cli.app import app
from hive_gate.data import CONTRACTS, FIXTURES
from hive_gate.drift.digestfile import read_digest
from hive_gate.errors import ContractError, UsageError
from hive_gate.matrix import drift_side
from hive_gate.target.npm import Npm
from hive_gate.target.published import Published

Call = Callable[..., Result]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    """Call the command where nothing can be fetched."""
    monkeypatch.setenv("HIVE_GATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(Npm, "find", lambda *_: pytest.fail("nothing may be fetched"))

    def run(*words: str) -> Result:
        return CliRunner().invoke(app, ["drift", *words], env={"COLUMNS": "120"})

    return run


def test_nothing_that_breaks_is_exit_code_0(call: Call) -> None:
    done = call("--to", "0.143.0")
    assert done.exit_code == 0
    assert "It looks like thread/items/list, which is new" in " ".join(done.stdout.split())
    assert "historyMode" in done.stdout
    assert done.stderr == ""


def test_something_that_breaks_is_exit_code_1_and_says_what_to_do(call: Call) -> None:
    done = call("--from", "0.142.5", "--to", "0.171.0")
    assert done.exit_code == 1
    assert "The method thread/rollback is gone. Hive calls it." in done.stdout
    assert done.stderr.startswith("hive-gate: Breaking: 9 changes between codex 0.142.5 and codex 0.171.0")
    assert "  do: adapt Hive" in done.stderr


def test_the_exit_code_is_that_of_what_hive_uses_with_all_as_well(call: Call) -> None:
    done = call("--from", "0.163.0", "--to", "0.171.0", "--all")
    assert "Not used by Hive: breaking (2)" in done.stdout
    assert done.exit_code == 0


def test_the_contract_decides_what_hive_uses(call: Call) -> None:
    following = str(CONTRACTS / "hive-app-server-contract.next.json")
    assert call("--from", "0.153.4", "--to", "0.171.0", "--contract", following).exit_code == 0
    assert call("--from", "0.153.4", "--to", "0.171.0").exit_code == 1
    pinned = call("--to", "0.171.0", "--contract", following)
    assert "they say exactly the same" in " ".join(pinned.stdout.split())


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("text", "Breaking: 9"),
        ("markdown", "Breaking: 9"),
        ("textile", "Breaking: 9"),
        ("github", "Breaking: 9"),
        ("html", "<!doctype html>"),
        ("json", "{"),
        ("junit", "<"),
        ("annotations", "::error title=hive-gate drift::Breaking: 9"),
    ],
)
def test_every_format_can_be_printed_and_written(call: Call, tmp_path: Path, name: str, beginning: str) -> None:
    printed = call("--to", "0.171.0", "--format", name)
    written = call("--to", "0.171.0", "--format", name, "--out", str(tmp_path / "drift"))
    assert printed.exit_code == written.exit_code == 1
    assert printed.stdout.lower().startswith(beginning.lower())
    assert (tmp_path / "drift").read_text(encoding="utf-8").lower().startswith(beginning.lower())
    assert written.stdout == ""


def test_json_is_printed_and_nothing_else(call: Call) -> None:
    printed = call("--to", "0.171.0", "-f", "json").stdout
    assert json.loads(printed)["breaks"] is True
    assert call("--to", "0.171.0", "--json").stdout == printed


def test_the_words_for_versions_mean_the_same_as_elsewhere(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = tuple(map(semver.Version.parse, ("0.142.5", "0.143.0", "0.144.0-alpha.1")))
    listed = Published(versions, datetime.now(UTC))
    monkeypatch.setattr(hive_gate.target.published, "published_versions", lambda *_, **__: listed)
    exact = call("--from", "0.142.5", "--to", "0.143.0", "--json")
    for old, new in (("pinned", "latest"), ("accepted", " latest "), ("pinned", "0.143.0")):
        done = call("--from", old, "--to", new, "--json")
        assert done.exit_code == 0, done.exception
        assert done.stdout == exact.stdout


@pytest.mark.parametrize("words", [["--to", ""], ["--from", " ", "--to", "0.143.0"], ["--to", "yesterday"]])
def test_words_that_are_no_target_are_usage_errors(call: Call, words: list[str]) -> None:
    done = call(*words)
    assert isinstance(done.exception, UsageError)
    assert done.exception.exit_code == 2
    assert done.exception.hint


def test_a_contract_that_is_none_is_one_too(call: Call, tmp_path: Path) -> None:
    done = call("--to", "0.143.0", "--contract", str(tmp_path / "none.json"))
    assert isinstance(done.exception, ContractError)


def test_a_file_that_cannot_be_written_is_one_too(call: Call, tmp_path: Path) -> None:
    done = call("--to", "0.143.0", "-f", "json", "-o", str(tmp_path))
    assert isinstance(done.exception, UsageError)


def test_a_broken_digest_names_its_file_and_place(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (FIXTURES / "digests").glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    broken = tmp_path / "0.143.0.json"
    broken.write_bytes(broken.read_bytes()[:5_000])
    monkeypatch.setattr(drift_side, "read_digest", lambda version, _: read_digest(version, tmp_path))
    done = call("--to", "0.143.0")
    assert isinstance(done.exception, UsageError)
    assert str(broken) in str(done.exception.where)
    assert "is not JSON" in done.exception.message
    assert done.exception.hint == "make it anew from the program: make digests"
