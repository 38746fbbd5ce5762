"""The tool that adds a version's digest, with programs of our own in place of codex."""

from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.drift.digestfile import known_versions, read_digest
from hive_gate.target.cache import Cache
from tests.support.programs import REFERENCE, put
from tools import make_digests


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of digests; programs 9.9.8 and 9.9.9 are installed, and 9.9.7 has no schemas."""
    cache = Cache(tmp_path / "cache")
    for version in ("9.9.8", "9.9.9"):
        put(cache, version, REFERENCE)
    put(cache, "9.9.7", "exit 2")
    monkeypatch.setenv("HIVE_GATE_CACHE", str(cache.root))
    folder = tmp_path / "digests"
    monkeypatch.setattr(make_digests, "FOLDER", folder)
    return folder


def test_a_version_is_added_and_the_others_keep_theirs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_digests.main(["9.9.9"]) == 0
    first = (folder / "9.9.9.json").read_bytes()
    assert make_digests.main(["9.9.8"]) == 0
    assert known_versions(folder) == ("9.9.8", "9.9.9")
    assert (folder / "9.9.9.json").read_bytes() == first
    assert "thread/read" in read_digest("9.9.8", folder).messages["methods"]
    assert "written: 9.9.8 in" in capsys.readouterr().out


def test_without_words_all_known_ones_are_made_anew(folder: Path) -> None:
    assert make_digests.main(["9.9.9"]) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert make_digests.main([]) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(("word", "code"), [("9.9.7", 3), ("yesterday", 2)])
def test_what_cannot_be_had_leaves_everything_as_it_was(
    folder: Path, word: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make_digests.main(["9.9.9"]) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert make_digests.main([word]) == code
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert "make_digests: " in capsys.readouterr().err
