"""The features that Hive's app reads: what the schema says is there, and what the clauses show of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hive_gate.contract.load import load_contract
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT, FIXTURES, NEXT_CONTRACT
from hive_gate.drift.digest import Digest
from hive_gate.drift.digestfile import read_digest
from hive_gate.errors import ContractError
from hive_gate.matrix.features import Feature, as_json, features
from hive_gate.probe.observe import Silent
from hive_gate.probe.plan import Selection
from hive_gate.probe.run import Settings, run
from hive_gate.probe.subject import codex
from hive_gate.report.model import Report, Verdict


@pytest.fixture(scope="module")
def report() -> Report:
    """A run of the clauses that two features name, against the reference server."""
    chosen = Selection(clauses=("resume.exclude-turns", "resume.size", "rollback.*"))
    return run(load_contract(DEFAULT_CONTRACT), codex("reference", Silent()), chosen, Settings(), Silent())


@pytest.fixture(scope="module")
def digest() -> Digest:
    return read_digest("0.142.5")


def of(report: Report, digest: Digest) -> dict[str, Feature]:
    return features(load_contract(DEFAULT_CONTRACT), digest, report).features


def with_verdict(report: Report, ident: str, verdict: Any) -> Report:
    clauses = tuple(replace(c, verdict=verdict) if c.id == ident else c for c in report.clauses)
    return replace(report, clauses=clauses)


def test_a_feature_is_there_experimental_and_seen_to_behave(report: Report, digest: Digest) -> None:
    found = of(report, digest)["resume-without-turns"]
    assert (found.available, found.experimental, found.behaves) == (True, True, True)
    assert set(found.evidence) == {"resume.exclude-turns", "resume.size"}


def test_what_needs_no_capability_any_more_is_not_experimental(report: Report) -> None:
    found = of(report, read_digest("0.171.0"))
    assert not found["resume-without-turns"].experimental
    assert found["resume-first-page"].experimental


@pytest.mark.parametrize(
    ("verdict", "behaves"), [("fail", False), ("waived", False), ("blocked", False), ("pass", True)]
)
def test_one_clause_that_does_not_hold_is_enough(report: Report, digest: Digest, verdict: str, behaves: bool) -> None:
    found = of(with_verdict(report, "resume.size", verdict), digest)["resume-without-turns"]
    assert found.behaves is behaves
    assert found.broken == (() if behaves else ("resume.size",))


LOST = "history-mode.false-empty-projection-lost"


def judged(report: Report, contract: Path, verdicts: dict[str, Verdict]) -> Report:
    """Return the report as if every clause of a contract had passed, but for these."""
    like = report.clauses[0]
    ids = [clause.id for clause in load_contract(contract).clauses]
    assert set(verdicts) <= set(ids)
    return replace(report, clauses=tuple(replace(like, id=each, verdict=verdicts.get(each, "pass")) for each in ids))


def behaving(report: Report, contract: Path, version: str) -> dict[str, bool | None]:
    found = features(load_contract(contract), read_digest(version), report).features
    return {name: feature.behaves for name, feature in found.items()}


def test_a_page_or_a_read_that_is_empty_without_an_error_does_not_behave(report: Report) -> None:
    lost: dict[str, Verdict] = {f"{LOST}/turns-list": "fail", f"{LOST}/read": "fail"}
    found = behaving(judged(report, DEFAULT_CONTRACT, lost), DEFAULT_CONTRACT, "0.171.0")
    assert {name for name, behaves in found.items() if behaves is False} == {"turns-pages", "read-with-turns"}
    assert found["resume-first-page"] is True
    only = behaving(judged(report, DEFAULT_CONTRACT, {f"{LOST}/resume": "fail"}), DEFAULT_CONTRACT, "0.171.0")
    assert {name for name, behaves in only.items() if behaves is False} == {"resume-first-page"}


def test_where_there_are_no_paginated_threads_nothing_is_held_against_a_version(report: Report) -> None:
    ids = [c.id for c in load_contract(DEFAULT_CONTRACT).clauses if c.id.startswith("history-mode.false-empty")]
    absent: dict[str, Verdict] = dict.fromkeys(ids, "not-offered")
    found = behaving(judged(report, DEFAULT_CONTRACT, absent), DEFAULT_CONTRACT, "0.142.5")
    assert {found[name] for name in ("turns-pages", "resume-first-page", "read-with-turns")} == {True}


def test_the_next_contract_has_what_a_lost_projection_leaves_as_a_feature_of_its_own(report: Report) -> None:
    warned: dict[str, Verdict] = {
        "history-mode.false-empty-before-resume/turns-list": "warn",
        "history-mode.false-empty-before-resume/read": "warn",
        "history-mode.reverted-projection-lost": "warn",
    }
    found = behaving(judged(report, NEXT_CONTRACT, warned), NEXT_CONTRACT, "0.171.0")
    assert {name for name, behaves in found.items() if behaves is False} == {"lost-projection"}
    # What a resume brings back is a promise of all three.
    broken = judged(report, NEXT_CONTRACT, {"history-mode.projection-lost": "fail"})
    failed = {name for name, behaves in behaving(broken, NEXT_CONTRACT, "0.171.0").items() if behaves is False}
    assert failed == {"turns-pages", "resume-first-page", "read-with-turns"}


def test_what_no_clause_has_shown_is_not_known(report: Report, digest: Digest) -> None:
    assert of(report, digest)["thread-names"].behaves is None


def test_what_the_schema_does_not_have_is_not_there_and_cannot_behave(report: Report) -> None:
    found = of(report, read_digest("0.171.0"))["rollback"]
    assert (found.available, found.experimental, found.behaves) == (False, False, None)


def test_a_method_without_the_member_is_not_the_feature(report: Report) -> None:
    found = of(report, read_digest("0.125.0"))
    assert not found["turns-views"].available
    assert found["turns-pages"].available


def test_the_document_is_as_published(report: Report, digest: Digest) -> None:
    schema = json.loads((CONTRACTS / "features.schema.json").read_text(encoding="utf-8"))
    document = json.loads(as_json(features(load_contract(DEFAULT_CONTRACT), digest, report)))
    Draft202012Validator(schema).validate(document)
    assert document["target"]["spec"] == "reference"
    assert document["run"]["id"] == report.run.id
    assert set(document["features"]) == {feature.name for feature in load_contract(DEFAULT_CONTRACT).features}


@pytest.mark.parametrize("gate", ["open", "closed"])
def test_the_gate_stands_on_a_line_of_its_own_and_the_same_run_gives_the_same_bytes(
    report: Report, digest: Digest, gate: Any
) -> None:
    contract = load_contract(DEFAULT_CONTRACT)
    text = as_json(features(contract, digest, replace(report, gate=gate)))
    assert f'\n  "gate": "{gate}",\n  "features": {{\n' in text
    assert as_json(features(contract, digest, replace(report, gate=gate))) == text


def test_the_next_contract_asks_for_other_features() -> None:
    now, then = ({f.name for f in load_contract(path).features} for path in (DEFAULT_CONTRACT, NEXT_CONTRACT))
    assert now - then == {"rollback"}
    assert then - now == {"revert", "items-pages", "lost-projection"}


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    def write(features: dict[str, Any]) -> Path:
        raw = json.loads(DEFAULT_CONTRACT.read_text(encoding="utf-8"))
        raw["scenes"] = {n: str(FIXTURES / "scenes" / Path(path).name) for n, path in raw["scenes"].items()}
        raw["features"] = features
        path = tmp_path / "contract.json"
        path.write_text(json.dumps(raw), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("entry", "pointer"),
    [
        ({"text": "x", "method": "m", "evidence": ["no-such.clause"]}, "/features/mine/evidence/0"),
        ({"text": "x", "method": "m", "evidence": []}, "/features/mine/evidence"),
        ({"text": "x", "evidence": ["read.*"]}, "/features/mine"),
        ({"text": "x", "method": "m", "evidence": ["read.*"], "params": "x"}, "/features/mine"),
    ],
)
def test_a_feature_that_is_not_valid_is_told_by_pointer(
    broken: Callable[[dict[str, Any]], Path], entry: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(ContractError) as caught:
        load_contract(broken({"mine": entry}))
    assert str(caught.value.where).endswith(f"#{pointer}")
