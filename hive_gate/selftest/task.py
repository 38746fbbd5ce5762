"""What a worker is told, as plain data: the target once, then one run after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hive_gate.contract.model import Contract
from hive_gate.drift.bundle import Bundle
from hive_gate.probe.subject import Subject
from hive_gate.report.model import Target


@dataclass(frozen=True, slots=True)
class Setting:
    """What all runs have in common."""

    contract: str
    """Path of the contract."""
    target: Mapping[str, Any]
    bundle: str | None
    """Folder of the target's own schemas."""

    @classmethod
    def of(cls, contract: Contract, subject: Subject) -> Setting:
        """Return the setting of a subject."""
        bundle = None if subject.bundle is None else str(subject.bundle.folder.absolute())
        return cls(str(contract.path.absolute()), asdict(subject.target), bundle)

    def subject(self) -> Subject:
        """Return the subject that this was made of."""
        told: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in self.target.items()}
        target = Target(**told)
        return Subject(target.argv, target, None if self.bundle is None else Bundle.load(Path(self.bundle)))


@dataclass(frozen=True, slots=True)
class Task:
    """One run."""

    name: str
    argv: tuple[str, ...]
    clauses: tuple[str, ...]
    """Empty: all."""
    request_timeout: float
    """Seconds for one request."""
    jobs: int = 1
    """Servers at a time."""
    change: str | None = None
    """A change of the schemas, by its name."""


def subject_of(task: Task, subject: Subject) -> Subject:
    """Return the subject as a task has it, but for a change of its schemas."""
    return replace(subject, argv=task.argv)
