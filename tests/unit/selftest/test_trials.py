"""Which trials there are, which are chosen, and how a run of one comes back from its process."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.errors import UsageError
from hive_gate.selftest.outcome import Outcome, from_json, to_json
from hive_gate.selftest.trial import Trial, all_trials, chosen, command, named
from tools import make_selftest_page


def names(trials: tuple[Trial, ...]) -> list[str]:
    return [trial.name for trial in trials]


def test_a_glob_chooses_by_name() -> None:
    assert names(chosen(all_trials(), ("name-with*", "rollback-renamed"))) == [
        "name-without-foreign-script",
        "rollback-renamed",
    ]


def test_a_fault_that_pretends_brings_its_pretense_along() -> None:
    found = names(chosen(all_trials(), ("paginated-loses-a-turn",)))
    assert found == ["knows-paginated", "paginated-loses-a-turn"]


def test_a_glob_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no fault 'no-such-\\*'"):
        chosen(all_trials(), ("name-cut", "no-such-*"))


def test_a_fault_stands_where_it_says() -> None:
    by_name = {trial.name: trial for trial in all_trials()}
    server = ("codex", "app-server")
    assert command(by_name["name-cut"], server)[-5:] == ("--fault", "name-cut", "--", *server)
    inside = next(trial for trial in by_name.values() if trial.kind == "reference")
    assert command(inside, server) == (*server, "--fault", inside.name.removeprefix("reference:"))
    assert command(by_name["rollback-renamed"], server) == server


def test_an_outcome_survives_the_way_between_processes(made: Callable[..., Outcome]) -> None:
    outcome = made(("read.unknown-thread", "error", "/error"), ("turns-list.unknown-thread", "result", None))
    assert from_json(json.loads(json.dumps(to_json(outcome)))) == outcome


def test_the_pages_of_the_docs_are_what_the_registries_say() -> None:
    assert [path.name for path in make_selftest_page.PAGES] == ["selftest.md", "selftest-next.md"]
    for path, contract in make_selftest_page.PAGES.items():
        text = path.read_text("utf-8")
        assert text == make_selftest_page.text(contract)
        assert "| none |" not in text


def test_a_page_speaks_only_of_what_concerns_its_contract() -> None:
    now, following = (path.read_text("utf-8") for path in make_selftest_page.PAGES)
    assert "`revert-one-too-many`" not in now
    assert "`rollback-one-too-many`" not in following
    assert "paged-turns." not in now
    assert "`reference:" not in following


def test_every_clause_that_a_fault_names_is_in_a_contract_that_ships() -> None:
    contracts = [load_contract(path) for path in make_selftest_page.PAGES.values()]
    globs = {
        glob
        for trial in all_trials()
        for glob in (*(notice.clause for notice in trial.noticed), *trial.beside, *trial.holds)
    }
    assert sorted(glob for glob in globs if not any(named(contract, glob) for contract in contracts)) == []
