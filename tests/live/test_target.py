"""The target package against the user's real npm and the real codex 0.142.5 (kept in the user's cache folder)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache
from hive_gate.target.hashing import file_sha256
from hive_gate.target.identify import Program, resolve
from hive_gate.target.install import install
from hive_gate.target.npm import Npm
from hive_gate.target.platforms import this_platform
from hive_gate.target.progress import Progress
from hive_gate.target.schema import SchemasUnavailable, generate_schemas
from hive_gate.target.spec import parse_version

pytestmark = pytest.mark.live

HERE = this_platform()
CALLER = {name: value for name, value in os.environ.items() if not name.startswith(("CODEX_", "OPENAI_"))}
LINUX_X64_SHA256 = "ac06f492f3ded7a8e2f36dc961e3cc5276a3c4841a2695d4681d0557c5b30e41"


@pytest.fixture(scope="module")
def program() -> Program:
    return resolve("0.142.5", environ=CALLER)


def test_the_pinned_version_is_identified(program: Program) -> None:
    found = Cache.default().find("0.142.5", HERE)
    assert found
    assert (program.path, program.reported_version, program.native) == (found.program, "0.142.5", True)
    assert program.sha256 == file_sha256(program.path)
    assert program.size == program.path.stat().st_size
    assert program.warnings == ()
    if HERE == "linux-x64":
        assert program.sha256 == LINUX_X64_SHA256


def test_what_is_installed_is_what_the_registry_publishes(program: Program, tmp_path: Path) -> None:
    found = Cache.default().find("0.142.5", HERE)
    assert found
    assert Npm.find(CALLER, tmp_path).integrity("0.142.5", HERE, lambda: None) == found.integrity


def test_a_whole_fetch_goes_through_the_real_npm(tmp_path: Path) -> None:
    seen: list[Progress] = []
    found = install(parse_version("0.99.0"), Cache(tmp_path / "cache"), seen.append, CALLER)  # the smallest there is
    assert found.problem is None
    assert resolve("0.99.0", Cache(tmp_path / "cache"), environ={"PATH": ""}).reported_version == "0.99.0"
    assert list(dict.fromkeys(p.phase for p in seen)) == ["looking up", "downloading", "verifying", "unpacking"]
    packed = seen[-1].total
    assert packed
    downloaded = max(p.done for p in seen if p.phase == "downloading")
    assert 0 < downloaded < 1.2 * packed
    assert seen[-1].done == packed
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == ["codex", "hashes", "locks", "staging"]
    assert list((tmp_path / "cache" / "staging").iterdir()) == []


def test_a_version_that_is_missing_here_names_its_neighbors(tmp_path: Path) -> None:
    after = "0.142.2" if HERE == "linux-x64" else "0.142.3"
    with pytest.raises(TargetError) as caught:
        install(parse_version("0.142.1"), Cache(tmp_path), environ=CALLER)
    assert caught.value.message == f"codex 0.142.1 is published, but not for {HERE}."
    assert caught.value.hint == f"use 0.142.0 or {after}, the nearest published for {HERE}"


def test_without_a_network_it_is_said_what_to_do(tmp_path: Path) -> None:
    offline = {**CALLER, "npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retries": "0"}
    with pytest.raises(TargetError) as caught:
        install(parse_version("0.142.5"), Cache(tmp_path), environ=offline)
    assert "npm could not reach its registry (ECONNREFUSED)" in caught.value.message
    assert "check the network" in str(caught.value.hint)
    assert "node:" not in caught.value.diagnostics()


def test_the_real_npm_launcher_is_resolved_to_the_native_program(program: Program, tmp_path: Path) -> None:
    subprocess.run(["npm", "pack", "--silent", "@openai/codex@0.142.5"], cwd=tmp_path, env=CALLER, check=True)
    (tarball,) = tmp_path.glob("*.tgz")
    modules = tmp_path / "node_modules" / "@openai"
    modules.mkdir(parents=True)
    subprocess.run(["tar", "xzf", str(tarball), "-C", str(modules)], check=True)
    script = (modules / "package").rename(modules / "codex") / "bin" / "codex.js"
    script.chmod(0o755)
    (tmp_path / "codex").symlink_to(script)
    with pytest.raises(TargetError, match="launcher without native program"):
        resolve("path", environ={**CALLER, "PATH": str(tmp_path)})
    (modules / f"codex-{HERE}").symlink_to(program.path.parents[3], target_is_directory=True)
    resolved = resolve("path", environ={**CALLER, "PATH": str(tmp_path)})
    assert (resolved.path, resolved.sha256) == (program.path, program.sha256)
    assert resolved.warnings == (f"npm's launcher {script} was resolved to its native program {program.path}",)


def test_the_program_generates_its_own_schemas(program: Program, tmp_path: Path) -> None:
    folder = generate_schemas(program, Cache(tmp_path))
    assert isinstance(folder, Path)
    bundle = json.loads((folder / "codex_app_server_protocol.v2.schemas.json").read_bytes())
    assert {"ThreadTurnsListParams", "ThreadTurnsListResponse"} <= set(bundle["definitions"])
    assert "excludeTurns" in (folder / "v2" / "ThreadResumeParams.json").read_text(encoding="utf-8")
    assert generate_schemas(program, Cache(tmp_path)) == folder


def test_a_program_that_is_no_codex_has_no_schemas(tmp_path: Path) -> None:
    answer = generate_schemas(Program("false", Path(shutil.which("false") or ""), "0" * 64, 1, None), Cache(tmp_path))
    assert isinstance(answer, SchemasUnavailable)
    assert answer.reason == "exit code 1"


def test_identifying_leaves_the_users_own_codex_home_alone(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    resolve(str(program.path), Cache(tmp_path / "cache"))
    generate_schemas(program, Cache(tmp_path / "cache"))
    assert list((tmp_path / "user").iterdir()) == []
