"""cost.json: comes back equal, is described by its schema, and is refused where it does not fit together."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hive_gate.contract.load import load_contract
from hive_gate.cost import model
from hive_gate.cost.decisions import decided
from hive_gate.cost.jsonfile import digest, from_json, read_cost, redacted, to_json, to_text, write_cost
from hive_gate.cost.model import Absent, Cost
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT
from hive_gate.errors import UsageError
from tests.unit.cost.conftest import linear, target

SCHEMA: dict[str, Any] = json.loads((CONTRACTS / "cost.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    from tests.unit.cost.conftest import build

    whole = build(
        linear,
        linear,
        shapes=("plain", "same-bytes", "images"),
        sizes=(100, 500, 1000),
        absent=(Absent(0, "real-legacy", "x"),),
    )
    return json.loads(to_text(decided(whole, load_contract(DEFAULT_CONTRACT))))  # type: ignore[no-any-return]


def put(document: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    *path, name = pointer.split("/")[1:]
    holder: Any = changed
    for part in path:
        holder = holder[int(part) if isinstance(holder, list) else part]
    key = int(name) if isinstance(holder, list) else name
    if value is KeyError:
        del holder[key]
    else:
        holder[key] = value
    return changed


def test_a_measurement_comes_back_equal_from_its_file(steady: Cost, tmp_path: Path) -> None:
    write_cost(steady, tmp_path / "new" / "cost.json")
    assert read_cost(tmp_path / "new" / "cost.json") == steady
    assert digest(read_cost(tmp_path / "new" / "cost.json")) == digest(steady)


def test_each_cell_has_a_line_of_its_own(steady: Cost) -> None:
    lines = [line.strip().rstrip(",") for line in to_text(steady).splitlines()]
    assert json.dumps(to_json(steady)["cells"][0]) in lines


def test_a_written_measurement_is_valid(document: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert [e.json_path for e in VALIDATOR.iter_errors(document)] == []


@pytest.mark.parametrize("name", [n for n in SCHEMA["$defs"] if n != "Target"])
def test_the_schema_names_the_fields_of_the_model_and_describes_each(name: str) -> None:
    described = SCHEMA["$defs"][name]
    assert list(described["properties"]) == [f.name for f in dataclasses.fields(getattr(model, name))]
    assert described["required"] == list(described["properties"])
    assert all(member["description"].endswith(".") for member in described["properties"].values())


def test_the_schema_has_a_target_as_the_report_has() -> None:
    report = json.loads((CONTRACTS / "report.schema.json").read_text(encoding="utf-8"))
    assert SCHEMA["$defs"]["Target"] == report["$defs"]["Target"]


def test_the_schema_names_every_member() -> None:
    assert SCHEMA["required"] == ["schema", *(f.name for f in dataclasses.fields(Cost)), "footer"]


@pytest.mark.parametrize(
    ("pointer", "value", "at"),
    [
        ("/schema", "hive-gate/cost/2", "/schema"),
        ("/run/complete", KeyError, "/run/complete"),
        ("/run/rounds", "5", "/run/rounds"),
        ("/targets", [], "/targets"),
        ("/cells/0/target", 2, "/cells/0/target"),
        ("/cells/0/shape", "round", "/cells/0/shape"),
        ("/cells/0/operation", "dance", "/cells/0/operation"),
        ("/cells/0/size", 77, "/cells/0/size"),
        ("/cells/0/samples", [], "/cells/0/missing"),
        ("/cells/0/samples/0/ms", -1.0, "/cells/0/samples/0"),
        ("/cells/0/samples/0/round", 5, "/cells/0/samples/0"),
        ("/cells/0/samples/0/ms", None, "/cells/0/samples/0/ms"),
        ("/fits/0/quantity", "joy", "/fits/0/quantity"),
        ("/prices/0/target", 9, "/prices/0/target"),
        ("/absent/0/shape", "round", "/absent/0/shape"),
        ("/decisions/0/target", 2, "/decisions/0/target"),
        ("/decisions/0/support", "liked", "/decisions/0/support"),
        ("/decisions/1/measured/0/limit", "1", "/decisions/1/measured/0/limit"),
        ("/footer/samples", 1, "/footer"),
        ("/footer", KeyError, "/footer"),
        ("/cells/3", KeyError, "/footer"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_pointer(
    pointer: str, value: Any, at: str, document: dict[str, Any]
) -> None:
    with pytest.raises(UsageError) as caught:
        from_json(put(document, pointer, value), "cost.json")
    assert caught.value.where == f"cost.json#{at}"
    assert "hive-gate cost" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/footer/whole", False),
        ("/cells/0/samples/0/ms", -1),
        ("/targets", []),
        ("/prices/0/unit", "kiss"),
        ("/decisions/0/support", "liked"),
        ("/decisions/0/measured/0/bound", "at-all"),
        ("/run/id", 5),
    ],
)
def test_the_schema_refuses_it_as_well(pointer: str, value: Any, document: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(put(document, pointer, value))


@pytest.mark.parametrize("text", ["", "[", "[]", "null", '{"schema": "hive-gate/cost/1"', '{"a": 1, "a": 2}', "\xff"])
def test_a_file_that_is_none_gives_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "cost.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"measurement|whole cost\.json"):
        read_cost(path)


def test_a_file_that_is_not_there_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_cost(tmp_path / "none.json")


def test_redacted_it_names_no_folder_of_the_machine(made: Callable[..., Cost]) -> None:
    where = "/x/somebody/bin/codex"
    cost = made(targets=(target(spec=where, path=where, argv=(where, "app-server"), resolved_from=(f"{where} → x",)),))
    text = to_text(redacted(cost))
    assert "somebody" not in text
    assert "…/bin/codex" in text
    assert redacted(cost).cells == cost.cells
