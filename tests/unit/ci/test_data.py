"""What the scripts of CI read from files."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hive_gate.matrix.jsonfile import to_json
from tests.support.ci_checkout import ROOT
from tests.unit.matrix.sheets import matrix, sheet

VERSIONS = ("0.142.5", "0.143.0", "0.144.0")


@pytest.fixture(scope="module")
def data() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ci_data", ROOT / "ci" / "data.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(path: Path, document: Any) -> str:
    path.write_text(json.dumps(document))
    return str(path)


def drawn(tmp_path: Path, letters: dict[str, str], versions: tuple[str, ...] = VERSIONS, **more: Any) -> str:
    return written(tmp_path / "matrix.json", to_json(matrix(sheet(versions, letters, **more))))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 99])
def test_shards_hold_each_version_once_and_none_is_empty(count: int, data: ModuleType, tmp_path: Path) -> None:
    versions = [f"0.{minor}.0" for minor in range(8)]
    plan = written(tmp_path / "plan.json", {"versions": versions})

    shards = json.loads(data.shards(plan, str(count)))

    shares = [shard["versions"].split() for shard in shards]
    assert sorted(version for share in shares for version in share) == versions
    assert len(shards) == min(count, 8)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert len({shard["key"] for shard in shards}) == len({shard["label"] for shard in shards}) == len(shards)


def test_a_plan_without_versions_has_no_shards(data: ModuleType, tmp_path: Path) -> None:
    plan = written(tmp_path / "plan.json", {"versions": []})
    assert (data.versions(plan), data.shards(plan, "4")) == ("", "[]")


def test_what_was_planned_and_is_not_there_is_missing(data: ModuleType, tmp_path: Path) -> None:
    plan = written(tmp_path / "plan.json", {"versions": ["0.142.5", "0.143.0", "0.144.0", "0.145.0", "0.146.0"]})
    whole = drawn(tmp_path, {"read.all": "ppp"})

    assert data.missing(plan, whole) == "0.145.0, 0.146.0"


def test_a_version_that_one_of_two_contracts_lacks_is_missing(data: ModuleType, tmp_path: Path) -> None:
    plan = written(tmp_path / "plan.json", {"versions": ["0.142.5", "0.143.0"]})
    one, other = sheet(VERSIONS[:2], {"read.all": "pp"}), sheet(VERSIONS[:1], {"read.all": "p"})
    whole = written(tmp_path / "matrix.json", to_json(matrix(one, other)))

    assert data.missing(plan, whole) == "0.143.0"


def test_closed_names_what_closes_and_not_what_only_warns(data: ModuleType, tmp_path: Path) -> None:
    whole = drawn(tmp_path, {"read.all": "pFp", "walk.page/a": "ppF", "late.start": "www", "walk.list": "vvv"})

    assert data.closed(whole) == (
        "the contract does not hold on 0.143.0, 0.144.0; broken: read.all, walk.page/a"
    )  # fmt: skip


def test_closed_says_that_the_baseline_is_stale(data: ModuleType, tmp_path: Path) -> None:
    whole = drawn(tmp_path, {"read.all": "pps"}, stale={"0.143.0": ("It names no clause.",)})

    assert data.closed(whole) == (
        "the contract does not hold on 0.143.0, 0.144.0; broken: read.all; the baseline is not true any more"
    )


def test_long_lists_are_cut_and_counted(data: ModuleType, tmp_path: Path) -> None:
    versions = tuple(f"0.{minor}.0" for minor in range(20))
    whole = drawn(tmp_path, {f"read.clause-{n:02}": "F" * 20 for n in range(40)}, versions)

    told = data.closed(whole)

    assert "0.5.0 and 14 more; broken: read.clause-00, " in told
    assert told.endswith("read.clause-29 and 10 more")


def test_unjudged_says_why_the_first_was_not(data: ModuleType, tmp_path: Path) -> None:
    whole = drawn(tmp_path, {"read.all": "p  "}, states={"0.144.0": "not-started"})

    assert data.unjudged(whole) == "0.143.0, 0.144.0 (0.143.0 is not-fetched: There is no such program.)"


def test_where_all_is_well_there_is_nothing_to_say(data: ModuleType, tmp_path: Path) -> None:
    whole = drawn(tmp_path, {"read.all": "ppp"})
    assert (data.closed(whole), data.unjudged(whole)) == ("", "")
