"""The GitHub workflow for new versions: what each job ends with, what is told, and what is kept."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.ci_checkout import HOSTILE, calls, stubbed
from tests.support.workflow import Run, environment
from tests.unit.ci.conftest import DRIFTED, DRIFTED_AND_NOT_FETCHED, NOT_FETCHED, OPEN, VERSIONS, drawn, playing

Github = Callable[..., Run]


def test_all_open_is_green_and_says_so(github: Github, tmp_path: Path) -> None:
    run = github(playing(OPEN))

    assert run.green
    assert [job.name for job in run.jobs["probe"]] == [f"probe {index}-of-4" for index in (1, 2, 3, 4)]
    verdict = run.job("verdict")
    assert verdict.marks[0] == (
        "::notice title=the contract holds::the contract holds on every version that was asked about: "
        + " ".join(VERSIONS)
    )
    assert verdict.summary.startswith("## the contract holds (exit code 0)\n")
    assert "hive 1.0.0 holds on 5 of 5 versions" in verdict.summary
    whole = json.loads((run.artifacts / "verdict" / "matrix.json").read_bytes())
    assert [column["version"] for column in whole["sheets"][0]["columns"]] == list(VERSIONS)
    for name in ("matrix.html", "matrix.xml", *(f"{version}/report.json" for version in VERSIONS)):
        assert (run.artifacts / "verdict" / name).is_file()


def test_every_version_is_probed_once_by_exact_name(github: Github, tmp_path: Path) -> None:
    run = github(playing(OPEN), shards="2")

    assert [call.versions for call in calls(tmp_path / "checkout") if call.probes] == [
        ["0.142.5", "0.144.0", "0.144.2"], ["0.143.0", "0.144.1"],
    ]  # fmt: skip
    assert {job.name for job in run.jobs["probe"]} == {"probe 1-of-2", "probe 2-of-2"}
    keys = [key for job in run.jobs["probe"] for key in job.keys]
    assert len(set(keys)) == 2


def test_drift_is_red_with_1_and_names_versions_and_clauses(github: Github) -> None:
    run = github(playing(DRIFTED))

    assert run.results == {"plan": "success", "probe": "success", "verdict": "failure"}
    verdict = run.job("verdict")
    assert verdict.code == 1
    told = "the contract does not hold on 0.144.0, 0.144.1, 0.144.2; broken: walk.page/a"
    assert verdict.marks[0] == f"::error title=codex drifted::{told}"
    assert any(mark.startswith("::error title=walk.page/a::") for mark in verdict.marks)
    assert verdict.summary.startswith(f"## codex drifted (exit code 1)\n\n- {told}\n")
    assert "| Clause |" in verdict.summary
    assert (run.artifacts / "verdict" / "matrix.json").is_file()
    # What a server says is no command of the job.
    for probe in run.jobs["probe"]:
        assert probe.log.count(HOSTILE) == 2
        assert HOSTILE not in probe.marks


def test_a_registry_that_is_down_at_the_plan_ends_with_3_and_nothing_is_probed(github: Github, tmp_path: Path) -> None:
    run = github(playing(OPEN, published=None))

    assert run.results == {"plan": "failure", "probe": "skipped", "verdict": "skipped"}
    plan = run.job("plan")
    assert plan.code == 3
    (mark,) = plan.marks
    assert mark.startswith("::error title=could not be judged::network or start, no drift: the list of codex versions")
    assert plan.summary.startswith("## could not be judged\n")
    assert not any(call.probes for call in calls(tmp_path / "checkout"))


def test_a_registry_that_is_down_in_one_shard_ends_with_3_at_the_verdict(github: Github) -> None:
    run = github(playing(NOT_FETCHED))

    assert run.results == {"plan": "success", "probe": "success", "verdict": "failure"}
    verdict = run.job("verdict")
    assert verdict.code == 3
    assert verdict.marks[0] == (
        "::error title=could not be judged::network or start, no drift: 0.144.1 (0.144.1 is not-fetched: "
        "There is no such program.)"
    )
    assert not any("codex drifted" in mark for mark in verdict.marks)
    assert verdict.summary.startswith("## could not be judged (exit code 3)\n")


def test_drift_counts_before_a_registry_that_is_down_and_both_are_told(github: Github) -> None:
    run = github(playing(DRIFTED_AND_NOT_FETCHED))

    verdict = run.job("verdict")
    assert verdict.code == 1
    assert [mark.split("::")[1] for mark in verdict.marks[:2]] == [
        "error title=codex drifted", "error title=could not be judged",
    ]  # fmt: skip


def test_a_shard_that_dies_without_evidence_is_never_green(github: Github) -> None:
    run = github(playing(OPEN, ends={"0.144.0": -9}))

    assert [job.result for job in run.jobs["probe"]] == ["success", "success", "failure", "success"]
    verdict = run.job("verdict")
    assert (verdict.result, verdict.code) == ("failure", 3)
    (mark,) = [mark for mark in verdict.marks if mark.startswith("::error")]
    assert mark == "::error title=could not be judged::no evidence was left on 0.144.0: see the jobs that probe"
    assert "holds on 4 of 4" in verdict.summary
    assert "no evidence was left on 0.144.0" in verdict.summary


def test_drift_counts_before_a_shard_that_died(github: Github) -> None:
    run = github(playing(DRIFTED, ends={"0.144.0": -9}))

    verdict = run.job("verdict")
    assert verdict.code == 1
    assert any("no evidence was left on 0.144.0" in mark for mark in verdict.marks)


def test_where_every_shard_dies_there_is_a_verdict_all_the_same(github: Github) -> None:
    run = github(playing(OPEN, ends=dict.fromkeys(VERSIONS, -9)), shards="1")

    assert run.results == {"plan": "success", "probe": "failure", "verdict": "failure"}
    assert run.job("verdict").code == 3


@pytest.mark.parametrize("code", [2, 4, 130])
def test_what_is_neither_drift_nor_the_network_fails_its_job_at_once(code: int, github: Github) -> None:
    run = github(playing(OPEN, ends={"0.143.0": code}), shards="2")

    assert [(job.result, job.code) for job in run.jobs["probe"]] == [("success", 0), ("failure", code)]
    assert any(mark.startswith("::error") and "this is no drift" in mark for mark in run.jobs["probe"][1].marks)
    assert run.job("verdict").code == 3


@pytest.mark.parametrize(("ends", "code"), [(1, 4), (0, 4), (3, 3)])
def test_an_exit_code_without_a_matrix_is_no_drift(ends: int, code: int, github: Github) -> None:
    run = github(playing(OPEN, ends=dict.fromkeys(VERSIONS, ends)), shards="1")

    assert run.job("probe").code == code


def test_nothing_newer_is_green_and_says_so(github: Github) -> None:
    run = github(playing(OPEN, published=["0.142.5"]))

    assert run.green
    assert run.results == {"plan": "success", "probe": "skipped", "verdict": "skipped"}
    plan = run.job("plan")
    assert plan.marks == [
        "::notice title=nothing newer::no codex version is newer than 0.142.5, the last that was accepted: "
        "there is nothing to probe"
    ]
    assert plan.summary == "## Nothing newer\n\nNo codex version is newer than 0.142.5, the last that was accepted.\n"


def test_the_accepted_version_is_probed_where_it_is_asked_for_by_name(github: Github) -> None:
    run = github(playing(OPEN), versions="0.142.5")

    assert run.results == {"plan": "success", "probe": "success", "verdict": "success"}


def test_a_range_from_another_version_is_never_nothing_newer(github: Github) -> None:
    run = github(playing(OPEN, published=["0.144.0"]), versions="0.143.1..")

    assert [job.result for job in run.jobs["probe"]] == ["success"]


@pytest.mark.parametrize(
    "versions",
    ["$(touch broken)", "'; touch broken; '", '"; touch broken; "', "`touch broken`", "--out=broken 0.143.0", "* ?"],
)
def test_an_input_is_a_word_and_never_code(versions: str, github: Github, tmp_path: Path) -> None:
    run = github(playing(OPEN), versions=versions)

    assert run.job("plan").code == 2
    assert list(tmp_path.rglob("broken")) == []
    (call,) = [call for call in calls(tmp_path / "checkout") if call.words[0] == "matrix"]
    assert call.versions == versions.split()


def test_words_may_stand_on_lines_of_their_own_and_between_commas(github: Github, tmp_path: Path) -> None:
    run = github(playing(OPEN), versions="0.142.5,\n0.143.0\n")

    assert run.green
    assert len(run.jobs["probe"]) == 2


@pytest.mark.parametrize("shards", ["0", "-1", "four", "100", "2; touch broken", "1\n2"])
def test_a_number_of_shards_that_is_none_is_refused(shards: str, github: Github) -> None:
    run = github(playing(OPEN), shards=shards)

    assert run.job("plan").code == 2
    assert run.results["probe"] == "skipped"


def test_the_list_of_versions_is_not_that_of_the_cache_where_programs_are_kept(github: Github, tmp_path: Path) -> None:
    """One that npm could not renew would say that nothing is newer."""
    run = github(playing(OPEN), shards="1")

    assert run.green
    matrices = [call for call in calls(tmp_path / "checkout") if call.words[0] == "matrix"]
    plan, probe = [call for call in matrices if "--merge" not in call.words]
    assert probe.cache == str(tmp_path / "run" / "probe-0" / ".cache" / "hive-gate")
    assert plan.cache is not None
    assert not Path(plan.cache).is_relative_to(tmp_path)
    assert not Path(plan.cache).exists()


def test_a_fault_in_the_scripts_is_no_drift(github: Github) -> None:
    run = github(playing(OPEN), broken="ci/data.py")

    plan = run.job("plan")
    assert plan.code == 4
    assert plan.marks == ["::error title=hive-gate in CI failed::plan.sh ended unexpectedly (1); this is no drift"]


def test_shares_that_do_not_belong_together_are_no_drift(tmp_path: Path) -> None:
    checkout = stubbed(tmp_path / "checkout", playing(DRIFTED))
    whole = drawn(DRIFTED)
    for name, text in {
        "plan/plan.json": {"versions": list(VERSIONS)},
        "evidence/1/matrix.json": whole,
        "evidence/2/matrix.json": {**whole, "gate_sha256": "00" * 32},
    }.items():
        (checkout / name).parent.mkdir(parents=True)
        (checkout / name).write_text(json.dumps(text))

    done = subprocess.run(
        ["bash", "ci/verdict.sh"], cwd=checkout, env=environment(), capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    (told,) = [line for line in done.stdout.splitlines() if line.startswith("error: ")]
    assert told.startswith("error: hive-gate was not asked well: this is no drift: these matrices cannot be joined")
