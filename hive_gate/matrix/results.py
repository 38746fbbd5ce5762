"""Reports of runs that need not be made again: the same program, contract, gate and platform give the same verdicts."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path

from hive_gate.contract.model import Contract
from hive_gate.data import CONTRACTS
from hive_gate.errors import UsageError
from hive_gate.report.jsonfile import read_report, write_report
from hive_gate.report.model import Report
from hive_gate.target.cache import Cache
from hive_gate.target.platforms import this_platform

MOST_FILES = 200
"""Reports that are kept; the ones that were not used for the longest time go first."""

MOST_BYTES = 1 << 30
"""Bytes of all of them."""

_PACKAGE = Path(__file__).resolve().parent.parent


@once
def gate_digest() -> str:
    """Return the SHA-256 of what judges: hive-gate's own code, and the schemas of contracts and reports."""
    digest = hashlib.sha256()
    schemas = (CONTRACTS / "contract.schema.json", CONTRACTS / "report.schema.json")
    for path in (*sorted(_PACKAGE.rglob("*.py")), *schemas):
        name = path.relative_to(_PACKAGE).as_posix() if path.is_relative_to(_PACKAGE) else path.name
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Results:
    """A folder with a report.json for each run that is kept, named by what it depends on."""

    folder: Path

    @classmethod
    def of(cls, cache: Cache) -> Results:
        """Return the one in a cache folder."""
        return cls(cache.root / "results")

    def path(self, program: str, contract: Contract) -> Path:
        """Return where the report is kept, if it is.

        Args:
            program: SHA-256 of the program.
            contract: what it is judged by.
        """
        parts = (program, contract.sha256, gate_digest(), this_platform())
        return self.folder / f"{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}.json"

    def find(self, program: str, contract: Contract) -> Report | None:
        """Return the report that is kept; one that is damaged or of something else is removed."""
        path = self.path(program, contract)
        if not path.is_file():
            return None
        try:
            report = read_report(path)
        except UsageError:
            report = None
        if report is None or not _belongs(report, program, contract) or not is_worth_keeping(report):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):  # used just now
            path.touch()
        return report

    def keep(self, report: Report, contract: Contract) -> bool:
        """Keep the report of a run if it would come out the same again; return whether it is kept.

        A cache that cannot be written costs time only.
        """
        if report.target.sha256 is None or not is_worth_keeping(report):
            return False
        path = self.path(report.target.sha256, contract)
        try:
            write_report(report, path)
        except UsageError:
            return False
        self._prune()
        return path.is_file()

    def _prune(self) -> None:
        files = []
        for path in self.folder.glob("*.json"):
            with contextlib.suppress(OSError):  # another process has removed it
                stat = path.stat()
                files.append((stat.st_mtime_ns, stat.st_size, path))
        total = 0
        for number, (_, size, path) in enumerate(sorted(files, reverse=True), 1):
            total += size
            if number > MOST_FILES or total > MOST_BYTES:
                with contextlib.suppress(OSError):
                    path.unlink()


def is_worth_keeping(report: Report) -> bool:
    """Tell whether a run says how the program is, and nothing of how the machine was.

    A run that is not whole, or in which something could not be judged or an answer did not come in time, may come out
    differently the next time.
    """
    run = report.run
    if run.partial or run.interrupted or run.problem is not None or report.baseline is not None:
        return False
    if any(clause.verdict in ("blocked", "error") for clause in report.clauses):
        return False
    return bool(report.clauses) and all(f.check != "answer" for clause in report.clauses for f in clause.findings)


def _belongs(report: Report, program: str, contract: Contract) -> bool:
    ids = [clause.id for clause in contract.clauses]
    return (
        report.target.sha256 == program
        and report.contract.sha256 == contract.sha256
        and [clause.id for clause in report.clauses] == ids
    )
