"""The place in which a reader of the documentation types its commands: a checkout that was set up, in a scratch folder.

Only few versions of codex are published there, and all of them are in its cache. So a command runs as it is shown, and
asks for no more than they are.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT, FIXTURES, NEXT_CONTRACT
from hive_gate.target.cache import Cache
from hive_gate.target.identify import resolve
from hive_gate.target.platforms import this_platform
from tests.support.ci_checkout import ROOT, commit
from tests.support.programs import small_contract

PUBLISHED = ("0.136.0", "0.142.2", "0.142.5", "0.143.0", "0.171.0")
PINNED = "0.142.5"

FEW = (
    "handshake.initialize", "turns-list.unknown-thread", "turns-list.walk", "resume.unknown-thread",
    "items-list.unsupported", "items-list.known", "rollback.offered", "history-mode.false-empty-loaded",
    "schema.items-list-offered",
)  # fmt: skip
"""Clauses of a small contract: the documentation speaks of each, and none of them takes long."""

_GREETING = {"clientInfo": {"name": "hive", "version": "1"}, "capabilities": {"experimentalApi": True}}
_CLIENT = ({"id": 1, "method": "initialize", "params": _GREETING}, {"method": "initialized"},
           {"id": 2, "method": "thread/list", "params": {"limit": 20}})  # fmt: skip


def fill(cache: Cache) -> None:
    """Make a cache with the published versions, and a list that says that there are no others."""
    real = Cache.default()
    cache.programs.mkdir(parents=True)
    for version in PUBLISHED:
        resolve(version)
        key = f"{version}-{this_platform()}"
        (cache.programs / key).symlink_to(real.programs / key)
    cache.schemas.symlink_to(real.schemas)  # by the hash of the program, so they are anybody's
    said = {"asked": datetime.now(UTC).isoformat(timespec="seconds"), "versions": PUBLISHED}
    (cache.root / f"published-{this_platform()}.json").write_text(json.dumps(said))


@dataclass(frozen=True)
class World:
    """A checkout, and the environment of a shell in it."""

    folder: Path
    env: Mapping[str, str]

    @classmethod
    def make(cls, folder: Path, cache: Cache, *, small: bool = False) -> World:
        """Make one.

        Args:
            folder: it is made.
            cache: one that was filled.
            small: with a contract of a few clauses, and a next one that lacks one of them.
        """
        no_bytecode = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "hive_gate", folder / "hive_gate")  # with its bytecode, which saves seconds
        shutil.copytree(ROOT / "ci", folder / "ci", ignore=no_bytecode)
        shutil.copytree(CONTRACTS, folder / "contracts")
        (folder / "fixtures").symlink_to(FIXTURES)
        shutil.copy(ROOT / "Makefile", folder)
        if small:
            _shrink(folder)
        bin_ = folder / ".venv" / "bin"
        bin_.mkdir(parents=True)
        for name, arguments in (("python", ()), ("hive-gate", ("-P", "-m", "hive_gate"))):
            (bin_ / name).write_text(f'#!/bin/sh\nexec {shlex.join((sys.executable, *arguments))} "$@"\n')
            (bin_ / name).chmod(0o755)
        program = resolve(PINNED).path
        (folder / "some").mkdir()
        for name in ("codex", "some/codex", ".venv/bin/codex"):
            (folder / name).symlink_to(program)
        home = folder / "home"
        (home / ".codex").mkdir(parents=True)
        own = {
            "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "CODEX_HOME": str(home / ".codex"),
            "HIVE_GATE_CACHE": str(cache.root), "PYTHONPATH": str(folder), "COLUMNS": "120", "TERM": "dumb",
        }  # fmt: skip
        kept = {name: value for name, value in os.environ.items() if name in ("LANG", "LC_ALL", "TMPDIR")}
        return cls(folder, {**kept, **own})

    def run(self, command: str, *, client: bool = False) -> tuple[int, str]:
        """Run a command as bash does, and return its exit code with what it printed, stderr included.

        Args:
            command: as it is typed.
            client: whether it is a server, so that a client talks to it; else it gets no input.
        """
        with subprocess.Popen(
            ["bash", "-c", command], cwd=self.folder, env=self.env, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:  # fmt: skip
            said = _talk(process) if client else ""
            rest, _ = process.communicate()
        return process.returncode, said + rest

    def prepare(self, command: str, *codes: int) -> None:
        """Run what the reader has done by then; `codes` are the exit codes that will do, by default 0."""
        code, said = self.run(command)
        assert code in (codes or (0,)), f"{command}\n{said}"

    def edit(self, file: str, old: str, new: str) -> None:
        """Change a file by hand."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def pushed(self) -> None:
        """Put all of it into git, as a branch `main` that `origin` has as well."""
        commit(self.folder, "as it is")
        subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "HEAD"], cwd=self.folder, check=True)


def _talk(process: subprocess.Popen[str]) -> str:
    """Be a small client: greet, list the threads, wait for each answer; return what the server said."""
    assert process.stdin is not None
    assert process.stdout is not None
    said = ""
    for message in _CLIENT:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answered = "id" not in message
        while not answered and (line := process.stdout.readline()):
            said += line
            answered = line.startswith("{") and json.loads(line).get("id") == message["id"]
    return said


def _shrink(folder: Path) -> None:
    """Let a checkout have small contracts by the names of the real ones."""
    whole = json.loads(DEFAULT_CONTRACT.read_bytes())
    shutil.rmtree(folder / "contracts")
    shutil.copytree(CONTRACTS, folder / "contracts", ignore=shutil.ignore_patterns("hive-app-server-*"))
    small_contract(folder, *FEW, name=whole["name"]).rename(folder / "contracts" / DEFAULT_CONTRACT.name)
    further = json.loads(NEXT_CONTRACT.read_bytes())
    named = {name: further[name] for name in ("$schema", "extends", "name", "version", "title", "pinned")}
    lacks = {"without": {"rollback.*": "It is gone."}, "suites": {"rollback": None}}
    (folder / "contracts" / NEXT_CONTRACT.name).write_text(json.dumps({**named, **lacks}))
