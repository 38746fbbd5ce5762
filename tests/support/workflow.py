"""Runs a GitHub workflow here: its jobs in order, each in a checkout of its own, with artifacts between them.

It knows what our workflows use and refuses the rest, so that a slip in them is an error. What a runner would fetch is
left out: the actions for Python, Node and the cache do nothing, and `make` is the checkout's.
"""

from __future__ import annotations

import fnmatch
import hashlib
import itertools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ruamel.yaml import YAML

from tests.support.expressions import evaluate, expand, truth

Result = Literal["success", "failure", "skipped"]
Restore = Callable[[Path, str], None]
"""Given a checkout and the path that is cached, puts there what a cache would."""


def read(path: Path) -> dict[str, Any]:
    """Read a YAML file."""
    found: dict[str, Any] = YAML(typ="safe", pure=True).load(path)
    return found


@dataclass
class Job:
    """What came of one job, or of one member of its matrix."""

    name: str
    result: Result = "success"
    code: int = 0
    """Exit code of the step that failed; 1 for an action."""
    log: str = ""
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    """Keys of the caches it asked for."""

    @property
    def marks(self) -> list[str]:
        """The annotations on its page: no command within `stop-commands` is one."""
        found, until = [], ""
        for line in self.log.splitlines():
            if until:
                until = "" if line.strip() == f"::{until}::" else until
            elif line.startswith("::stop-commands::"):
                until = line.removeprefix("::stop-commands::")
            elif line.lstrip().startswith(("::error", "::warning", "::notice")):
                found.append(line)
        return found


@dataclass
class Run:
    """What came of a workflow."""

    jobs: dict[str, list[Job]]
    artifacts: Path
    """A folder for each artifact, by name."""

    def job(self, name: str) -> Job:
        """Return the only job of this id."""
        (found,) = self.jobs[name]
        return found

    @property
    def green(self) -> bool:
        """Whether GitHub would say that the run succeeded."""
        return all(job.result != "failure" for jobs in self.jobs.values() for job in jobs)

    @property
    def results(self) -> dict[str, Result]:
        """The result of each job id."""
        return {name: _together(jobs) for name, jobs in self.jobs.items()}


@dataclass(frozen=True)
class Runner:
    """Where a workflow runs."""

    repository: Path
    """What is checked out; its `.venv` and `Makefile` stand for what set-up makes."""
    folder: Path
    """A new one for what the run needs."""
    environment: Mapping[str, str]
    restore: Restore = lambda checkout, path: None

    def run(self, path: Path, inputs: Mapping[str, str] | None = None) -> Run:
        """Run a workflow of the repository."""
        workflow = read(path)
        done = Run({}, self.folder / "artifacts")
        done.artifacts.mkdir(parents=True)
        for name, job in workflow["jobs"].items():
            done.jobs[name] = list(self._job(name, job, workflow, done, inputs or {}))
        return done

    def _job(
        self, name: str, job: dict[str, Any], workflow: dict[str, Any], done: Run, inputs: Mapping[str, str]
    ) -> Iterator[Job]:
        def blank(need: str) -> dict[str, str]:
            """Return what a job that did not succeed gives for its outputs."""
            return dict.fromkeys(workflow["jobs"][need].get("outputs", {}), "")

        named = job.get("needs", [])
        needs = {
            need: {"result": _together(done.jobs[need]), "outputs": {**blank(need), **done.jobs[need][0].outputs}}
            for need in ([named] if isinstance(named, str) else named)
        }
        contexts: dict[str, Any] = {"needs": needs, "inputs": inputs, "github": {"ref": "refs/heads/main"}}
        well = all(need["result"] == "success" for need in needs.values())
        if not _holds(job.get("if"), contexts, well):
            yield Job(name, "skipped")
            return
        axes = expand(job.get("strategy", {}).get("matrix", {}), contexts, {})
        assert all(axes.values()), "GitHub refuses an empty matrix"
        for number, values in enumerate(itertools.product(*axes.values())):
            matrix = dict(zip(axes, values, strict=True))
            attempt = _Attempt(self, done.artifacts, self.folder / f"{name}-{number}", {**contexts, "matrix": matrix})
            yield attempt.run(name, job, workflow)


