"""The next contract against the real server: kept by the version it pins, not by the one that Hive ships."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import NEXT_CONTRACT
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import codex
from hive_gate.report.model import Report

pytestmark = pytest.mark.live

CONTRACT = load_contract(NEXT_CONTRACT)

WARNS = (
    # Without its projection database a paginated thread looks empty until it is resumed, a reverted one for good.
    "history-mode.false-empty-before-resume/*",
    "history-mode.reverted-projection-lost",
)

PINNED_FAILS = (
    # No items to list, no revert, no history modes, no cursors with a resume.
    "items-list.*",
    "revert.*",
    "history-mode.stated/*",
    "history-mode.default-paginated",
    "history-mode.survives-paginated",
    "resume.anchors",
    "resume.anchors-legacy",
    "schema.*",
    # Paging takes the capability.
    "handshake.*",
    # A read with turns before the first message is refused in other words.
    "read.before-first-message",
    # A fork takes no turn up to which it goes, and two processes may write one thread.
    "fork.legacy-undo",
    "writer.refused-legacy",
)

PINNED_KEEPS = ("turns-list.*", "read.with-turns", "resume.full", "thread-name.stored", "thread-status.turn")
"""Of the shared clauses; what is said of legacy threads holds in both."""


def probe(version: str) -> Report:
    return run(CONTRACT, codex(version, Silent()), Selection(), Settings(run_timeout=160), Silent())


def of_verdict(report: Report, verdict: str) -> list[str]:
    return [result.id for result in report.clauses if result.verdict == verdict]


def named(ident: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(ident, glob) for glob in globs)


def test_the_version_that_it_pins_keeps_it() -> None:
    report = probe(CONTRACT.pinned)

    assert [(result.id, result.actual) for result in report.clauses if result.verdict == "fail"] == []
    assert report.gate == "open"
    warns = of_verdict(report, "warn")
    assert [ident for ident in warns if not named(ident, WARNS)] == []
    assert [glob for glob in WARNS if not any(named(ident, (glob,)) for ident in warns)] == []
    assert len(of_verdict(report, "pass")) == len(CONTRACT.clauses) - len(warns)
    # Nothing that this version sends is new to the contract, but for what its environment and its age make it say.
    told = [(news.kind, news.text) for news in report.news if news.kind in ("field", "enum-member", "notification")]
    assert told == []


def test_the_version_that_hive_ships_does_not() -> None:
    report = probe("0.142.5")

    assert report.gate == "closed"
    fails = of_verdict(report, "fail")
    assert [ident for ident in fails if not named(ident, PINNED_FAILS)] == []
    assert [glob for glob in PINNED_FAILS if not any(named(ident, (glob,)) for ident in fails)] == []
    kept = of_verdict(report, "pass")
    assert [glob for glob in PINNED_KEEPS if not any(named(ident, (glob,)) for ident in kept)] == []
    # What is said of paginated threads is not said to hold where there are none.
    offered = {result.id for result in report.clauses if result.verdict != "not-offered"}
    assert [ident for ident in offered if ident.startswith(("paged-turns.", "resume.paged", "writer.rel"))] == []
    assert set(of_verdict(report, "blocked")) == set()
