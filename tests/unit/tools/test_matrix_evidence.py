"""The matrix in evidence: kept without paths of the machine, and refused for another text of the contract."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import UsageError
from hive_gate.matrix.jsonfile import read_matrix, write_matrix
from hive_gate.matrix.model import Baseline, Cell, Matrix
from tests.unit.matrix.sheets import matrix, sample, sheet
from tools import make_clauses_page, make_version_map, matrix_evidence
from tools.matrix_evidence import Evidence

MAKEFILE = matrix_evidence.ROOT / "Makefile"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the matrix is kept, instead of in the tree."""
    path = tmp_path / "evidence" / "matrix.json"
    monkeypatch.setattr(matrix_evidence, "MATRIX", path)
    return path


def with_paths() -> Matrix:
    made = sheet(("0.142.5", "0.143.0"), {"read.all": "pF", "read.some": "pp"})
    row = replace(
        made.rows[0], cells=(made.rows[0].cells[0], Cell("fail", "no file /tmp/x1/auth.json", "a" * 12, None))
    )
    baseline = Baseline("/home/kim/hive/baseline.toml", "cd" * 32)
    return matrix(replace(made, baseline=baseline, rows=(row, made.rows[1])))


def test_what_is_kept_names_no_path_of_the_machine_and_no_report_that_is_not_there(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix_evidence, "CONTRACTS", ())
    write_matrix(with_paths(), tmp_path / "matrix.json")
    assert matrix_evidence.main([str(tmp_path / "matrix.json")]) == 0
    text = kept.read_text("utf-8")
    assert "/home" not in text
    assert "/tmp" not in text
    (made,) = read_matrix(kept).sheets
    assert made.baseline == Baseline("…/baseline.toml", "cd" * 32)
    assert made.rows[0].cells[1] == Cell("fail", "no file …/auth.json", "a" * 12, None)
    assert [column.report for column in made.columns] == [None, None]
    assert made.rows[1] == with_paths().sheets[0].rows[1]


def test_what_is_no_matrix_is_not_kept(tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "matrix.json").write_text("{}")
    assert matrix_evidence.main([str(tmp_path / "matrix.json")]) == 2
    assert "This is not a whole matrix.json of hive-gate" in capsys.readouterr().err
    assert not kept.exists()


def test_a_matrix_with_a_version_that_was_not_judged_is_not_kept(
    tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_matrix(sample(), tmp_path / "matrix.json")
    assert matrix_evidence.main([str(tmp_path / "matrix.json")]) == 2
    assert "codex 0.142.2 was not judged by hive 1.0.0: There is no such program." in capsys.readouterr().err
    assert not kept.exists()


def test_a_matrix_of_another_text_of_the_contracts_is_not_kept(
    tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_matrix(with_paths(), tmp_path / "matrix.json")
    assert matrix_evidence.main([str(tmp_path / "matrix.json")]) == 2
    told = capsys.readouterr().err
    assert "The matrix was not made with hive-app-server 1.0.0 as it stands now." in told
    assert "run `make evidence-matrix`" in told
    assert not kept.exists()


def test_a_clause_that_asks_something_else_or_is_new_was_not_tried() -> None:
    contract = load_contract(DEFAULT_CONTRACT)
    first, second, *others = contract.clauses
    asked = {contract.name: matrix_evidence.questions(replace(contract, clauses=(first, second)))}
    tried = Evidence(sample(), asked)
    assert tried.untried(contract) == {clause.id for clause in others}

    other_words = replace(first, why="For another reason.", promise="It is.", source="elsewhere", remedy="Nothing.")
    other_steps = replace(second, steps=second.steps * 2)
    assert tried.untried(replace(contract, clauses=(other_words, other_steps))) == {second.id}
    other_scene = {**contract.scenes, first.scene: {"threads": {}}}
    assert first.id in tried.untried(replace(contract, clauses=(first,), scenes=other_scene))
    assert Evidence(sample(), {}).untried(replace(contract, clauses=(first,))) == {first.id}


def test_a_contract_that_is_not_in_the_matrix_is_refused_with_the_command_that_renews_it() -> None:
    contract = load_contract(DEFAULT_CONTRACT)
    made = sample().sheets[0]
    mine = replace(made, contract=replace(made.contract, name=contract.name))
    assert Evidence(matrix(made, mine), {}).sheet_of(contract) is mine
    with pytest.raises(UsageError) as caught:
        Evidence(matrix(made), {}).sheet_of(contract)
    told = caught.value.diagnostics()
    assert "The matrix in evidence is of other contracts than hive-app-server." in told
    assert "run `make evidence-matrix`" in told


@pytest.mark.parametrize("argv", [[], ["--check"]], ids=["write", "check"])
@pytest.mark.parametrize("tool", [make_clauses_page, make_version_map], ids=lambda tool: tool.__name__)
def test_pages_are_neither_made_nor_checked_with_a_matrix_that_is_missing_or_of_other_contracts(
    tool: object, argv: list[str], kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "renewed", lambda *_, **__: pytest.fail("pages were made"))
    assert tool.main(argv) == 2  # type: ignore[attr-defined]
    assert "There is no matrix" in capsys.readouterr().err
    write_matrix(sample(), kept)
    assert tool.main(argv) == 2  # type: ignore[attr-defined]
    assert "questions.json" in capsys.readouterr().err
    questions = kept.with_name(matrix_evidence.QUESTIONS)
    questions.write_text("{")
    assert tool.main(argv) == 2  # type: ignore[attr-defined]
    assert "The questions are not JSON" in capsys.readouterr().err
    questions.write_text("{}")
    assert tool.main(argv) == 2  # type: ignore[attr-defined]
    told = capsys.readouterr().err
    assert "The matrix in evidence is of other contracts than hive-app-server" in told
    assert "do: run `make evidence-matrix`" in told


def test_the_matrix_in_evidence_has_the_versions_that_the_makefile_names() -> None:
    text = MAKEFILE.read_text("utf-8").replace("\\\n", " ")
    named = re.search(r"^MATRIX_VERSIONS := (.*)$", text, re.MULTILINE)
    assert named is not None
    assert matrix_evidence.evidence().matrix.versions == tuple(named[1].split())
