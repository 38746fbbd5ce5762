"""Nothing that the gate starts leaves the machine or opens the user's Codex home: the kernel says so (Linux)."""

from __future__ import annotations

import ctypes
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hive_gate.target.cache import Cache
from hive_gate.target.identify import resolve

pytestmark = pytest.mark.live

NETNS = Path(__file__).parents[1] / "support" / "netns.py"
PROBE = [sys.executable, "-m", "hive_gate", "probe", "--codex"]

_IN_OPEN, _IN_CREATE, _IN_MODIFY, _IN_DELETE, _IN_ACCESS = 0x20, 0x100, 0x2, 0x200, 0x1


def outside(trace: Path, command: list[str]) -> tuple[int, list[str], str]:
    """Run a command in a namespace without a way out and return exit code, what tried to leave, and stdout."""
    become_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    done = subprocess.run(
        ["unshare", "--net", *become_root, sys.executable, str(NETNS), str(trace), "--", *command],
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert trace.exists(), done.stderr  # else the trap itself failed, and nothing was shown
    return done.returncode, json.loads(trace.read_text(encoding="utf-8")), done.stdout


@pytest.mark.parametrize("version", ["0.142.5", "0.171.0"])
def test_without_a_route_the_verdicts_are_the_same_and_nothing_tries_to_leave(version: str, tmp_path: Path) -> None:
    resolve(version)  # the cache is filled while there is a network
    here = subprocess.run(
        [*PROBE, version, "--json", "--out", str(tmp_path / "here")], capture_output=True, text=True, check=False
    )
    code, left, stdout = outside(tmp_path / "trace", [*PROBE, version, "--json", "--out", str(tmp_path / "there")])

    assert left == []
    assert code == here.returncode
    assert _verdicts(json.loads(stdout)) == _verdicts(json.loads(here.stdout))


def test_the_trap_catches_what_does_leave(tmp_path: Path) -> None:
    leak = "import socket; s = socket.socket(); s.setblocking(False); s.connect_ex(('203.0.113.7', 443))"
    wait = "; import time; time.sleep(0.2)"
    _, left, _ = outside(tmp_path / "trace", [sys.executable, "-c", leak + wait])
    assert "tcp 203.0.113.7:443" in left


def test_without_a_route_an_empty_cache_is_said_to_be_the_network(tmp_path: Path) -> None:
    # Without a name server each question takes ten seconds by default, and npm asks three times.
    settings = [f"HIVE_GATE_CACHE={tmp_path / 'cache'}", "RES_OPTIONS=timeout:1 attempts:1"]
    npm = ["npm_config_fetch_retry_mintimeout=100", "npm_config_fetch_retry_maxtimeout=100"]
    command = ["env", *settings, *npm, *PROBE, "0.142.5", "--out", str(tmp_path / "out")]
    code, _, _ = outside(tmp_path / "trace", command)
    assert code == 3


def test_the_users_codex_home_is_never_opened(tmp_path: Path) -> None:
    home = tmp_path / "user"
    theirs = home / ".codex"
    theirs.mkdir(parents=True)
    (theirs / "config.toml").write_text('model = "theirs"\n', encoding="utf-8")
    cache = str(Cache.default().root)
    environment = {**os.environ, "HOME": str(home), "CODEX_HOME": str(theirs), "HIVE_GATE_CACHE": cache}
    with _watched(theirs) as happened:
        done = subprocess.run(
            [*PROBE, "0.142.5", "--out", str(tmp_path / "out")], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert not happened()
        (theirs / "config.toml").read_bytes()
        assert happened()  # the watch would have seen it


class _watched:  # noqa: N801 - reads as a word
    """Watch a folder with inotify; yields a function that tells whether anything was opened in it."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(os.O_NONBLOCK)
        mask = _IN_OPEN | _IN_CREATE | _IN_MODIFY | _IN_DELETE | _IN_ACCESS
        assert libc.inotify_add_watch(self._descriptor, str(folder).encode(), mask) >= 0

    def __enter__(self) -> Any:
        def happened() -> bool:
            ready, _, _ = select.select([self._descriptor], [], [], 0.2)
            return bool(ready and os.read(self._descriptor, 65_536))

        return happened

    def __exit__(self, *error: object) -> None:
        os.close(self._descriptor)


def _verdicts(report: dict[str, Any]) -> dict[str, str]:
    return {clause["id"]: clause["verdict"] for clause in report["clauses"]}


@pytest.fixture(autouse=True)
def _no_codex_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)
