from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hive_gate.cli.contract import contract_app
from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import ContractError, UsageError

CONTRACT = load_contract(DEFAULT_CONTRACT)


def run(*arguments: str) -> Result:
    """Run the command; errors for people come through, as the app's main wants them."""
    result = CliRunner().invoke(contract_app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_valid_contract_is_told_in_one_line() -> None:
    result = run("lint")
    assert result.stderr == ""
    assert result.stdout == (
        f"hive-app-server {CONTRACT.version} is valid: {len(CONTRACT.clauses)} clauses "
        f"in {len(CONTRACT.suites)} suites, {len(CONTRACT.scenes)} scenes, sha256 {CONTRACT.sha256[:12]}\n"
    )


def test_a_contract_that_is_not_valid_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ContractError) as caught:
        run("lint", str(path))
    assert str(caught.value.where).startswith(f"{path}#")


def test_a_measurement_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    raw = json.loads(DEFAULT_CONTRACT.read_bytes())
    raw["scenes"] = {name: str(DEFAULT_CONTRACT.parent / place) for name, place in raw["scenes"].items()}
    raw["decisions"][1]["measured"][0]["value"] = "seconds"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ContractError, match=r"full has no 'seconds', but bytes\.ratio, ms\.ratio") as caught:
        run("lint", str(path))
    assert caught.value.where == f"{path}#/decisions/1/measured/0/value"


def test_every_clause_is_shown_once_under_its_suite() -> None:
    text = run("show").stdout
    shown = re.findall(r"^  ([a-z-]+\.[^: ]+)(?: \(advisory\))?: ", text, re.MULTILINE)
    assert shown == [clause.id for clause in CONTRACT.clauses]
    for suite, title in CONTRACT.suites.items():
        number = sum(clause.suite == suite for clause in CONTRACT.clauses)
        assert f"\n{title} ({suite}, {number})\n" in text


def test_what_the_contract_is_and_what_it_gates_comes_first() -> None:
    first, second, *_ = run("show").stdout.splitlines()
    assert first == CONTRACT.title
    assert second == (
        f"hive-app-server {CONTRACT.version}, source #942, gates #944, pinned to codex 0.142.5, "
        f"sha256 {CONTRACT.sha256}"
    )


def test_a_selection_shows_its_clauses_alone() -> None:
    text = run("show", "--clause", "read.without-turns", "--clause", "items-list.known").stdout
    assert re.findall(r"^  (\S+):", text, re.MULTILINE) == [
        "read.without-turns/false", "read.without-turns/nothing", "items-list.known",
    ]  # fmt: skip


def test_an_advisory_clause_is_marked() -> None:
    assert "  schema.items-list-offered (advisory): " in run("show", "--clause", "schema.*").stdout


def test_verbose_tells_why_source_and_steps() -> None:
    lines = run("show", "-v", "--clause", "read.unknown-thread").stdout.splitlines()
    (clause,) = (clause for clause in CONTRACT.clauses if clause.id == "read.unknown-thread")
    assert f"    why: {clause.why}" in lines
    assert "    source: #942; scene: five-turns; own: nothing" in lines
    step = json.loads(lines[-1])
    assert step["call"] == "thread/read"
    assert step["expect"]["error"]["code"] == -32600


def test_an_unknown_clause_is_an_error() -> None:
    with pytest.raises(UsageError, match="has no clause 'reed'"):
        run("show", "--clause", "reed")


def test_the_hash_that_is_shown_can_be_made_by_hand() -> None:
    paths = [
        DEFAULT_CONTRACT,
        *(DEFAULT_CONTRACT.parent / p for p in json.loads(DEFAULT_CONTRACT.read_bytes())["scenes"].values()),
    ]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
    assert digest in run("show").stdout


def test_of_a_contract_that_extends_another_each_clause_shows_where_it_stands() -> None:
    lines = run("show", str(NEXT_CONTRACT)).stdout.splitlines()
    shown = re.findall(r"^  ([a-z-]+\.[^ :]+)(?: \(([a-z, ]+)\))?: ", "\n".join(lines), re.MULTILINE)
    marks = dict(shown[: len(load_contract(NEXT_CONTRACT).clauses)])
    assert marks["turns-list.unknown-thread"] == ""
    assert marks["handshake.without-capability/initial-turns-page"] == "overrides"
    assert marks["revert.offered"] == "new"
    assert marks["history-mode.false-empty-before-resume/read"] == "advisory, new"
    assert lines[2].startswith("extends hive-app-server-contract.json: clauses that are marked (new) or (overrides)")
    assert "Left out of hive-app-server-contract.json" in lines
    assert any(re.match(r"  rollback\.offered, rollback\.last, .*: `thread/rollback` is gone", line) for line in lines)


def test_a_selection_of_it_tells_files_and_nothing_that_was_not_asked_for() -> None:
    text = run("show", str(NEXT_CONTRACT), "-v", "--clause", "revert.offered", "--clause", "read.loaded").stdout
    files = re.findall(r"^    stands in: (.*)$", text, re.MULTILINE)
    assert files == [str(DEFAULT_CONTRACT), str(NEXT_CONTRACT)]
    assert "Left out" not in text


def test_lint_takes_a_contract_that_extends_another() -> None:
    following = load_contract(NEXT_CONTRACT)
    assert run("lint", str(NEXT_CONTRACT)).stdout.startswith(
        f"hive-app-server-next {following.version} is valid: {len(following.clauses)} clauses "
    )
