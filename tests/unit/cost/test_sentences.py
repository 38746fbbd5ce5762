"""The answers in words: with a number where there is one to be told, and otherwise without."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
        "One scroll step (a page of 20 in full) on 1,000 legacy turns takes 94 ms (measured; middle half of 5 repeats "
        "93-95 ms)."
    )
    assert by_id(steady)["step.1000"].values["measured"] == 1


def test_a_step_beyond_what_was_measured_is_told_as_extrapolated(steady: Cost, text_of: TextOf) -> None:
    text = text_of(steady, "step.10000")
    assert text.startswith("One scroll step (a page of 20 in full) on 10,000 legacy turns takes about 931 ms")
    assert "extrapolated from threads of 100 to 2,000 turns; 95 % interval " in text
    found = by_id(steady)["step.10000"]
    assert found.values["measured"] == 0
    assert found.values["ms"] == pytest.approx(931, rel=0.03)


def test_a_step_between_measured_lengths_is_told_as_interpolated(made: Made, text_of: TextOf) -> None:
    assert "interpolated from threads of 100 to 2,000" in text_of(made(sizes=(100, 300, 2000)), "step.1000")


def test_a_step_that_was_measured_too_noisily_is_told_by_the_law_and_says_so(steady: Cost, text_of: TextOf) -> None:
    spoiled = _spoiled(steady, STEP, only=1000)
    text = text_of(spoiled, "step.1000")
    assert text.startswith("One scroll step (a page of 20 in full) on 1,000 legacy turns takes about 9")
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
    assert (
        text_of(quick, "step.limit") == "At no length that 2,000 legacy turns speak for a scroll step exceeds 100 ms."
    )


def test_a_walk_is_measured_where_it_was_and_added_up_elsewhere(steady: Cost, text_of: TextOf) -> None:
    assert text_of(steady, "walk.measured").startswith(
        "A whole walk over 2,000 legacy turns in pages of 100 takes 3.7 s (meas"
    )
    assert text_of(steady, "walk.1000") == (
        "A whole walk over 1,000 legacy turns in pages of 20 is 50 such steps of 94 ms each: about 4.7 s (added up, "
        "not measured)."
    )
    assert text_of(steady, "walk.10000") == (
        "A whole walk over 10,000 legacy turns in pages of 20 is 500 such steps of about 931 ms each (extrapolated): "
        "about 8 min (added up, not measured)."
    )


def _beside_the_law(steady: Cost) -> Cost:
    """The same with a step on 1,000 turns that was measured a tenth above the line."""
    return _rederived(steady, [
        replace(c, samples=tuple(replace(s, ms=s.ms * 1.1) for s in c.samples))
        if (c.operation, c.shape, c.size) == (STEP, "plain", 1000) else c
        for c in steady.cells
    ])  # fmt: skip


def test_walk_and_interval_take_the_step_that_was_measured_and_not_the_law_s(steady: Cost) -> None:
    found = by_id(_beside_the_law(steady))
    ms = found["step.1000"].values["ms"]
    assert ms == pytest.approx(103.7, abs=0.1)
    assert found["walk.1000"].values["ms"] == round(50 * ms)
    assert found["interval"].values["ms.1000"] == round(2 * ms, 1)


def test_walk_and_interval_say_that_they_rest_on_the_law(steady: Cost, text_of: TextOf) -> None:
    spoiled = _spoiled(steady, STEP, only=1000)
    assert re.search(r"50 such steps of about \d+ ms each \(fitted\): ", text_of(spoiled, "walk.1000"))
    assert re.search(r"about \d+ ms \(fitted\) on 1,000 legacy turns, about 1.\d s \(extrapolated\) on 10,000", text_of(
        spoiled, "interval"
    ))  # fmt: skip


def test_walk_and_interval_need_no_law_where_the_step_was_measured(made: Made) -> None:
    found = by_id(made(shapes=("plain",), sizes=(500, 1000)))
    assert set(found["interval"].values) == {"ms.1000"}
    assert found["walk.1000"].values["ms"] == round(50 * found["step.1000"].values["ms"])
    assert "walk.10000" not in found


def test_without_any_step_near_enough_there_is_no_interval(made: Made, text_of: TextOf) -> None:
    assert text_of(made(shapes=("plain",), sizes=(20, 30, 40, 240)), "interval").startswith("From ")
    assert text_of(made(shapes=("plain",), sizes=(2, 4, 40)), "interval") == (
        "Too little was measured to say how long to wait between two page requests: the sizes are too few or too close."
    )


def test_the_interval_leaves_the_server_half_of_its_time(steady: Cost, text_of: TextOf) -> None:
    assert text_of(steady, "interval").endswith(
        "half of the time: 189 ms on 1,000 legacy turns, about 1.9 s (extrapolated) on 10,000 legacy turns."
    )


def test_a_restore_says_what_it_saves_in_bytes_and_in_time(steady: Cost, text_of: TextOf) -> None:
    text = text_of(steady, "restore.1000")
    assert "a first page of 20 in full sends 59 kB in place of 3.0 MB (98 % less)" in text
    assert "takes 407 ms in place of 502 ms (19 % less; middle half of the rounds 0.81 to 0.81 times)" in text


def _rounds(cost: Cost, shape: str, size: int, took: Mapping[str, tuple[float, ...]]) -> Cost:
    """The same with these milliseconds, a round each, for some operations on one thread."""
    return _rederived(cost, [
        replace(c, samples=tuple(replace(s, ms=ms) for s, ms in zip(c.samples, took[c.operation], strict=False)))
        if c.operation in took and (c.target, c.shape, c.size) == (0, shape, size) else c
        for c in cost.cells
    ])  # fmt: skip


def test_a_restore_whose_medians_contradict_its_ratio_is_too_noisy(steady: Cost) -> None:
    took = {"restore/full": (203.0, 317.3, 160.3), HOST: (213.6, 239.6, 146.0)}  # as they came under load
    found = by_id(_rounds(steady, "plain", 1000, took))["restore.1000"]
    assert found.text.endswith("(98 % less); what it saves in time is too noisy to say.")
    assert set(found.values) == {"bytes", "bytes.full"}


def test_a_restore_beside_one_that_is_too_noisy_is_told_by_a_range_and_the_ratio(steady: Cost) -> None:
    took = {"restore/full": (300.0, 600.0, 400.0), HOST: (240.0, 470.0, 320.0)}
    found = by_id(_rounds(steady, "plain", 1000, took))["restore.1000"]
    assert "takes 280-395 ms in place of 350-500 ms (20 % less; middle half of the rounds 0.79 to 0.80 times)." in (
        found.text
    )
    assert set(found.values) == {"bytes", "bytes.full", "ms.ratio"}


def test_a_restore_whose_rounds_lie_far_apart_gives_no_number(steady: Cost) -> None:
    took = {"restore/full": (400.0, 400.0, 400.0), HOST: (100.0, 200.0, 350.0)}
    assert by_id(_rounds(steady, "plain", 1000, took))["restore.1000"].noisy


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
    assert "takes 1.25 times as long on 1,000 legacy turns" in text


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
    said = "say what one scroll step (a page of 20 in full) on 1,000 legacy turns takes: "
    assert text_of(few, "step.1000") == f"Too little was measured to {said}it was measured fewer than 3 times."
    assert text_of(wild, "step.1000") == f"Too noisy to {said}the middle half of its 5 repeats is 57-177 ms."


def test_too_little_is_told_apart_from_too_noisy(made: Made, text_of: TextOf) -> None:
    cost = made(shapes=("plain",), sizes=(100, 200))
    assert text_of(cost, "step.10000") == (
        "Too little was measured to say what one scroll step (a page of 20 in full) on 10,000 legacy turns takes: the "
        "sizes are too few or too close."
    )


@pytest.mark.parametrize(("name", "operation"), [("deep", "page/full/20/deep"), ("cold", "page/full/20/cold")])
def test_rounds_that_disagree_give_no_ratio(name: str, operation: str, steady: Cost) -> None:
    found = by_id(_spoiled(steady, operation))[name]
    assert found.noisy
    assert found.text.endswith("compares with the newest page of 20: the rounds disagree.")


@pytest.mark.parametrize("name", ["full", "deep"])
def test_rounds_that_lie_further_apart_than_a_quarter_give_no_ratio(name: str, steady: Cost) -> None:
    took = {
        STEP: (100.0, 100.0, 100.0),
        "page/summary/20": (75.0, 100.0, 140.0),
        "page/full/20/deep": (75.0, 100.0, 140.0),
    }
    found = by_id(_rounds(steady, "plain", 1000, took))[name]
    assert found.noisy
    assert "ms.ratio" not in found.values


def test_memory_is_told_where_it_was_seen(steady: Cost, text_of: TextOf) -> None:
    assert "on 2,000 legacy turns (14 MB stored): 90 MB at a full restore" in text_of(steady, "memory")
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


@pytest.mark.parametrize(
    ("paginated", "legacy", "told"),
    [
        (
            (10.0, 20.0, 15.0),
            (20.0, 40.0, 30.0),
            "takes 12-18 ms on a paginated thread and 25-35 ms on a legacy one (0.5",
        ),
        (
            (213.6, 239.6, 146.0),
            (203.0, 317.3, 160.3),
            "Too noisy to say how a scroll step on a paginated thread of 200",
        ),
    ],
)
def test_a_mode_that_is_too_noisy_has_a_range_and_one_that_contradicts_itself_nothing(
    paginated: tuple[float, ...], legacy: tuple[float, ...], told: str, made: Made
) -> None:
    cost = made(shapes=("plain", "real-legacy", "real-paginated"))
    cost = _rounds(_rounds(cost, "real-paginated", 200, {STEP: paginated}), "real-legacy", 200, {STEP: legacy})
    found = by_id(cost)["modes.step"]
    assert told in found.text
    assert "ms" not in found.values


def test_two_targets_whose_medians_contradict_their_ratio_are_not_compared(made: Made) -> None:
    cost = made(lambda *_: 100.0, lambda *_: 100.0, shapes=("plain",))
    first = (90.0, 95.0, 100.0, 105.0, 110.0)
    second = (115.0, 94.0, 112.0, 104.0, 108.0)  # less in most rounds, and yet with the larger median
    cost = _rederived(cost, [
        replace(c, samples=tuple(
            replace(s, ms=ms) for s, ms in zip(c.samples, second if c.target else first, strict=True)
        ))
        if (c.operation, c.size) == (STEP, 1000) else c
        for c in cost.cells
    ])  # fmt: skip
    found = by_id(cost, None)[f"compare.plain.{STEP}"]
    assert found.text == (
        "On 1,000 legacy turns a scroll step takes too noisy a time on either target to compare them."
    )
    assert found.noisy
    assert found.values == {}


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
    spoiled = _rounds(_rederived(replace(cost, threads=threads), older), "real-legacy", 200, {STEP: (10.0, 20.0, 15.0)})
    assert text_of(spoiled, "compare.modes") == (
        "On 200 real turns a scroll step takes too noisy a time on either target to compare them."
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
