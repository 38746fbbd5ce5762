"""Shards into one, as if all had been run at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.errors import UsageError
from hive_gate.matrix import merge
from hive_gate.matrix.jsonfile import write_matrix
from hive_gate.matrix.model import Baseline, Matrix, Sheet
from tests.unit.matrix.sheets import CONTRACT, DRAWN, VERSIONS, matrix, sample, sheet

ANOTHER = replace(CONTRACT, sha256="99" * 32)


def part(indices: tuple[int, ...]) -> Matrix:
    """The sample with only these versions."""
    drawn = {clause: "".join(letters[index] for index in indices) for clause, letters in DRAWN.items()}
    return matrix(sheet([VERSIONS[index] for index in indices], drawn))


def joined(folder: Path, *parts: Matrix) -> Matrix:
    paths = []
    for number, each in enumerate(parts):
        write_matrix(each, folder / str(number) / "matrix.json")
        paths.append(folder / str(number))
    return merge.merge(merge.read(paths))


@pytest.mark.parametrize(
    "shares", [((0, 2, 4), (1, 3, 5)), ((1, 3, 5), (0, 2, 4)), ((5,), (0, 1, 2, 3, 4)), ((0,), (1,), (2, 3), (4, 5))]
)
def test_shards_make_the_whole(shares: tuple[tuple[int, ...], ...], tmp_path: Path) -> None:
    assert joined(tmp_path, *map(part, shares)) == sample()


def test_a_version_that_is_there_twice_and_agrees_is_there_once(tmp_path: Path) -> None:
    other = part((2, 3, 4, 5))
    (one,) = other.sheets
    *twice, last, newest = one.columns
    differs = [replace(column, seconds=99.0, from_cache=True, run="again") for column in twice]
    again = replace(one, columns=(*differs, last, newest))
    assert joined(tmp_path, part((0, 1, 2, 3)), replace(other, sheets=(again,))) == sample()


def altered(change: Callable[[Sheet], Sheet]) -> Matrix:
    other = part((3, 4, 5))
    return replace(other, sheets=tuple(map(change, other.sheets)))


def redrawn(clause: str, letters: str) -> Matrix:
    drawn = {name: "".join(text[index] for index in (3, 4, 5)) for name, text in DRAWN.items()}
    return matrix(sheet(VERSIONS[3:], {**drawn, clause: letters}))


@pytest.mark.parametrize(
    ("other", "pointer", "said"),
    [
        (replace(part((5,)), gate_sha256="99" * 32), "/gate_sha256", "and the first has"),
        (replace(part((5,)), hive_gate="0.2.0"), "/hive_gate", "'0.2.0', and the first has '0.1.0'"),
        (replace(part((5,)), platform="linux-arm64"), "/platform", "linux-arm64"),
        (altered(lambda s: replace(s, contract=ANOTHER)), "/sheets/0/contract/sha256", "another contract"),
        (altered(lambda s: replace(s, baseline=Baseline("/b", "12" * 32))), "/sheets/0/baseline", "another list"),
        (redrawn("walk.more", "ppp"), "/sheets/0/rows", "other clauses"),
        (redrawn("walk.list", "ppp"), "/sheets/0/columns/1", "0.143.0 is judged (open), and judged (closed)"),
        (redrawn("walk.list", "pff"), "/sheets/0/rows/6/cells/1", "walk.list on 0.143.0 came out differently"),
        (redrawn("late.mode", "ppp"), "/sheets/0/rows/7/cells/0", "late.mode on 0.142.5 came out differently"),
    ],
)  # fmt: skip
def test_what_does_not_belong_together_is_refused_with_its_place(
    other: Matrix, pointer: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="cannot be joined") as caught:
        joined(tmp_path, part((0, 1, 2, 3, 4)), other)
    assert caught.value.where == f"{tmp_path / '1' / 'matrix.json'}#{pointer}"
    assert said in caught.value.message


def test_another_number_of_contracts_is_refused(tmp_path: Path) -> None:
    (one,) = sample().sheets
    second = replace(one, contract=replace(one.contract, sha256="34" * 32))
    with pytest.raises(UsageError, match="2 contracts, and the first has 1"):
        joined(tmp_path, sample(), matrix(one, second))


def test_a_broken_shard_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "matrix.json").write_text("{")
    with pytest.raises(UsageError) as caught:
        merge.read([tmp_path])
    assert str(tmp_path / "matrix.json") in str(caught.value.where)
    with pytest.raises(UsageError, match="nothing to join"):
        merge.read([])


def test_the_runs_beside_the_shards_are_found(tmp_path: Path) -> None:
    write_matrix(part((0, 2)), tmp_path / "matrix.json")
    (tmp_path / "0.125.0").mkdir()
    (tmp_path / "0.125.0" / "report.json").write_text("{}")
    found = list(merge.runs_beside(merge.read([tmp_path / "matrix.json"])))
    assert found == [(tmp_path / "0.125.0", Path("0.125.0"))]
