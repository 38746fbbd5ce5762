"""The shipped contract, and a client judged by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hive_gate.adapter.run import Judged, judge_file
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT
from tests.support.talk import Talk

CONTRACT = load_contract(DEFAULT_CONTRACT)


@pytest.fixture
def contract() -> Contract:
    return CONTRACT


@pytest.fixture
def judged(tmp_path: Path) -> Callable[[Talk], Judged]:
    """Judge what passed, as a tap would have recorded it."""
    return lambda talk: judge_file(talk.write(tmp_path / "record.jsonl"), CONTRACT)
