"""Runs that are at hand without fetching or starting anything."""

from __future__ import annotations

from collections.abc import Iterable

from hive_gate.contract.model import Contract
from hive_gate.matrix.results import Results
from hive_gate.matrix.runs import Outcome, Task, installed_sha256
from hive_gate.target.cache import Cache


def known(versions: Iterable[str], contract: Contract, cache: Cache) -> dict[str, Outcome]:
    """Return what the cache has of these versions: runs of installed programs by exactly this contract."""
    found: dict[str, Outcome] = {}
    for version in versions:
        program = installed_sha256(version, cache)
        report = None if program is None else Results.of(cache).find(program, contract)
        if report is not None:
            found[version] = Outcome(Task(version, contract.path), "judged", report, None, True, report.run.seconds)
    return found
