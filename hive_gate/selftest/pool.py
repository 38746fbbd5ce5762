"""Selftest's runs side by side, each in a worker process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType

from hive_gate.probe import pool
from hive_gate.probe.pool import Died
from hive_gate.selftest.outcome import Outcome, failed_run, from_json
from hive_gate.selftest.task import Setting, Task


class Pool:
    """A context manager; see `hive_gate.probe.pool.Pool`.

    Args:
        setting: what all runs have in common.
        jobs: how many workers.
        folder: where workers put everything; its owner removes it after the pool has ended.
    """

    def __init__(self, setting: Setting, jobs: int, folder: Path) -> None:
        self._pool = pool.Pool("hive_gate.selftest.worker", asdict(setting), jobs, folder)

    def __enter__(self) -> Pool:
        self._pool.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.__exit__(kind, error, trace)

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Do the tasks and yield each with its outcome, in the order in which they are done."""
        for number, answer in self._pool.answers([asdict(task) for task in tasks]):
            yield tasks[number], failed_run(answer.why) if isinstance(answer, Died) else from_json(answer)
