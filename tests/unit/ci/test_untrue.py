"""A baseline that is not true makes CI red with 1 and says which entry, also where there is nothing to ask."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.ci_checkout import Scenario, calls, commit, real, stubbed
from tests.support.workflow import Job, Run, Runner, environment
from tests.unit.ci.conftest import OPEN, playing

TOLD = (
    "contracts/baseline.toml: 2 entries; codex 0.142.5 is the newest accepted\n"
    "  /waiver/0 read.all (0.142.5): 1 clause, until 2099-03-31\n"
    "  /waiver/1 walk.* (0.142.5): expired on 2026-11-01: get it mended, or agree on a later date with kim."
)
WHY = "the baseline is not true: correct the entries above, or take them out (baseline prune)"
UNTRUE = (1, TOLD, WHY)
MARK = (
    "the baseline is not true{}contracts/baseline.toml: /waiver/1 walk.* (0.142.5): "
    "expired on 2026-11-01: get it mended, or agree on a later date with kim."
)
SUMMARY = (
    f"## the baseline is not true (exit code 1)\n\nNothing was asked.\n\n```text\n{TOLD}\nhive-gate: {WHY}\n"
    "  do: something\n```\n"
)
ENTRY = """
[[waiver]]
clause = "{}"
versions = "0.171.0"
fingerprint = "1a2b3c4d5e6f"
reason = "Hive does not call it."
owner = "kim"
expires = {}
"""


@pytest.mark.parametrize("published", [["0.142.5"], ["0.142.5", "0.143.0"]], ids=["nothing newer", "something newer"])
def test_github_is_red_with_1_at_the_plan_and_the_summary_has_the_entries(
    published: list[str], github: Callable[..., Run], tmp_path: Path
) -> None:
    run = github(playing(OPEN, published=published, baseline=UNTRUE))

    assert run.results == {"plan": "failure", "probe": "skipped", "verdict": "skipped"}
    plan = run.job("plan")
    assert plan.code == 1
    assert plan.marks == [f"::error title={MARK.format('::')}"]
    assert plan.summary == SUMMARY
    assert [call.words[0] for call in calls(tmp_path / "checkout")] == ["baseline"]


def test_gitlab_is_red_with_1_at_the_plan_and_the_log_has_the_entries(
    gitlab: Callable[..., dict[str, list[Job]]],
) -> None:
    jobs = gitlab(playing(OPEN, published=["0.142.5"], baseline=UNTRUE))

    (plan,) = jobs["hive-gate:plan"]
    assert (plan.result, plan.code) == ("failure", 1)
    assert TOLD in plan.log
    assert plan.log.splitlines()[-1] == f"error: {MARK.format(': ')}"
    assert [job.result for job in jobs["hive-gate:probe"]] == ["skipped"]


def test_a_pull_request_that_moves_no_version_is_red_with_1(tmp_path: Path) -> None:
    checkout = stubbed(tmp_path / "checkout", Scenario(baseline=UNTRUE))
    commit(checkout, "as it was")
    commit(checkout, "as it shall be")

    run = Runner(checkout, tmp_path / "run", environment()).run(
        checkout / ".github" / "workflows" / "pinned-version.yml"
    )

    job = run.job("can-i-bump")
    assert (job.result, job.code) == ("failure", 1)
    assert job.marks == [f"::error title={MARK.format('::')}"]
    assert job.summary == SUMMARY


@pytest.mark.parametrize(
    ("code", "title"), [(2, "hive-gate was not asked well"), (4, "hive-gate failed"), (130, "interrupted")]
)
def test_a_check_that_ends_otherwise_is_passed_on_as_what_it_is(
    code: int, title: str, github: Callable[..., Run]
) -> None:
    plan = github(playing(OPEN, baseline=(code, "", "the baseline is not valid: a comma"))).job("plan")

    assert plan.code == code
    assert plan.marks == [f"::error title={title}::the baseline is not valid: a comma"]
    assert plan.summary.startswith(f"## {title} (exit code {code})\n")


def asked_for_real(checkout: Path, script: str, **more: str) -> tuple[int, str]:
    """Run a script with the real hive-gate, which needs no network up to the plan."""
    done = subprocess.run(
        ["bash", f"ci/{script}.sh"],
        cwd=checkout,
        env=environment(HIVE_GATE_CACHE=str(checkout / "cache"), **more),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("contract", "baseline", "accepted"),
    [("contract.json", "baseline.toml", "0.142.5"), ("contract.next.json", "baseline.next.toml", "0.171.0")],
    ids=["pinned", "next"],
)
def test_the_real_check_is_understood(contract: str, baseline: str, accepted: str, tmp_path: Path) -> None:
    checkout = real(tmp_path / "checkout")
    commit(checkout, "as it was")
    file = checkout / "contracts" / baseline
    true = f'accepted = "{accepted}"\n' + ENTRY.format("handshake.initialize", "2999-12-31")
    file.write_text(true)
    commit(checkout, "an entry that is true")
    asked = {"BASE": "HEAD^1", "CONTRACT": f"contracts/hive-app-server-{contract}"}

    code, last = asked_for_real(checkout, "pinned", **asked)

    assert (code, last.partition(": the contract")[0]) == (0, "notice: no version moved")
    assert asked_for_real(checkout, "plan", VERSIONS="0.142.5", **asked) == (0, "to probe: 1: 0.142.5")

    file.write_text(true + ENTRY.format("items-list.gone", "2026-11-01"))
    commit(checkout, "and one that names nothing")
    told = (
        f"error: the baseline is not true: contracts/{baseline}: /waiver/1 items-list.gone (0.171.0): "
        "The baseline's entry /waiver/1 (items-list.gone) names no clause of the contract: take it out, or correct "
        "the id (hive-gate contract show lists them)."
    )
    for script in ("pinned", "plan"):
        assert asked_for_real(checkout, script, VERSIONS="0.142.5", **asked) == (1, told)


def test_without_a_baseline_there_is_none_to_be_untrue(tmp_path: Path) -> None:
    checkout = stubbed(tmp_path / "checkout", playing(OPEN, baseline=UNTRUE))
    (checkout / "contracts" / "baseline.toml").unlink()

    code, last = asked_for_real(checkout, "plan", VERSIONS="0.142.5")

    assert (code, last) == (0, "to probe: 1: 0.142.5")
