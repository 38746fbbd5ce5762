"""What a recorder has written, line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Lines = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Lines:
    return lambda path: [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
