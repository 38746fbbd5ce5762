"""A whole measurement of a small server: what is measured, what is refused, and how it ends early."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.cost.compose import document
from hive_gate.cost.ground import Place
from hive_gate.cost.model import Cell, Cost, StoredThread
from hive_gate.cost.observe import Silent
from hive_gate.cost.operations import HOST, OPERATIONS, STEP, WALK
from hive_gate.cost.run import SECONDS, Settings, _groups, _State, measure
from hive_gate.cost.shapes import DEFAULT_REAL_SIZES, DEFAULT_SIZES, FLOOR, SHAPES, has_floor, sizes_of
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import TargetError
from hive_gate.probe.subject import Subject
from hive_gate.report.document import write_document
from hive_gate.scene.home import Home
from tests.support.history import HISTORY
from tests.support.stubs import SERVE, stub
from tests.unit.cost.conftest import COUNTS, linear, target

QUICK = Settings(shapes=("plain",), sizes=(7, 70), real_sizes=(2,), rounds=1, time_limit=60)


class Watching(Silent):
    """Keeps what it is told, and does something at the first progress."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.shares: list[float] = []
        self.stages: list[str] = []
        self._then = then

    def stage(self, text: str) -> None:
        """Keep it."""
        self.stages.append(text)

    def progress(self, share: float, left: float, text: str) -> None:
        """Keep it, and do the thing."""
        assert left >= 0
        assert text
        self.shares.append(share)
        if len(self.shares) == 1:
            self._then()


def subject(folder: Path, body: str = HISTORY + SERVE, name: str = "stub.py") -> Subject:
    argv = tuple(stub(folder, body, name))
    return Subject(argv, target(None, spec=name, kind="command", argv=argv), None)


def go(*subjects: Subject, settings: Settings = QUICK, observer: Silent | None = None) -> Cost:
    return measure(load_contract(DEFAULT_CONTRACT), subjects, settings, observer or Silent())


def cell(cost: Cost, operation: str, size: int = 70, index: int = 0, shape: str = "plain") -> Cell:
    wanted = (index, shape, size, operation)
    return next(c for c in cost.cells if (c.target, c.shape, c.size, c.operation) == wanted)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Cost:
    return go(subject(tmp_path_factory.mktemp("stub")))


def test_every_operation_that_applies_is_measured(whole: Cost) -> None:
    assert whole.run.complete
    assert {c.operation for c in whole.cells if c.size == 70} == set(OPERATIONS)
    assert [c.missing for c in whole.cells if c.missing] == []
    assert not any(c.operation.endswith("/deep") for c in whole.cells if c.size == 7)


def test_the_longest_threads_are_asked_only_what_is_told_of_them(tmp_path: Path) -> None:
    settings = Settings(shapes=("plain", "images"), sizes=(3, 30, 31, 32), rounds=1)
    cost = go(subject(tmp_path), settings=settings)
    asked: dict[tuple[str, int], set[str]] = {}
    for found in cost.cells:
        asked.setdefault((found.shape, found.size), set()).add(found.operation)
    told = {"start", HOST, "page/notLoaded/20", "page/summary/20", STEP, "read/turns", "refused/method"}
    deep = {name for name in OPERATIONS if name.endswith("/deep")}
    assert asked["plain", 30] == set(OPERATIONS) - deep
    assert asked["plain", 31] == asked["images", 3] == told
    assert asked["plain", 32] == asked["images", 30] == told | {"restore/full"}
    assert cost.run.complete


def test_three_rounds_of_the_default_plan_are_small_enough_for_two_minutes() -> None:
    settings = Settings(shapes=tuple(name for name in SHAPES if name != "real-paginated"))  # 0.142.5 has none
    state = _State(settings, Silent(), 0.0)
    ground: Any = SimpleNamespace(index=0)
    for shape in map(SHAPES.__getitem__, settings.shapes):
        for size in (*((FLOOR,) if has_floor(shape) else ()), *sizes_of(shape, DEFAULT_SIZES, DEFAULT_REAL_SIZES)):
            thread = StoredThread(0, shape.name, size, *COUNTS[shape.name](size), 7)
            state.places.append(Place(ground, shape, thread, Home(Path("unused")), "t"))
    visits = [visit for group in _groups(state) for visit in group]
    round_ms = sum(
        linear(visit.place.thread, operation.name)
        for visit in visits
        for operation in visit.operations
        if (operation.phase, visit.place.thread.size) != ("walk", 2000)
    )
    # What the formula leaves out (starts, ends, the making of the threads) takes about as long again.
    assert 3 * round_ms / 1000 < 0.5 * SECONDS
    assert len(visits) == 63  # servers, of which each takes a tenth of a second