class _Attempt:
    """One job on one machine."""

    def __init__(self, runner: Runner, artifacts: Path, checkout: Path, contexts: dict[str, Any]) -> None:
        self._runner = runner
        self._artifacts = artifacts
        self._place = checkout
        self._contexts = {**contexts, "runner": {"os": "Linux", "arch": "X64"}, "steps": {}}
        self._functions = {"hashFiles": self._hash}
        self._machine = checkout.with_name(f"{checkout.name}.machine")
        self._machine.mkdir()
        checkout.mkdir()

    def run(self, name: str, job: dict[str, Any], workflow: dict[str, Any]) -> Job:
        made = Job(str(expand(job["name"], self._contexts, self._functions)))
        assert workflow["defaults"] == {"run": {"shell": "bash"}}
        env = {**workflow.get("env", {}), **job.get("env", {})}
        for step in job["steps"]:
            if not _holds(step.get("if"), self._contexts, made.result == "success"):
                continue
            code = self._step(step, env, made)
            if code and made.result == "success":
                made.result, made.code = "failure", code
        if made.result == "success":
            made.outputs = expand(job.get("outputs", {}), self._contexts, self._functions)
        return made

    def _step(self, step: dict[str, Any], env: Mapping[str, str], made: Job) -> int:
        if "run" in step:
            return self._script(step, {**env, **step.get("env", {})}, made)
        action = getattr(self, "_" + step["uses"].partition("@")[0].removeprefix("actions/").replace("-", "_"))
        given = expand(step.get("with", {}), self._contexts, self._functions)
        failed: bool = action(made, **{name.replace("-", "_"): value for name, value in given.items()})
        return int(failed)

    def _script(self, step: dict[str, Any], env: Mapping[str, Any], made: Job) -> int:
        output, summary = self._machine / "output", self._machine / "summary"
        output.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self._place,
            env={
                **self._runner.environment,
                "CI": "true",
                "GITHUB_ACTIONS": "true",
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                **expand(env, self._contexts, self._functions),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        made.log += done.stdout
        made.summary = summary.read_text(encoding="utf-8") if summary.exists() else ""
        if "id" in step:
            lines = output.read_text(encoding="utf-8").splitlines()
            self._contexts["steps"][step["id"]] = {"outputs": dict(line.split("=", 1) for line in lines)}
        return done.returncode

    def _hash(self, path: str) -> str:
        file = self._place / path
        return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""

    # The actions, with what they are given; each returns whether it failed.

    def _checkout(self, made: Job, *, persist_credentials: bool, fetch_depth: int = 1) -> bool:
        assert not persist_credentials
        source = self._runner.repository
        if not (source / ".git").exists():
            shutil.copytree(source, self._place, symlinks=True, dirs_exist_ok=True)
            return False
        clone = ["git", "clone", "--quiet", "--depth", str(fetch_depth), source.as_uri(), str(self._place)]
        subprocess.run(clone, check=True, capture_output=True)
        shutil.copytree(source / ".venv", self._place / ".venv", symlinks=True)
        return False

    def _setup_python(self, made: Job, *, python_version: str) -> bool:
        return False

    def _setup_node(self, made: Job, *, node_version: str) -> bool:
        return False

    def _cache(self, made: Job, *, path: str, key: str, restore_keys: str = "") -> bool:
        assert len(key) <= 512
        assert "," not in key
        assert all(key.startswith(prefix) for prefix in restore_keys.split())
        made.keys.append(key)
        self._runner.restore(self._place, path)
        return False

    def _upload_artifact(
        self,
        made: Job,
        *,
        name: str,
        path: str,
        if_no_files_found: Literal["warn", "error", "ignore"],
        overwrite: bool,
        retention_days: int = 90,
    ) -> bool:
        assert not set(name) & set('/\\:*?"<>|\r\n'), "GitHub takes no such name"
        source, target = self._place / path, self._artifacts / name
        assert not target.exists(), f"two jobs leave {name}"
        if not any(file.is_file() for file in source.rglob("*")):
            return if_no_files_found == "error"
        shutil.copytree(source, target)
        return False

    def _download_artifact(self, made: Job, *, path: str, name: str | None = None, pattern: str | None = None) -> bool:
        assert (name is None) != (pattern is None)
        if name is not None:
            if not (self._artifacts / name).is_dir():
                return True
            shutil.copytree(self._artifacts / name, self._place / path, dirs_exist_ok=True)
        for found in sorted(self._artifacts.iterdir()):
            if pattern is not None and fnmatch.fnmatchcase(found.name, pattern):
                shutil.copytree(found, self._place / path / found.name)
        return False


def _holds(condition: Any, contexts: Mapping[str, Any], well: bool) -> bool:
    """Tell whether a job or a step runs: as long as all goes well, unless its condition says something of that."""
    if condition is None:
        return well
    functions = {"always": lambda: True, "success": lambda: well, "failure": lambda: not well}
    text = str(condition)
    implied = not any(f"{name}(" in text for name in functions)
    return (well or not implied) and truth(evaluate(text, contexts, functions))


def _together(jobs: list[Job]) -> Result:
    results = {job.result for job in jobs}
    return "failure" if "failure" in results else "skipped" if results == {"skipped"} else "success"


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a runner's machine: nothing of the caller's but where programs are."""
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8", **more}
