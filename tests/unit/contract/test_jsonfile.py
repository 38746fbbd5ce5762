from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.contract.jsonfile import read_json
from hive_gate.errors import ContractError


def refused(tmp_path: Path, data: bytes) -> tuple[str, str]:
    path = tmp_path / "file.json"
    path.write_bytes(data)
    with pytest.raises(ContractError) as caught:
        read_json(path, "contract")
    assert caught.value.where
    return caught.value.message, caught.value.where.removeprefix(str(path))


def test_value_and_bytes_are_returned(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b'{"a": [1, "\xc3\xa9"]}\n')
    assert read_json(path, "contract") == ({"a": [1, "é"]}, b'{"a": [1, "\xc3\xa9"]}\n')


def test_bad_json_is_told_with_line_and_column(tmp_path: Path) -> None:
    message, where = refused(tmp_path, b'{\n  "a": 1,\n  "b": ]\n}')
    assert message == "the contract is not JSON: Expecting value"
    assert where == ", line 3, column 8"


def test_a_file_that_is_not_utf_8_is_told_with_the_byte(tmp_path: Path) -> None:
    assert refused(tmp_path, b'{"a": "\xff"}') == ("the contract is not UTF-8: byte 7", "")


@pytest.mark.parametrize(
    ("data", "keys", "pointer"),
    [
        (b'{"a": 1, "b": 2, "a": 3}', "'a'", "#"),
        (b'{"x": [{}, {"a/b": {"c": 1, "d": 2, "d": 1, "c": 2}}]}', "'c', 'd'", "#/x/1/a~1b"),
        (b'{"x": {"c": 1, "c": 2}, "x": 1}', "'x'", "#"),
    ],
)
def test_a_key_that_stands_twice_is_told_with_its_object(tmp_path: Path, data: bytes, keys: str, pointer: str) -> None:
    assert refused(tmp_path, data) == (f"the contract has a key twice in one object: {keys}", pointer)


def test_a_lost_doubled_object_is_still_told(tmp_path: Path) -> None:
    message, _ = refused(tmp_path, b'{"x": {"c": 1, "c": 2}, "x": {"x": 1}}')
    assert message == "the contract has a key twice in one object: 'x'"


def test_a_number_without_end_and_a_file_without_bottom_are_told(tmp_path: Path) -> None:
    assert refused(tmp_path, b"[" + b"9" * 5000 + b"]")[0] == "the contract holds a number with too many digits"
    assert refused(tmp_path, b"[" * 200_000)[0] == "the contract is nested too deeply"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"the contract cannot be read: Is a directory"):
        read_json(tmp_path, "contract")
