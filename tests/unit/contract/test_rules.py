"""The contract's rules for Hive's client: their form, and that their parts fit together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hive_gate.adapter.checks import CHECKS
from hive_gate.contract.load import load_contract
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT
from tests.unit.contract.conftest import Mutate, Refused

CONTRACT = load_contract(DEFAULT_CONTRACT)
SCHEMA = json.loads((CONTRACTS / "contract.schema.json").read_bytes())


def index_of(rule: str) -> int:
    return [one.id for one in CONTRACT.adapter].index(f"adapter.{rule}")


def change(rule: str, **members: Any) -> Mutate:
    return lambda raw: raw["adapter"][index_of(rule)].update(members)


def test_the_schema_names_the_checks_that_there_are() -> None:
    assert set(SCHEMA["$defs"]["rule"]["properties"]["check"]["enum"]) == set(CHECKS)


def test_every_check_has_a_sentence_that_tells_what_it_looks_for() -> None:
    assert [name for name, check in CHECKS.items() if not (check.__doc__ or "").partition("\n")[0].endswith(".")] == []


def test_what_hive_must_not_depend_on_its_client_never_sends() -> None:
    never = {method for rule in CONTRACT.adapter if rule.check == "never" for method in rule.params["methods"]}
    assert never == set(CONTRACT.avoided)


def test_every_method_that_a_rule_asks_for_is_one_that_hive_relies_on() -> None:
    asked = {method for rule in CONTRACT.adapter if rule.check == "params" for method in rule.params}
    assert asked <= set(CONTRACT.methods)


@pytest.mark.parametrize(
    ("mutate", "pointer", "text"),
    [
        (change("cursor-once", id="adapter.next-cursor"), f"/adapter/{index_of('cursor-once')}/id", "is taken by"),
        (change("cursor-once", id="cursor once"), f"/adapter/{index_of('cursor-once')}/id", "does not match"),
        (change("cursor-once", check="magic"), f"/adapter/{index_of('cursor-once')}/check", "'magic' is not one of"),
        (change("cursor-once", must=""), f"/adapter/{index_of('cursor-once')}/must", "expected: What the client must"),
        (
            change("cursor-once", params={"pages": "x"}),
            f"/adapter/{index_of('cursor-once')}/params",
            "'restore' is a required property",
        ),
        (
            change("experimental-api", params={"initialize": {"type": "thing"}}),
            f"/adapter/{index_of('experimental-api')}/params/initialize/type",
            "not a JSON Schema",
        ),
        (
            change("older-pages", params={"thread/turns/list": {"$ref": "#/$defs/Nothing"}}),
            f"/adapter/{index_of('older-pages')}/params/thread~1turns~1list/$ref",
            "names no schema under /$defs",
        ),
        (
            change("after-unsupported", params={"after": [{"code": -32601, "same": [], "message": "("}]}),
            f"/adapter/{index_of('after-unsupported')}/params/after/0/message",
            "not a regular expression",
        ),
        (
            change(
                "after-overload", params={"codes": [-32001], "except": [], "first-ms": 1, "factor": 2, "most-ms": 1}
            ),
            f"/adapter/{index_of('after-overload')}/params",
            "",
        ),
        (
            change("stop-at-null", params={"pages": "x", "restore": "y", "lost": {"code": -32600, "message": "("}}),
            f"/adapter/{index_of('stop-at-null')}/params/lost/message",
            "not a regular expression",
        ),
        (
            change("page-pace", params={"methods": ["x"], "factor": 2}),
            f"/adapter/{index_of('page-pace')}/params",
            "'least-ms' is a required property",
        ),
        (change("unique-ids", params={"x": 1}), f"/adapter/{index_of('unique-ids')}/params", ""),
    ],
)
def test_a_fault_is_told_with_its_place(mutate: Mutate, pointer: str, text: str, refused: Refused) -> None:
    error = refused(mutate)
    assert str(error.where).endswith(f"#{pointer}")
    assert text in error.message
