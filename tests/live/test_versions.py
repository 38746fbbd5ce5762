"""What the gate says of the real server, version by version. Each list was checked by hand against the binary once.

All versions are probed by one matrix; see `conftest.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from hive_gate.report.interface import get_format
from hive_gate.report.model import ClauseResult

from .conftest import PATIENCE, Probed

pytestmark = [pytest.mark.live, pytest.mark.timeout(PATIENCE)]

_ITEMS_LIST = ("items-list.unsupported/real-thread", "items-list.unsupported/unknown-thread", "items-list.known")

_NO_CAPABILITY = ("handshake.without-capability/turns-list", "handshake.without-capability/exclude-turns")
_PROJECTION_LOST = (
    "history-mode.false-empty-projection-lost/turns-list",
    "history-mode.false-empty-projection-lost/read",
)

_INITIAL_PAGE = (
    "handshake.without-capability/initial-turns-page",
    "resume.initial-page/*",
    "resume.initial-page-defaults",
    "resume.initial-page-default-size",
    "resume.page-alone",
    "resume.as-decided",
    "resume.texts",
    "schema.fits/thread-resume",
)

FAILS: dict[str, tuple[str, ...]] = {
    "0.142.5": (),
    "0.142.2": (),
    # The items list was renamed to thread/items/list (openai/codex#29705); nothing else that Hive relies on moved.
    "0.143.0": _ITEMS_LIST,
    "0.144.6": _ITEMS_LIST,
    # Paginated threads work; without their projection a page is a false empty, and a read is refused.
    "0.146.1": (*_ITEMS_LIST, _PROJECTION_LOST[0]),
    # turns/list and excludeTurns need no capability any more (initialTurnsPage still does); read is a false empty too.
    "0.153.4": (*_ITEMS_LIST, *_NO_CAPABILITY, *_PROJECTION_LOST),
    # A second thread/rollback while one is in progress is carried out as well.
    "0.155.1": (*_ITEMS_LIST, *_NO_CAPABILITY, *_PROJECTION_LOST, "rollback.in-flight"),
    # thread/rollback is gone.
    "0.156.0": (*_ITEMS_LIST, *_NO_CAPABILITY, *_PROJECTION_LOST, "rollback.offered"),
    "0.157.1": (*_ITEMS_LIST, *_NO_CAPABILITY, *_PROJECTION_LOST, "rollback.offered"),
    "0.163.0": (*_ITEMS_LIST, *_NO_CAPABILITY, *_PROJECTION_LOST, "rollback.offered"),
    "0.171.0": (*_ITEMS_LIST, *_NO_CAPABILITY, *_PROJECTION_LOST, "rollback.offered"),
    "0.136.0": (),
    # Before initialTurnsPage (0.136): it is ignored in silence, and not gated.
    "0.130.0": _INITIAL_PAGE,
    # Before itemsView (0.130) and initialTurnsPage (0.136): both are ignored in silence, and nothing is gated.
    "0.125.0": (
        *_ITEMS_LIST,
        "handshake.without-capability/*",
        "turns-list.refuses/items-view",
        "turns-list.page/*",
        "turns-list.default-view",
        "turns-list.null-parameters",
        "turns-list.view/*",
        "turns-list.texts/summary",
        "turns-list.cursor-again",
        "turns-list.real-turns/*",
        "turns-list.loaded/*",
        *_INITIAL_PAGE,
        "schema.fits/*",
        "rollback.offered",
    ),
}

WARNS: dict[str, tuple[str, ...]] = {
    "0.142.5": ("history-mode.fails-open/*",),
    "0.142.2": ("history-mode.fails-open/*",),
    "0.143.0": ("schema.items-list-offered",),
    "0.144.6": ("schema.items-list-offered",),
    "0.146.1": ("schema.items-list-offered",),
    "0.153.4": ("schema.items-list-offered", "history-mode.default-legacy"),
    "0.155.1": ("schema.items-list-offered", "history-mode.default-legacy"),
    "0.156.0": ("schema.items-list-offered", "history-mode.default-legacy"),
    "0.157.1": ("schema.items-list-offered", "history-mode.default-legacy"),
    "0.163.0": ("schema.items-list-offered", "history-mode.default-legacy"),
    "0.171.0": ("schema.items-list-offered", "history-mode.default-legacy"),
    "0.136.0": ("history-mode.fails-open/*",),
    "0.130.0": ("history-mode.fails-open/*",),
    "0.125.0": ("schema.items-list-offered", "history-mode.fails-open/*"),
}

NOT_OFFERED: dict[str, tuple[str, ...]] = {
    # No history modes yet.
    "0.142.5": ("history-mode.*",),
    "0.142.2": ("history-mode.*",),
    "0.136.0": ("history-mode.*",),
    "0.130.0": ("history-mode.*",),
    "0.125.0": ("history-mode.*",),
    # Known, and paginated refused.
    "0.143.0": ("history-mode.fails-open/*", "history-mode.false-empty*"),
    "0.144.6": ("history-mode.fails-open/*", "history-mode.false-empty*"),
    # Paginated works.
    "0.146.1": ("history-mode.fails-open/*", "history-mode.refused*"),
    "0.153.4": ("history-mode.fails-open/*", "history-mode.refused*"),
    "0.155.1": ("history-mode.fails-open/*", "history-mode.refused*"),
    # thread/rollback is gone; that it is, `rollback.offered` says.
    "0.156.0": ("history-mode.fails-open/*", "history-mode.refused*", "rollback.*", "thread-name.rollback"),
    "0.157.1": ("history-mode.fails-open/*", "history-mode.refused*", "rollback.*", "thread-name.rollback"),
    "0.163.0": ("history-mode.fails-open/*", "history-mode.refused*", "rollback.*", "thread-name.rollback"),
    "0.171.0": ("history-mode.fails-open/*", "history-mode.refused*", "rollback.*", "thread-name.rollback"),
}


LATE = {"0.130.0": ("rollback.active-turn", "rollback.model", "turns-list.added-live", "turns-list.failed-live")}
"""Clauses that a version breaks now and then, all that list the turns right after one: it says that a turn is completed
and, asked at once, lists it as interrupted. With one core to itself 0.130.0 did so 11 of 85 times that these clauses
were asked, and 0.125.0, 0.136.0, 0.142.2 and 0.142.5 never in 431 times."""


def comes_late(version: str, result: ClauseResult) -> bool:
    """Tell whether a clause failed by that, and by nothing else."""
    return result.id in LATE.get(version, ()) and {f.actual for f in result.findings} == {'status "interrupted"'}


@pytest.mark.parametrize("version", FAILS)
def test_each_version_fails_exactly_what_it_breaks(version: str, probed: Probed) -> None:
    report = probed.report(version)

    for verdict, expected in (("fail", FAILS), ("warn", WARNS), ("not-offered", NOT_OFFERED)):
        found = {c.id for c in report.clauses if c.verdict == verdict and not comes_late(version, c)}
        unexpected = {c for c in found if not any(fnmatchcase(c, glob) for glob in expected[version])}
        missing = [glob for glob in expected[version] if not any(fnmatchcase(c, glob) for c in found)]
        assert (verdict, unexpected, missing) == (verdict, set(), [])
    # Every other clause was seen to pass: nothing was blocked.
    assert {c.verdict for c in report.clauses} <= {"pass", "fail", "warn", "not-offered"}
    assert report.target.version == report.target.handshake_version == version
    assert report.gate == ("closed" if FAILS[version] else "open")


def test_the_tables_speak_of_every_version_that_is_probed(probed: Probed) -> None:
    versions = {column.version for column in probed.sheet.columns}
    assert versions == set(FAILS) == set(WARNS) == set(NOT_OFFERED)


@pytest.mark.parametrize(("version", "code", "gate"), [("0.142.5", 0, "open"), ("0.143.0", 1, "closed")])
def test_a_probe_says_the_same_by_its_exit_code(version: str, code: int, gate: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hive_gate", "probe", "--codex", version, "--suite", "items-list", "--json"]
    done = subprocess.run([*command, "--out", str(tmp_path)], capture_output=True, text=True, timeout=170, check=False)

    assert (done.returncode, json.loads(done.stdout)["gate"]) == (code, gate)
    assert done.stderr.strip().splitlines()[-1].startswith("hive-gate: PARTIAL run")


def test_the_note_on_0_143_0_names_what_moved(probed: Probed) -> None:
    note = get_format("markdown").render(probed.report("0.143.0"))
    assert "unknown variant" in note
    assert "thread/items/list" in note  # the new name, found among those that the server knows


def test_the_failures_of_0_125_0_are_told_by_their_effect(probed: Probed) -> None:
    found = {c.id: c.findings for c in probed.report("0.125.0").clauses if c.findings}
    assert found["turns-list.page/notLoaded"][0].actual == "userMessage, agentMessage"
    assert found["resume.page-alone"][0].actual == "nothing at /initialTurnsPage/data"
