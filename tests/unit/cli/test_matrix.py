"""`hive-gate matrix`: what it prints, how it exits, what it writes, and that nothing is run twice."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from hive_gate.cli.matrix import matrix
from hive_gate.errors import ContractError, TargetError, UsageError
from hive_gate.exits import Exit
from hive_gate.target.cache import Cache
from hive_gate.target.platforms import this_platform
from tests.support.programs import DIES, put, small_contract, with_fault

app = typer.Typer()
app.command()(matrix)

BROKEN = with_fault("page-oldest-first")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """0.1.0 and 0.3.0 keep the small contract, 0.2.0 breaks it, and nothing can be fetched."""
    monkeypatch.setenv("HIVE_GATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)
    made = Cache(tmp_path / "cache")
    put(made, "0.1.0")
    put(made, "0.2.0", BROKEN)
    put(made, "0.3.0")
    small_contract(tmp_path, "turns-list.unknown-thread", "turns-list.page", "items-list.known", pinned="0.1.0")
    return made


def run(*words: str, contract: str | None = "contracts/small.json") -> Result:
    """Run the command; errors for people come through, as the app's main wants them."""
    told = [] if contract is None else ["--contract", contract]
    result = CliRunner().invoke(app, [*words, *told])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def told(folder: str = "reports/matrix") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(folder) / "matrix.json").read_bytes())
    return found


