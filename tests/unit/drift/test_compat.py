from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.bundle import Bundle
from hive_gate.drift.compat import Mismatch, check_method
from hive_gate.drift.mismatch import SENTENCES
from hive_gate.errors import ContractError, TargetError

READS = {"type": "object", "properties": {"id": {"type": "string"}}}


def branch(method: str, **members: Any) -> Any:
    return {"type": "object", "properties": {"method": {"enum": [method]}, **members}}


@pytest.fixture
def bundle(write_bundle: Any) -> Bundle:
    return Bundle.load(write_bundle({"oneOf": [branch("box/shake"), branch("shelf/reset", params={"type": "null"})]}))


def test_a_method_that_the_target_does_not_have_is_the_only_mismatch(bundle: Bundle) -> None:
    (mismatch,) = check_method("box/list", {"type": "object"}, READS, bundle, {})
    assert (mismatch.rule, mismatch.direction) == ("method-missing", "request")
    assert mismatch.explain() == "The target has no client method `box/list`."


def test_a_result_that_the_target_does_not_describe_cannot_be_compared(bundle: Bundle) -> None:
    (mismatch,) = check_method("box/shake", None, READS, bundle, {})
    assert (mismatch.rule, mismatch.direction) == ("result-unknown", "response")
    assert check_method("box/shake", None, None, bundle, {}) == []


def test_a_method_without_params_takes_none(bundle: Bundle) -> None:
    assert check_method("shelf/reset", None, None, bundle, {}) == []
    assert check_method("shelf/reset", {"type": "null"}, None, bundle, {}) == []
    assert [m.rule for m in check_method("shelf/reset", READS, None, bundle, {})] == ["request-type-refused"]
    assert [m.rule for m in check_method("box/shake", READS, None, bundle, {})] == ["request-type-refused"]


@pytest.mark.parametrize("schema", [{"$ref": "#/$defs/none"}, {"type": "nonsense"}, {"properties": [1]}])
def test_a_fault_in_hives_own_schema_is_the_contracts(compare: Any, schema: Any) -> None:
    with pytest.raises(ContractError):
        compare(sends=schema)
    with pytest.raises(ContractError):
        compare(reads=schema)


@pytest.mark.parametrize("schema", [{"$ref": "#/definitions/none"}, {"type": "nonsense"}, {"properties": [1]}])
def test_a_fault_in_the_targets_schema_is_the_targets(compare: Any, schema: Any) -> None:
    with pytest.raises(TargetError):
        compare(sends=READS, accepts=schema)
    with pytest.raises(TargetError):
        compare(reads=READS, answers=schema)


@pytest.mark.parametrize("rule", sorted(SENTENCES))
def test_every_rule_has_a_sentence_of_its_own(rule: str) -> None:
    direction: Any = "response" if rule.startswith("response") else "request"
    text = Mismatch(direction, "/a", rule, "EXPECTED", "ACTUAL").explain()
    assert text.endswith(".")
    assert "{" not in text
    assert "`/a`" in text or "EXPECTED" in text


def test_the_root_is_named_in_words(compare: Any) -> None:
    (mismatch,) = compare(sends={"type": "string"}, accepts={"type": "integer"})
    assert mismatch.explain() == "Hive may send string as the params, but the target accepts only integer."
