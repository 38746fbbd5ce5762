"""A registry without a network: an `npm` written into a temporary folder, and the packages that it hands out."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import select
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hive_gate.target.cache import Cache
from hive_gate.target.platforms import TRIPLES, this_platform

CODEX = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'WARNING: no sandbox' >&2 && echo 'codex-cli {version}'\n"

NPM = """#!{python}
import json, os, pathlib, shutil, sys
here = pathlib.Path(__file__).parent
answers = json.loads((here / "answers.json").read_text())
with (here / "calls").open("a") as calls:
    calls.write(json.dumps({{"argv": sys.argv[1:], "pid": os.getpid()}}) + "\\n")
options = dict(a[2:].split("=", 1) for a in sys.argv if a.startswith("--") and "=" in a)
command, wanted = sys.argv[1], sys.argv[2]
step = "versions" if "versions" in sys.argv else command

def fail(code, summary):
    print(json.dumps({{"error": {{"code": code, "summary": summary, "detail": ""}}}}))
    print(f"npm error code {{code}}\\nnpm error {{summary}}", file=sys.stderr)
    print("npm error     at Socket.emit (node:events:524:28)", file=sys.stderr)
    print("npm error A complete log of this run can be found in: /logs/x", file=sys.stderr)
    raise SystemExit(1)

if step in answers["fail"]:
    fail(answers["fail"][step], answers["summary"])
if step in answers["say"]:
    print(answers["say"][step])
    raise SystemExit(0)
if step == "versions":
    print(json.dumps(answers["versions"]))
    raise SystemExit(0)
version = wanted.rpartition("@")[2]
if version not in answers["packages"]:
    fail("E404" if command == "view" else "ETARGET", f"No match found for version {{version}}")
if command == "view":
    print(json.dumps({{"integrity": answers["integrity"], "shasum": "0"}}))
    raise SystemExit(0)
cache = pathlib.Path(options["cache"])
cache.mkdir(parents=True, exist_ok=True)
(cache / "part").write_bytes(b"x" * 1000)
exec(answers["run"])
if answers["wait"]:
    open(answers["wait"]).read()
shutil.copy(answers["tarball"], options["pack-destination"])
"""


@dataclass
class FakeNpm:
    """The fake and what it will answer; change a member, then call `save`."""

    folder: Path
    tarball: Path
    integrity: str
    versions: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    fail: dict[str, str] = field(default_factory=dict)
    """Step (`view`, `pack`, `versions`) to the npm error code it ends with."""
    say: dict[str, str] = field(default_factory=dict)
    """Step to the text it prints before it ends well, having done nothing."""
    summary: str = "it failed"
    run: str = ""
    """Python that `pack` runs in the middle of its download."""
    wait: str = ""
    """A FIFO that `pack` reads to its end before it goes on."""

    def save(self) -> None:
        document = {k: str(v) if isinstance(v, Path) else v for k, v in vars(self).items()}
        (self.folder / "answers.json").write_text(json.dumps(document))

    @property
    def environ(self) -> dict[str, str]:
        """A caller's environment in which this npm is the first on PATH."""
        return {"PATH": f"{self.folder}{os.pathsep}/usr/bin{os.pathsep}/bin", "HOME": str(self.folder)}

    @property
    def calls(self) -> list[dict[str, Any]]:
        path = self.folder / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def steps(self) -> list[str]:
        """What it was asked, in order: `view`, `pack`, `versions`."""
        return ["versions" if "versions" in call["argv"] else call["argv"][0] for call in self.calls]


class Lifeline:
    """A FIFO that a process and its child hold open, so that its end tells that both are gone."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        child = f"import signal; signal.signal(15, signal.SIG_IGN); f = open({str(path)!r}, 'wb', 0)"
        self.code = (
            "import signal, subprocess, sys\n"
            f"held = open({str(path)!r}, 'wb', 0)\n"
            f"code = {child + '; f.write(bytes(1)); print(1, flush=True); signal.pause()'!r}\n"
            "child = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE)\n"
            "child.stdout.readline()\n"
        )
        """Python that starts a child which ignores SIGTERM; the child is ready when it is through."""

    def wait_held(self) -> None:
        """Wait for the child to be ready."""
        while not select.select([self._descriptor], [], [], 0.01)[0] or not self._read():
            pass  # bounded by the time limit of the test

    def wait_gone(self) -> bool:
        """Wait for the end of both; False if they do not end within 10 s."""
        return bool(select.select([self._descriptor], [], [], 10)[0]) and self._read() == b""

    def _read(self) -> bytes:
        return os.read(self._descriptor, 10)

    def close(self) -> None:
        os.close(self._descriptor)


def write_tarball(path: Path, files: dict[str, tuple[bytes, int]]) -> str:
    """Write a package (name in it to content and mode) and return its integrity."""
    with tarfile.open(path, "w:gz") as archive:
        for name, (content, mode) in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            archive.addfile(member, io.BytesIO(content))
    return "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    line = Lifeline(tmp_path / "lifeline")
    yield line
    line.close()


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def npm(tmp_path: Path) -> FakeNpm:
    """An npm that has 0.142.5, and some neighbors, for this platform."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "npm"
    program.write_text(NPM.format(python=sys.executable))
    program.chmod(0o755)
    tarball = tmp_path / "openai-codex.tgz"
    inside = f"package/vendor/{TRIPLES[this_platform()]}/bin/codex"
    integrity = write_tarball(
        tarball, {"package/README.md": (b"hello", 0o644), inside: (CODEX.format(version="0.142.5").encode(), 0o755)}
    )
    published = ["0.142.0", "0.142.2", "0.142.5", "0.143.0-alpha.12", "0.143.0"]
    names = [f"{version}-{platform}" for version in published for platform in (this_platform(), "win32-x64")]
    fake = FakeNpm(
        folder,
        tarball,
        integrity,
        versions=[*published, *names, "0.142.1", "0.142.1-win32-x64"],
        packages=[f"{version}-{this_platform()}" for version in published],
    )
    fake.save()
    return fake
