"""What every proof starts from: the pinned contract, the real server of the version it pins, the reference server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import CONTRACTS
from hive_gate.probe.observe import Silent
from hive_gate.probe.subject import Subject, codex

_MEMORY = Path("/dev/shm")
_ROOM = 512 << 20


@pytest.fixture(scope="session")
def contract() -> Contract:
    return load_contract(CONTRACTS / "hive-app-server-contract.json")


@pytest.fixture(scope="session")
def pinned(contract: Contract) -> Subject:
    return codex(contract.pinned, Silent())


@pytest.fixture(scope="session")
def reference() -> Subject:
    return codex("reference", Silent())


@pytest.fixture(scope="session", autouse=True)
def _homes_in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep scratch homes in memory where there is room: a server that starts waits half its time for the disk."""
    tmp_path_factory.getbasetemp()  # what tests keep for a look later stays where it was
    before = tempfile.tempdir
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
        tempfile.tempdir = str(_MEMORY)
    yield
    tempfile.tempdir = before
