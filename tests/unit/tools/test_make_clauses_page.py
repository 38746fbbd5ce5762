"""The clause pages: every clause is listed once, links lead somewhere, and an entry says all there is to say."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from tests.unit.matrix.sheets import CONTRACT, matrix, sheet
from tools.make_clauses_page import CONTRACTS, Book, pages
from tools.matrix_evidence import ROOT, Evidence, questions
from tools.mdtext import slug
from tools.renewing import renewed

VERSIONS = ("0.142.5", "0.143.0")


def fares(clause: str) -> str:
    """Return how a clause of the faked runs fares, a letter for each of `VERSIONS`."""
    return {"turns-list.view/full": "pF", "rollback.last/1": "p-", "rollback.last/3": "p-"}.get(clause, "pp")


@pytest.fixture(scope="module")
def runs() -> Evidence:
    """Runs of both contracts that never ran."""
    made = []
    asked = {}
    for path in CONTRACTS.values():
        contract = load_contract(path)
        of = replace(CONTRACT, name=contract.name, sha256=contract.sha256)
        drawn = {clause.id: fares(clause.id) for clause in contract.clauses}
        asked[contract.name] = questions(contract)
        made.append(sheet(VERSIONS, drawn, contract=of, suites=dict(contract.suites)))
    return Evidence(matrix(*made), asked)


@pytest.fixture(scope="module")
def books(runs: Evidence) -> dict[str, Book]:
    return {name: Book.of(name, path, runs) for name, path in CONTRACTS.items()}


@pytest.fixture(scope="module")
def made(books: dict[str, Book]) -> dict[Path, str]:
    return {path: text for book in books.values() for path, text in pages(book).items()}


def entry(made: dict[Path, str], page: str, ident: str) -> str:
    """Return the entry of a clause."""
    (found,) = re.findall(rf"(?ms)^## {re.escape(ident)}\n(.*?)(?=^## |\Z)", made[Path(page)])
    return str(found)


@pytest.mark.parametrize(("name", "path"), [("clauses", DEFAULT_CONTRACT), ("clauses-next", NEXT_CONTRACT)])
def test_the_index_lists_each_entry_on_one_line_and_leads_to_it(name: str, path: Path, made: dict[Path, str]) -> None:
    book_entries = {
        heading
        for page, text in made.items()
        if page.parent == Path(name)
        for heading in re.findall(r"(?m)^## (\S+)$", text)
    }
    listed = re.findall(r"(?m)^\| \[`[^`]+`\]\(([^)#]+)#([^)]+)\)", made[Path(f"{name}.md")])
    assert len(listed) == len(set(listed)) == len(book_entries) > 50
    for page, anchor in listed:
        assert anchor in map(slug, re.findall(r"(?m)^## (.*)$", made[Path(page)]))


def test_every_clause_that_stands_in_a_contract_has_an_entry(books: dict[str, Book], made: dict[Path, str]) -> None:
    for name, book in books.items():
        for clause in book.contract.clauses:
            assert clause.promise in entry(made, f"{name}/{clause.suite}.md", clause.id.partition("/")[0])


def test_links_to_the_selftest_lead_to_the_part_of_the_suite(made: dict[Path, str]) -> None:
    links = {found for text in made.values() for found in re.findall(r"\(\.\./(selftest[^)]*)#([^)]*)\)", text)}
    assert len(links) > 20
    for page, anchor in links:
        headings = re.findall(r"(?m)^### (.*)$", (ROOT / "docs" / page).read_text("utf-8"))
        assert anchor in map(slug, headings), page


def test_an_entry_says_why_on_which_versions_which_faults_and_how(made: dict[Path, str]) -> None:
    told = entry(made, "clauses/rollback.md", "rollback.last")
    assert "- **Why:** After an undo the screen shows what the model still knows.\n" in told
    assert "- **Versions:** passes on 0.142.5; not offered on 0.143.0\n" in told
    assert "`rollback-one-too-many`" in told
    assert "([selftest, clause by clause](../selftest.md#threadrollback))" in told
    assert "**Scene:** `named`, copies of the scene's threads for itself. **Needs:** `method:thread/rollback`." in told
    assert "**Over** `${turns}`: `1`, `3`\n" in told
    assert '2. Call `thread/rollback`, with `{"threadId": "${main}", "numTurns": "${turns}"}`.\n' in told


def test_of_an_entry_that_has_changed_since_it_was_tried_nothing_is_said(runs: Evidence) -> None:
    name = load_contract(DEFAULT_CONTRACT).name
    asked = {**runs.questions, name: {**runs.questions[name], "turns-list.view/full": "another"}}
    told = pages(Book.of("clauses", DEFAULT_CONTRACT, Evidence(runs.matrix, asked)))
    assert "**Versions:** not tried since it was written or changed\n" in entry(
        told, "clauses/turns-list.md", "turns-list.view"
    )
    assert "not tried" not in entry(told, "clauses/turns-list.md", "turns-list.page")
    assert re.search(r"(?m)^\| \[`view`\].*\| not tried \|$", told[Path("clauses.md")])


def test_values_of_an_axis_are_a_table_whose_columns_are_called_as_the_steps_call_them(made: dict[Path, str]) -> None:
    told = entry(made, "clauses/turns-list.md", "turns-list.refuses")
    assert "| `bad` | `${bad.message}` | `${bad.params}` |" in told
    assert '| `no-thread-id` | ``"missing field `threadId`"`` | `{}` |' in told


def test_the_next_contract_links_to_its_own_selftest_and_marks_what_it_overrides(made: dict[Path, str]) -> None:
    told = entry(made, "clauses-next/handshake.md", "handshake.without-capability")
    assert "(../selftest-next.md#handshake-and-wire)" in told
    assert "**Overrides** the clause of the same name." in told
    assert "## Left out" in made[Path("clauses-next.md")]
    assert "**Overrides**" not in "".join(text for path, text in made.items() if path.parts[0] == "clauses")


def test_a_page_that_differs_and_one_that_is_made_no_more_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {Path("a.md"): "a\n", Path("a", "b.md"): "b\n"}
    assert renewed(wanted, tmp_path, ("a",), check=False) == 0
    assert renewed(wanted, tmp_path, ("a",), check=True) == 0
    (tmp_path / "a" / "b.md").write_text("other\n")
    (tmp_path / "a" / "old.md").write_text("old\n")
    assert renewed(wanted, tmp_path, ("a",), check=True) == 1
    told = capsys.readouterr().err
    assert "docs/a/b.md is not as it would be made" in told
    assert "docs/a/old.md is made no more" in told
    assert renewed(wanted, tmp_path, ("a",), check=False) == 0
    assert renewed(wanted, tmp_path, ("a",), check=True) == 0
    assert not (tmp_path / "a" / "old.md").exists()