def test_samples_hold_what_was_on_the_wire(whole: Cost) -> None:
    full, step = cell(whole, "restore/full").samples[0], cell(whole, STEP).samples[0]
    summary, first = cell(whole, "page/summary/20").samples[0], cell(whole, HOST).samples[0]
    assert full.bytes_in > 70 * 7 * 350
    assert step.bytes_in == pytest.approx(full.bytes_in * 20 / 70, rel=0.05)
    assert summary.bytes_in < step.bytes_in / 3
    assert first.bytes_in == pytest.approx(step.bytes_in, rel=0.05)
    assert step.bytes_out > len('{"method":"thread/turns/list"}')
    assert step.ms > 0
    assert step.cpu_ms is not None
    assert step.peak_mb is not None
    assert step.control_ms > 0


def test_a_walk_is_as_many_requests_as_it_has_pages(whole: Cost) -> None:
    assert cell(whole, WALK).requests == 1
    assert cell(whole, WALK, 7).samples[0].bytes_in > 0


def test_requests_that_are_sent_together_are_one_sample(whole: Cost) -> None:
    together, one = cell(whole, f"{STEP}/4-at-once"), cell(whole, STEP)
    assert together.requests == 4
    assert together.samples[0].bytes_in == pytest.approx(4 * one.samples[0].bytes_in, abs=16)


def test_the_threads_are_told_as_they_were_written(whole: Cost) -> None:
    assert [(t.size, t.turns, t.records, t.items) for t in whole.threads] == [
        (1, 1, 17, 7), (7, 7, 113, 7), (70, 70, 1121, 7),
    ]  # fmt: skip


def test_each_server_starts_on_a_home_that_knows_itself_but_for_the_first_start(whole: Cost) -> None:
    assert len(cell(whole, "start/first").samples) == 1
    assert len(cell(whole, "start").samples) == 6  # the one that is asked everything, and one for each first request


def test_progress_ends_when_all_is_done(tmp_path: Path) -> None:
    watching = Watching()
    go(subject(tmp_path), settings=Settings(shapes=("images",), sizes=(3,), rounds=2), observer=watching)
    assert watching.stages == ["making the stored threads", "round 1 of 2", "round 2 of 2"]
    assert watching.shares[-1] == 1.0


def test_a_home_s_first_start_is_measured_only_where_it_is_meant(tmp_path: Path) -> None:
    greets_at_length = HISTORY + (
        'marker = os.environ["CODEX_HOME"] + "/state_5.sqlite"\n'
        'fresh = not os.path.exists(marker)\nopen(marker, "a").close()\n'
        "whole_respond = respond\ndef respond(message):\n"
        '    if fresh and message["method"] == "initialize":\n'
        '        answer(message, {"userAgent": "stub/1.2.3 (test)", "codexHome": "x" * 5000})\n'
        "    else:\n        whole_respond(message)\n"
    ) + SERVE  # fmt: skip
    cost = go(subject(tmp_path, greets_at_length), settings=Settings(shapes=("plain",), sizes=(3,), rounds=1))
    assert max(sample.bytes_in for sample in cell(cost, "start", 3).samples) < 1000
    assert min(sample.bytes_in for sample in cell(cost, "start/first", 3).samples) > 5000


def test_two_targets_are_measured_in_turns(tmp_path: Path) -> None:
    settings = Settings(shapes=("images",), sizes=(3,), rounds=2)
    cost = go(subject(tmp_path, name="one.py"), subject(tmp_path, name="two.py"), settings=settings)
    assert [len(cell(cost, STEP, 3, index, "images").samples) for index in (0, 1)] == [2, 2]
    assert cost.run.complete


def test_a_false_empty_is_not_measured(tmp_path: Path) -> None:
    empty = HISTORY + 'page_of = lambda turns, params: {"data": [], "nextCursor": None}\n' + SERVE
    cost = go(subject(tmp_path, empty))
    assert cell(cost, STEP).samples == ()
    assert cell(cost, STEP).missing == "a page of 20 was expected, 0 came"
    assert cell(cost, WALK).missing == "the walk saw 0 of 70 turns"
    assert cell(cost, "page/full/20/deep").missing == "no cursor deep in the history could be had"
    assert cell(cost, "restore/full").samples
    assert cost.run.complete  # what is missing has its reason


