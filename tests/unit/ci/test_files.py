"""The files for CI are well formed, no input becomes a part of their code, and they ask for no more than they need."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.ci_checkout import ROOT
from tests.support.workflow import read

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GITLAB = ROOT / "ci" / "gitlab" / "hive-gate.gitlab-ci.yml"
SCRIPTS = sorted((ROOT / "ci").glob("*.sh"))

ACTIONS = {
    "actions/checkout@v4", "actions/setup-python@v5", "actions/setup-node@v4", "actions/cache@v4",
    "actions/upload-artifact@v4", "actions/download-artifact@v4",
}  # fmt: skip


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in read(path)["jobs"].values():
        yield from job["steps"]


def pieces() -> Iterator[tuple[str, str]]:
    """Yield every piece of shell in the YAML files, with where it is."""
    for path in WORKFLOWS:
        yield from ((path.name, step["run"]) for step in steps(path) if "run" in step)
    for name, job in read(GITLAB).items():
        for part in ("before_script", "script"):
            yield from ((f"{GITLAB.name} {name}", line) for line in job.get(part, ()))


def test_there_is_something_to_look_at() -> None:
    assert [path.name for path in WORKFLOWS] == ["codex-versions.yml", "pinned-version.yml"]
    assert [path.name for path in SCRIPTS] == ["common.sh", "pinned.sh", "plan.sh", "probe.sh", "verdict.sh"]
    assert len(list(pieces())) > 10


@pytest.mark.parametrize(
    ("schema", "path"),
    [*(("vendor.github-workflows", path) for path in WORKFLOWS), ("vendor.gitlab-ci", GITLAB)],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_the_yaml_fits_the_schema_of_its_system(schema: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_are_bash_and_stop_at_what_goes_wrong(path: Path) -> None:
    done = subprocess.run(["bash", "-n", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nset -euo pipefail\n" in path.read_text()


@pytest.mark.parametrize(("where", "piece"), list(pieces()))
def test_the_shell_in_the_yaml_is_bash(where: str, piece: str) -> None:
    done = subprocess.run(["bash", "-n", "-c", piece], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), where


@pytest.mark.parametrize(("where", "piece"), list(pieces()))
def test_no_expression_is_put_into_shell(where: str, piece: str) -> None:
    """What GitHub puts there itself becomes code, whoever wrote it; through the environment it stays a word."""
    assert "${{" not in piece, where


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_asks_for_no_more_than_it_needs(path: Path) -> None:
    workflow = read(path)

    assert workflow["permissions"] == {"contents": "read"}
    assert all("permissions" not in job and "timeout-minutes" in job for job in workflow["jobs"].values())
    assert {step["uses"] for step in steps(path) if "uses" in step} <= ACTIONS
    assert "secrets." not in path.read_text()
    assert "pull_request_target" not in workflow["on"]
    assert "group" in workflow["concurrency"]


def test_new_versions_are_looked_for_by_schedule_and_by_hand() -> None:
    on = read(WORKFLOWS[0])["on"]

    assert re.fullmatch(r"\d+ \d+ \* \* \*", on["schedule"][0]["cron"])
    assert {name: each["default"] for name, each in on["workflow_dispatch"]["inputs"].items()} == {
        "versions": "accepted..", "shards": "4",
    }  # fmt: skip


def test_the_pinned_version_is_asked_about_where_the_contracts_change() -> None:
    assert read(WORKFLOWS[1])["on"] == {"pull_request": {"paths": ["contracts/**"]}}
