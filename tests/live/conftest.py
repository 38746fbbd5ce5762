"""One matrix over the versions that the live tests speak of: each is fetched and judged once, whoever asks first."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hive_gate.matrix.jsonfile import read_matrix
from hive_gate.matrix.model import Sheet
from hive_gate.report.jsonfile import read_report
from hive_gate.report.model import Report

VERSIONS = (
    "0.125.0", "0.130.0", "0.136.0", "0.142.2", "0.142.5", "0.143.0", "0.144.6", "0.146.1", "0.153.4", "0.155.1",
    "0.156.0", "0.157.1", "0.163.0", "0.171.0",
)  # fmt: skip

PATIENCE = 900
"""Seconds for fourteen downloads and runs."""


@dataclass(frozen=True, slots=True)
class Probed:
    """What `hive-gate matrix` left."""

    folder: Path
    code: int
    stdout: str
    stderr: str

    @property
    def sheet(self) -> Sheet:
        """The matrix of the one contract."""
        (sheet,) = read_matrix(self.folder / "matrix.json").sheets
        return sheet

    def report(self, version: str) -> Report:
        """The report of a version's run."""
        return read_report(self.folder / version / "report.json")


def matrix(folder: Path, *arguments: str) -> Probed:
    """Run the command as its user does."""
    command = [sys.executable, "-m", "hive_gate", "matrix", *arguments, "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return Probed(folder, done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Probed:
    """Return the matrix; of the processes of pytest the first makes it, and the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    # The processes of one pytest have their folders side by side; without them the folder above belongs to everybody.
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "probed"
    folder.mkdir(exist_ok=True)
    done = folder / "done.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            made = matrix(folder / "matrix", *VERSIONS, "--fresh", "--no-baseline")
            done.write_text(json.dumps([made.code, made.stdout, made.stderr]))
    return Probed(folder / "matrix", *json.loads(done.read_text()))
