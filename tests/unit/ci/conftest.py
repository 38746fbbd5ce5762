"""Matrices that a stub of hive-gate leaves, drawn as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hive_gate.matrix.jsonfile import to_json
from tests.support import workflow
from tests.support.ci_checkout import Scenario, stubbed
from tests.support.pipeline import Pipeline
from tests.unit.matrix.sheets import matrix, sheet

VERSIONS = ("0.142.5", "0.143.0", "0.144.0", "0.144.1", "0.144.2")

OPEN = {"read.all": "ppppp", "walk.page/a": "ppppp", "late.start": "ppwww"}
DRIFTED = {"read.all": "ppppp", "walk.page/a": "ppFFF", "late.start": "ppwww"}
NOT_FETCHED = {"read.all": "ppp p", "walk.page/a": "ppp p", "late.start": "ppw w"}
DRIFTED_AND_NOT_FETCHED = {"read.all": "ppp p", "walk.page/a": "ppF F", "late.start": "ppw w"}


def drawn(letters: Mapping[str, str]) -> dict[str, Any]:
    """Return matrix.json of `VERSIONS`."""
    return to_json(matrix(sheet(VERSIONS, letters)))


def playing(letters: Mapping[str, str], **more: Any) -> Scenario:
    return Scenario(**{"matrix": drawn(letters), "published": list(VERSIONS), **more})


@pytest.fixture
def github(tmp_path: Path) -> Callable[..., workflow.Run]:
    """Run the workflow that looks for new versions, with a hive-gate that plays a scenario."""

    def run(scenario: Scenario, broken: str | None = None, **inputs: str) -> workflow.Run:
        checkout = stubbed(tmp_path / "checkout", scenario)
        if broken is not None:
            (checkout / broken).write_text("raise SystemExit(1)\n")
        runner = workflow.Runner(checkout, tmp_path / "run", workflow.environment())
        return runner.run(checkout / ".github" / "workflows" / "codex-versions.yml", inputs)

    return run


@pytest.fixture
def gitlab(tmp_path: Path) -> Callable[..., dict[str, list[workflow.Job]]]:
    """Run the pipeline for GitLab, with a hive-gate that plays a scenario."""

    def run(scenario: Scenario, source: str = "schedule", **variables: str) -> dict[str, list[workflow.Job]]:
        checkout = stubbed(tmp_path / "checkout", scenario)
        pipeline = Pipeline(checkout, tmp_path / "run", workflow.environment())
        return pipeline.run(checkout / "ci" / "gitlab" / "hive-gate.gitlab-ci.yml", source, variables)

    return run
