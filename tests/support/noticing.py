"""Which of the clauses that should notice a fault did not, given the report of a run with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from hive_gate.contract.model import Contract
from hive_gate.report.model import ClauseResult, Finding, Report
from tests.support.relay.fault import Notice


def named(contract: Contract, notice: Notice) -> list[str]:
    """Return the ids of the clauses that a notice names: a glob, or the id of an entry for all its products."""
    ids = [clause.id for clause in contract.clauses]
    return [i for i in ids if fnmatchcase(i, notice.clause) or i.startswith(notice.clause + "/")]


def unnoticed(contract: Contract, report: Report, notices: Iterable[Notice]) -> Iterator[str]:
    """Yield a sentence for each clause that did not fail, or failed for another reason than the one it should name."""
    results = {result.id: result for result in report.clauses}
    for notice in notices:
        ids = named(contract, notice)
        if not ids:
            yield f"the contract has no clause {notice.clause}"
        yield from (_sentence(results[i], notice) for i in ids if not _noticed(results[i], notice))


def _noticed(result: ClauseResult, notice: Notice) -> bool:
    verdict = "fail" if result.level == "required" else "warn"
    return result.verdict == verdict and any(_is(finding, notice) for finding in result.findings)


def _is(finding: Finding, notice: Notice) -> bool:
    at = finding.pointer or ""
    return finding.check == notice.check and (notice.pointer is None or fnmatchcase(at, notice.pointer))


def _sentence(result: ClauseResult, notice: Notice) -> str:
    found = "; ".join(f"{f.check} at {f.pointer}: {f.actual[:120]}" for f in result.findings[:4])
    return f"{result.id} should fail by {notice.check} at {notice.pointer or 'any place'}: {result.verdict}, {found}"