def the_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two matrices say the same, apart from when and how fast."""

    def without(document: dict[str, Any]) -> dict[str, Any]:
        copy: dict[str, Any] = json.loads(json.dumps(document))
        for sheet in copy["sheets"]:
            for column in sheet["columns"]:
                for name in ("run", "started", "seconds", "from_cache"):
                    del column[name]
        return copy

    return without(one) == without(other)


def keep_list(cache: Cache, *versions: str, hours: float = 0.0) -> None:
    asked = (datetime.now(UTC) - timedelta(hours=hours)).isoformat()
    (cache.root / f"published-{this_platform()}.json").write_text(json.dumps({"asked": asked, "versions": versions}))


def test_the_matrix_is_printed_and_written_and_the_second_time_nothing_is_run(tmp_path: Path) -> None:
    done = run("0.3.0", "0.1.0", "0.2.0")
    assert done.exit_code == Exit.CLOSED
    assert done.stdout.splitlines()[0] == "hive-app-server 1.0.0 holds on 2 of 3 versions: 0.1.0, 0.3.0."
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "0.1.0 open: 6 pass; pinned" in lines
    assert "Clause 0.1.0 0.2.0 0.3.0" in lines
    assert any(line.startswith("turns-list.page/* (4) pass FAIL pass") for line in lines)
    last = done.stderr.splitlines()[-1]
    assert last == "hive-gate: the gate is closed on 1 of 3 versions (0.2.0)."
    assert sum(line.endswith(" s)") for line in done.stderr.splitlines()) == 3
    out = tmp_path / "reports" / "matrix"
    assert {path.name for path in out.iterdir()} == {
        "0.1.0", "0.2.0", "0.3.0", "matrix.json", "matrix.md", "matrix.github.md", "matrix.textile", "matrix.html",
        "matrix.txt", "matrix.xml",
    }  # fmt: skip
    assert {path.name for path in (out / "0.2.0").iterdir()} == {"report.json"}
    assert told()["sheets"][0]["columns"][1]["report"] == "0.2.0/report.json"

    before = told()
    again = run("0.1.0", "0.2.0", "0.3.0")
    assert again.stdout == done.stdout
    assert sum("(from an earlier run)" in line for line in again.stderr.splitlines()) == 3
    assert the_same(told(), before)


def test_what_could_not_be_judged_is_told_from_drift(cache: Cache) -> None:
    put(cache, "0.5.0", DIES)
    missing = run("0.1.0", "0.4.0", "0.5.0")
    assert missing.exit_code == Exit.TARGET
    lines = [" ".join(line.split()) for line in missing.stdout.splitlines()]
    assert any(line.startswith("0.4.0 not fetched: There is no npm on PATH") for line in lines)
    assert any(line.startswith("0.5.0 not started: the server ended before it answered") for line in lines)
    assert "2 of 3 versions could not be judged (0.4.0: There is no npm on PATH" in missing.stderr
    assert missing.stderr.splitlines()[-1] == "  do: see above why, and start it again: what was judged is kept"
    again = run("0.4.0", "--fresh").stderr.splitlines()[-1]
    assert again == "  do: see above why, and start it again without --fresh: what was judged is kept"
    assert run("0.2.0", "0.4.0").exit_code == Exit.CLOSED
    assert run("0.1.0").exit_code == Exit.OPEN


@pytest.mark.parametrize("options", [["--json"], ["--format", "json"]])
def test_the_json_is_all_that_is_on_stdout(options: list[str]) -> None:
    done = run("0.1.0", *options)
    assert json.loads(done.stdout) == told()


@pytest.mark.parametrize(("name", "start"), [("junit", "<testsuites"), ("markdown", "hive-app"), ("html", "<!doctype")])
def test_any_format_can_be_printed(name: str, start: str) -> None:
    assert run("0.1.0", "--format", name).stdout.lower().startswith(start)


def test_all_clauses_are_listed_on_demand() -> None:
    assert "turns-list.unknown-thread" not in run("0.1.0").stdout
    assert "turns-list.unknown-thread" in run("0.1.0", "--all-clauses").stdout


def test_a_plan_runs_nothing_and_shards_make_the_whole(tmp_path: Path) -> None:
    whole = run("0.1.0", "0.2.0", "0.3.0", "--plan")
    assert json.loads(whole.stdout) == {
        "schema": "hive-gate/plan/1", "versions": ["0.1.0", "0.2.0", "0.3.0"], "shard": None,
    }  # fmt: skip
    shard = run("0.1.0", "0.2.0", "0.3.0", "--plan", "--shard", "1/2")
    assert json.loads(shard.stdout)["versions"] == ["0.1.0", "0.3.0"]
    assert json.loads(shard.stdout)["shard"] == {"index": 1, "of": 2}
    assert not (tmp_path / "reports").exists()

    words = ("0.1.0", "0.2.0", "0.3.0")
    codes = [run(*words, "--shard", f"{index}/2", "--out", f"shard-{index}").exit_code for index in (1, 2)]
    assert codes == [Exit.OPEN, Exit.CLOSED]
    joined = run("--merge", "shard-2", "shard-1/matrix.json", "--out", "joined", contract=None)
    at_once = run(*words)
    assert (joined.exit_code, joined.stdout) == (at_once.exit_code, at_once.stdout)
    assert the_same(told("joined"), told())
    assert {path.name for path in (tmp_path / "joined" / "0.2.0").iterdir()} == {"report.json"}


def test_an_empty_shard_is_fine_and_says_so(tmp_path: Path) -> None:
    done = run("0.1.0", "--shard", "2/2")
    assert (done.exit_code, done.stdout) == (Exit.OPEN, "")
    assert "the share 2/2 is empty" in done.stderr
    assert not (tmp_path / "reports").exists()
    assert json.loads(run("0.1.0", "--shard", "2/2", "--plan").stdout)["versions"] == []


def test_shards_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    run("0.1.0", "--out", "one")
    document = told("one")
    document["sheets"][0]["columns"][0].update(program="99" * 32)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "matrix.json").write_text(json.dumps(document))
    with pytest.raises(UsageError, match="cannot be joined") as caught:
        run("--merge", "one", "two", contract=None)
    assert str(caught.value.where).endswith("matrix.json#/sheets/0/columns/0")


def test_of_several_contracts_each_has_its_column_and_its_folder(tmp_path: Path) -> None:
    small_contract(tmp_path, "handshake.initialize", name="next", version="2.0.0")
    done = run("0.1.0", "0.2.0", "--contract", "contracts/next.json")
    assert done.exit_code == Exit.CLOSED
    assert done.stdout.splitlines()[0] == (
        "next 2.0.0 holds on 2 of 2 versions: 0.1.0 - 0.2.0; hive-app-server 1.0.0 holds on 1 of 2 versions: 0.1.0."
    )
    assert "Version next 2.0.0 hive-app-server 1.0.0" in " ".join(done.stdout.split())
    assert (tmp_path / "reports" / "matrix" / "next-2.0.0" / "0.1.0" / "report.json").is_file()
    assert [len(sheet["columns"]) for sheet in told()["sheets"]] == [2, 2]


def test_two_contracts_of_one_name_have_folders_of_their_own_and_the_same_one_twice_is_a_slip(tmp_path: Path) -> None:
    other = small_contract(tmp_path, "handshake.initialize", name="hive-app-server")
    run("0.1.0", "--contract", str(other))
    folders = {column["report"] for sheet in told()["sheets"] for column in sheet["columns"]}
    assert len(folders) == 2
    assert all((tmp_path / "reports" / "matrix" / folder).is_file() for folder in folders)
    with pytest.raises(UsageError, match="is named twice"):
        run("0.1.0", "--contract", str(tmp_path / "contracts" / "small.json"))


def test_what_the_team_accepts_is_waived_and_the_cache_keeps_the_verdict_itself(tmp_path: Path) -> None:
    run("0.2.0")
    rows = told()["sheets"][0]["rows"]
    failed = [row for row in rows if row["cells"][0]["verdict"] == "fail"]
    prints = sorted({row["cells"][0]["fingerprint"] for row in failed})
    baseline = tmp_path / "contracts" / "baseline.toml"
    baseline.write_text(
        f'accepted = "0.2.0"\n[[waiver]]\nclause = "turns-list.page/*"\nat-most = 4\nversions = "0.2.0"\n'
        f"fingerprint = {json.dumps(prints)}\n"
        'reason = "It is known."\nowner = "release"\nexpires = 2999-12-31\n'
    )
    assert tomllib.loads(baseline.read_text())
    waived = run("0.2.0")
    assert waived.exit_code == Exit.OPEN, waived.stdout
    assert "(from an earlier run)" in waived.stderr
    said = " ".join(waived.stdout.split())
    assert "waived turns-list.page/* (4) on 0.2.0: It is known. (release, until 2999-12-31)" in said
    column = told()["sheets"][0]["columns"][0]
    assert (column["raw"], column["gate"]) == ("closed", "open")
    assert run("0.2.0", "--no-baseline").exit_code == Exit.CLOSED
    assert json.loads(run("accepted", "--plan").stdout)["versions"] == ["0.2.0"]
    assert json.loads(run("accepted", "--plan", "--no-baseline").stdout)["versions"] == ["0.1.0"]


def test_ranges_need_the_list_and_an_old_one_is_told(cache: Cache) -> None:
    with pytest.raises(TargetError, match="There is no npm on PATH"):
        run("0.1.0..", "--plan")
    keep_list(cache, "0.1.0", "0.2.0", "0.9.0")
    fresh = run("0.2.0..", "--plan")
    assert (json.loads(fresh.stdout)["versions"], fresh.stderr) == (["0.2.0", "0.9.0"], "")
    keep_list(cache, "0.1.0", "0.2.0", "0.9.0", hours=40)
    old = run("latest", "--plan")
    assert json.loads(old.stdout)["versions"] == ["0.9.0"]
    assert "There is no npm on PATH" in old.stderr
    assert "what came later is missing" in old.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tomorrow"], "names no version"),
        (["0.1.0", "--format", "pdf"], "no format 'pdf'"),
        (["0.1.0", "--shard", "3/2"], "is no shard"),
        (["0.1.0", "--newest", "2"], "go with a range"),
        (["0.1.0", "--baseline", "b.toml", "--no-baseline"], "exclude each other"),
    ],
)
def test_a_slip_is_refused_before_anything_runs(words: list[str], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        run(*words)
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "cannot be read"),
        (["--plan"], "does not go with --plan:"),
        (["--shard", "1/2"], "does not go with --shard:"),
        (["--contract", "contracts/small.json"], "does not go with --contract:"),
        (["--baseline", "b.toml"], "does not go with --baseline:"),
        (["--no-baseline"], "does not go with --no-baseline:"),
        (["--jobs", "2"], "does not go with --jobs:"),
        (["--fresh"], "does not go with --fresh:"),
        (["--newest", "2", "--every-minor"], "does not go with --newest and --every-minor:"),
    ],
)
def test_what_joining_would_pass_over_is_refused(words: list[str], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        run("x", "--merge", *words, contract=None)
    assert not (tmp_path / "reports").exists()


def test_a_contract_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractError):
        run("0.1.0", contract="contracts/none.json")
    assert not (tmp_path / "reports").exists()


def test_a_folder_that_cannot_be_written_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("a file")
    with pytest.raises(UsageError, match="cannot be used"):
        run("0.1.0")
