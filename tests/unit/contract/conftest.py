"""The shipped contract as data to change, and a place where a changed one can be loaded from."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT, FIXTURES
from hive_gate.errors import ContractError

RAW = json.loads(DEFAULT_CONTRACT.read_bytes())

Mutate = Callable[[dict[str, Any]], object]
Refused = Callable[[Mutate], ContractError]


@pytest.fixture
def raw() -> dict[str, Any]:
    """The shipped file, parsed; a copy."""
    return copy.deepcopy(RAW)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a contract may be written so that it finds the shipped scenes; there is none yet."""
    shutil.copytree(FIXTURES / "scenes", tmp_path / "fixtures" / "scenes")
    (tmp_path / "contracts").mkdir()
    return tmp_path / "contracts" / "mine.json"


@pytest.fixture
def refused(raw: dict[str, Any], place: Path) -> Refused:
    """Change the shipped contract and return the error with which it is refused."""

    def ask(mutate: Mutate) -> ContractError:
        mutate(raw)
        place.write_text(json.dumps(raw), encoding="utf-8")
        with pytest.raises(ContractError) as caught:
            load_contract(place)
        return caught.value

    return ask
