"""The workflows for CI with the real hive-gate, the real codex and the real npm."""

from __future__ import annotations

import json
import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hive_gate.target.cache import Cache
from hive_gate.target.identify import resolve
from tests.support.ci_checkout import commit, real
from tests.support.programs import small_contract
from tests.support.workflow import Run, Runner, environment

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]

CONTRACT = "hive-app-server-contract"

ITEMS_LIST = {"items-list.known", "items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread"}


def filled(checkout: Path, path: str) -> None:
    """Restore a cache: the user's, with its programs and the runs that were judged."""
    assert path == ".cache/hive-gate/codex"
    (checkout / ".cache").mkdir()
    (checkout / ".cache" / "hive-gate").symlink_to(Cache.default().root)


def empty(checkout: Path, path: str) -> None:
    """Restore nothing."""


@pytest.fixture
def dead_registry() -> Iterator[str]:
    """The address of a registry that refuses to be reached: a port of this machine where nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # and is held, so that nobody else begins to
        yield f"http://127.0.0.1:{held.getsockname()[1]}/"


def test_new_versions_are_judged_in_shards_and_what_drifted_is_named(tmp_path: Path) -> None:
    for version in ("0.142.5", "0.143.0"):
        resolve(version)  # the cache is filled while there is a network
    checkout = real(tmp_path / "checkout")
    runner = Runner(checkout, tmp_path / "run", environment(), filled)

    run = runner.run(
        checkout / ".github" / "workflows" / "codex-versions.yml", {"versions": "0.142.5 0.143.0", "shards": "2"}
    )

    assert [job.result for jobs in run.jobs.values() for job in jobs] == ["success", "success", "success", "failure"]
    verdict = run.job("verdict")
    assert verdict.code == 1, verdict.log
    head = verdict.summary.splitlines()[2]
    assert head.startswith("- the contract does not hold on 0.143.0; broken: ")
    assert set(head.partition("broken: ")[2].split(", ")) == ITEMS_LIST
    assert "| items-list.\\* (3) | pass | FAIL |" in verdict.summary
    assert verdict.marks[0] == f"::error title=codex drifted::{head.removeprefix('- ')}"
    assert any(mark.startswith("::error title=items-list.* (3)::") for mark in verdict.marks)
    whole = json.loads((run.artifacts / "verdict" / "matrix.json").read_bytes())
    assert [(column["version"], column["gate"]) for column in whole["sheets"][0]["columns"]] == [
        ("0.142.5", "open"), ("0.143.0", "closed"),
    ]  # fmt: skip
    assert (run.artifacts / "verdict" / "0.143.0" / "report.json").is_file()


def test_a_pull_request_that_moves_the_pinned_version_gets_its_answer(tmp_path: Path) -> None:
    for version in ("0.142.5", "0.142.2"):
        resolve(version)
    checkout = real(tmp_path / "checkout")
    shutil.rmtree(checkout / "contracts")
    path = small_contract(checkout, "turns-list.unknown-thread", "items-list.known", name=CONTRACT)
    commit(checkout, "as it was")
    path.write_text(path.read_text().replace('"pinned": "0.142.5"', '"pinned": "0.142.2"'))
    commit(checkout, "as it shall be")

    run: Run = Runner(checkout, tmp_path / "run", environment(), filled).run(
        checkout / ".github" / "workflows" / "pinned-version.yml"
    )

    job = run.job("can-i-bump")
    assert (job.result, job.code) == ("success", 0)
    assert job.summary.startswith("## pinned: codex 0.142.5 -> 0.142.2\n\nYes: codex 0.142.2 keeps all 2 required")
    assert "::notice title=codex 0.142.2 can be taken::" in job.log
    kept = run.artifacts / "can-i-bump" / "pinned"
    assert json.loads((kept / "answer.json").read_bytes())["answer"] == "yes"
    assert json.loads((kept / "drift.json").read_bytes())["schema"] == "hive-gate/drift/1"
    whole = json.loads((kept / "matrix" / "matrix.json").read_bytes())
    assert [column["version"] for column in whole["sheets"][0]["columns"]] == ["0.142.2", "0.142.5"]


def test_a_registry_that_is_down_is_no_drift_at_the_plan(dead_registry: str, tmp_path: Path) -> None:
    checkout = real(tmp_path / "checkout")
    # However full the cache is.
    known = environment(npm_config_registry=dead_registry)
    run = Runner(checkout, tmp_path / "run", known, filled).run(
        checkout / ".github" / "workflows" / "codex-versions.yml", {}
    )

    assert run.results == {"plan": "failure", "probe": "skipped", "verdict": "skipped"}
    plan = run.job("plan")
    assert plan.code == 3
    assert re.match(r"::error title=could not be judged::network or start, no drift: .*ECONNREFUSED", plan.marks[0])


def test_a_registry_that_is_down_is_no_drift_at_the_verdict(dead_registry: str, tmp_path: Path) -> None:
    checkout = real(tmp_path / "checkout")
    known = environment(npm_config_registry=dead_registry)
    run = Runner(checkout, tmp_path / "run", known, empty).run(
        checkout / ".github" / "workflows" / "codex-versions.yml", {"versions": "0.142.5"}
    )

    assert run.results == {"plan": "success", "probe": "success", "verdict": "failure"}
    probe, verdict = run.job("probe"), run.job("verdict")
    assert "could not be judged (exit code 3)" in probe.log
    assert verdict.code == 3
    (mark,) = [mark for mark in verdict.marks if "no drift" in mark]
    assert mark.startswith("::error title=could not be judged::network or start, no drift: 0.142.5 (0.142.5 is not-fet")
    assert "ECONNREFUSED" in mark
    assert not any("drifted" in mark for mark in verdict.marks)
