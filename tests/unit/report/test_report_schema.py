"""contracts/report.schema.json describes exactly what is written."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hive_gate.data import CONTRACTS
from hive_gate.report import model
from hive_gate.report.jsonfile import to_json, to_text
from hive_gate.report.model import Report

SCHEMA: dict[str, Any] = json.loads((CONTRACTS / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def objects(schema: dict[str, Any], pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object schema that names members, with where it is in a report that has one of each."""
    yield pointer, schema
    for name, member in schema.get("properties", {}).items():
        target = member.get("items", member)
        target = target.get("anyOf", [target])[0]
        if "$ref" in target:
            target = SCHEMA["$defs"][target["$ref"].rpartition("/")[2]]
        if "properties" in target:
            # The second clause of the sample is the one with findings, exchanges and a waiver.
            index = "/1" if name == "clauses" else "/0" if member.get("type") == "array" else ""
            yield from objects(target, f"{pointer}/{name}{index}")


REQUIRED = sorted({f"{pointer}/{name}" for pointer, schema in objects(SCHEMA) for name in schema["properties"]})


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", ["closed_report", "open_report", "waived_report", "hostile_report"])
def test_a_written_report_is_valid(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    assert [e.json_path for e in VALIDATOR.iter_errors(json.loads(to_text(report)))] == []


@pytest.mark.parametrize("pointer", REQUIRED)
def test_every_member_is_required(pointer: str, waived_report: Report) -> None:
    obj = copy.deepcopy(to_json(waived_report))
    *path, name = pointer.split("/")[1:]
    holder: Any = obj
    for part in path:
        holder = holder[int(part) if isinstance(holder, list) else part]
    del holder[name]
    errors = list(VALIDATOR.iter_errors(obj))
    told = [error.message for error in [*errors, *(inner for error in errors for inner in error.context or ())]]
    assert f"'{name}' is a required property" in told


@pytest.mark.parametrize(
    "cls",
    [
        model.Run, model.Target, model.Contract, model.ClauseResult, model.Finding, model.Exchange, model.Note,
        model.News, model.Server, model.Message, model.Waiver, model.Baseline, model.Claim,
        model.Measurement,
    ],
)  # fmt: skip
def test_the_schema_names_the_fields_of_the_model_and_describes_each(cls: Any) -> None:
    described = SCHEMA["$defs"][cls.__name__]
    assert list(described["properties"]) == [f.name for f in dataclasses.fields(cls)]
    assert described["required"] == list(described["properties"])
    assert all(member["description"].endswith(".") for member in described["properties"].values())


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/gate", "ajar"),
        ("/footer/complete", False),
        ("/counts/pass", -1),
        ("/clauses/1/verdict", "fine"),
        ("/contract/sha256", "short"),
        ("/messages/2/n", None),
        ("/schema", "hive-gate/report/2"),
        ("/suites/handshake", 1),
        ("/clauses/1/fingerprint", "0A1B2C3D4E5F"),
        ("/clauses/1/waiver", {}),
        ("/baseline", {}),
        ("/measurement", {}),
        ("/decisions/0/measured/0/support", "liked"),
        ("/decisions/0/measured/0/bound", "at-all"),
    ],
)
def test_a_wrong_value_is_not_valid(pointer: str, value: Any, closed_report: Report) -> None:
    obj = copy.deepcopy(to_json(closed_report))
    *path, name = pointer.split("/")[1:]
    holder: Any = obj
    for part in path:
        holder = holder[int(part) if isinstance(holder, list) else part]
    holder[name] = value
    assert not VALIDATOR.is_valid(obj)
