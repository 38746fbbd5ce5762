"""The pipeline for GitLab: which jobs it has, what each ends with, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.ci_checkout import Scenario, calls, commit, stubbed
from tests.support.pipeline import Pipeline
from tests.support.workflow import Job, environment
from tests.unit.ci.conftest import DRIFTED, NOT_FETCHED, OPEN, VERSIONS, playing

Gitlab = Callable[..., dict[str, list[Job]]]

VERSIONS_JOBS = ["hive-gate:plan", "hive-gate:probe", "hive-gate:verdict"]


def results(jobs: dict[str, list[Job]]) -> list[list[str]]:
    return [[job.result for job in each] for each in jobs.values()]


def test_all_open_is_green_by_schedule(gitlab: Gitlab, tmp_path: Path) -> None:
    jobs = gitlab(playing(OPEN))

    assert list(jobs) == VERSIONS_JOBS
    assert results(jobs) == [["success"], ["success"] * 4, ["success"]]
    (verdict,) = jobs["hive-gate:verdict"]
    assert f"notice: the contract holds: the contract holds on every version that was asked about: {VERSIONS[0]}" in (
        verdict.log
    )
    kept = tmp_path / "run" / "artifacts" / "hive-gate:verdict" / "1" / "verdict"
    assert {"matrix.json", "matrix.xml", "matrix.html", *VERSIONS} <= {path.name for path in kept.iterdir()}
    probes = [call for call in calls(tmp_path / "checkout") if call.probes]
    assert [call.versions for call in probes] == [["0.142.5", "0.144.2"], ["0.143.0"], ["0.144.0"], ["0.144.1"]]
    assert probes[0].cache == str(tmp_path / "run" / "hive-gate-probe-1" / ".cache" / "hive-gate")


def test_a_share_that_is_empty_is_green_and_says_so(gitlab: Gitlab) -> None:
    jobs = gitlab(playing(OPEN), source="web", HIVE_GATE_VERSIONS="0.143.0 0.144.0")

    assert results(jobs) == [["success"], ["success"] * 4, ["success"]]
    last = jobs["hive-gate:probe"][3].log
    assert "notice: nothing to probe: the share 4/4 is empty: there is no version to probe here" in last


def test_drift_ends_the_verdict_with_1(gitlab: Gitlab) -> None:
    jobs = gitlab(playing(DRIFTED))

    assert results(jobs) == [["success"], ["success"] * 4, ["failure"]]
    (verdict,) = jobs["hive-gate:verdict"]
    assert verdict.code == 1
    told = "error: codex drifted: the contract does not hold on 0.144.0, 0.144.1, 0.144.2; broken: walk.page/a"
    assert told in verdict.log.splitlines()
    assert "::error" not in verdict.log


def test_a_registry_that_is_down_ends_with_3(gitlab: Gitlab) -> None:
    jobs = gitlab(playing(NOT_FETCHED))

    (verdict,) = jobs["hive-gate:verdict"]
    assert verdict.code == 3
    assert "error: could not be judged: network or start, no drift: 0.144.1" in verdict.log


def test_a_registry_that_is_down_at_the_plan_ends_with_3_and_nothing_is_probed(gitlab: Gitlab) -> None:
    jobs = gitlab(playing(OPEN, published=None))

    assert results(jobs) == [["failure"], ["skipped"], ["failure"]]
    assert [jobs[name][0].code for name in ("hive-gate:plan", "hive-gate:verdict")] == [3, 3]


def test_a_share_that_dies_without_evidence_is_never_green(gitlab: Gitlab) -> None:
    jobs = gitlab(playing(OPEN, ends={"0.144.0": -9}))

    assert results(jobs) == [["success"], ["success", "success", "failure", "success"], ["failure"]]
    (verdict,) = jobs["hive-gate:verdict"]
    assert verdict.code == 3
    assert "no evidence was left on 0.144.0" in verdict.log


def test_nothing_newer_is_green_and_says_so(gitlab: Gitlab, tmp_path: Path) -> None:
    jobs = gitlab(playing(OPEN, published=["0.142.5"]))

    assert results(jobs) == [["success"], ["success"] * 4, ["success"]]
    assert "no codex version is newer than 0.142.5" in jobs["hive-gate:plan"][0].log
    assert not any(call.probes for call in calls(tmp_path / "checkout"))


@pytest.mark.parametrize(
    ("source", "changed", "expected"),
    [
        ("push", ["contracts/baseline.toml"], []),
        ("merge_request_event", ["hive_gate/cli/app.py"], []),
        ("merge_request_event", ["contracts/hive-app-server-contract.json"], ["hive-gate:pinned"]),
        ("merge_request_event", ["docs/ci.md", "contracts/old/x.json"], ["hive-gate:pinned"]),
    ],
)
def test_other_pipelines_have_only_what_concerns_them(
    source: str, changed: list[str], expected: list[str], tmp_path: Path
) -> None:
    checkout = stubbed(tmp_path / "checkout", Scenario())
    commit(checkout, "as it was")
    pipeline = Pipeline(checkout, tmp_path / "run", environment(), changed)
    path = checkout / "ci" / "gitlab" / "hive-gate.gitlab-ci.yml"

    jobs = pipeline.run(path, source, {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD"})

    assert list(jobs) == expected
    assert all(job.result == "success" for each in jobs.values() for job in each)
