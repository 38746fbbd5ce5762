"""One side of a comparison: where its digest comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hive_gate.drift.digest import Message
from hive_gate.drift.digestfile import checksum, write_digests
from hive_gate.errors import TargetError, UsageError
from hive_gate.matrix.drift_side import side
from hive_gate.target.cache import Cache
from tests.support.digests import digest, of, thing
from tests.support.programs import REFERENCE, put

TEXT: Any = {"type": "string"}


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def test_a_version_that_has_a_digest_needs_no_program(tmp_path: Path, cache: Cache) -> None:
    made = digest({"box/read": Message(None, of("Box"))}, version="1.0.0", Box=thing(id=TEXT))
    write_digests([made], tmp_path / "digests")
    for spec in ("1.0.0", "v1.0.0", "rust-v1.0.0"):
        found, read = side(spec, folder=tmp_path / "digests", cache=cache)
        assert (found.spec, found.name, found.source, found.sha256) == (spec, "codex 1.0.0", "digest", None)
        assert found.checksum == checksum(made) == checksum(read)
    assert not cache.root.exists()


def test_any_other_program_is_asked_for_its_schemas_with_and_without_what_is_experimental(
    tmp_path: Path, cache: Cache
) -> None:
    installed = put(cache, "9.9.9", REFERENCE)
    found, read = side("9.9.9", folder=tmp_path, cache=cache)
    assert (found.name, found.version, found.source) == ("codex 9.9.9", "9.9.9", "program")
    assert found.sha256 == installed.sha256
    methods = read.messages["methods"]
    assert {name for name in ("thread/read", "thread/turns/list") if methods[name].experimental} == {
        "thread/turns/list"
    }
    by_path, _ = side(str(installed.program), folder=tmp_path, cache=cache)
    assert (by_path.name, by_path.checksum) == (f"codex 9.9.9 ({installed.program})", found.checksum)


def test_the_reference_server_is_called_what_it_is(cache: Cache) -> None:
    found, _ = side("reference", cache=cache)
    assert found.name.startswith("hive-gate's reference server ")


def test_a_program_without_schemas_cannot_be_compared(tmp_path: Path, cache: Cache) -> None:
    put(cache, "9.9.8", "echo 'unrecognized subcommand' >&2; exit 2")
    with pytest.raises(TargetError, match="gives no schemas to compare: exit code 2") as caught:
        side("9.9.8", folder=tmp_path, cache=cache)
    assert caught.value.detail == "unrecognized subcommand"
    assert "generate-json-schema" in str(caught.value.where)
    assert caught.value.hint


def test_a_word_that_is_no_spec_is_a_usage_error(cache: Cache) -> None:
    with pytest.raises(UsageError, match="is not a codex"):
        side("yesterday", cache=cache)
