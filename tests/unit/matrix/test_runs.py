"""Runs of contracts against versions: each its own state, each once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from hive_gate.contract.load import load_contract
from hive_gate.errors import ContractError, UsageError
from hive_gate.matrix.results import Results
from hive_gate.matrix.runs import SERVERS, Outcome, Settings, Task, outcomes, rooms
from hive_gate.probe.cores import available
from hive_gate.report.model import ClauseResult
from hive_gate.target.cache import Cache
from tests.support.programs import DIES, REFERENCE, SILENT, put, small_contract, with_fault

QUICK = Settings(start_timeout=5.0)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv("HIVE_GATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/nowhere")  # no npm: nothing here may be fetched
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return Cache(tmp_path / "cache")


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    return small_contract(tmp_path, "turns-list.unknown-thread", "turns-list.page", "items-list.known")


class Noted:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.stages: dict[str, list[str]] = {}
        self.plans: dict[str, int] = {}
        self.verdicts: dict[str, list[ClauseResult]] = {}
        self.ended: list[str] = []

    def stage(self, task: Task, text: str) -> None:
        self.stages.setdefault(task.version, []).append(text)

    def plan(self, task: Task, total: int) -> None:
        self.plans[task.version] = total

    def judged(self, task: Task, result: ClauseResult) -> None:
        self.verdicts.setdefault(task.version, []).append(result)

    def done(self, outcome: Outcome) -> None:
        self.ended.append(outcome.task.version)


def judged(
    versions: Sequence[str], contract: Path, settings: Settings = QUICK, observer: Noted | None = None
) -> dict[str, Outcome]:
    tasks = [Task(version, contract) for version in versions]
    return {o.task.version: o for o in outcomes(tasks, settings, observer or Noted())}


def test_each_version_is_judged_and_followed(cache: Cache, contract: Path) -> None:
    put(cache, "0.1.0")
    put(cache, "0.2.0", with_fault("page-oldest-first"))
    noted = Noted()
    found = judged(["0.1.0", "0.2.0"], contract, observer=noted)
    assert {version: (o.state, o.problem, o.from_cache) for version, o in found.items()} == {
        "0.1.0": ("judged", None, False), "0.2.0": ("judged", None, False),
    }  # fmt: skip
    gates = {version: o.report.gate for version, o in found.items() if o.report}
    assert gates == {"0.1.0": "open", "0.2.0": "closed"}
    assert noted.plans == {"0.1.0": 6, "0.2.0": 6}
    assert noted.stages["0.1.0"][-1] == "starting the server"
    told = {result.id: result.verdict for result in noted.verdicts["0.2.0"]}
    assert told == {clause.id: clause.verdict for clause in found["0.2.0"].report.clauses}  # type: ignore[union-attr]
    assert sorted(noted.ended) == ["0.1.0", "0.2.0"]


def test_what_was_judged_comes_from_the_cache_until_it_is_asked_for_afresh(cache: Cache, contract: Path) -> None:
    put(cache, "0.1.0")
    first = judged(["0.1.0"], contract)["0.1.0"]
    again = judged(["0.1.0"], contract)["0.1.0"]
    assert (again.from_cache, again.report, again.seconds) == (True, first.report, first.report.run.seconds)  # type: ignore[union-attr]
    fresh = judged(["0.1.0"], contract, Settings(fresh=True))["0.1.0"]
    assert not fresh.from_cache
    assert fresh.report.run.id != first.report.run.id  # type: ignore[union-attr]


def test_a_cached_outcome_comes_first_and_starts_nothing(cache: Cache, contract: Path) -> None:
    put(cache, "0.1.0")
    put(cache, "0.2.0", REFERENCE + "\n# another")
    judged(["0.2.0"], contract)
    noted = Noted()
    assert list(judged(["0.1.0", "0.2.0"], contract, observer=noted)) == ["0.2.0", "0.1.0"]
    assert "0.2.0" not in noted.plans


def test_a_damaged_result_is_run_again(cache: Cache, contract: Path) -> None:
    program = put(cache, "0.1.0")
    judged(["0.1.0"], contract)
    kept = Results.of(cache).path(program.sha256, load_contract(contract))
    kept.write_bytes(kept.read_bytes()[:-10])
    assert not judged(["0.1.0"], contract)["0.1.0"].from_cache
    assert judged(["0.1.0"], contract)["0.1.0"].from_cache


def test_what_cannot_be_judged_has_its_state_and_is_never_kept(cache: Cache, contract: Path) -> None:
    put(cache, "0.1.0", DIES)
    put(cache, "0.3.0", SILENT)
    damaged = put(cache, "0.4.0").program
    damaged.write_text(damaged.read_text() + " ")
    found = judged(["0.1.0", "0.2.0", "0.3.0", "0.4.0"], contract, Settings(start_timeout=0.3))
    assert {version: o.state for version, o in found.items()} == {
        "0.1.0": "not-started", "0.2.0": "not-fetched", "0.3.0": "not-started", "0.4.0": "not-fetched",
    }  # fmt: skip
    assert "no such library" in str(found["0.1.0"].problem)
    assert "There is no npm on PATH" in str(found["0.2.0"].problem)
    assert "did not answer `initialize` within 0.3 s" in str(found["0.3.0"].problem)
    assert "is damaged" in str(found["0.4.0"].problem)
    assert str(found["0.2.0"].problem).endswith(f" ({found['0.2.0'].hint})")
    assert found["0.2.0"].report is None
    assert {clause.verdict for clause in found["0.1.0"].report.clauses} == {"blocked"}  # type: ignore[union-attr]
    assert not Results.of(cache).folder.exists()


def test_a_server_that_dies_on_the_way_is_not_judged(cache: Cache, contract: Path, tmp_path: Path) -> None:
    # The first server greets, and so do those after it; whatever else they are asked they die.
    stub = tmp_path / "stub.py"
    stub.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message.get('method') == 'initialize':\n"
        "        print(json.dumps({'id': message['id'], 'result': {'userAgent': 'stub/0.1.0 (x)'}}), flush=True)\n"
        "    elif 'id' in message:\n"
        "        sys.exit(3)\n"
    )
    put(cache, "0.1.0", f'[ "$1" = app-server ] && [ -z "$2" ] && exec {sys.executable} -S {stub}; exit 2')
    found = judged(["0.1.0"], contract)["0.1.0"]
    assert found.state == "not-judged"
    assert found.problem
    assert not Results.of(cache).folder.exists()


def test_a_worker_that_is_killed_costs_its_run_only(cache: Cache, contract: Path) -> None:
    put(cache, "0.1.0", SILENT)
    put(cache, "0.2.0")

    class Killing(Noted):
        def stage(self, task: Task, text: str) -> None:
            if task.version == "0.1.0" and text == "starting the server":
                for child in psutil.Process().children():
                    if "hive_gate.matrix.worker" in child.cmdline():
                        child.kill()

    tasks = [Task("0.1.0", contract), Task("0.2.0", contract)]
    found = {o.task.version: o for o in outcomes(tasks, Settings(jobs=1, start_timeout=60), Killing())}
    assert found["0.1.0"].state == "not-judged"
    assert "the run was lost: its process ended with -9" in str(found["0.1.0"].problem)
    assert found["0.2.0"].state == "judged"


def test_nothing_stays_behind_whether_it_ends_or_is_left(cache: Cache, contract: Path, tmp_path: Path) -> None:
    put(cache, "0.1.0")
    put(cache, "0.2.0", REFERENCE + "\n# another")
    before = {*tmp_path.iterdir()}
    processes = {child.pid for child in psutil.Process().children(recursive=True)}

    def left(coming: Iterator[Outcome]) -> None:
        next(coming)
        raise KeyboardInterrupt

    coming = outcomes([Task("0.1.0", contract), Task("0.2.0", contract)], Settings(jobs=1), Noted())
    with pytest.raises(KeyboardInterrupt):
        left(coming)
    coming.close()
    assert {child.pid for child in psutil.Process().children(recursive=True)} == processes
    assert {*tmp_path.iterdir()} == before
    # What was done is kept.
    assert judged(["0.1.0", "0.2.0"], contract)["0.1.0"].from_cache
    assert {*tmp_path.iterdir()} == before


NPM = """#!{python}
import json, os, pathlib, sys, time
options = dict(a[2:].split("=", 1) for a in sys.argv if a.startswith("--") and "=" in a)
if sys.argv[1] == "view":
    print(json.dumps({{"integrity": "sha512-x"}}))
