"""The command in a pseudo-terminal, and a server that does as a test needs it."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect
import psutil
import pytest

PATIENCE = 60
"""Seconds after which a test gives up waiting; nothing here takes as long."""

_STUB = """\
import json, os, signal, sys

mode, fifo = sys.argv[1:]
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

def notice():
    with open(fifo, "w") as file:
        file.write("asked")

for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize" and mode != "mute":
        result = {"userAgent": "stub/1.0.0 (x)", "codexHome": os.environ["CODEX_HOME"]}
        print(json.dumps({"id": message["id"], "result": result}), flush=True)
    elif "id" in message:
        notice()
        mode = "noticed" if mode == "hangs" else mode
while mode == "stubborn":
    signal.pause()
"""

_COLOR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run may leave something behind."""

    folder: Path

    @property
    def scratch(self) -> Path:
        """Where the run makes its scratch homes."""
        return self.folder / "scratch"

    def environment(self, **more: str) -> dict[str, str]:
        """A user's environment as it is, without what would decide on color."""
        unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "CI", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        return {**kept, "TERM": "xterm-256color", "TMPDIR": str(self.scratch), **more}

    def left(self) -> list[str]:
        """Return the scratch folders and processes that are still there."""
        processes = [" ".join(process.info["cmdline"]) for process in self.processes()]
        return [*(path.name for path in self.scratch.iterdir()), *processes]

    def processes(self) -> list[psutil.Process]:
        """Return the processes whose command line names this place."""
        return [
            process
            for process in psutil.process_iter(["cmdline"])
            if any(str(self.folder) in argument for argument in process.info["cmdline"] or ())
        ]


class Terminal:
    """The command as somebody sees it who sits before it."""

    def __init__(self, child: pexpect.spawn[str]) -> None:
        self._child = child
        self._seen = ""
        self._before = self._settings()

    def wait_for(self, pattern: str) -> None:
        """Wait until this is on the terminal."""
        self._child.expect(pattern)
        self._seen += str(self._child.before) + str(self._child.after)

    def press_ctrl_c(self) -> None:
        """Press it; the terminal sends the signal to whoever is in the foreground."""
        self._child.sendintr()

    def kill(self, signal: int) -> None:
        """Send a signal to the command itself."""
        self._child.kill(signal)

    def end(self) -> int | None:
        """Wait for the end of the command and return its exit code; None if a signal ended it."""
        self._child.expect(pexpect.EOF)
        self._seen += str(self._child.before)
        self._after = self._settings()
        self._child.close()
        return self._child.exitstatus

    def _settings(self) -> list[Any]:
        return termios.tcgetattr(self._child.child_fd)

    @property
    def raw(self) -> str:
        """Everything that was sent to the terminal."""
        return self._seen

    @property
    def lines(self) -> list[str]:
        """The lines without escape codes."""
        return [line.rstrip() for line in _ESCAPE.sub("", self._seen).replace("\r\n", "\n").split("\n")]

    @property
    def colors(self) -> list[str]:
        """The codes that set a color."""
        return _COLOR.findall(self._seen)

    @property
    def is_sane(self) -> bool:
        """Whether the cursor is visible and input is echoed as it was before."""
        hidden, shown = self._seen.rfind("\x1b[?25l"), self._seen.rfind("\x1b[?25h")
        return hidden <= shown and self._before == self._after


class Stub:
    """A server of a few lines.

    Args:
        mode: `hangs` answers the greeting and nothing else, `mute` not even that, `stubborn` will not go when told to.
    """

    def __init__(self, place: Place, mode: str) -> None:
        script = place.folder / "stub.py"
        script.write_text(_STUB, encoding="utf-8")
        self._fifo = place.folder / "asked"
        os.mkfifo(self._fifo)
        self._asked = os.open(self._fifo, os.O_RDONLY | os.O_NONBLOCK)
        self.command = f"{sys.executable} -S {script} {mode} {self._fifo}"

    def wait_until_asked(self) -> None:
        """Wait until a server has got a request that it will not answer."""
        ready, _, _ = select.select([self._asked], [], [], PATIENCE)
        assert ready

    def close(self) -> None:
        os.close(self._asked)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    made.scratch.mkdir()
    yield made
    for process in made.processes():  # of a test that failed
        process.kill()


@pytest.fixture
def terminal(place: Place) -> Iterator[Callable[..., Terminal]]:
    """Start the command in a terminal of its own."""
    children: list[pexpect.spawn[str]] = []

    def start(*arguments: str, columns: int = 100, **environment: str) -> Terminal:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "hive_gate", *arguments],
            env=place.environment(**environment),
            cwd=str(place.folder),
            dimensions=(40, columns),
            encoding="utf-8",
            codec_errors="replace",  # Ctrl-C may come in the middle of a character
            timeout=PATIENCE,
        )
        children.append(child)
        return Terminal(child)

    yield start
    for child in children:
        child.close(force=True)


@pytest.fixture
def stub(place: Place) -> Iterator[Callable[[str], Stub]]:
    """Make the server of this test."""
    made: list[Stub] = []

    def make(mode: str) -> Stub:
        made.append(Stub(place, mode))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(scope="session")
def codex() -> str:
    """The real codex that the contract pins, in the user's cache."""
    version = "0.142.5"
    subprocess.run([sys.executable, "-m", "hive_gate", "codex", "install", version], check=True, capture_output=True)
    return version
