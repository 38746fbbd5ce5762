"""Chromium for the tests of the HTML pages: the one that is there, or one that is installed once.

`make test` runs on machines where nobody installed anything by hand, and a test that does not run shows nothing. So a
browser that is missing is a failure with a sentence about what to install, never a skip; where this is allowed and
known to work (apt-get, as root, as in a container) it is installed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

VARIABLE = "HIVE_GATE_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
COMMANDS = (
    ("apt-get", "-qq", "update"),
    ("apt-get", "-qq", "-y", "--no-install-recommends", "install", "chromium"),
)
PATIENCE = 420.0
"""Seconds for all the commands together."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class NoChromium(Exception):
    """There is no browser; the message says what to do."""


def _run(command: Sequence[str], seconds: float) -> str | None:
    """Run a command quietly; return the end of what it said if it failed, else None."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"it took longer than {seconds:.0f} s"
    return None if done.returncode == 0 else done.stdout.strip()[-500:] or f"exit code {done.returncode}"


@dataclass(frozen=True)
class Machine:
    """What the decision depends on, so that it can be tested."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = shutil.which
    exists: Callable[[str], bool] = os.path.exists
    is_root: Callable[[], bool] = lambda: os.geteuid() == 0
    run: Callable[[Sequence[str], float], str | None] = _run
    lock: Path = Path(tempfile.gettempdir()) / "hive-gate-tests-chromium.lock"


def chromium(say: Callable[[str], None], machine: Machine | None = None) -> str:
    """Return the path of a Chromium, which is installed first if it must be and can be.

    Args:
        say: is told what takes so long.
        machine: where to look.

    Raises:
        NoChromium: there is none.
    """
    here = machine or Machine()
    named = here.environ.get(VARIABLE)
    if named:
        if not here.exists(named):
            raise NoChromium(f"{VARIABLE} names {named}, which is not there.")
        return named
    return _find(here) or _install(here, say)


def _find(here: Machine) -> str | None:
    on_path = (here.which(name) for name in NAMES)
    applications = (path for path in APPLICATIONS if here.exists(path))
    return next((path for path in on_path if path), None) or next(applications, None)


def _install(here: Machine, say: Callable[[str], None]) -> str:
    by_hand = f"Install Chromium (on Debian: apt-get install chromium), or name one: {VARIABLE}=/path/to/chromium."
    if not (here.is_root() and here.which("apt-get")):
        raise NoChromium(f"The tests of the HTML report need Chromium, which is not on PATH. {by_hand}")
    with _locked(here.lock):
        found = _find(here)  # another worker may have installed it meanwhile
        if found:
            return found
        say("the tests of the HTML report need Chromium, which is not on PATH: installing it with apt-get, once")
        deadline = time.monotonic() + PATIENCE
        for command in COMMANDS:
            failure = here.run(command, max(1.0, deadline - time.monotonic()))
            if failure is not None:
                raise NoChromium(f"`{' '.join(command)}` failed: {failure}. {by_hand}")
        found = _find(here)
    if not found:
        raise NoChromium(f"apt-get installed chromium, and still none of {', '.join(NAMES)} is on PATH. {by_hand}")
    return found


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that the kernel drops when this process ends; who waits for it waits at most for `PATIENCE`."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
