"""The answers in words: with a number where there is one to be told, and otherwise without."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from hive_gate.cost.derive import derived
from hive_gate.cost.model import Cell, Cost, Sentence, StoredThread
from hive_gate.cost.operations import HOST, STEP
from tests.unit.cost.conftest import linear, target

TextOf = Callable[[Cost, str], str]
Made = Callable[..., Cost]


def by_id(cost: Cost, index: int | None = 0) -> dict[str, Sentence]:
    return {s.id: s for s in cost.sentences if s.target == index}


def test_a_step_that_was_measured_is_told_with_its_spread(steady: Cost, text_of: TextOf) -> None:
    assert text_of(steady, "step.1000") == (
        "One scroll step (a page of 20 in full) on 1,000 turns takes 94 ms (measured; middle half of 5 repeats "
        "93-95 ms)."
    )
    assert by_id(steady)["step.1000"].values["measured"] == 1


def test_a_step_beyond_what_was_measured_is_told_as_extrapolated(steady: Cost, text_of: TextOf) -> None:
    text = text_of(steady, "step.10000")
    assert text.startswith("One scroll step (a page of 20 in full) on 10,000 turns takes about 931 ms")
    assert "extrapolated from threads of 100 to 2,000 turns; 95 % interval " in text
    found = by_id(steady)["step.10000"]
    assert found.values["measured"] == 0
    assert found.values["ms"] == pytest.approx(931, rel=0.03)


def test_a_step_between_measured_lengths_is_told_as_interpolated(made: Made, text_of: TextOf) -> None:
    assert "interpolated from threads of 100 to 2,000" in text_of(made(sizes=(100, 300, 2000)), "step.1000")


def test_a_step_that_was_measured_too_noisily_is_told_by_the_law_and_says_so(steady: Cost, text_of: TextOf) -> None:
    spoiled = _spoiled(steady, STEP, only=1000)
    text = text_of(spoiled, "step.1000")
    assert text.startswith("One scroll step (a page of 20 in full) on 1,000 turns takes about 9")
    assert "(fitted from threads of 100 to 2,000 turns; 95 % interval " in text
    assert text.endswith("; measured there as well, but too noisily: the middle half of its 5 repeats is 57-177 ms).")
    assert "polated" not in text
    assert by_id(spoiled)["step.1000"].values["measured"] == 0


def test_a_step_that_was_measured_too_rarely_is_told_by_the_law_and_says_so(steady: Cost, text_of: TextOf) -> None:
    text = text_of(_cut(steady, STEP, 1000, 2), "step.1000")
    assert "takes about 9" in text
    assert "(fitted from threads of 100 to 2,000 turns; " in text
    assert text.endswith("; measured there as well, but fewer than 3 times).")


def test_a_step_that_was_not_measured_at_a_length_that_was_is_interpolated(steady: Cost, text_of: TextOf) -> None:
    text = text_of(_cut(steady, STEP, 1000, 0), "step.1000")
    assert "(interpolated from threads of 100 to 2,000 turns; " in text
    assert "measured there" not in text


def test_the_length_that_a_law_gives_is_never_one_that_was_measured(steady: Cost, text_of: TextOf) -> None:
    assert "(interpolated from threads of " in text_of(_spoiled(steady, STEP, only=1000), "step.limit")


def test_the_length_from_which_a_step_is_slow_follows_from_the_law(steady: Cost) -> None:
    assert by_id(steady)["step.limit"].values["turns"] == pytest.approx(1060, rel=0.03)


def test_a_step_that_is_never_slow_says_so(made: Made, text_of: TextOf) -> None:
    quick = made(lambda thread, _: 1.0 + 1e-7 * thread.turns, shapes=("plain",))
    assert text_of(quick, "step.limit") == "At no length that 2,000 turns speak for a scroll step exceeds 100 ms."


def test_a_walk_is_measured_where_it_was_and_added_up_elsewhere(steady: Cost, text_of: TextOf) -> None:
    assert text_of(steady, "walk.measured").startswith(
        "A whole walk over 2,000 turns in pages of 100 takes 3.7 s (meas"
    )
    assert text_of(steady, "walk.1000").startswith("A whole walk over 1,000 turns in pages of 20 is 50 such steps: ")
    assert "(added up, not measured)" in text_of(steady, "walk.10000")
    assert by_id(steady)["walk.1000"].values["ms"] == pytest.approx(50 * 94.3, rel=0.03)


def test_the_interval_leaves_the_server_half_of_its_time(steady: Cost) -> None:
    found = by_id(steady)
    assert found["interval"].values["ms.1000"] == pytest.approx(2 * found["step.1000"].values["ms"], rel=0.05)


def test_a_restore_says_what_it_saves_in_bytes_and_in_time(steady: Cost, text_of: TextOf) -> None:
    text = text_of(steady, "restore.1000")
    assert "a first page of 20 in full sends 59 kB in place of 3.0 MB (98 % less)" in text
    assert "takes 407 ms in place of 502 ms (19 % less; middle half of the rounds 0.81 to 0.81 times)" in text


def test_a_restore_that_saves_no_time_to_be_seen_says_so(steady: Cost) -> None:
    found = by_id(_spoiled(steady, "restore/full"))["restore.1000"]
    assert found.noisy
    assert "what it saves in time is too noisy to say" in found.text
    assert "ms" not in found.values
    assert found.values["bytes"] < found.values["bytes.full"]  # bytes have no noise


@pytest.mark.parametrize(("sent_by_page", "told"), [(10_400, "4 % more"), (10_040, "as much"), (9_940, "1 % less")])
def test_a_restore_of_a_thread_that_is_one_page_sends_no_less(
    sent_by_page: int, told: str, steady: Cost, text_of: TextOf
) -> None:
    def swollen(cell: Cell) -> Cell:
        sent = {"restore/full": 10_000, HOST: sent_by_page}.get(cell.operation, 100)
        return replace(cell, samples=tuple(replace(s, bytes_in=sent) for s in cell.samples))

    text = text_of(_rederived(steady, [swollen(c) for c in steady.cells]), "restore.1000")
    assert f"in place of 10 kB ({told}) and takes " in text


def test_full_over_summary_is_told_in_bytes_and_in_time(steady: Cost, text_of: TextOf) -> None:
    text = text_of(steady, "full")
    assert "3.9 times as large as in summary (59 kB to 15 kB, with 7 items a turn)" in text
    assert "takes 1.25 times as long on 1,000 turns" in text


@pytest.mark.parametrize("name", ["growth.plain", "step.1000", "step.10000", "step.limit", "interval", "price"])
def test_noise_gives_no_number(name: str, made: Made) -> None:
    def wild(thread: StoredThread, operation: str) -> float:
        return {100: 10.0, 200: 90.0, 500: 20.0, 1000: 300.0, 2000: 60.0}.get(thread.size, 5.0)

    found = by_id(made(wild, jitter=0.9))[name]
    assert found.noisy
    assert found.text.startswith("Too noisy to say ")
    assert not re.search(r"takes (about )?\d", found.text)


@pytest.mark.parametrize("name", ["deep", "limit", "cold", "at-once", "read"])
def test_a_page_is_compared_with_the_step_and_not_with_another_view(name: str, steady: Cost) -> None:
    assert by_id(steady)[name].values["ms.ratio"] == 1  # in another view the formula has 0.8 or 1.25


def test_the_bytes_that_grow_are_those_of_the_step(steady: Cost, text_of: TextOf) -> None:
    def grown(cell: Cell) -> Cell:
        power = {STEP: 0.5, "page/summary/20": 1.0}.get(cell.operation, 0.0)
        sent = 0 if cell.size == 1 else round(1000 * cell.size**power)  # nothing is taken off for a floor
        return replace(cell, samples=tuple(replace(s, bytes_in=sent) for s in cell.samples))

    cost = _rederived(steady, [grown(c) for c in steady.cells])
    assert text_of(cost, "growth.plain").endswith("; its bytes in full to the power of 0.50.")
    assert by_id(cost)["growth.plain"].values["bytes"] == pytest.approx(0.5, abs=0.001)


def test_too_rare_is_told_apart_from_too_noisy(made: Made, text_of: TextOf) -> None:
    steady = made(shapes=("plain",), sizes=(500, 1000))
    few, wild = _cut(steady, STEP, 1000, 1), _spoiled(steady, STEP)
    said = "say what one scroll step (a page of 20 in full) on 1,000 turns takes: "
    assert text_of(few, "step.1000") == f"Too little was measured to {said}it was measured fewer than 3 times."
    assert text_of(wild, "step.1000") == f"Too noisy to {said}the middle half of its 5 repeats is 57-177 ms."


def test_too_little_is_told_apart_from_too_noisy(made: Made, text_of: TextOf) -> None:
    cost = made(shapes=("plain",), sizes=(100, 200))
    assert text_of(cost, "step.10000") == (
        "Too little was measured to say what one scroll step (a page of 20 in full) on 10,000 turns takes: the "
        "sizes are too few or too close."
    )


@pytest.mark.parametrize(("name", "operation"), [("deep", "page/full/20/deep"), ("cold", "page/full/20/cold")])
def test_rounds_that_disagree_give_no_ratio(name: str, operation: str, steady: Cost) -> None:
    found = by_id(_spoiled(steady, operation))[name]
    assert found.noisy
    assert found.text.endswith("compares with the newest page of 20: the rounds disagree.")


def test_memory_is_told_where_it_was_seen(steady: Cost, text_of: TextOf) -> None:
    assert "on 2,000 turns (14 MB stored): 90 MB at a full restore" in text_of(steady, "memory")
    blind = _rederived(
        steady, [replace(c, samples=tuple(replace(s, peak_mb=None) for s in c.samples)) for c in steady.cells]
    )
    assert "memory" not in by_id(blind)


def test_paginated_threads_are_told_beside_legacy_ones_of_the_same_turns(made: Made, text_of: TextOf) -> None:
    def formula(thread: StoredThread, operation: str) -> float:
        return 2.0 if thread.shape == "real-paginated" else linear(thread, operation)

    cost = made(formula, shapes=("plain", "real-legacy", "real-paginated"))
    assert "to the power of 0.00 in notLoaded" in text_of(cost, "growth.real-paginated")
    assert "takes 2.0 ms on a paginated thread and 24 ms on a legacy one (0.08 times" in text_of(cost, "modes.step")


def test_what_was_not_measured_is_not_told(made: Made) -> None:
    assert {s.id for s in made(shapes=("real-legacy",)).sentences} == set()


def test_two_targets_are_compared_in_rounds_that_both_have(made: Made, text_of: TextOf) -> None:
    cost = made(linear, lambda t, o: linear(t, o) / 2)
    assert text_of(cost, "compare.plain.page/full/20") == (
        "On 1,000 legacy turns a scroll step takes 94 ms on codex 0.142.5 and 47 ms on codex 0.171.0 (0.50 times; "
        "middle half of the rounds 0.50 to 0.50)."
    )
    apart = _rederived(cost, [
        replace(c, samples=c.samples[:2] if c.target else c.samples[2:]) for c in cost.cells
    ])  # fmt: skip
    found = next(s for s in apart.sentences if s.id == "compare.plain.page/full/20")
    assert found.noisy


def test_two_runs_of_one_version_are_told_apart(made: Made, text_of: TextOf) -> None:
    cost = made(linear, linear, targets=(target(), target()))
    assert "on the first codex 0.142.5 and" in text_of(cost, "compare.plain.restore/full")


def test_a_page_of_the_newer_one_s_paginated_thread_is_set_beside_the_older_one_s_legacy_thread(
    made: Made, text_of: TextOf
) -> None:
    cost = made(linear, linear, shapes=("plain", "real-legacy", "real-paginated"))
    older = [c for c in cost.cells if c.target or c.shape != "real-paginated"]
    threads = tuple(t for t in cost.threads if t.target or t.shape != "real-paginated")
    text = text_of(_rederived(replace(cost, threads=threads), older), "compare.modes")
    assert text.startswith(
        "On 200 real turns a scroll step takes 24 ms on codex 0.142.5, whose threads are legacy, and"
    )


def _spoiled(cost: Cost, operation: str, only: int | None = None) -> Cost:
    """The same with an operation that took anything from half to twice its time."""
    factors = (0.5, 2.0, 1.0, 0.6, 1.9)
    cells = [
        replace(c, samples=tuple(replace(s, ms=s.ms * f) for s, f in zip(c.samples, factors, strict=True)))
        if c.operation == operation and only in (None, c.size)
        else c
        for c in cost.cells
    ]
    return _rederived(cost, cells)


def _cut(cost: Cost, operation: str, size: int, count: int) -> Cost:
    """The same with only so many samples of an operation on the plain thread of a size."""
    key = (operation, "plain", size)
    return _rederived(cost, [
        replace(c, samples=c.samples[:count]) if (c.operation, c.shape, c.size) == key else c for c in cost.cells
    ])  # fmt: skip


def _rederived(cost: Cost, cells: list) -> Cost:  # type: ignore[type-arg]
    return derived(cost.run, (0.5, 0.6), cost.targets, cost.threads, tuple(cells), cost.absent)