def test_what_is_refused_says_so_and_is_asked_no_more(tmp_path: Path) -> None:
    lacking = HISTORY + "whole_respond = respond\ndef respond(message):\n" + (
        '    if "initialTurnsPage" in message.get("params", {}):\n'
        '        refuse(message, -32600, "no pages")\n'
        "    else:\n        whole_respond(message)\n"
    ) + SERVE  # fmt: skip
    cost = go(subject(tmp_path, lacking), settings=Settings(shapes=("images",), sizes=(3,), rounds=2))
    assert cell(cost, HOST, 3, shape="images").missing == "refused: -32600 no pages"
    assert len(cell(cost, STEP, 3, shape="images").samples) == 2  # the rest is asked without it


def test_a_walk_that_does_not_end_is_not_measured(tmp_path: Path) -> None:
    endless = HISTORY + (
        "first_page = page_of\ndef page_of(turns, params):\n"
        '    return {**first_page(turns, {**params, "cursor": None}), "nextCursor": turns[-1]["id"]}\n'
    ) + SERVE  # fmt: skip
    cost = go(subject(tmp_path, endless), settings=Settings(shapes=("plain",), sizes=(3,), rounds=1))
    assert cell(cost, WALK, 3).missing == "the walk does not end"


def test_a_server_that_dies_at_a_question_loses_only_that_question(tmp_path: Path) -> None:
    mortal = HISTORY + "whole_respond = respond\ndef respond(message):\n" + (
        '    if message.get("params", {}).get("includeTurns"):\n        sys.exit(3)\n    whole_respond(message)\n'
    ) + SERVE  # fmt: skip
    cost = go(subject(tmp_path, mortal), settings=Settings(shapes=("images",), sizes=(3,), rounds=2))
    assert "read/turns on 3 turns: the server ended" in (cell(cost, "read/turns", 3, shape="images").missing or "")
    assert cell(cost, "restore/full", 3, shape="images").samples
    assert cell(cost, STEP, 3, shape="images").samples


def test_a_target_that_never_starts_is_an_error_and_not_an_empty_result(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="nothing could be measured") as caught:
        go(subject(tmp_path, "sys.exit(1)"))
    assert "hive-gate probe" in (caught.value.hint or "")


def test_a_target_without_paginated_threads_has_none(tmp_path: Path) -> None:
    settings = Settings(shapes=("plain", "real-paginated"), sizes=(3,), real_sizes=(2,), rounds=1)
    cost = go(subject(tmp_path), settings=settings)
    assert [(a.shape, a.why) for a in cost.absent] == [("real-paginated", "the target starts no paginated threads")]
    assert {t.shape for t in cost.threads} == {"plain"}


def test_an_interruption_keeps_what_was_measured(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    watching = Watching(lambda: os.kill(os.getpid(), signal.SIGINT))
    cost = go(subject(tmp_path), settings=Settings(shapes=("plain",), sizes=(3, 70), rounds=50), observer=watching)
    assert (cost.run.interrupted, cost.run.complete, cost.run.problem) == (True, False, "interrupted by SIGINT")
    assert any(c.samples for c in cost.cells)
    assert any(c.missing == f"{len(c.samples)} of 50 repeats: interrupted" for c in cost.cells)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interruption_before_anything_was_measured_is_told_as_well(tmp_path: Path) -> None:
    class Early(Watching):
        def stage(self, text: str) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    cost = go(subject(tmp_path), observer=Early())
    assert cost.run.interrupted
    assert cost.cells == ()
    assert "PARTIAL: interrupted by SIGINT" in write_document(document(cost), "text").replace("\n", " ")


def test_when_the_time_is_up_nothing_more_is_begun_and_the_rest_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed[0])
    monkeypatch.setattr("hive_gate.cost.run.time", clock)
    settings = Settings(shapes=("plain",), sizes=(3,), rounds=9, time_limit=600)
    cost = go(subject(tmp_path), settings=settings, observer=Watching(lambda: passed.__setitem__(0, 601.0)))
    assert not cost.run.complete
    assert not cost.run.interrupted
    assert sum(c.operation == "start" and bool(c.samples) for c in cost.cells) == 1  # the first server, and no other
    assert all(c.missing in (None, f"{len(c.samples)} of 9 repeats: the time was up") for c in cost.cells)


def test_a_time_limit_that_leaves_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="the time was up"):
        go(subject(tmp_path), settings=Settings(shapes=("plain",), sizes=(3,), time_limit=0.01))
