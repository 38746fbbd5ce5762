"""What a measurement says to decisions: the shipped ones rest on numbers that the committed runs have."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract, Measured, Statement
from hive_gate.cost import words
from hive_gate.cost.compose import document, headline
from hive_gate.cost.decisions import contradicted, decided, measurement_of
from hive_gate.cost.derive import told_again
from hive_gate.cost.jsonfile import digest, from_json, read_cost, to_json
from hive_gate.cost.known import numbers_of
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cost
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import UsageError
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from tests.unit.cost.conftest import build, linear, target

CONTRACT = load_contract(DEFAULT_CONTRACT)
NEXT = load_contract(NEXT_CONTRACT)
EVIDENCE = Path(__file__).parents[3] / "reports" / "evidence"
COST = Path("cost.json")

SHIPPED = [
    pytest.param(contract, run, index, id=f"{contract.name} on {run}")
    for contract, run, index in (
        (CONTRACT, "cost-0.142.5", 0),
        (CONTRACT, "cost-0.142.5-10000-turns", 0),
        (NEXT, "cost-0.142.5-and-0.171.0", 1),
    )
]


@pytest.mark.parametrize(("contract", "run", "index"), SHIPPED)
def test_each_number_that_the_shipped_contract_names_is_in_the_committed_run_and_supports_it(
    contract: Contract, run: str, index: int
) -> None:
    measured = decided(read_cost(EVIDENCE / run / "cost.json"), contract)
    found = [each for each in measured.decisions if each.target == index]
    assert {each.id for each in found} == {
        each.id for each in (*contract.decisions, *contract.constraints) if each.measured
    }
    assert [claim for each in found for claim in each.measured if claim.support != "supported"] == []


@pytest.mark.parametrize("path", sorted(EVIDENCE.glob("cost-*/cost.json")), ids=lambda path: path.parent.name)
def test_each_committed_run_can_be_told_again(path: Path) -> None:
    assert read_cost(path).sentences


@pytest.mark.parametrize("path", [DEFAULT_CONTRACT, NEXT_CONTRACT])
def test_the_shipped_contracts_name_only_what_can_be_measured(path: Path) -> None:
    assert load_contract(path, numbers_of).decisions


def resting_on(*measured: Measured, constraint: bool = False) -> Contract:
    """A contract with one statement, which rests on these numbers."""
    made = Statement("pace", "Be slow.", "#1", "decided", (), "docs/decisions/0009-pace.md", measured)
    return replace(CONTRACT, constraints=(made,) if constraint else (), decisions=() if constraint else (made,))


def ratio(measurement: str = "full", limit: float = 1.3) -> Measured:
    return Measured(measurement, "ms.ratio", "at-most", limit, f"{measurement} is quick")


@pytest.mark.parametrize(
    ("measured", "support"),
    [
        ((ratio(), ratio("deep")), "supported"),
        ((ratio(), ratio("deep", 0.5)), "contradicted"),
        ((ratio(), ratio("modes.step")), "not-told"),
        ((ratio("restore.3000"), ratio("deep", 0.5)), "contradicted"),
    ],
)
def test_a_decision_is_supported_contradicted_or_not_told(
    measured: tuple[Measured, ...], support: str, steady: Cost
) -> None:
    (found,) = decided(steady, resting_on(*measured)).decisions
    assert (found.id, found.kind, found.target, found.support) == ("pace", "decision", 0, support)
    assert found.record == "docs/decisions/0009-pace.md"


def test_a_number_that_is_too_noisy_is_not_told(steady: Cost) -> None:
    noisy = tuple(replace(s, noisy=True, values={}) if s.id == "full" else s for s in steady.sentences)
    (found,) = decided(replace(steady, sentences=noisy), resting_on(ratio())).decisions
    assert [claim.why for claim in found.measured] == ["no steady number"]


def test_an_exponent_that_is_too_noisy_is_no_number() -> None:
    jumpy = {100: 10.0, 200: 90.0, 500: 20.0, 1000: 300.0, 2000: 60.0}

    def wild(thread: Any, operation: str) -> float:
        return jumpy.get(thread.size, 5.0) if operation == "page/full/20" else linear(thread, operation)

    growth = next(s for s in build(wild, shapes=("plain",)).sentences if s.id == "growth.plain")
    assert not growth.noisy
    assert set(growth.values) == {"notLoaded", "summary", "bytes"}


def test_bytes_are_told_where_no_exponent_is() -> None:
    jumpy = {100: 10.0, 200: 90.0, 500: 20.0, 1000: 300.0, 2000: 60.0}
    cost = build(lambda thread, _: jumpy.get(thread.size, 5.0), shapes=("plain",))
    growth = next(s for s in cost.sentences if s.id == "growth.plain")
    assert growth.noisy
    assert set(growth.values) == {"bytes"}


def test_what_rests_on_no_number_is_not_spoken_of(steady: Cost) -> None:
    assert decided(steady, resting_on()).decisions == ()


def test_a_constraint_is_judged_as_a_decision_is(steady: Cost) -> None:
    (found,) = decided(steady, resting_on(ratio(), constraint=True)).decisions
    assert (found.kind, found.support) == ("constraint", "supported")


def test_of_two_targets_each_is_judged_by_its_own_numbers() -> None:
    def slow(thread: Any, operation: str) -> float:
        return linear(thread, operation) * (2 if operation == "page/full/20" else 1)

    cost = decided(build(linear, slow, shapes=("plain",)), resting_on(ratio()))
    assert [(each.target, each.support) for each in cost.decisions] == [(0, "supported"), (1, "contradicted")]
    assert list(contradicted(cost)) == ["pace on codex 0.171.0: full is quick (full, ms.ratio: 2.5, at most 1.3)"]


def test_to_be_told_again_by_another_contract_is_to_be_judged_by_it(steady: Cost) -> None:
    once = decided(steady, resting_on(ratio("deep", 0.5)))
    assert decided(once, resting_on(ratio())) == decided(steady, resting_on(ratio()))


@pytest.mark.parametrize("name", DOCUMENT_FORMATS)
def test_every_format_has_the_decisions_with_record_number_and_bound(name: str, steady: Cost) -> None:
    cost = decided(steady, resting_on(ratio(), ratio("deep", 0.5), ratio("modes.step")))
    for brief in (True, False):
        text = " ".join(write_document(document(cost, brief=brief), name).split())
        assert "Decisions" in text  # with one target no heading names it
        for part in (
            "docs/decisions/0009-pace.md", "deep, ms.ratio: 1, at most 0.5", "full, ms.ratio: 1.25, at most 1.3",
            "modes.step, ms.ratio: not measured, at most 1.3",
        ):  # fmt: skip
            assert part in text
        assert text.index("Contradicted") < text.index("Not told") < text.rindex("Supported")


def test_a_measurement_without_decisions_has_no_such_section(steady: Cost) -> None:
    assert "Decisions" not in write_document(document(steady), "text")


def test_they_come_back_from_the_file_and_a_file_without_them_can_be_read(steady: Cost) -> None:
    cost = decided(steady, CONTRACT)
    obj = to_json(cost)
    assert from_json(obj) == cost
    del obj["decisions"]
    assert from_json(obj) == steady


def test_of_a_measured_program_its_numbers_are_taken(steady: Cost) -> None:
    found = measurement_of(steady, target(), COST)
    assert (found.run, found.started, found.sha256) == (steady.run.id, steady.run.started, digest(steady))
    assert found.values["full"] == next(s.values for s in steady.sentences if s.id == "full")
    assert {name.partition(".")[0] for name in found.values} >= {"growth", "step", "restore", "memory"}


def test_of_two_targets_those_of_the_same_program_are_taken() -> None:
    cost = build(linear, lambda t, o: linear(t, o) / 2, targets=(target(sha256="aa" * 32), target("0.171.0")))
    mine = measurement_of(cost, target("0.171.0"), COST)
    assert mine.values["step.1000"]["ms"] == pytest.approx(47, rel=0.03)


@pytest.mark.parametrize(
    "probed",
    [
        target(path="/elsewhere", spec="path"),
        target("0.142.5-dev", sha256="ab" * 32),
        target(sha256="cd" * 32, platform="darwin-arm64"),
        target(sha256=None),
    ],
)
def test_the_same_program_is_known_by_its_hash_or_on_another_platform_by_its_version(probed: Any, steady: Cost) -> None:
    assert measurement_of(steady, probed, COST).run == steady.run.id


@pytest.mark.parametrize(
    ("probed", "pointer", "told"),
    [
        (
            target("0.143.0", sha256="cd" * 32),
            "/targets/0/version",
            "of codex 0.143.0, and the measurement is of codex",
        ),
        (target(sha256="cd" * 32), "/targets/0/sha256", "of codex 0.142.5, and the measurement is of another build of"),
        (target(None, sha256=None), "/targets/0/version", "of codex path, and the measurement is of codex 0.142.5"),
        (target(sha256=None, kind="command", spec="reference"), "/targets/0/version", "The probe is of reference"),
    ],
)
def test_another_program_is_refused_with_a_pointer(probed: Any, pointer: str, told: str, steady: Cost) -> None:
    with pytest.raises(UsageError) as caught:
        measurement_of(steady, probed, COST)
    assert caught.value.where == f"cost.json#{pointer}"
    assert told in caught.value.message
    assert caught.value.hint == f"measure what is probed: hive-gate cost --codex {probed.spec}"


DOCS = Path(__file__).parents[3] / "docs"


def told(run: str, index: int, name: str) -> dict[str, float]:
    """Return the numbers of an answer in a committed run."""
    cost = read_cost(EVIDENCE / run / "cost.json")
    return next(dict(s.values) for s in cost.sentences if (s.target, s.id) == (index, name))


@pytest.mark.parametrize("path", sorted(EVIDENCE.glob("cost-*/cost.json")), ids=lambda path: path.parent.name)
def test_each_committed_run_says_what_its_samples_say_by_the_rules_of_today(path: Path) -> None:
    kept = read_cost(path)
    again = told_again(kept)
    assert (again.sentences, again.fits, again.prices) == (kept.sentences, kept.fits, kept.prices)
    assert str(headline(kept)[0]).strip() in (path.parent / "cost.md").read_text(encoding="utf-8")


def test_the_page_on_scrolling_has_the_pace_and_the_walks_of_the_committed_runs() -> None:
    page = (DOCS / "decisions" / "0005-scroll-control.md").read_text(encoding="utf-8")
    short, long = (told("cost-0.142.5", 0, "interval"), told("cost-0.142.5-10000-turns", 0, "interval"))
    pace = f"{words.milliseconds(short['ms.1000'])} between two steps on 1,000 legacy turns"
    assert f"{pace}, {words.milliseconds(long['ms.10000'])} on 10,000." in page
    walk = words.milliseconds(told("cost-0.142.5", 0, "walk.1000")["ms"])
    assert f"{walk} in pages of 20 (added up), 10 minutes for 10,000 turns" in page
    assert words.milliseconds(told("cost-0.142.5-10000-turns", 0, "walk.10000")["ms"]) == "10 min"


def test_so_does_the_page_on_costs() -> None:
    (row,) = (
        line
        for line in (DOCS / "cost.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| a whole walk")
    )
    for cell, (run, index) in zip(
        row.split("|")[2:4], (("cost-0.142.5", 0), ("cost-0.142.5-and-0.171.0", 1)), strict=True
    ):
        cost = read_cost(EVIDENCE / run / "cost.json")
        text = next(s.text for s in cost.sentences if (s.target, s.id) == (index, "walk.1000"))
        assert f": about {cell.strip()} (added up, not measured)" in text


def test_the_page_size_is_said_to_be_free_on_legacy_threads_only() -> None:
    page = (DOCS / "decisions" / "0005-scroll-control.md").read_text(encoding="utf-8")
    cost = read_cost(EVIDENCE / "cost-0.142.5-and-0.171.0" / "cost.json")
    look = Look(1, cost.threads, cost.cells, cost.fits)
    cells = [look.steady("real-paginated", 200, f"page/full/{limit}") for limit in (1, 20, 100)]
    one, twenty, hundred = (words.milliseconds(statistics.median(s.ms for s in c.samples)) for c in cells if c)
    assert f"takes {one} with a limit of 1, {twenty} with 20 and {hundred} with 100" in page
    (row,) = (line for line in page.splitlines() if line.startswith("| page size |"))
    assert "on legacy threads it changes the bytes and not the time" in row
    assert f"(1, 20 and 100 turns take {one.split()[0]}, {twenty.split()[0]} and {hundred})" in row