else:
    cache = pathlib.Path(options["cache"])
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "part").write_bytes(b"x" * 1000)
    time.sleep(600)
"""
"""An npm whose downloads never end."""


def test_while_one_is_fetched_another_is_judged_and_leaving_ends_the_download(
    cache: Cache, contract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "npm"
    npm.write_text(NPM.format(python=sys.executable))
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    put(cache, "0.2.0")
    noted = Noted()
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    coming = outcomes([Task("0.1.0", contract), Task("0.2.0", contract)], Settings(jobs=2), noted)
    first = next(coming)
    coming.close()
    assert (first.task.version, first.state) == ("0.2.0", "judged")
    assert noted.stages["0.1.0"][0] == "looking up"
    assert {child.pid for child in psutil.Process().children(recursive=True)} == before
    assert list(cache.staging.iterdir()) == []


@pytest.mark.parametrize("version", ["0.1", "path", "./codex"])
def test_a_word_that_is_no_version_is_refused_before_anything_runs(version: str, contract: Path) -> None:
    with pytest.raises(UsageError):
        outcomes([Task("0.1.0", contract), Task(version, contract)], QUICK, Noted())


def test_a_contract_that_is_not_valid_is_refused_before_anything_runs(cache: Cache, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ContractError):
        outcomes([Task("0.1.0", tmp_path / "broken.json")], QUICK, Noted())
    assert not os.path.lexists(cache.root)


def test_the_runs_of_an_incomplete_last_round_have_the_room_of_all() -> None:
    beside = {"servers": SERVERS, "cores": ()}
    assert rooms(4, 2) == [beside] * 4
    assert rooms(3, 2) == [beside, beside, {"servers": 2 * SERVERS, "cores": available()}]
    assert [room["servers"] for room in rooms(5, 3)] == [SERVERS, SERVERS, SERVERS, 3, 3]
    assert rooms(1, 1) == [beside]
