"""One script, two servers on copies of one home."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support.fidelity import homes, script
from tests.support.fidelity.client import Step, play
from tests.support.fidelity.compare import Difference, Placeholders, differences
from tests.support.fidelity.model import ScriptedModel

REFERENCE = (sys.executable, "-m", "hive_gate.reference")


def compare(name: str, real: Sequence[str], folder: Path) -> tuple[int, list[Difference]]:
    """Play a script on both and return how many replies were compared, and every difference."""
    (steps, without), since = script.load(name), time.time() - 1
    original = folder / "original"
    original.mkdir(parents=True)
    names = homes.make(original, without)
    with ThreadPoolExecutor() as pool:
        runs = [
            pool.submit(_play, command, original, folder / who, steps, names)
            for who, command in (("real", real), ("reference", REFERENCE))
        ]
        played = [run.result() for run in runs]
    first, second = (Placeholders(folder / who, since) for who in ("real", "reference"))
    replies = sum(len(one.reply) if isinstance(one.sent, list) and one.method != "raw" else 1 for one in played[0])
    return replies, list(differences(played[0], played[1], first, second))


def _play(
    command: Sequence[str], original: Path, home: Path, steps: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> list[Step]:
    shutil.copytree(original, home, copy_function=shutil.copy2)
    with ScriptedModel() as model:
        (home / "config.toml").write_text(homes.CONFIG.format(base_url=model.base_url), encoding="utf-8")
        return list(play(command, home, steps, names, model))
