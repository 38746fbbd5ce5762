"""Runs a GitLab pipeline here: its jobs in order, each in a checkout of its own, with artifacts between them.

Like `tests.support.workflow`: it knows what our file uses and refuses the rest.
"""

from __future__ import annotations

import fnmatch
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.workflow import Job, read

_GLOBAL = {"variables"}
_KEYWORDS = {
    "after", "artifacts", "before_script", "cache", "extends", "image", "needs", "parallel", "rules", "script",
    "timeout", "variables",
}  # fmt: skip


@dataclass(frozen=True)
class Pipeline:
    """Where a pipeline runs."""

    repository: Path
    folder: Path
    environment: Mapping[str, str]
    changed: Sequence[str] = ()
    """Files that a merge request changes."""

    def run(self, path: Path, source: str, variables: Mapping[str, str] | None = None) -> dict[str, list[Job]]:
        """Run a pipeline and return what came of each job in it.

        Args:
            path: the file, which is included by itself.
            source: `schedule`, `web`, `push` or `merge_request_event`.
            variables: what is given by hand; it counts before what the file says.
        """
        document = read(path)
        told = {**document["variables"], **(variables or {}), "CI_PIPELINE_SOURCE": source}
        jobs = {
            name: _extended(name, document)
            for name in document
            if name not in _GLOBAL and not name.startswith(".")
        }  # fmt: skip
        done: dict[str, list[Job]] = {}
        for name, job in jobs.items():
            assert job.keys() <= _KEYWORDS, f"{name} uses {job.keys() - _KEYWORDS}"
            when = self._when(job["rules"], told)
            if when is None:
                continue
            needs = [done[need] for need in job.get("needs", [])]
            if when == "always" or all(each.result == "success" for jobs in needs for each in jobs):
                done[name] = list(self._instances(name, job, told))
            else:
                done[name] = [Job(name, "skipped")]
        return done

    def _when(self, rules: Sequence[Mapping[str, Any]], told: Mapping[str, str]) -> str | None:
        """Return when a job runs by the first rule that holds; None: it is not in the pipeline."""
        for rule in rules:
            assert rule.keys() <= {"if", "changes", "when"}
            name, value = re.fullmatch(r'\$(\w+) == "(\w+)"', rule["if"]).groups()  # type: ignore[union-attr]
            globs = rule.get("changes")
            touched = globs is None or any(_matches(path, glob) for path in self.changed for glob in globs)
            if told.get(name) == value and touched:
                return str(rule.get("when", "on_success"))
        return None

    def _instances(self, name: str, job: Mapping[str, Any], told: Mapping[str, str]) -> Iterator[Job]:
        count = job.get("parallel")
        for index in range(1, (count or 1) + 1):
            number = {"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": str(count)} if count else {}
            yield self._job(name, job, {**told, **number})

    def _job(self, name: str, job: Mapping[str, Any], told: Mapping[str, str]) -> Job:
        place = self.folder / f"{name}-{told.get('CI_NODE_INDEX', '')}".replace(":", "-")
        shutil.copytree(self.repository, place, symlinks=True)
        for need in job.get("needs", []):
            for left in sorted(self.folder.glob(f"artifacts/{need}/*")):
                shutil.copytree(left, place, dirs_exist_ok=True)
        script = "\n".join([*job["before_script"], *job["script"]])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=place,
            env={**self.environment, "CI": "true", "GITLAB_CI": "true", **_filled(job.get("variables", {}), told)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        kept = job["artifacts"]
        if done.returncode == 0 or kept.get("when") == "always":
            self._keep(kept, place, self.folder / "artifacts" / name / told.get("CI_NODE_INDEX", "1"))
        return Job(name, "failure" if done.returncode else "success", done.returncode, done.stdout)

    def _keep(self, kept: Mapping[str, Any], place: Path, target: Path) -> None:
        reports = kept.get("reports", {}).values()
        for found in {found for path in [*kept["paths"], *reports] for found in place.glob(path)}:
            if found.is_dir():
                shutil.copytree(found, target / found.relative_to(place), dirs_exist_ok=True)


def _extended(name: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job with what it extends; what it says itself counts."""
    job = dict(document[name])
    named = job.get("extends", [])
    merged: dict[str, Any] = {}
    for base in [named] if isinstance(named, str) else named:
        merged.update(document[base])
    return {**merged, **job}


def _filled(variables: Mapping[str, str], told: Mapping[str, str]) -> dict[str, str]:
    """Return all variables, with those that a job's own ones name in their place."""
    own = {name: re.sub(r"\$(\w+)", lambda found: told.get(found[1], ""), text) for name, text in variables.items()}
    return {**told, **own}


def _matches(path: str, glob: str) -> bool:
    # For GitLab `**/` is any number of folders, none among them.
    return fnmatch.fnmatchcase(path, glob) or fnmatch.fnmatchcase(path, glob.replace("**/", ""))
