"""What counts as noticed, and what as proven."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hive_gate.contract.model import Contract
from hive_gate.faults.fault import Notice
from hive_gate.selftest import account
from hive_gate.selftest.outcome import Outcome, failed_run
from hive_gate.selftest.trial import Trial

READ, LIST, ADVICE = "read.unknown-thread", "turns-list.unknown-thread", "schema.items-list-offered"

Ran = Callable[..., Outcome]
Broken = Callable[..., Trial]


def test_a_clause_that_fails_by_the_named_check_has_noticed_it(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), made((READ, "error", "/error")))
    assert (row.noticed, row.missed) == ({READ: ("error",)}, ())


@pytest.mark.parametrize(
    ("check", "pointer", "said"),
    [("answer", None, "answer at no place"), ("error", "/other", "error at /other")],
    ids=["another check", "another place"],
)
def test_a_clause_that_fails_for_another_reason_has_not(
    check: str, pointer: str | None, said: str, contract: Contract, made: Ran, fault: Broken
) -> None:
    row = account.row(contract, fault(Notice(READ, "error", "/error")), made(), made((READ, check, pointer)))
    assert row.noticed == {}
    assert row.missed == (f"{READ} should fail by error at /error: fail, {said}: it is not",)


def test_a_clause_that_passes_has_not(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), made())
    assert not row.good
    assert row.missed[0].startswith(f"{READ} should fail by error at any place: pass")


def test_each_clause_that_is_named_has_to_notice_it(contract: Contract, made: Ran, fault: Broken) -> None:
    broken = fault(Notice(READ, "error"), Notice(LIST, "error"))
    row = account.row(contract, broken, made(), made((READ, "error", None)))
    assert row.noticed == {READ: ("error",)}
    assert len(row.missed) == 1
    assert row.missed[0].startswith(LIST)


def test_an_advisory_clause_notices_by_a_warning(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(ADVICE, "offered")), made(), made((ADVICE, "offered", None)))
    assert row.good
    assert row.noticed == {ADVICE: ("offered",)}


def test_a_trial_is_about_the_clauses_that_have_to_notice_it_and_those_that_may(
    contract: Contract, fault: Broken
) -> None:
    one, other = fault(Notice("turns-list.*", "error")), replace(fault(Notice("no.such", "error")), beside=(READ,))
    order = [clause.id for clause in contract.clauses if clause.id in (READ, LIST)]
    assert account.concerned(contract, [other]) == (READ,)
    assert account.concerned(contract, [other, one]) == tuple(order)
    assert account.concerned(contract, [fault(Notice("no.such", "error"))]) == ()


def test_a_clause_that_failed_beside_is_told(contract: Contract, made: Ran, fault: Broken) -> None:
    outcome = made((READ, "error", None), (LIST, "result", None))
    assert account.row(contract, fault(Notice(READ, "error")), made(), outcome).also == (LIST,)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"problem": "it died"}, "the target could not be judged: it died"),
        ({"ends": (("eof", 0), ("died", 70))}, "a server did not end as it should: died, exit code 70"),
    ],
    ids=["problem", "end"],
)
def test_nothing_is_proven_by_a_server_that_broke(
    change: dict[str, object], said: str, contract: Contract, made: Ran, fault: Broken
) -> None:
    outcome = replace(made((READ, "error", None)), **change)  # type: ignore[arg-type]
    row = account.row(contract, fault(Notice(READ, "error")), made(), outcome)
    assert (row.noticed, row.missed) == ({}, (said,))


def test_a_trial_that_could_not_be_run_is_not_noticed(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), failed_run("no such file"))
    assert row.missed == ("it could not be tried: no such file",)


def test_a_notice_of_a_clause_of_another_contract_says_nothing(contract: Contract, made: Ran, fault: Broken) -> None:
    broken = fault(Notice("read.nothing", "error"), Notice(READ, "error"))
    assert account.asked(contract, broken, made()) == (READ,)
    assert account.row(contract, broken, made(), made((READ, "error", None))).good
    elsewhere = fault(Notice("read.nothing", "error"))
    assert not account.applies(contract, elsewhere, made(), is_reference=True)
    assert not account.applies(contract, replace(elsewhere, pretends="x"), made(), is_reference=True)


def test_a_clause_of_the_contract_that_every_fault_leaves_alone_is_not_proven(
    contract: Contract, made: Ran, fault: Broken
) -> None:
    elsewhere = fault(Notice("read.nothing", "error"))
    table = account.table(contract, "codex", made(), [], [elsewhere])
    assert set(table.unproven) == {READ, LIST, ADVICE}


def test_a_clause_that_fails_without_a_fault_is_not_asked(contract: Contract, made: Ran, fault: Broken) -> None:
    clean = made((ADVICE, "offered", None))
    broken = fault(Notice(ADVICE, "offered"), Notice(READ, "error"))
    assert account.asked(contract, broken, clean) == (READ,)
    assert account.row(contract, broken, clean, made((READ, "error", None))).good


def test_a_trial_of_which_no_clause_is_offered_does_not_apply(contract: Contract, made: Ran, fault: Broken) -> None:
    clean = made(read="not-offered")
    assert not account.applies(contract, fault(Notice(READ, "error")), clean, is_reference=True)
    assert account.applies(contract, fault(Notice(LIST, "error")), clean, is_reference=False)


def test_a_fault_inside_the_reference_applies_nowhere_else(contract: Contract, made: Ran, fault: Broken) -> None:
    inside = replace(fault(Notice(READ, "error")), kind="reference", only_reference=True)
    assert account.applies(contract, inside, made(), is_reference=True)
    assert not account.applies(contract, inside, made(), is_reference=False)


def test_what_a_target_lacks_is_asked_of_one_that_pretends(contract: Contract, made: Ran, fault: Broken) -> None:
    clean = made(read="not-offered")
    broken = replace(fault(Notice(READ, "error")), pretends="a pretense")
    assert account.applies(contract, broken, clean, is_reference=False)
    assert account.asked(contract, broken, clean) == (READ,)
    assert not account.row(contract, broken, clean, clean).good


def test_a_pretense_has_to_hold(contract: Contract, made: Ran) -> None:
    pretense = Trial("pretends", "pretense", "It says so.", (), holds=(READ,))
    clean = made(read="not-offered")
    assert account.asked(contract, pretense, clean) == (READ,)
    assert account.row(contract, pretense, clean, made()).good
    missed = account.row(contract, pretense, clean, made(read="not-offered")).missed
    assert missed[0].startswith(f"{READ} should pass: not-offered")


def test_a_clause_that_no_fault_makes_fail_is_not_proven(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), made((READ, "error", None)))
    table = account.table(contract, "codex", made(), [row], [])
    assert {each.id: each.failed_by for each in table.clauses} == {READ: ("broken",), LIST: (), ADVICE: ()}
    assert set(table.unproven) == {LIST, ADVICE}
    assert not table.good


def test_all_is_proven_where_each_clause_that_passes_was_made_to_fail(
    contract: Contract, made: Ran, fault: Broken
) -> None:
    clean = made((ADVICE, "offered", None), read="not-offered")
    row = account.row(contract, fault(Notice(LIST, "error")), clean, made((LIST, "error", None)))
    table = account.table(contract, "codex", clean, [row], [])
    assert (table.unproven, table.unnoticed, table.good) == ((), (), True)


def test_one_missed_notice_is_enough_to_fail_the_whole(contract: Contract, made: Ran, fault: Broken) -> None:
    clean = made(turns_list="not-offered", schema="not-offered")
    rows = [
        account.row(contract, fault(Notice(READ, "error")), clean, made((READ, "error", None))),
        account.row(contract, fault(Notice(READ, "result"), name="other"), clean, made((READ, "error", None))),
    ]
    table = account.table(contract, "codex", clean, rows, [])
    assert table.unproven == ()
    assert [row.trial.name for row in table.unnoticed] == ["other"]
    assert not table.good


def test_of_a_part_only_the_faults_count(contract: Contract, made: Ran, fault: Broken) -> None:
    row = account.row(contract, fault(Notice(READ, "error")), made(), made((READ, "error", None)))
    assert account.table(contract, "codex", made(), [row], [], partial=True).good


def test_nothing_is_proven_where_the_gate_is_closed_without_a_fault(contract: Contract, made: Ran) -> None:
    table = account.table(contract, "codex", made((READ, "error", None)), [], [], partial=True)
    assert not table.good
