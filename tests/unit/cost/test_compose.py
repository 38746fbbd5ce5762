"""The document: in every format, with the answers, and honest about what is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.cost.compose import document, headline
from hive_gate.cost.decisions import decided
from hive_gate.cost.derive import derived, noise
from hive_gate.cost.figures import figures
from hive_gate.cost.jsonfile import digest
from hive_gate.cost.model import Absent, Cost
from hive_gate.cost.operations import STEP
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.report.blocktext import to_text
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from hive_gate.report.note import Heading
from tests.unit.cost.conftest import linear, target

Made = Callable[..., Cost]


def said(cost: Cost) -> str:
    return "".join(map(str, headline(cost)))


@pytest.mark.parametrize("name", DOCUMENT_FORMATS)
def test_every_format_has_the_answers_and_the_way_back_to_the_data(name: str, steady: Cost) -> None:
    text = write_document(document(steady), name)
    assert "a scroll step costs 94 ms on 1,000 legacy turns" in text
    assert "3.9 times as large" in text
    assert name == "text" or digest(steady)[:16] in text


def test_each_operation_that_is_drawn_has_its_plot(steady: Cost) -> None:
    (unit,) = (unit for unit in document(steady).units if unit.kind == "plots")
    assert unit.blocks == tuple(figures(steady))
    page = write_document(document(steady), "html")
    assert page.count('<svg viewBox="0 0 920 430"') == len(unit.blocks) > 20
    assert "attachment:page-full-20.svg\n" in write_document(document(steady), "textile", 100_000)


def test_what_has_no_plot_has_no_section_of_plots(steady: Cost) -> None:
    alone = replace(steady, cells=tuple(c for c in steady.cells if c.size == 100))
    assert [unit for unit in document(alone).units if unit.kind == "plots"] == []


def test_the_headline_gives_the_step_of_each_target(made: Made) -> None:
    assert said(made(linear, lambda t, o: linear(t, o) / 2)) == (
        "codex 0.142.5: a scroll step costs 94 ms on 1,000 legacy turns and about 931 ms (extrapolated) on 10,000 "
        "legacy turns; codex 0.171.0: a scroll step costs 47 ms on 1,000 legacy turns and about 465 ms (extrapolated) "
        "on 10,000 legacy turns."
    )


def test_the_headline_says_how_a_step_is_known_that_was_not_measured(made: Made) -> None:
    told = said(made(sizes=(100, 200, 500, 2000)))
    assert "costs about 94 ms (interpolated) on 1,000 legacy turns and about 930 ms (extrapolated) on 10,000" in told
    assert "and 925 ms on 10,000 legacy turns." in said(made(sizes=(100, 1000, 10_000)))


def test_the_headline_says_that_a_step_was_measured_too_rarely_and_is_fitted(steady: Cost) -> None:
    cells = tuple(
        replace(c, samples=c.samples[:2]) if (c.operation, c.shape, c.size) == (STEP, "plain", 1000) else c
        for c in steady.cells
    )
    told = said(derived(steady.run, (None, None), steady.targets, steady.threads, cells, ()))
    assert "costs about 95 ms (fitted) on 1,000 legacy turns and about 936 ms (extrapolated) on 10,000" in told


def sections(cost: Cost) -> list[str]:
    return list(dict.fromkeys(unit.section for unit in document(cost).units if unit.section))


def test_answers_and_decisions_come_first_then_tables_then_plots(steady: Cost) -> None:
    cost = decided(steady, load_contract(DEFAULT_CONTRACT))
    assert sections(cost) == ["Answers", "Decisions", "Shapes", "Prices", "Plots", "Names"]
    assert document(cost).units[0].kind == "table of facts"


def test_of_two_targets_each_section_says_of_which_it_speaks(made: Made) -> None:
    one, two = ": codex 0.142.5", ": codex 0.171.0"
    assert sections(made(linear, linear)) == [
        f"Answers{one}", f"Answers{two}", "Side by side", f"Shapes{one}", f"Prices{one}", f"Shapes{two}",
        f"Prices{two}", "Plots", "Names",
    ]  # fmt: skip


def small_headings(cost: Cost) -> list[str]:
    return ["".join(map(str, b.line)) for u in document(cost).units for b in u.blocks if isinstance(b, Heading)]


def test_shapes_with_nothing_but_a_closed_table_stand_together(steady: Cost) -> None:
    assert small_headings(steady) == [
        "plain: more turns of six short answers", "real-legacy: more real turns, stored as legacy",
        "Shapes side by side",
    ]  # fmt: skip
    last = [unit.name for unit in document(steady).units if unit.section == "Shapes"][-4:]
    assert last == ["long-answers", "same-bytes", "many-items", "images"]


def test_a_shape_without_others_to_compare_has_its_heading(made: Made) -> None:
    assert small_headings(made(shapes=("images", "real-legacy"))) == [
        "real-legacy: more real turns, stored as legacy", "Other shapes"
    ]  # fmt: skip
    assert small_headings(made(shapes=("plain",))) == ["plain: more turns of six short answers"]


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({}, None),
        ({"complete": False}, "PARTIAL: its time was up before everything was done often enough; it speaks of the "),
        (
            {"complete": False, "interrupted": True, "problem": "interrupted by SIGINT"},
            "PARTIAL: interrupted by SIGINT; ",
        ),
    ],
)
def test_a_run_that_is_not_whole_says_so_first(members: dict[str, object], told: str | None, made: Made) -> None:
    assert ("PARTIAL" in said(made(**members))) is (told is not None)
    assert (told or "") in said(made(**members))


def test_where_no_step_was_told_the_headline_gives_no_number(made: Made) -> None:
    assert said(made(shapes=("real-legacy",))) == "codex 0.142.5: no scroll step was told."


def test_what_is_too_noisy_stands_as_a_range(steady: Cost) -> None:
    factors = (0.5, 2.0, 1.0, 0.6, 1.9)
    cells = tuple(
        replace(c, samples=tuple(replace(s, ms=s.ms * f) for s, f in zip(c.samples, factors, strict=True)))
        if (c.operation, c.shape, c.size) == ("page/full/20", "plain", 2000)
        else c
        for c in steady.cells
    )
    text = to_text(document(derived(steady.run, (None, None), steady.targets, steady.threads, cells, ())), 100)
    row = next(line for line in text.splitlines() if line.strip().startswith("page/full/20 ") and "ms" in line)
    assert row.split()[-2:] == ["113-351", "ms"]
    assert f"1 of {len(cells)} measurements vary too much" in text
    assert "unknown before, unknown after" in text


def test_what_is_missing_is_told_with_its_reason(made: Made) -> None:
    cost = made(absent=(Absent(0, "real-paginated", "the target starts no paginated threads"),), complete=False)
    first, second, *rest = cost.cells
    first = replace(first, samples=(), missing="refused: -32601 no")
    second = replace(second, samples=second.samples[:2], missing="2 of 5 repeats: the time was up")
    text = to_text(document(replace(cost, cells=(first, second, *rest))), 200)
    assert "real-paginated: the target starts no paginated threads" in text
    assert f"{first.operation} on {first.shape}, {first.size}: refused: -32601 no" in text
    assert "measurements have fewer than 5 repeats" in text


def test_the_brief_form_is_the_answers_without_the_bulk(steady: Cost) -> None:
    brief, whole = (to_text(document(steady, brief=flag), 80) for flag in (True, False))
    assert "One scroll step" in brief
    assert "Peak memory of the server in MB" not in brief
    assert len(brief) < len(whole) / 2
    assert max(map(len, brief.splitlines())) <= 80


def test_a_name_from_outside_cannot_leave_its_place(made: Made) -> None:
    cost = made(targets=(target(None, spec="x\x1b[31m|@all <script>" + "y" * 500),))
    for name in DOCUMENT_FORMATS:
        text = write_document(document(cost), name)
        assert "\x1b" not in text
        assert "y" * 200 not in text


def test_drift_is_the_last_round_over_the_first(steady: Cost) -> None:
    slower = [
        replace(c, samples=tuple(replace(s, control_ms=2.0 + s.round * 0.5) for s in c.samples)) for c in steady.cells
    ]
    found = noise(slower, (1.0, None))
    assert found.drift == 2.0
    assert (found.control_low, found.control_ms, found.control_high) == (2.0, 3.0, 4.0)
    assert noise([], (None, None)).cells == 0
