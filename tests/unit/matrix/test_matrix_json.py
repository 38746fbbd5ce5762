"""matrix.json: written whole, read back equal, described by its schema, and refused wherever it is broken."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hive_gate.data import CONTRACTS
from hive_gate.errors import UsageError
from hive_gate.matrix import model
from hive_gate.matrix.jsonfile import digest, from_json, read_matrix, to_json, to_text, write_matrix
from hive_gate.matrix.plan import plan_text
from hive_gate.report.model import Waiver
from tests.unit.matrix.sheets import CONTRACT, DRAWN, VERSIONS, matrix, sample, sheet

SCHEMA: dict[str, Any] = json.loads((CONTRACTS / "matrix.schema.json").read_bytes())
VALIDATOR = Draft202012Validator(SCHEMA)

WAIVED = sheet(VERSIONS[:2], {"read.a": "vF", "read.b": "ps"}, baseline=model.Baseline("/b.toml", "12" * 32))
SECOND = dataclasses.replace(
    sheet(VERSIONS, DRAWN), contract=dataclasses.replace(CONTRACT, name="next", sha256="34" * 32)
)
MATRICES = {
    "one": sample(),
    "two contracts": matrix(sample().sheets[0], SECOND),
    "with a baseline": matrix(WAIVED),
    "nothing judged": matrix(sheet(VERSIONS, {"read.a": " " * 6})),
    "closed by the list alone": matrix(sheet(["0.1.0"], {"read.a": "p"}, stale={"0.1.0": ("It names nothing.",)})),
}


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_comes_back_equal_and_is_valid(name: str, tmp_path: Path) -> None:
    write_matrix(MATRICES[name], tmp_path / "matrix.json")
    assert read_matrix(tmp_path / "matrix.json") == MATRICES[name]
    assert [error.json_path for error in VALIDATOR.iter_errors(json.loads(to_text(MATRICES[name])))] == []


def test_the_schema_names_the_fields_of_the_model_and_describes_each() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for cls in (model.Sheet, model.Contract, model.Baseline, model.Column, model.Row, model.Cell, Waiver):
        described = SCHEMA["$defs"][cls.__name__]
        assert list(described["properties"]) == [field.name for field in dataclasses.fields(cls)]
        assert described["required"] == list(described["properties"])
        assert all(member["description"].endswith(".") for member in described["properties"].values())
    assert list(to_json(sample())) == SCHEMA["required"] == list(SCHEMA["properties"])


def test_each_row_has_a_line_of_its_own_and_the_footer_is_last() -> None:
    lines = to_text(sample()).splitlines()
    rows = [line for line in lines if line.strip().startswith('{"clause":')]
    assert len(rows) == len(DRAWN)
    assert lines[-2].startswith('  "footer": ')


def set_to(obj: Any, pointer: str, value: Any) -> None:
    *path, name = pointer.split("/")[1:]
    for part in path:
        obj = obj[int(part) if isinstance(obj, list) else part]
    if value is ...:
        del obj[int(name) if isinstance(obj, list) else name]
    else:
        obj[int(name) if isinstance(obj, list) else name] = value


@pytest.mark.parametrize(
    ("pointer", "value", "blamed"),
    [
        ("/schema", "hive-gate/matrix/2", "/schema"),
        ("/schema", ..., "/schema"),
        ("/hive_gate", 1, "/hive_gate"),
        ("/platform", ..., "/platform"),
        ("/sheets", [], "/sheets"),
        ("/sheets", {}, "/sheets"),
        ("/sheets/0/contract/sha256", ..., "/sheets/0/contract/sha256"),
        ("/sheets/1/contract/sha256", "ab" * 32, "/sheets/1/contract/sha256"),
        ("/sheets/0/columns", [], "/sheets/0/columns"),
        ("/sheets/1/columns/0/version", "0.124.0", "/sheets/1/columns"),
        ("/sheets/0/columns/2/state", "judged", "/sheets/0/rows/0/cells/2"),
        ("/sheets/0/columns/2/state", "fine", "/sheets/0/columns/2/state"),
        ("/sheets/0/columns/2/problem", None, "/sheets/0/columns/2/problem"),
        ("/sheets/0/columns/0/problem", "It died.", "/sheets/0/columns/0/problem"),
        ("/sheets/0/columns/0/gate", "open", "/sheets/0/columns/0/gate"),
        ("/sheets/0/columns/0/gate", None, "/sheets/0/columns/0/gate"),
        ("/sheets/0/columns/0/raw", "open", "/sheets/0/columns/0/raw"),
        ("/sheets/0/columns/2/gate", "open", "/sheets/0/columns/2/gate"),
        ("/sheets/0/columns/1/stale", ["It names nothing."], "/sheets/0/columns/1/gate"),
        ("/sheets/0/columns/0/counts/pass", 9, "/sheets/0/columns/0/counts"),
        ("/sheets/0/columns/2/counts", {"pass": 1}, "/sheets/0/columns/2/counts"),
        ("/sheets/0/columns/0/report", "/etc/passwd", "/sheets/0/columns/0/report"),
        ("/sheets/0/columns/0/report", "../../x/report.json", "/sheets/0/columns/0/report"),
        ("/sheets/0/columns/0/report", "", "/sheets/0/columns/0/report"),
        ("/sheets/0/columns/0/seconds", "4", "/sheets/0/columns/0/seconds"),
        ("/sheets/0/rows/0/cells/0", ..., "/sheets/0/rows/0/cells"),
        ("/sheets/0/rows/0/cells/0", None, "/sheets/0/rows/0/cells/0"),
        ("/sheets/0/rows/0/cells/0/verdict", "fine", "/sheets/0/rows/0/cells/0/verdict"),
        ("/sheets/0/rows/0/cells/0/verdict", "fail", "/sheets/0/columns/0/counts"),
        ("/sheets/0/rows/1/clause", "read.all/a", "/sheets/0/rows/1/clause"),
        ("/sheets/0/rows/1/suite", "sleep", "/sheets/0/rows/1/suite"),
        ("/sheets/0/rows/1/level", "sometimes", "/sheets/0/rows/1/level"),
        ("/sheets/0/rows/8", ..., "/sheets/0/columns/0/counts"),
        ("/footer", ..., "/footer"),
        ("/footer/complete", False, "/footer"),
        ("/footer/verdicts/pass", 1, "/footer"),
        ("/gate_sha256", "", "/gate_sha256"),
        ("/sheets/0/contract/sha256", "zz", "/sheets/0/contract/sha256"),
        ("/sheets/0/columns/0/program", "nothex", "/sheets/0/columns/0/program"),
        ("/sheets/0/columns/0/program", "AB" * 32, "/sheets/0/columns/0/program"),
        ("/sheets/0/columns/0/seconds", math.inf, "/sheets/0/columns/0/seconds"),
        ("/sheets/0/columns/0/seconds", math.nan, "/sheets/0/columns/0/seconds"),
        ("/a~b/c", [0.5, -math.inf], "/a~0b~1c/1"),
    ],
)
def test_wherever_it_is_broken_the_place_is_named(pointer: str, value: Any, blamed: str, tmp_path: Path) -> None:
    obj = copy.deepcopy(json.loads(to_text(MATRICES["two contracts"])))
    if pointer == "/a~b/c":  # a member that nobody knows
        obj["a~b/c"] = value
    else:
        set_to(obj, pointer, value)
    path = tmp_path / "matrix.json"
    path.write_text(json.dumps(obj))
    with pytest.raises(UsageError) as caught:
        read_matrix(path)
    assert caught.value.where == f"{path}#{blamed}"
    assert f"at {blamed}" in caught.value.message
    assert caught.value.hint


def test_a_number_too_large_to_be_one_is_refused_however_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "matrix.json"
    path.write_text(to_text(sample()).replace('"seconds": 4.5', '"seconds": 1e999', 1))
    with pytest.raises(UsageError, match="at /sheets/0/columns/0/seconds a finite number is expected, not inf"):
        read_matrix(path)


def test_what_the_schema_refuses_is_told_with_what_it_expects(tmp_path: Path) -> None:
    obj = to_json(matrix(WAIVED))
    obj["sheets"][0]["baseline"]["sha256"] = "zz"
    with pytest.raises(UsageError) as caught:
        from_json(obj)
    assert caught.value.where == "the matrix#/sheets/0/baseline/sha256"
    assert caught.value.message == (
        "This is not a whole matrix.json of hive-gate: at /sheets/0/baseline/sha256 "
        "'zz' does not match '^[0-9a-f]{64}$'."
    )


@pytest.mark.parametrize(
    ("versions", "blamed"),
    [
        (("0.130.0", "0.125.0"), "/sheets/0/columns/1/version"),
        (("0.130.0", "0.130.0"), "/sheets/0/columns/1/version"),
        (("0.130.0", "later"), "/sheets/0/columns/1/version"),
    ],
)
def test_versions_go_from_old_to_new_each_once(versions: tuple[str, ...], blamed: str) -> None:
    with pytest.raises(UsageError) as caught:
        from_json(to_json(matrix(sheet(versions, {"read.a": "pp"}))))
    assert caught.value.where == f"the matrix#{blamed}"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-3],
        lambda data: b"[]",
        lambda data: b"\xff" + data,
        lambda data: data.replace(b'"schema":', b'"schema": "x", "schema":', 1),
        lambda data: b"[" * 100_000,
    ],
)
def test_what_is_no_matrix_at_all_is_refused(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "matrix.json"
    path.write_bytes(change(to_text(sample()).encode()))
    with pytest.raises(UsageError) as caught:
        read_matrix(path)
    assert str(path) in str(caught.value.where)
    assert caught.value.hint


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_matrix(tmp_path / "none.json")


def test_members_that_a_later_version_added_are_passed_over() -> None:
    obj = to_json(sample())
    obj["later"] = 1
    obj["sheets"][0]["columns"][0]["later"] = 1
    assert from_json(obj) == sample()


def test_the_digest_follows_the_content() -> None:
    assert digest(sample()) == digest(sample()) != digest(MATRICES["two contracts"])


@pytest.mark.parametrize("shard", [None, (2, 3)])
def test_a_plan_is_one_line_and_valid(shard: tuple[int, int] | None) -> None:
    text = plan_text(("0.142.5", "0.143.0"), shard)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    schema = json.loads((CONTRACTS / "plan.schema.json").read_bytes())
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(text))
    assert json.loads(text)["versions"] == ["0.142.5", "0.143.0"]
