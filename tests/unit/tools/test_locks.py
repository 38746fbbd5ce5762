"""The locks fit pyproject.toml and each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PROJECT["dependency-groups"]
RUN = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
BUILD = [Requirement(line) for line in PROJECT["build-system"]["requires"]]
DEV = [*RUN, *BUILD, *(Requirement(x) for group in GROUPS.values() for x in group if isinstance(x, str))]


def pins(name: str) -> dict[tuple[str, str], int]:
    """Return the lock's pins, as (name, version), with how many hashes each has."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[tuple[str, str], int] = {}
    for entry in re.split(r"\n(?=[A-Za-z0-9])", text):
        if match := re.match(r"([\w.-]+)==([\w.+]+)", entry):
            found[canonicalize_name(match[1]), match[2]] = entry.count("--hash=sha256:")
    return found


@pytest.mark.parametrize(("lock", "declared"), [("run", RUN), ("build", BUILD), ("dev", DEV)])
def test_each_declared_dependency_is_locked_at_versions_that_it_allows(lock: str, declared: list[Requirement]) -> None:
    for requirement in declared:
        versions = [Version(v) for name, v in pins(lock) if name == canonicalize_name(requirement.name)]
        assert versions, f"{requirement.name} is not in requirements/{lock}.txt: run `make lock`"
        assert all(version in requirement.specifier for version in versions), f"{requirement}: run `make lock`"


@pytest.mark.parametrize("lock", ["run", "build", "dev"])
def test_each_pin_has_hashes(lock: str) -> None:
    assert all(pins(lock).values())


@pytest.mark.parametrize("lock", ["run", "build"])
def test_the_dev_lock_holds_the_others_pin_for_pin(lock: str) -> None:
    assert pins(lock).keys() <= pins("dev").keys()


def test_the_probe_needs_none_of_the_development_tools() -> None:
    tools = {"mypy", "pytest", "ruff", "sphinx"}
    assert tools.isdisjoint({name for name, _ in pins("run") | pins("build")})
