"""The process of the runs: `python -m hive_gate.matrix.worker`, one version against one contract after the other."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from functools import cache as once
from pathlib import Path
from typing import Any

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.errors import HiveGateError, TargetError
from hive_gate.matrix.results import Results
from hive_gate.matrix.runs import State, installed_sha256
from hive_gate.matrix.state import sentence, state_of
from hive_gate.probe.cores import keep_to
from hive_gate.probe.plan import Selection
from hive_gate.probe.pool import Told
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import codex
from hive_gate.probe.worker import Do, Tell, work
from hive_gate.report.codec import encode
from hive_gate.report.jsonfile import write_report
from hive_gate.report.model import ClauseResult, Report
from hive_gate.target.cache import Cache
from hive_gate.target.install import install
from hive_gate.target.progress import OnProgress, Progress
from hive_gate.target.spec import parse_version


@dataclass(frozen=True, slots=True)
class _Teller:
    """Passes on what a run does; see `hive_gate.probe.observe.Observer`."""

    tell: Tell

    def stage(self, text: str) -> None:
        self.tell({"stage": text})

    def plan(self, total: int) -> None:
        self.tell({"plan": total})

    def judged(self, result: ClauseResult) -> None:
        # What it was judged by is in the report; here it would be told, decoded and forgotten.
        self.tell({"judged": encode(replace(result, exchanges=(), steps=()))})


@dataclass(frozen=True, slots=True)
class _Made:
    """What came of one task."""

    state: State
    problem: str | None
    report: Report | None = None
    from_cache: bool = False
    hint: str | None = None


def _prepare(told: Told) -> Do:
    fresh: bool = told["fresh"]
    times = Settings(told["request_timeout"], told["start_timeout"])
    contract_at = once(load_contract)

    def do(told: Told, tell: Tell) -> Any:
        began = time.monotonic()
        settings = replace(times, jobs=told["servers"])
        keep_to(0, told["cores"])
        try:
            made = _judge(told["version"], contract_at(Path(told["contract"])), settings, fresh, tell)
        except HiveGateError as error:
            made = _Made("not-judged", sentence(error), hint=error.hint)
        except Exception as error:  # one version that cannot be tried must not end the others
            made = _Made("not-judged", f"{type(error).__name__}: {error}")
        if made.state == "interrupted":
            return None
        took = made.report.run.seconds if made.report and made.from_cache else time.monotonic() - began
        return {
            "state": made.state,
            "problem": made.problem,
            "hint": made.hint,
            "report": None if made.report is None else str(_written(made.report)),
            "from_cache": made.from_cache,
            "seconds": round(took, 3),
        }

    return do


def _judge(version: str, contract: Contract, settings: Settings, fresh: bool, tell: Tell) -> _Made:
    teller = _Teller(tell)
    cache = Cache.default()
    results = Results.of(cache)
    try:
        install(parse_version(version), cache, _fetching(teller))
    except TargetError as error:
        return _Made("not-fetched", sentence(error), hint=error.hint)
    program = None if fresh else installed_sha256(version, cache)
    kept = None if program is None else results.find(program, contract)
    if kept is not None:
        return _Made("judged", None, kept, True)
    try:
        subject = codex(version, teller)
    except TargetError as error:
        return _Made("not-started", sentence(error), hint=error.hint)
    report = run(contract, subject, Selection(), settings, teller)
    state, problem = state_of(report)
    if state == "judged":
        results.keep(report, contract)
    return _Made(state, problem, report)


def _fetching(teller: _Teller) -> OnProgress:
    said = ""

    def on_progress(progress: Progress) -> None:
        nonlocal said
        megabytes = f" {progress.done / 1e6:.0f} MB" if progress.phase == "downloading" else ""
        text = progress.phase + megabytes
        if text != said:  # not several times a second
            teller.stage(text)
            said = text

    return on_progress


def _written(report: Report) -> Path:
    """Write a report into the folder that the pool removes, and return where."""
    handle, name = tempfile.mkstemp(suffix=".json")
    os.close(handle)
    write_report(report, Path(name))
    return Path(name)


if __name__ == "__main__":
    sys.exit(work(_prepare))
